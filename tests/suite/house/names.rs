//! Names that can be read: a test's name and its result fit in a line of a terminal, types are
//! named by nouns, and no two of them alike.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    sync::LazyLock,
};

use syn::{File, Ident, Item, ItemFn, visit::Visit};

use super::imports::{is_for_tests, rust_files, src};

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

/// Participles that do not end in `-ed`, and words that are no nouns: a type whose name ends in one
/// does not say what it is.
const NO_NOUNS: &[&str] = &[
    "Told",
    "Untold",
    "Heard",
    "Unheard",
    "Said",
    "Kept",
    "Shown",
    "Seen",
    "Unseen",
    "Stood",
    "Given",
    "Held",
    "Taken",
    "Understood",
    "Written",
    "Left",
    "Known",
    "Sent",
    "Built",
    "Drawn",
    "Lost",
    "Found",
    "Bound",
    "Come",
    "Came",
    "For",
    "To",
    "How",
    "What",
    "Where",
    "Why",
    "Of",
    "Once",
    "Again",
    "Next",
    "Last",
    "Whole",
    "Wrong",
    "Ready",
    "Due",
    "Open",
    "Shut",
];

/// The header of RFC 3834, and the record of that name in a journal.
const NOT_NOUNS_ALL_THE_SAME: &[&str] = &["AutoSubmitted", "Done"];

/// A command's arguments, whose file and module say which; and the watch on a folder, of which
/// there is one for each system.
const SEVERAL_OF_ONE_NAME: &[&str] = &["Args", "Watch"];

/// The names of the types that files define, unit tests left out.
#[derive(Default)]
struct Types(BTreeMap<String, Vec<String>>);

impl Types {
    /// Those of all files below `src`; read once.
    fn of_src() -> &'static Self {
        static READ: LazyLock<Types> = LazyLock::new(|| {
            let root = src();
            let mut types = Types::default();
            for path in rust_files(&root) {
                let name = path.strip_prefix(&root).unwrap().display().to_string();
                if !name.contains("tests") {
                    types.read(&name, &fs::read_to_string(&path).unwrap());
                }
            }
            types
        });
        &READ
    }

    fn read(&mut self, file: &str, text: &str) {
        let File { items, .. } = syn::parse_file(text).unwrap();
        self.items(file, &items);
    }

    fn items(&mut self, file: &str, items: &[Item]) {
        for item in items {
            let (name, attributes): (&Ident, _) = match item {
                Item::Struct(item) => (&item.ident, &item.attrs),
                Item::Enum(item) => (&item.ident, &item.attrs),
                Item::Trait(item) => (&item.ident, &item.attrs),
                Item::Type(item) => (&item.ident, &item.attrs),
                Item::Mod(module) => {
                    if let Some((_, items)) = &module.content
                        && !module.attrs.iter().any(is_for_tests)
                    {
                        self.items(file, items);
                    }
                    continue;
                }
                _ => continue,
            };
            if !attributes.iter().any(is_for_tests) {
                let files = self.0.entry(name.to_string()).or_default();
                files.push(file.to_owned());
            }
        }
    }

    /// Those whose last word is no noun.
    fn no_nouns(&self) -> BTreeSet<&str> {
        let names = self.0.keys().map(String::as_str);
        let of_src = names.filter(|name| !NOT_NOUNS_ALL_THE_SAME.contains(name));
        of_src.filter(|name| is_no_noun(name)).collect()
    }

    /// Those that are defined more than once, with the files.
    fn doubles(&self) -> Vec<(&str, &[String])> {
        let types = self.0.iter().map(|(name, files)| (&**name, &**files));
        let of_src = types.filter(|(name, _)| !SEVERAL_OF_ONE_NAME.contains(name));
        of_src.filter(|(_, files)| files.len() > 1).collect()
    }
}

/// Returns true if the last word of a type's name is a participle, or anything else that stands for
/// no thing.
fn is_no_noun(name: &str) -> bool {
    let last = name
        .rfind(char::is_uppercase)
        .map_or(name, |at| &name[at..]);
    let is_participle = last.ends_with("ed") && !["Seed", "Speed", "Need", "Feed"].contains(&last);
    is_participle || NO_NOUNS.contains(&last)
}

#[test]
fn types_are_named_by_nouns() {
    let types = Types::of_src();
    assert!(types.0.len() > 500);
    assert_eq!(types.no_nouns(), BTreeSet::new());
}

#[test]
fn no_two_types_have_one_name() {
    assert_eq!(Types::of_src().doubles(), []);
}

#[test]
fn bad_names_are_found() {
    let mut types = Types::default();
    types.read(
        "a.rs",
        "struct Shown; enum MailHeard {} mod b { trait Why {} }",
    );
    types.read(
        "b.rs",
        "struct ShownState; type Unchecked = u8; struct Seed;",
    );
    types.read(
        "c.rs",
        "struct Seed; #[cfg(test)] struct Kept; #[cfg(test)] mod t { struct Said; }",
    );
    let found: Vec<_> = types.no_nouns().into_iter().collect();
    assert_eq!(found, ["MailHeard", "Shown", "Unchecked", "Why"]);
    assert_eq!(
        types.doubles(),
        [("Seed", &["b.rs".to_owned(), "c.rs".to_owned()][..])]
    );
}

/// The widest line of a comment, in columns: no wider than code.
const WIDEST: usize = 100;

#[test]
fn comments_are_no_wider_than_code() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut wide = Vec::new();
    for folder in ["src", "tests"] {
        for path in rust_files(&root.join(folder)) {
            let text = fs::read_to_string(&path).unwrap();
            let comments = text.lines().enumerate();
            let comments = comments.filter(|(_, line)| line.trim_start().starts_with("//"));
            let too_wide = comments.filter(|(_, line)| line.chars().count() > WIDEST);
            wide.extend(too_wide.map(|(at, _)| format!("{}:{}", path.display(), at + 1)));
        }
    }
    assert_eq!(wide, <[String; 0]>::default());
}
