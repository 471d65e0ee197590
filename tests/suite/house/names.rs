//! Names that can be read: a test's name and its result fit in a line of a terminal.

use std::{fs, path::Path};

use syn::{ItemFn, visit::Visit};

use super::imports::rust_files;

/// The longest name of a function, in characters.
const LONGEST: usize = 60;

#[derive(Default)]
struct Names(Vec<String>);

impl Visit<'_> for Names {
    fn visit_item_fn(&mut self, item: &ItemFn) {
        self.0.push(item.sig.ident.to_string());
        syn::visit::visit_item_fn(self, item);
    }
}

#[test]
fn names_of_functions_fit_a_line() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut names = Names::default();
    for folder in ["src", "tests"] {
        for path in rust_files(&root.join(folder)) {
            names.visit_file(&syn::parse_file(&fs::read_to_string(path).unwrap()).unwrap());
        }
    }
    assert!(names.0.len() > 1000);
    names.0.retain(|name| name.len() > LONGEST);
    assert_eq!(names.0, <[String; 0]>::default());
}
