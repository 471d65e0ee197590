//! A small sound game to start from (`estafette new-game`). Its files stand in
//! `templates/new-game`, a folder for what all variants have and one for each choice; here they are
//! put together.

use std::collections::BTreeMap;

use include_dir::{Dir, DirEntry};

use crate::templates;

/// The placeholder for the game's id in the templates.
const ID: &str = "GAME_ID";
/// The placeholder for its title.
const TITLE: &str = "GAME_TITLE";

/// The choice among the small games.
#[derive(Clone, Copy, Debug, Default)]
pub struct Starter {
    /// A map of hexes in place of spaces that roads join.
    pub hexes: bool,
    /// Lets each side see only what is next to its pieces.
    pub fog: bool,
}

impl Starter {
    /// All files of the game by their paths: `games/ID/...`, `rules/ID/...` and `cases/ID/...`.
    #[must_use]
    pub fn files(self, id: &str) -> BTreeMap<String, String> {
        let map = if self.hexes { "hexes" } else { "points" };
        let sight = if self.fog { "fog" } else { "open" };
        let mut files = BTreeMap::new();
        for layer in ["all", map, sight] {
            let layer = format!("new-game/{layer}");
            if let Some(folder) = templates::folder(&layer) {
                collect(&layer, folder, id, &mut files);
            }
        }
        files
    }
}

fn collect(layer: &str, folder: &Dir<'_>, id: &str, files: &mut BTreeMap<String, String>) {
    for entry in folder.entries() {
        match entry {
            DirEntry::Dir(inner) => collect(layer, inner, id, files),
            DirEntry::File(file) => {
                let path = file.path().strip_prefix(layer).unwrap_or(file.path());
                let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
                if let (Some((top, rest)), Some(text)) = (parts.split_first(), file.contents_utf8())
                {
                    let top = if top == "game" { "games" } else { top };
                    let text = text.replace(ID, id).replace(TITLE, &title(id));
                    files.insert(format!("{top}/{id}/{}", rest.join("/")), text);
                }
            }
        }
    }
}

/// `the_long_ridge` as a title: "The Long Ridge".
fn title(id: &str) -> String {
    let words = id.split('_').filter(|word| !word.is_empty());
    let capital = |word: &str| {
        let mut letters = word.chars();
        let first = letters.next().map(|first| first.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    };
    words.map(capital).collect::<Vec<_>>().join(" ")
}
