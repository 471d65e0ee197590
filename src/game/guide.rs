//! Short guides to the games that ship, for players who don't own them: those of `docs/games`.

use include_dir::{Dir, include_dir};

use super::Lang;

static GUIDES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/docs/games");

/// The guide to a game as plain text, in this language or else in English; none if it has none.
#[must_use]
pub fn guide(game: &str, lang: Lang) -> Option<String> {
    let named = |name: String| GUIDES.get_file(name)?.contents_utf8();
    let own = named(format!("{game}.{}.md", lang.code()));
    let text = own.or_else(|| named(format!("{game}.md")))?;
    Some(without_links(text))
}

/// A text whose links are their words, with the address behind them if it is a page of the web:
/// files that stand beside the guide do not come with it.
fn without_links(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, link)) = rest.split_once('[') {
        plain.push_str(before);
        let parts = link
            .split_once("](")
            .filter(|(words, _)| !words.contains(['[', ']', '\n']))
            .and_then(|(words, behind)| Some((words, behind.split_once(')')?)));
        match parts {
            Some((words, (address, behind))) => {
                plain.push_str(words);
                if address.starts_with("http") {
                    plain.push_str(&format!(" ({address})"));
                }
                rest = behind;
            }
            None => {
                plain.push('[');
                rest = link;
            }
        }
    }
    plain.push_str(rest);
    plain
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests may panic")]
mod tests {
    use super::*;
    use crate::game::{EmbeddedFiles, Files};

    #[test]
    fn links_become_their_words() {
        for (text, plain) in [
            ("see [the page](../page.md).", "see the page."),
            ("[a](b.md) [c](https://d.org)", "a c (https://d.org)"),
            ("a [note] and [x]: y", "a [note] and [x]: y"),
            ("[open](", "[open]("),
            ("none", "none"),
        ] {
            assert_eq!(without_links(text), plain);
        }
    }

    #[test]
    fn every_game_that_ships_has_a_guide_in_each_language() {
        for id in EmbeddedFiles.game_ids().unwrap() {
            let [english, french] = [Lang::En, Lang::Fr].map(|lang| guide(&id, lang).unwrap());
            assert!(english.len() > 2000 && french.len() > 2000, "{id}");
            assert_ne!(english, french, "{id}");
            assert!(!english.contains("]("), "{id}");
        }
        assert_eq!(guide("no-such-game", Lang::En), None);
    }
}
