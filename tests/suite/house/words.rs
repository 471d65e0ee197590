//! Words of a language stand in templates and texts, not in Rust: a letter that is corrected or
//! translated needs no program.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    sync::LazyLock,
};

use regex::Regex;
use syn::{Attribute, ItemMod, LitStr, Macro, visit::Visit};

use super::imports::{is_for_tests, is_unit_test, rust_files, src};

/// The texts of a file outside of tests, comments and attributes.
#[derive(Default)]
struct Texts(Vec<String>);

impl Visit<'_> for Texts {
    fn visit_attribute(&mut self, _: &Attribute) {}

    fn visit_item_mod(&mut self, item: &ItemMod) {
        if !item.attrs.iter().any(is_for_tests) {
            syn::visit::visit_item_mod(self, item);
        }
    }

    fn visit_lit_str(&mut self, text: &LitStr) {
        self.0.push(text.value());
    }

    fn visit_macro(&mut self, called: &Macro) {
        static TEXTS: LazyLock<Regex> =
            LazyLock::new(|| Regex::new(r#""((?:[^"\\]|\\.)*)""#).unwrap());
        let tokens = called.tokens.to_string();
        let found = TEXTS.captures_iter(&tokens);
        self.0.extend(found.map(|found| found[1].to_owned()));
    }
}

impl Texts {
    fn of(source: &str) -> Vec<String> {
        let mut texts = Self::default();
        texts.visit_file(&syn::parse_file(source).unwrap());
        texts.0
    }

    /// Those of all files below `src`, unit tests left out; read once.
    fn of_src() -> &'static BTreeMap<PathBuf, Vec<String>> {
        static TEXTS: LazyLock<BTreeMap<PathBuf, Vec<String>>> = LazyLock::new(|| {
            let files = rust_files(&src()).into_iter();
            let files = files.filter(|path| !is_unit_test(path));
            let texts = files.map(|path| {
                let texts = Texts::of(&fs::read_to_string(&path).unwrap());
                (path, texts)
            });
            texts.collect()
        });
        &TEXTS
    }

    fn of_room(room: &str) -> impl Iterator<Item = &'static String> {
        let src = src();
        let is_read = |path: &Path| READ.iter().any(|read| path.starts_with(src.join(read)));
        let files = Self::of_src().iter();
        let files = files.filter(|(path, _)| path.starts_with(src.join(room)) && !is_read(path));
        let texts: Vec<&String> = files.flat_map(|(_, texts)| texts).collect();
        assert!(!texts.is_empty(), "{room} has no texts");
        texts.into_iter()
    }
}

/// Returns true if a reader would take it for a sentence: three words one after the other.
fn is_sentence(text: &str) -> bool {
    static SENTENCE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\p{L}[\p{L}'’]* \p{L}[\p{L}'’]* \p{L}").unwrap());
    SENTENCE.is_match(text)
}

fn is_foreign(text: &str) -> bool {
    text.chars().any(|c| c.is_alphabetic() && !c.is_ascii())
}

/// What is read in any language and never written: the phrases and names of mail programs, and
/// letters that stand for others in names.
const READ: &[&str] = &["mail/phrases", "mail/scanner/shape.rs", "orders/fold.rs"];

/// What is no text of a letter: an error, which a log shows.
const ERRORS: &[&str] = &[
    "a thread that draws has stopped",
    "`{other}` is no section with terms",
    "there is no such text",
    "there is no letter to answer",
];

#[test]
fn no_words_of_letters_stand_in_rust() {
    for room in ["campaign/post", "dispatch", "simulate/player.rs"] {
        let found: Vec<&String> = Texts::of_room(room)
            .filter(|text| is_sentence(text) && !ERRORS.contains(&text.as_str()))
            .collect();
        assert_eq!(found, <[&String; 0]>::default(), "{room}");
    }
}

#[test]
fn no_letters_of_another_alphabet_stand_in_rust() {
    let texts = Texts::of_room("");
    let found: Vec<&String> = texts.filter(|text| is_foreign(text)).collect();
    assert_eq!(found, <[&String; 0]>::default());
}

/// The spellings of a file of words, and its keys: they name things in Rust.
fn spellings(lang: &str, file: &str) -> (BTreeSet<String>, BTreeSet<String>) {
    let path = format!("templates/{lang}/{file}.yaml");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let file: BTreeMap<String, serde_yaml::Value> =
        serde_yaml::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let (mut spelt, mut keys) = (BTreeSet::new(), BTreeSet::new());
    for section in file.values().filter_map(serde_yaml::Value::as_mapping) {
        for (key, words) in section {
            keys.extend(key.as_str().map(str::to_owned));
            let words = words.as_sequence().into_iter().flatten();
            spelt.extend(words.filter_map(|word| word.as_str().map(estafette::orders::fold)));
        }
    }
    (spelt, keys)
}

#[test]
fn no_spelling_of_a_request_stands_in_rust() {
    for file in ["errands", "requests"] {
        let (french, _) = spellings("fr", file);
        let (english, keys) = spellings("en", file);
        assert!(
            french.contains("rejoindre") && english.contains("join"),
            "{file}"
        );
        for room in ["campaign", "club"] {
            let found: Vec<&String> = Texts::of_room(room)
                .filter(|text| {
                    let text = estafette::orders::fold(text);
                    french.contains(&text) && !english.contains(&text) && !keys.contains(&text)
                })
                .collect();
            assert_eq!(found, <[&String; 0]>::default(), "{room}, {file}");
        }
    }
}

#[test]
fn words_in_rust_are_found() {
    let source = r#"
        /// Says that orders are closed.
        #[error("this is an error")]
        fn subject(lang: Lang) -> String {
            let phrase = match lang {
                Lang::En => "Orders are closed",
                Lang::Fr => "Scellées",
            };
            format!("[{campaign}] The umpire's word")
        }
        #[cfg(test)]
        mod tests {
            const TOLD: &str = "Orders were closed été";
        }
    "#;
    let texts = Texts::of(source);
    let sentences: Vec<_> = texts.iter().filter(|text| is_sentence(text)).collect();
    assert_eq!(
        sentences,
        ["Orders are closed", "[{campaign}] The umpire's word"]
    );
    let foreign: Vec<_> = texts.iter().filter(|text| is_foreign(text)).collect();
    assert_eq!(foreign, ["Scellées"]);
    assert!(!is_sentence("inbox/done") && !is_sentence("{} ({})"));
}

#[test]
fn templates_are_found_by_their_folder() {
    let files = rust_files(&src()).into_iter();
    let naming = files.filter(|path| {
        let text = fs::read_to_string(path).unwrap();
        let names_it = text.contains("MANIFEST_DIR/templates") || text.contains("../templates/");
        !path.ends_with("templates.rs") && names_it
    });
    let naming: Vec<_> = naming.collect();
    assert!(naming.is_empty(), "{naming:?}");
}

/// Where the files of a campaign stand, its store alone knows: a database could take their place.
#[test]
fn files_of_campaigns_are_named_in_the_store_alone() {
    let store = src().join("store");
    let own = [
        "campaign.yaml",
        "journal.jsonl",
        "snapshots",
        "pinned",
        "outbox",
        "inbox",
    ];
    let mut found = Vec::new();
    for (path, texts) in Texts::of_src() {
        if path.starts_with(&store) {
            continue;
        }
        for text in texts.iter().filter(|text| own.contains(&text.as_str())) {
            found.push(format!("{}: {text}", path.display()));
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}
