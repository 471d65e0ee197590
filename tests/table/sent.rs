//! Everything that a seat could be sent in a state, as text that can be compared.

use estafette::{
    campaign::{
        Digest, Engine, Letter, Moment, Recipient, State, Waiting,
        events::{Event, Reason, Refused},
    },
    dispatch::{self, Document},
    ids::SeatId,
    rules::Start,
};

use super::Table;
use crate::support::Letter as Read;

/// Something that a seat is sent: what it is, and its bytes as text without the digests that may differ.
pub type Sent = (String, String);

/// What document and order checks are made from: the seat's view, unless a leak is planted.
pub type Sight = dyn Fn(&Engine, &State, &SeatId) -> (Document, Moment);

/// What the program does: everything comes from the seat's view.
pub fn honest(engine: &Engine, state: &State, seat: &SeatId) -> (Document, Moment) {
    (
        engine.map_document(state, Some(seat)).unwrap(),
        engine.moment(state, seat),
    )
}

/// A planted leak: everything comes from the true world.
pub fn leaking(engine: &Engine, state: &State, seat: &SeatId) -> (Document, Moment) {
    let moment = Moment {
        view: state.world.clone(),
        ..engine.moment(state, seat)
    };
    (engine.map_document(state, None).unwrap(), moment)
}

/// Everything that a seat could be sent in this state, and its view after a fresh look at the true world.
pub fn sent(table: &Table, state: &State, reader: &SeatId, sight: &Sight) -> Vec<Sent> {
    let engine = &table.engine;
    let mut sent = Vec::new();
    let start = Start {
        phase: &state.phase,
        world: &state.world,
        options: &engine.settings().options,
        decisions: &state.decisions,
    };
    let looked = engine.program().look(&start).unwrap();
    let view = looked.seen_by(engine.game(), reader);
    sent.push((
        "the view after a fresh look".to_owned(),
        serde_json::to_string_pretty(&view).unwrap(),
    ));
    let (document, moment) = sight(engine, state, reader);
    sent.push((
        "the document".to_owned(),
        serde_json::to_string_pretty(&document).unwrap(),
    ));
    sent.push(("the text".to_owned(), dispatch::body(&document)));
    sent.push(("the page".to_owned(), dispatch::html(&document, true, "")));
    sent.push(("the map".to_owned(), dispatch::map_svg(&document)));
    for words in table.prying_words(reader) {
        let understood = engine.understand(&moment, reader, &words).unwrap();
        let receipt = engine.receipt_text(
            state,
            reader,
            &moment,
            &understood,
            &words,
            &dispatch::ReadFrom::default(),
            "",
        );
        sent.push((format!("what is said to `{words}`"), receipt));
    }
    sent.extend(letters_of(&table.answers_to(state, reader), reader));
    sent
}

impl Table {
    /// Orders that try to find something out: enemy pieces by name, areas, moves into every enemy stack.
    fn prying_words(&self, reader: &SeatId) -> Vec<String> {
        let game = self.engine.game();
        let own = if reader.as_str() == "french" {
            ["Serurier", "Guillaume"]
        } else {
            ["Minkwitz", "Davidovich"]
        };
        let mut words = Vec::new();
        let enemies = game
            .forces
            .pieces
            .iter()
            .filter(|piece| piece.side.as_str() != reader.as_str());
        words.push(
            enemies
                .map(|piece| format!("BOMBARD {}\nMOVE {}: Goito\n", piece.name, piece.name))
                .collect(),
        );
        let near = [
            "Goito",
            "Guidizzolo",
            "Castiglione",
            "Lonato",
            "Salo",
            "Peschiera",
            "Volta",
            "Mantua",
            "Verona",
            "Rivoli",
        ];
        words.push(
            near.iter()
                .map(|space| format!("MOVE {}: {space}\n", own[0]))
                .collect(),
        );
        if self.is_foggy() {
            words.push(
                game.map
                    .map()
                    .spaces
                    .iter()
                    .map(|space| format!("RECON {} -> {}\n", near[8], space.name))
                    .collect(),
            );
            words.push(
                near.iter()
                    .map(|space| format!("RECON {space} -> Caldiero\nMOVE Dummy 1: {space}\n"))
                    .collect(),
            );
        }
        words.push(format!(
            "IF ENEMY AT Lonato: MOVE {}: Asola\nELSE: MOVE {}: Volta\n",
            own[1], own[1]
        ));
        words
    }

    /// The letters that answer a seat's mails: a wrong one that keeps the wait open, one with an old token, a standing order.
    pub fn answers_to(&self, state: &State, seat: &SeatId) -> Vec<Letter> {
        let refused = Refused {
            reason: Reason::OldToken,
            seat: Some(seat.clone()),
            message_id: None,
            digest: String::new(),
            file: "file".to_owned(),
            detail: String::new(),
        };
        let mut events = vec![
            Event::Refused(refused),
            self.mail(state, seat, "MOVE Nobody: Nowhere\n"),
        ];
        if !matches!(&state.waiting, Waiting::Orders { seats, .. } if seats.contains(seat)) {
            events.push(self.mail(state, seat, "PURSUE NEVER\n"));
        }
        let (mut state, mut letters) = (state.clone(), Vec::new());
        for event in events {
            let (next, effects) = self.apply(Some(state), event);
            letters.extend(effects.letters);
            state = next;
        }
        letters
    }
}

/// The letters to a seat, part by part, without the digests that may differ. Their number and order count.
pub fn letters_of(letters: &[Letter], seat: &SeatId) -> Vec<Sent> {
    let own = letters
        .iter()
        .filter(|letter| letter.to == Recipient::Seat(seat.clone()));
    let mut sent = Vec::new();
    for (number, letter) in own.enumerate() {
        let read = Read::read(&letter.bytes);
        let mut part =
            |what: &str, text: &str| sent.push((format!("letter {number}: {what}"), masked(text)));
        part("id", &letter.message_id);
        part("header", &read.header);
        part("text", &read.text);
        part("page", read.html.as_deref().unwrap_or("none"));
        for (name, bytes) in &read.attached {
            let shown =
                String::from_utf8(bytes.clone()).unwrap_or_else(|_| Digest::of(bytes).to_string());
            part(name, &shown);
        }
    }
    sent
}

/// A text without the values of those lines of the dice protocol that are keyed digests of hidden things.
pub fn masked(text: &str) -> String {
    let is_digest =
        |word: &str| word.len() == 64 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let line = |line: &str| {
        let keyed = ["orders ", "bind ", "prev ", "head ", "register "]
            .iter()
            .any(|word| line.starts_with(word));
        let words = line
            .split(' ')
            .map(|word| if keyed && is_digest(word) { "#" } else { word });
        words.collect::<Vec<_>>().join(" ")
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// What differs between two lists, with the first line that does.
pub fn differences(before: &[Sent], after: &[Sent]) -> Vec<String> {
    let names = |sent: &[Sent]| {
        sent.iter()
            .map(|(name, _)| name.clone())
            .collect::<Vec<_>>()
    };
    if names(before) != names(after) {
        return vec![format!(
            "other things are sent: {:?} and {:?}",
            names(before),
            names(after)
        )];
    }
    let pairs = before
        .iter()
        .zip(after)
        .filter(|(before, after)| before != after);
    pairs
        .map(|((name, before), (_, after))| {
            let line = before
                .lines()
                .zip(after.lines())
                .find(|(before, after)| before != after);
            let (before, after) = line.unwrap_or(("(one is longer)", ""));
            format!("{name}:\n  - {before}\n  + {after}")
        })
        .collect()
}
