//! What follows a position, told with and without a change of what a seat can't know.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use estafette::{
    campaign::{self, model::state::State, post::Letter},
    ids::SeatId,
    orders::Order,
};

use super::{LEVELS, bystanders, lasting, on_map, wear, with_guns_in_range};
use crate::fog::table::{
    Case, Leak, Options, SEEN, Secret, Sent, Table, Trial, Turn, change, differences, is_asked,
    letters_of,
};

/// A scenario, its options, numbers of turns.
pub type Followed = (&'static str, Options<'static>, &'static [usize]);

/// What is played to see what follows: of each number of turns from the beginning, the one in
/// which most happens is compared.
pub const FOLLOWED: &[Followed] = &[
    (
        "la_sforzesca",
        &[("dummies", "on"), ("questions_per_turn", "3")],
        &[4],
    ),
    (
        "la_sforzesca",
        &[("masks", "on"), ("questions_per_turn", "3")],
        &[5],
    ),
    ("mortara", &[("masks", "on"), ("pauses", "all")], &[4]),
    ("mortara", &[("dummies", "on")], &[3, 2]),
    ("mortara", &[("dummies", "on"), ("masks", "on")], &[4]),
    (
        "novara",
        &[("dummies", "on"), ("questions_per_turn", "3")],
        &[4],
    ),
    (
        "novara",
        &[("dummies", "on"), ("masks", "on"), ("pauses", "off")],
        &[3],
    ),
    (
        "campaign",
        &[
            ("hypothetical", "on"),
            ("sixth_division", "on"),
            ("masks", "on"),
        ],
        &[2, 5],
    ),
    (
        "ramorino",
        &[("dummies", "on"), ("questions_per_turn", "3")],
        &[3],
    ),
];

/// What must happen in these turns.
pub const HAPPENS: &[&str] = &[
    "move.seen",
    "bombardment.suffered",
    "charge.made",
    "combat.fought",
    "retreat.went",
    "break.went",
    "mask.revealed",
    "unit.level_lost",
];

/// What a seat heard in a turn, by the names of the events.
fn heard<'a>(turn: &'a Turn, reader: &SeatId) -> impl Iterator<Item = &'a str> {
    let told = &turn.end.as_ref().unwrap().seats[reader].told;
    told.iter().map(|event| event.key.as_str())
}

/// The turn in which most kinds of what must happen do, those first that were seen too seldom; of
/// those after which fog still holds.
pub fn most_eventful<'a>(
    table: &Table,
    turns: &'a [Turn],
    seen: &BTreeMap<String, usize>,
) -> &'a Turn {
    let kinds = |turn: &Turn| {
        let seats = table.seats();
        let heard: BTreeSet<&str> = seats.iter().flat_map(|seat| heard(turn, seat)).collect();
        let happens = HAPPENS.iter().filter(|what| heard.contains(**what));
        let seldom = |what: &&&str| seen.get(**what).is_none_or(|times| *times < 2);
        (happens.clone().filter(seldom).count(), happens.count())
    };
    let goes_on = |turn: &&Turn| turn.end.as_ref().unwrap().world.ended.is_none();
    let going_on = turns.iter().filter(goes_on);
    going_on.max_by_key(|turn| kinds(turn)).unwrap()
}

/// What follows a turn's beginning, as it was.
pub struct Following<'a> {
    table: &'a Table,
    turn: &'a Turn,
    trial: Trial,
    start: State,
    letters: Cow<'a, [Letter]>,
}

impl<'a> Following<'a> {
    pub fn of(table: &'a Table, turn: &'a Turn, trial: Trial) -> Self {
        let start = at_peace(&turn.waits[0], trial);
        let letters = match trial {
            Trial::FullTurn => Cow::Borrowed(turn.letters.as_slice()),
            _ => Cow::Owned(what_follows(table, turn, &start, trial)),
        };
        Self {
            table,
            turn,
            trial,
            start,
            letters,
        }
    }

    /// Demands that no letter tells the reader what outlasts it; gives what there was to tell.
    #[track_caller]
    pub fn assert_hidden(&self, reader: &SeatId) -> Vec<&'static str> {
        let secrets = lasting(self.trial);
        let judged = |secret: &&Secret| self.trial == Trial::FullTurn && secret.name == SEEN;
        let (seen, others): (Vec<_>, Vec<_>) = secrets.into_iter().partition(judged);
        let case = Case::new(self.table, self.turn, &self.start, reader);
        let mut tried =
            case.assert_hidden_from(&self.told(&self.letters, reader), &others, |state| {
                self.told(&self.again(state), reader)
            });
        // Orders are judged by what their writer has seen: where others are taken of them, he does
        // something else, and everybody may see it from then on.
        if !seen.is_empty() {
            let mut state = self.start.clone();
            let changed = change(self.table, &mut state, reader, self.turn.seed, &seen);
            let again = self.table.turn_again(&state, self.turn);
            let parting = self.table.parting(self.turn, &again, reader);
            let told = |turn: &Turn| {
                let before = parting.and_then(|mail| turn.letters_before.get(mail).copied());
                self.told(
                    &turn.letters[..before.unwrap_or(turn.letters.len())],
                    reader,
                )
            };
            case.assert_same(&changed, &told(self.turn), &told(&again));
            tried.extend(changed.iter().filter(|_| parting.is_none()));
        }
        tried
    }

    fn again(&self, state: &State) -> Vec<Letter> {
        what_follows(self.table, self.turn, state, self.trial)
    }

    fn told(&self, letters: &[Letter], reader: &SeatId) -> Vec<Sent> {
        letters_of("the dispatch", letters, reader, Leak::NONE)
    }
}

/// The state without standing orders to fire: guns that nobody sees fire even in a quiet turn.
fn at_peace(state: &State, trial: Trial) -> State {
    let mut state = state.clone();
    if trial == Trial::QuietTurn {
        for lines in Arc::make_mut(&mut state.decisions).standing.values_mut() {
            lines.retain(|line| line.verb != "fire_policy");
        }
    }
    state
}

/// The letters of what follows a state: a night, shots that are about to be fired, a turn in which
/// nobody wants anything, the turn as it was played.
pub fn what_follows(table: &Table, turn: &Turn, state: &State, trial: Trial) -> Vec<Letter> {
    match trial {
        Trial::Supply => table.run_to_orders(state, "night"),
        Trial::Battle => table.run_to_orders(state, "bombardment"),
        Trial::QuietTurn => table.pass_a_turn(state),
        Trial::FullTurn => table.play_again(state, turn),
    }
}

/// Demands that no letter of a turn tells of those whom the reader does not meet; counts what there
/// was in it.
#[track_caller]
pub fn assert_bystanders_are_hidden(
    table: &Table,
    turn: &Turn,
    reader: &SeatId,
    seen: &mut BTreeMap<String, usize>,
) {
    let others = bystanders(table, turn, reader);
    let mut state = turn.waits[0].clone();
    wear(&mut state, &others);
    let letters = |letters: &[Letter]| letters_of("the dispatch", letters, reader, Leak::NONE);
    let before = letters(&turn.letters);
    let found = differences(&before, &letters(&table.play_again(&state, turn)));
    assert!(
        found.is_empty(),
        "bystanders, as {reader} at {}:\n{}",
        turn.name,
        found.join("\n")
    );
    *seen.entry("bystanders".to_owned()).or_default() += others.len();
    let asked = turn
        .questions
        .iter()
        .filter(|state| is_asked(state, reader));
    *seen.entry("questions".to_owned()).or_default() += asked.count();
    for event in heard(turn, reader) {
        *seen.entry(event.to_owned()).or_default() += 1;
    }
}

/// Demands that guns that fire from afar hear what they did, and not whom they hit.
#[track_caller]
pub fn assert_shots_tell_no_names(
    table: &Table,
    turn: &Turn,
    reader: &SeatId,
    seen: &mut BTreeMap<String, usize>,
) {
    // Who is on his last level dies, and that is public.
    let mut secrets = lasting(Trial::QuietTurn);
    secrets.retain(|secret| secret.name != LEVELS);
    for state in with_guns_in_range(table, &turn.waits[0], reader).take(3) {
        let fire = |state: &State| table.run_on(state, "bombardment");
        let told = |letters: &[Letter]| letters_of("the dispatch", letters, reader, Leak::NONE);
        let (after, letters) = fire(&state);
        let case = Case::new(table, turn, &state, reader);
        let again = |state: &State| told(&fire(state).1);
        let changed = case.assert_hidden_from(&told(&letters), &secrets, again);
        assert!(changed.len() > 5, "{changed:?}");
        for event in after.seats[reader].told.iter() {
            if event.key == "unit.level_lost" {
                *seen.entry(event.key.clone()).or_default() += 1;
            }
        }
    }
}

/// A turn in which a seat writes besides what it wrote: a block for a formation whose chit it does
/// not put into the cup, and which would act first if the seat had said nothing of the cup. None if
/// it has not, or leaves no formation out.
pub fn with_idle_orders(table: &Table, turn: &Turn, seat: &SeatId) -> Option<Turn> {
    let plans = turn.waits.iter().zip(&turn.words).enumerate();
    let mut plans =
        plans.filter(|(_, (state, (writer, _)))| writer == seat && state.phase == "plan");
    let (number, (state, (_, words))) = plans.next()?;
    let moment = campaign::moment(&table.context, state, seat);
    let understood = campaign::understand(&table.context, &moment, seat, words).unwrap();
    let orders: Vec<&Order> = understood.reading.orders().collect();
    let said = serde_json::to_string(&orders).unwrap();
    let mut taken = orders.iter().enumerate();
    let chooses = taken.any(|(n, order)| order.verb == "cup" && !understood.is_refused(n));
    let pieces = state.world.pieces.values();
    let own = pieces.filter(|piece| piece.side.as_str() == seat.as_str() && on_map(table, piece));
    let mut formations = own.filter_map(|piece| piece.formation.as_ref());
    let idle = formations.find(|formation| !said.contains(&format!("\"{formation}\"")))?;
    let lines = [
        format!("PRIORITY {idle}"),
        format!("FORMATION {idle}"),
        "HOLD ALL".to_owned(),
    ];
    let lines = table.in_language(state, seat, &lines).join("\n");
    let mut written = turn.words.clone();
    written[number].1 = format!("{words}{lines}\n");
    chooses.then(|| Turn {
        waits: turn.waits.clone(),
        words: written,
        ..Turn::default()
    })
}
