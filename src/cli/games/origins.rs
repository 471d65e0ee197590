//! Where the figures of a game come from (`games NAME --sources`).

use serde::Serialize;

use crate::{
    cli::cli_words::CliWords,
    dispatch::Words,
    game::{Game, Lang, Provenance, SourcedItem, hex::Feature},
};

/// Where a thing of a game comes from.
#[derive(Serialize)]
pub struct Origin {
    kind: &'static str,
    /// The game's own word for it, where there is one.
    #[serde(skip)]
    word: Option<String>,
    name: String,
    source: Provenance,
}

impl Origin {
    fn word<'a>(&'a self, words: &'a CliWords) -> &'a str {
        self.word.as_deref().unwrap_or_else(|| words.get(self.kind))
    }
}

/// Everything of a game with its source, in the order of the files.
pub fn of(game: &Game, lang: Lang) -> Vec<Origin> {
    let words = Words::new(game, lang);
    let maps = game.maps().filter_map(|map| map.hexes());
    let features: Vec<&Feature> = maps.flat_map(|hexes| &hexes.file().features).collect();
    let origin = |found: SourcedItem| Origin {
        kind: found.kind,
        word: found.hexside.and_then(|kind| {
            let feature = features.iter().find(|feature| feature.id == kind);
            feature.map(|feature| words.hexside(feature))
        }),
        name: found.name,
        source: found.source,
    };
    game.sources().into_iter().map(origin).collect()
}

const SOURCES: [(Provenance, &str, &str); 3] = [
    (Provenance::Stated, "stated", "stated_means"),
    (Provenance::Deduced, "deduced", "deduced_means"),
    (
        Provenance::Reconstructed,
        "reconstructed",
        "reconstructed_means",
    ),
];

/// A line for each, how many of each kind come from where, and what the sources mean.
pub fn lines(origins: &[Origin], words: &CliWords) -> Vec<String> {
    let name = |source| {
        let found = SOURCES.iter().find(|(known, ..)| *known == source);
        found.map_or("", |(_, name, _)| words.get(name))
    };
    let each = origins.iter().map(|one| {
        let (source, kind) = (name(one.source), one.word(words));
        format!("{source:<13}  {kind:<9}  {}", one.name)
    });
    let mut lines: Vec<String> = each.collect();
    lines.push(String::new());
    lines.extend(by_kind(origins, words));
    lines.push(format!("{} {}", origins.len(), words.get("in_all")));
    lines.extend(SOURCES.map(|(source, name, meaning)| {
        let count = origins.iter().filter(|one| one.source == source).count();
        format!(
            "{count:>5} {}{}{}",
            words.get(name),
            words.get("colon"),
            words.get(meaning)
        )
    }));
    lines
}

/// "area: 10 stated, 4 deduced, 49 reconstructed", kinds in the order of the files.
fn by_kind(origins: &[Origin], words: &CliWords) -> Vec<String> {
    let mut kinds: Vec<&str> = Vec::new();
    for kind in origins.iter().map(|one| one.word(words)) {
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    let of_kind = |kind: &str| {
        let counts = SOURCES.iter().filter_map(|(source, name, _)| {
            let of_source = |one: &&Origin| one.word(words) == kind && one.source == *source;
            let count = origins.iter().filter(of_source).count();
            (count > 0).then(|| format!("{count} {}", words.get(name)))
        });
        format!(
            "{}{}{}",
            kind,
            words.get("colon"),
            counts.collect::<Vec<_>>().join(", ")
        )
    };
    kinds.into_iter().map(of_kind).collect()
}
