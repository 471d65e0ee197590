//! Elisions, plurals and agreement: every sentence of every game, with every name of a piece and of
//! a place, in both languages.

use std::collections::BTreeMap;

use crate::support::shipped_game;
use estafette::{
    dispatch::Words,
    game::{EmbeddedFiles, Files, Game, Lang},
    value::{Fields, Value},
};
use regex::Regex;

fn text(words: &str) -> Value {
    words.into()
}

fn fields(pairs: &[(&str, Value)]) -> Value {
    let pairs = pairs
        .iter()
        .map(|(key, value)| ((*key).to_owned(), value.clone()));
    Value::Map(pairs.collect())
}

/// What one sentence is filled with.
struct Filling {
    piece: Value,
    leader: Value,
    mask: Value,
    place: Value,
    number: i64,
    /// What words in the sentence's conditions are compared with.
    word: Value,
}

impl Filling {
    /// The value of an argument, told by its name and by what the sentence does with it.
    fn of(&self, name: &str, source: &str) -> Value {
        let one = match name {
            "leader" | "deputy" | "commander" => self.leader.clone(),
            "mask" => self.mask.clone(),
            "piece" | "unit" => self.piece.clone(),
            "pieces" | "units" | "attackers" | "defenders" | "riders" | "cavalry" | "screen"
            | "shown" | "guns" | "except" => Value::List(vec![self.piece.clone()]),
            "space" | "from" | "to" | "a" | "b" | "target" | "next" | "at" | "place" => {
                self.place.clone()
            }
            "party" => text("coalition"),
            "side" | "attacker" | "defender" => text(match &self.word {
                Value::Text(word) if !word.is_empty() => word,
                _ => "austrian",
            }),
            "reasons" | "shifts" => Value::List(Vec::new()),
            "rolled" | "roll" | "die" => Value::List(vec![Value::Int(3)]),
            "way" | "of" => Value::List(vec![self.place.clone()]),
            "attack" | "defence" if source.contains(&format!("{name}|join")) => {
                Value::List(vec![Value::Int(3)])
            }
            "rule" => text("8"),
            "chit" => text("II"),
            "why" | "status" | "fate" | "work" | "level" | "box" | "result" | "terrain" => {
                self.word.clone()
            }
            _ => Value::Int(self.number),
        };
        let is_list = ["list", "any_of"]
            .iter()
            .any(|it| source.contains(&format!("{name}|{it}")));
        match one {
            Value::Map(_) if is_list => Value::List(vec![one]),
            other => other,
        }
    }
}

/// The arguments that a sentence names.
fn arguments(source: &str) -> Vec<String> {
    let tags = Regex::new(r"\{[{%](.*?)[%}]\}").unwrap();
    let strings = Regex::new(r#""[^"]*"|'[^']*'"#).unwrap();
    let names = Regex::new(r"[a-z_]+").unwrap();
    let mut found = Vec::new();
    for tag in tags.captures_iter(source) {
        let inner = strings.replace_all(&tag[1], " ");
        found.extend(names.find_iter(&inner).map(|name| name.as_str().to_owned()));
    }
    found.sort();
    found.dedup();
    found
}

/// The words that a sentence compares with.
fn compared(source: &str) -> Vec<Value> {
    let words = Regex::new(r#"==\s*["']([a-z_]*)["']"#).unwrap();
    let found = words.captures_iter(source).map(|found| text(&found[1]));
    [text("")].into_iter().chain(found).collect()
}

/// What nobody writes in a language, whatever the names.
fn faults(lang: Lang) -> Vec<Regex> {
    let patterns: &[&str] = match lang {
        Lang::Fr => &[
            r"\b([Dd]|[Qq]u|[Ll]|[Nn]|[Jj]usqu)e [AEIOUÉÈaeiouéèêâô]",
            r"\b(à|de) [Ll]es?\b",
            r"\b(à|de|en) (Fort|Cap|Plage|case|Route)\b",
            // A thing printed as a list of its fields.
            r"\b(name|piece|side|space) et \b",
            r"\b[01]\s(commandants|hexagones|jours|leurres|niveaux|pertes|pions|points|routes|tirages|touches|unités|batteries|factices)\b",
            r"\b2\s(commandant|hexagone|jour|leurre|niveau|perte|pion|point|route|touche|unité|batterie|factice)\b",
            // Names of many, and of one.
            r"(Pionniers|Gendarmes|Canons de Marseille) (est|n'est|a|n'a|ne peut|quitte|subit|arrive|prend|poursuit|revient|récupère|obéit|se \w+e)\b",
            r"(Carteaux|Royal Louis|Chablais) (sont|ne sont|ont|ne peuvent|quittent|subissent|arrivent|prennent|poursuivent|reviennent|récupèrent|obéissent|se \w+ent)\b",
            r"(Légion des Allobroges|Batterie de la Montagne) (vous )?(est|n'est)( pas)? \w+[éu]\b",
            r"(Carteaux|Royal Louis) (vous )?(est|n'est)( pas)? \w+(ée|ue)\b",
            r"(Uhlans|Pontons \w+) (est|n'est|a|n'a|ne peut|ne marche|attaque|quitte|fourrage|subit|marche|entre|rompt|avance|reste|charge|bombarde|doit|essaie|serait|garde|récupère)\b",
            r"(Joubert|IR 7|17 Acqui|Rampon) (sont|ne sont|ont|n'ont|ne peuvent|attaquent|quittent|fourragent|subissent|marchent|entrent|rompent|avancent|restent|chargent|bombardent|doivent|essaient|seraient|gardent|récupèrent)\b",
            r"(Joubert|IR 7|17 Acqui|Rampon) (est|n'est)( pas| plus| de nouveau)? \w+(ée|ie|te)\b",
            r"(artillerie de Melas|Art 1a|Garnison française 1) (est|n'est)( pas| plus| de nouveau)? (éliminé|réduit|ébranlé|ravitaillé|activé)\b",
            r"Activées? : (IR 7|17 Acqui|Pontons)|Activés? : Art 1a|Activé : Pontons",
            r"ébranlée?s?, (un|une)\b|, ébranlé\.$.*Art 1a|: retraite .*(IR 7|17 Acqui).*ébranlée",
        ],
        Lang::En => &[
            r"\b1 (hits|points|hexes|levels|pieces|dummies|roads|batteries|units|chits|commanders|counters|draws|formations|days)\b",
            r"\b[02] (hit|point|hex|level|piece|dummy|road|battery|unit|chit|commander|counter|draw|day)\b",
            r"(Pioneers|Gendarmes|Guns of Marseille) (is|has|takes|arrives|starts|falls|pursues|tries|goes|comes|leaves|recovers)\b",
            r"(Carteaux|Royal Louis|1 Chablais) (are|have|take|arrive|start|fall|pursue|try|go|come|leave|recover)\b",
            r"Uhlans (is|has|takes|attacks|forages|goes|tries|falls|marches|needs|recovers|does)\b",
            r"(Joubert|IR 7|17 Acqui|Rampon) (are|have|take|attack|forage|go|try|fall|march|need|recover|do)\b",
            r"\ba [aeiou]\w+ (hit|unit)\b",
        ],
    };
    let patterns = patterns.iter().map(|it| Regex::new(it).unwrap());
    patterns.collect()
}

/// A way to print one of the game's sentences.
type Print = fn(&Words, &str, &Fields) -> Option<String>;

#[test]
fn every_sentence_goes_with_every_name() {
    let mut wrong = BTreeMap::new();
    for id in EmbeddedFiles.game_ids().unwrap() {
        let game = shipped_game(&id);
        for lang in Lang::ALL {
            let words = Words::new(&game, lang);
            let faults = faults(lang);
            let (mut printed, mut all) = (0, 0);
            for (section, key, source, print) in sentences(&game, lang) {
                all += 1;
                let mut prints = false;
                let names = arguments(source);
                for filling in fillings(&game, source) {
                    let args = names
                        .iter()
                        .map(|name| (name.clone(), filling.of(name, source)));
                    let Some(said) = print(&words, key, &args.collect()) else {
                        continue;
                    };
                    prints = true;
                    for fault in &faults {
                        if fault.is_match(&said) {
                            let place = format!("{id}/text/{}.yaml, {section}.{key}", lang.code());
                            wrong.entry(place).or_insert_with(|| said.clone());
                        }
                    }
                }
                printed += usize::from(prints);
            }
            assert!(
                printed * 100 > all * 95,
                "{id}, {lang:?}: {printed} of {all}"
            );
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Whatever a letter tells ends as sentences do, unless a player's own words end it, or it is a
/// heading.
#[test]
fn every_sentence_ends() {
    let mut wrong = Vec::new();
    for id in EmbeddedFiles.game_ids().unwrap() {
        let game = shipped_game(&id);
        let headings = &game.decl.display.headings;
        let is_heading = |key: &str| headings.iter().any(|heading| heading.event == key);
        for lang in Lang::ALL {
            let all = sentences(&game, lang).into_iter();
            for (section, key, source, _) in all.filter(|it| !is_heading(it.1)) {
                // A choice between two sentences has the signs of both.
                let ends = source.ends_with(['.', '?', '!']) || source.ends_with("\" }}");
                if !ends && !source.ends_with("{{ words }}") {
                    wrong.push(format!("{id}/{}, {section}.{key}: {source}", lang.code()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Events, remarks and questions, with how each is printed.
fn sentences(game: &Game, lang: Lang) -> Vec<(&'static str, &str, &str, Print)> {
    let text = &game.text[&lang];
    let event: Print = |words, key, args| words.event(key, args).ok();
    let remark: Print = |words, key, args| words.remark(key, args).ok();
    let question: Print = |words, key, args| words.question(key, args).ok();
    let events = text
        .events
        .iter()
        .map(|(key, it)| ("events", &**key, &**it, event));
    let remarks = text
        .remarks
        .iter()
        .map(|(key, it)| ("remarks", &**key, &**it, remark));
    let questions = text.topics.iter();
    let questions = questions.map(|(key, it)| ("topics", &**key, &*it.question, question));
    events.chain(remarks).chain(questions).collect()
}

/// Every piece and every place with a name, in step, and nought, one and two of whatever is
/// counted.
fn fillings(game: &Game, source: &str) -> Vec<Filling> {
    let pieces = game.forces.pieces.iter().map(|piece| {
        fields(&[
            ("piece", text(&piece.id)),
            ("name", text(&piece.name)),
            ("side", text(&piece.side)),
        ])
    });
    let pieces: Vec<Value> = pieces.collect();
    let of_kind = |symbol: &str| -> Vec<Value> {
        let all = pieces.iter().zip(&game.forces.pieces);
        let those = all.filter(|(_, piece)| game.decl.kinds[&piece.kind].symbol == symbol);
        those.map(|(named, _)| named.clone()).collect()
    };
    let (leaders, masks) = (of_kind("headquarters"), of_kind("decoy"));
    let spaces = game.map.map().spaces.iter();
    let places = spaces
        .filter(|space| space.name != *space.id)
        .map(|space| fields(&[("space", text(&space.id)), ("name", text(&space.name))]));
    let places: Vec<Value> = places.collect();
    let words = compared(source);
    let names = pieces.len().max(places.len());
    let all = (0..names.max(words.len() * 3)).map(|n| Filling {
        piece: pieces[n % pieces.len()].clone(),
        leader: leaders
            .get(n % leaders.len().max(1))
            .unwrap_or(&pieces[0])
            .clone(),
        mask: masks
            .get(n % masks.len().max(1))
            .unwrap_or(&pieces[0])
            .clone(),
        place: places[n % places.len()].clone(),
        number: i64::try_from(n % 3).unwrap(),
        word: words[n % words.len()].clone(),
    });
    all.collect()
}
