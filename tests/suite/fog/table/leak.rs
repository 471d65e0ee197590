//! Leaks that are planted to show that they are found.

use estafette::game::Game;

use super::Sent;

/// Everything that may leak, by the name under which it is compared; of letters the kind and the
/// part.
pub const ARTEFACTS: &[&str] = &[
    "the view after a fresh look",
    "the subject",
    "the text",
    "the page",
    "the map",
    "the template",
    "what is said to",
    "the error: text",
    "the receipt: text",
    "the receipt: header",
    "the dispatch: id",
    "the dispatch: subject",
    "the dispatch: text",
    "the dispatch: page",
    "the dispatch: picture",
    "the dispatch: register entry",
    "the dispatch: order of mails",
    "the question: subject",
    "the question: text",
    "the question: picture",
];

/// What is planted: it looks like a digest, and no mask may hide it.
const PLANTED: &str = " 5ec4e75ec4e75ec4e75ec4e75ec4e75ec4e75ec4e75ec4e75ec4e75ec4e75ec4";

/// A leak in what is sent.
#[derive(Clone, Copy)]
pub struct Leak(Option<&'static str>);

impl Leak {
    /// What the program does.
    pub const NONE: Self = Self(None);

    /// A secret stands in this artefact.
    pub fn planted(artefact: &'static str) -> Self {
        Self(Some(artefact))
    }

    /// Returns true if it is in the artefact of that name.
    pub fn is_in(self, artefact: &str) -> bool {
        self.0.is_some_and(|planted| artefact.starts_with(planted))
    }

    /// The artefact as it is sent, before anything of it is masked.
    pub fn text(self, name: &str, mut text: String) -> Sent {
        if self.is_in(name) {
            text.push_str(PLANTED);
        }
        (name.to_owned(), text)
    }
}

/// A leak planted in the rules or the data of a game, and the secret that it shows.
pub struct Planted {
    pub what: &'static str,
    pub plant: fn(&mut Game),
    pub secret: &'static str,
}

/// Changes a rule, which must be there.
pub fn rule(game: &mut Game, file: &str, from: &str, to: &str) {
    let name = format!("{}/{file}.rhai", game.decl.id);
    let (_, text) = game
        .scripts
        .iter_mut()
        .find(|(path, _)| *path == name)
        .unwrap();
    assert!(text.contains(from), "`{from}` is not in {name}");
    *text = text.replace(from, to);
}
