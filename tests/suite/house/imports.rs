//! Which file uses which, read from the syntax of the sources.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    sync::LazyLock,
};

use syn::{Item, ItemMod, ItemUse, UseTree, visit::Visit};

/// Where the sources of the crate lie.
pub fn src() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// A module's path below the crate: `["campaign", "journal"]`.
pub type Module = Vec<String>;

/// The sources of the crate.
#[derive(Default)]
pub struct Sources {
    /// What each file refers to by a path that begins with `crate`, `self` or `super`: paths below
    /// the crate.
    uses: BTreeMap<Module, BTreeSet<Module>>,
    /// What each module hands on with `pub use`, by the name it has there.
    handed_on: BTreeMap<Module, BTreeMap<String, Module>>,
}

impl Sources {
    /// All files below `src`, unit tests left out; read once.
    pub fn of_src() -> &'static Self {
        static READ: LazyLock<Sources> = LazyLock::new(|| {
            let root = src();
            let files = rust_files(&root).into_iter();
            let files =
                files.filter(|path| !is_unit_test(path.strip_prefix(&root).unwrap_or(path)));
            let texts =
                files.map(|path| (module_of(&root, &path), fs::read_to_string(path).unwrap()));
            Sources::of_modules(texts)
        });
        &READ
    }

    /// The same of texts by the paths of their modules.
    pub fn of(texts: &[(&str, &str)]) -> Self {
        let module = |path: &str| path.split("::").map(str::to_owned).collect();
        Self::of_modules(
            texts
                .iter()
                .map(|(path, text)| (module(path), (*text).to_owned())),
        )
    }

    fn of_modules(texts: impl Iterator<Item = (Module, String)>) -> Self {
        let mut sources = Self::default();
        for (module, text) in texts {
            let file = syn::parse_file(&text).unwrap();
            let mut reader = Reader {
                sources: &mut sources,
                file: module.clone(),
                here: module,
            };
            reader.visit_file(&file);
        }
        sources
    }

    /// The arrows between files: the modules whose items each file refers to, itself left out.
    pub fn arrows(&self) -> BTreeMap<Module, BTreeSet<Module>> {
        let arrows = self.uses.iter().map(|(file, paths)| {
            let owners = paths.iter().filter_map(|path| self.owner(path));
            (file.clone(), owners.filter(|owner| owner != file).collect())
        });
        arrows.collect()
    }

    /// The file that has the item of this path, behind all doors that hand it on.
    fn owner(&self, path: &[String]) -> Option<Module> {
        let mut path = path.to_vec();
        for _ in 0..8 {
            let length = (0..=path.len())
                .rev()
                .find(|n| self.uses.contains_key(&path[..*n]))?;
            let (module, rest) = path.split_at(length);
            let behind = rest
                .first()
                .and_then(|name| self.handed_on.get(module)?.get(name));
            match behind {
                Some(behind) => path = [behind.as_slice(), &rest[1..]].concat(),
                None => return Some(module.to_vec()),
            }
        }
        None
    }
}

/// Groups of files that can reach each other along the arrows, the largest first; a file alone is
/// no circle.
pub fn circles(arrows: &BTreeMap<Module, BTreeSet<Module>>) -> Vec<BTreeSet<Module>> {
    let reached: BTreeMap<&Module, BTreeSet<&Module>> = arrows
        .keys()
        .map(|from| (from, reach(arrows, from)))
        .collect();
    let mut circles = BTreeSet::new();
    for (from, to) in &reached {
        let circle = to
            .iter()
            .filter(|to| reached.get(*to).is_some_and(|back| back.contains(from)));
        let circle: BTreeSet<Module> = circle.map(|module| (*module).clone()).collect();
        if circle.len() > 1 {
            circles.insert(circle);
        }
    }
    let mut circles: Vec<_> = circles.into_iter().collect();
    circles.sort_by_key(|circle| std::cmp::Reverse(circle.len()));
    circles
}

fn reach<'a>(
    arrows: &'a BTreeMap<Module, BTreeSet<Module>>,
    from: &'a Module,
) -> BTreeSet<&'a Module> {
    let mut reached = BTreeSet::new();
    let mut open = vec![from];
    while let Some(module) = open.pop() {
        for next in arrows.get(module).into_iter().flatten() {
            if reached.insert(next) {
                open.push(next);
            }
        }
    }
    reached
}

/// All sources below a folder, in the order of their paths.
pub fn rust_files(folder: &Path) -> Vec<PathBuf> {
    if folder.is_file() {
        return vec![folder.to_owned()];
    }
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

pub fn is_unit_test(path: &Path) -> bool {
    let in_folder = path.iter().any(|part| part == "tests");
    in_folder
        || path.ends_with("fixture.rs")
        || path.to_string_lossy().ends_with("tests.rs")
        || path.ends_with("properties.rs")
}

fn module_of(root: &Path, path: &Path) -> Module {
    let below = path.strip_prefix(root).unwrap().with_extension("");
    let parts = below.iter().map(|part| part.to_string_lossy().into_owned());
    let mut module: Module = parts.collect();
    if matches!(
        module.last().map(String::as_str),
        Some("mod" | "lib" | "main")
    ) {
        module.pop();
    }
    module
}

/// Walks through one file.
struct Reader<'a> {
    sources: &'a mut Sources,
    file: Module,
    here: Module,
}

impl Reader<'_> {
    /// A path as the crate has it, if it is one of its own.
    fn resolved(&self, path: &[String]) -> Option<Module> {
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => Some(rest.to_vec()),
            "self" => Some([self.here.as_slice(), rest].concat()),
            "super" => {
                let mut base = self.here.clone();
                let ups = path.iter().take_while(|part| *part == "super").count();
                base.truncate(base.len().checked_sub(ups)?);
                base.extend_from_slice(&path[ups..]);
                Some(base)
            }
            _ => None,
        }
    }

    fn note(&mut self, path: &[String]) {
        if let Some(path) = self.resolved(path) {
            self.sources
                .uses
                .entry(self.file.clone())
                .or_default()
                .insert(path);
        }
    }

    fn import(&mut self, tree: &UseTree, before: &[String], public: bool) {
        let with = |name: &syn::Ident| [before, &[name.to_string()]].concat();
        match tree {
            UseTree::Path(path) => self.import(&path.tree, &with(&path.ident), public),
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.import(tree, before, public);
                }
            }
            UseTree::Name(name) if name.ident == "self" => self.hand_on(before, None, public),
            UseTree::Name(name) => self.hand_on(&with(&name.ident), None, public),
            UseTree::Rename(renamed) => {
                let to = renamed.rename.to_string();
                self.hand_on(&with(&renamed.ident), Some(to), public);
            }
            UseTree::Glob(_) => self.note(before),
        }
    }

    /// An import: a use, and behind `pub` another name of the thing. A door that hands on what is
    /// its own uses nothing.
    fn hand_on(&mut self, path: &[String], name: Option<String>, public: bool) {
        // `pub use journal::Journal` at the door: the path begins with a module of its own.
        let own = !matches!(path[0].as_str(), "crate" | "self" | "super");
        let full = if own {
            [self.here.as_slice(), path].concat()
        } else {
            match self.resolved(path) {
                Some(full) => full,
                None => return,
            }
        };
        if public && let Some(name) = name.or_else(|| path.last().cloned()) {
            let names = self.sources.handed_on.entry(self.here.clone()).or_default();
            names.insert(name, full);
        } else if !own {
            self.note(path);
        }
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_file(&mut self, file: &'ast syn::File) {
        self.sources.uses.entry(self.file.clone()).or_default();
        syn::visit::visit_file(self, file);
    }

    fn visit_item(&mut self, item: &'ast Item) {
        let attributes = match item {
            Item::Mod(module) => &module.attrs,
            Item::Fn(function) => &function.attrs,
            Item::Impl(block) => &block.attrs,
            _ => return syn::visit::visit_item(self, item),
        };
        if !attributes.iter().any(is_for_tests) {
            syn::visit::visit_item(self, item);
        }
    }

    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        if module.content.is_some() {
            self.here.push(module.ident.to_string());
            syn::visit::visit_item_mod(self, module);
            self.here.pop();
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        let public = !matches!(item.vis, syn::Visibility::Inherited);
        self.import(&item.tree, &[], public);
    }

    /// `pub(super)` uses nothing.
    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {}

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let parts: Vec<_> = path
            .segments
            .iter()
            .map(|part| part.ident.to_string())
            .collect();
        self.note(&parts);
        syn::visit::visit_path(self, path);
    }
}

pub fn is_for_tests(attribute: &syn::Attribute) -> bool {
    attribute.path().is_ident("cfg")
        && matches!(&attribute.meta, syn::Meta::List(list) if list.tokens.to_string() == "test")
}
