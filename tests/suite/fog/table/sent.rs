//! Everything that a seat could be sent in a state, as text that can be compared.

use std::sync::LazyLock;

use estafette::{
    campaign::{
        self,
        model::{
            context::Context,
            events::{Event, Reason, RefusedMail},
            recipient::Recipient,
            state::{CurrentWait, State},
        },
        post::Letter,
        words::moment::Moment,
    },
    digest::Digest,
    dispatch::{self, Document},
    ids::SeatId,
    rules::{Decisions, Start},
    world::World,
};
use regex::Regex;

use super::{Leak, Table};
use crate::support::Letter as Read;

/// Something that a seat is sent: what it is, and its bytes as text without the digests that may
/// differ.
pub type Sent = (String, String);

/// What document and order checks are made from: the seat's view, unless a leak is planted.
type Sight = (Document, Moment);

/// What the program does: everything comes from the seat's view.
fn honest(context: &Context, state: &State, seat: &SeatId) -> Sight {
    (
        campaign::map_document(context, state, Some(seat)).unwrap(),
        campaign::moment(context, state, seat),
    )
}

/// A planted leak: everything comes from the true world.
fn leaking(context: &Context, state: &State, seat: &SeatId) -> Sight {
    let moment = Moment {
        view: state.world.clone(),
        ..campaign::moment(context, state, seat)
    };
    (
        campaign::map_document(context, state, None).unwrap(),
        moment,
    )
}

/// Everything that a seat could be sent in this state, and its view after a fresh look at the true
/// world.
pub fn sent(table: &Table, state: &State, reader: &SeatId, leak: Leak) -> Vec<Sent> {
    let mut sent = seen(table, state, reader, leak);
    sent.extend(shown(table, state, reader, honest, leak));
    for (kind, letters) in table.answers_to(state, reader) {
        sent.extend(letters_of(kind, &letters, reader, leak));
    }
    sent
}

/// What document and receipts would be if they were made from the true world.
pub fn sent_by_a_leaking_host(table: &Table, state: &State, reader: &SeatId) -> Vec<Sent> {
    shown(table, state, reader, leaking, Leak::NONE)
}

/// A seat's view after a fresh look at the true world.
fn seen(table: &Table, state: &State, reader: &SeatId, leak: Leak) -> Vec<Sent> {
    let looked = table.look(state);
    let view = looked.seen_by(table.context.game(), reader);
    let view = serde_json::to_string_pretty(&view).unwrap();
    vec![leak.text("the view after a fresh look", view)]
}

impl Table {
    /// The world of a state after everybody has looked again.
    pub fn look(&self, state: &State) -> World {
        let start = Start {
            phase: &state.phase,
            world: &state.world,
            options: &self.context.settings().options,
            decisions: &state.decisions,
        };
        self.context.program().look(&start).unwrap()
    }
}

/// Document, its forms, and receipts.
fn shown(
    table: &Table,
    state: &State,
    reader: &SeatId,
    sight: impl Fn(&Context, &State, &SeatId) -> Sight,
    leak: Leak,
) -> Vec<Sent> {
    let context = &table.context;
    let (document, moment) = sight(context, state, reader);
    let start = Start {
        phase: &state.phase,
        world: &moment.view,
        options: &context.settings().options,
        decisions: &Decisions::default(),
    };
    let template = |name: &&str| context.program().template(reader, &start, name).unwrap();
    let template: Vec<String> = table.own.templates.iter().flat_map(template).collect();
    let mut sent = vec![
        leak.text("the template", template.join("\n")),
        leak.text(
            "the document",
            serde_json::to_string_pretty(&document).unwrap(),
        ),
        leak.text("the subject", document.subject.clone()),
        leak.text("the text", dispatch::body(&document)),
        leak.text(
            "the page",
            dispatch::page(&document, &dispatch::map_pictures(&document), false)
                .with(&dispatch::Proof::default()),
        ),
        leak.text("the map", dispatch::map_svg(&document)),
    ];
    for words in (table.own.prying)(table, state, reader) {
        let understood = campaign::understand(context, &moment, reader, &words).unwrap();
        let from = dispatch::WordsOrigin::default();
        let receipt =
            campaign::receipt(context, state, reader, &moment, &understood, &words, &from).text;
        sent.push(leak.text(&format!("what is said to `{words}`"), receipt));
    }
    sent
}

impl Table {
    /// Orders that try to find something out: enemy pieces by name, areas, moves into every enemy
    /// stack.
    pub(super) fn prying_words(&self, _: &State, reader: &SeatId) -> Vec<String> {
        let game = self.context.game();
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

    /// The letters that answer a seat's mails: one with an old token, a wrong one that keeps the
    /// wait open, a standing order.
    pub fn answers_to(&self, state: &State, seat: &SeatId) -> Vec<(&'static str, Vec<Letter>)> {
        let refused = RefusedMail {
            reason: Reason::OldToken,
            seat: Some(seat.clone()),
            message_id: None,
            digest: Digest::of(b""),
            file: "file".to_owned(),
            detail: String::new(),
        };
        let wrong = self.mail(state, seat, self.own.wrong);
        let mut events = vec![
            ("the error", Event::Refused(refused)),
            ("the receipt", wrong),
        ];
        if !matches!(&state.waiting, CurrentWait::Orders { seats, .. } if seats.contains(seat)) {
            let standing = self.mail(state, seat, self.own.standing);
            events.push(("the receipt", standing));
        }
        let (mut state, mut answers) = (state.clone(), Vec::new());
        for (kind, event) in events {
            let (next, effects) = self.apply(state, event);
            answers.push((kind, effects.mailing.letters));
            state = next;
        }
        answers
    }
}

/// The letters to a seat, part by part, without the digests that may differ. Their number and order
/// count.
pub fn letters_of(kind: &str, letters: &[Letter], seat: &SeatId, leak: Leak) -> Vec<Sent> {
    let own = letters
        .iter()
        .filter(|letter| letter.to == Recipient::Seat(seat.clone()));
    let mut sent = Vec::new();
    for letter in own {
        let read = Read::read(&letter.bytes().unwrap());
        let mut part = |what: &str, text: &str| {
            let (name, text) = leak.text(&format!("{kind}: {what}"), text.to_owned());
            sent.push((name, masked(&text)));
        };
        part("id", &letter.message_id);
        part("header", &read.header);
        part("subject", &read.subject);
        part("text", &read.text);
        part("page", read.html.as_deref().unwrap_or("none"));
        for (name, bytes) in &read.attached {
            match String::from_utf8(bytes.clone()) {
                Ok(entry) => part(&format!("register entry {name}"), &entry),
                Err(_) => part(&format!("picture {name}"), &Digest::of(bytes).to_string()),
            }
        }
    }
    if leak.is_in(&format!("{kind}: order of mails")) {
        sent.reverse();
    }
    sent
}

/// A text without the values of those lines of the dice protocol that are keyed digests of hidden
/// things.
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
    let text = text.lines().map(line).collect::<Vec<_>>().join("\n");
    // On a page the foot stands inside an element.
    static FOOT: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(">register ([0-9]+) [0-9a-f]{64}<").unwrap());
    FOOT.replace_all(&text, ">register $1 #<").into_owned()
}

/// Asserts that a leak planted in this artefact is among the differences.
pub fn assert_names(found: &[String], artefact: &str) {
    let name = if artefact.ends_with("order of mails") {
        "order of mails"
    } else {
        artefact
    };
    assert!(
        found.iter().any(|found| found.starts_with(name)),
        "a leak in {artefact} is not found: {found:?}"
    );
}

/// What differs between two lists, each by its name with the first line that does.
pub fn differences(before: &[Sent], after: &[Sent]) -> Vec<String> {
    fn names(sent: &[Sent]) -> Vec<&str> {
        sent.iter().map(|(name, _)| name.as_str()).collect()
    }
    if names(before) != names(after) {
        let (before, after) = (names(before), names(after));
        return vec![format!("order of mails:\n  - {before:?}\n  + {after:?}")];
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
