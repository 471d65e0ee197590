//! Random words of players, all of which are understood.

use estafette::{
    campaign::{self, model::state::State},
    ids::SeatId,
    world::Piece,
};

use super::Table;

/// Numbers that look random and are the same in every run (SplitMix64).
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) >> 33).unwrap() % most.max(1)
    }

    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        list.get(self.below(list.len()))
    }
}

const STANDING: &[&str] = &[
    "RETREAT AFTER 1 IF OUTNUMBERED",
    "RETREAT NEVER",
    "PURSUE NEVER",
    "PURSUE ALWAYS",
    "EVADE NO",
    "EVADE YES",
    "LOSSES CONCENTRATE",
    "BOMBARD STRONGEST",
    "FORAGE NONE",
    "INITIATIVE SECOND",
    "ASK MARCH, RETREAT, LOSSES",
    "ASK EVADE, BOMBARD, MANTUA",
    "MARCH ALL TO ANY",
];

const STANDING_IN_FOG: &[&str] = &[
    "SCREEN YES",
    "SCREEN NO",
    "SHOW LEADERS",
    "SHOW DUMMIES, LEADERS",
    "ASK RECON",
];

/// A standing order, or a wish to be asked.
pub fn standing_line(random: &mut Random) -> &'static str {
    random.pick(STANDING).unwrap()
}

impl Table {
    /// What a seat writes: standing orders, moves to near areas towards the enemy or away, and in
    /// fog reconnaissances and dummies.
    pub fn random_words(&self, state: &State, seat: &SeatId, random: &mut Random) -> String {
        let map = &self.context.game().map;
        let on_map = |piece: &&Piece| piece.at.as_ref().is_some_and(|at| map.space(at).is_some());
        let pieces = state.world.pieces.values().map(std::convert::AsRef::as_ref);
        let (own, others): (Vec<&Piece>, Vec<&Piece>) = pieces
            .filter(on_map)
            .partition(|piece| piece.side.as_str() == seat.as_str());
        let mut lines = vec![standing_line(random).to_owned()];
        if self.is_foggy() {
            lines.push(random.pick(STANDING_IN_FOG).unwrap().to_string());
            lines.extend((0..4).filter_map(|_| {
                let at = random.pick(&own)?.at.as_ref()?;
                Some(format!("DUMMY 1 AT {at}"))
            }));
            lines.extend((0..20).filter_map(|_| {
                let from = random.pick(&own)?.at.as_ref()?;
                let target = random.pick(&others)?.at.as_ref()?;
                Some(format!("RECON {from} -> {target}"))
            }));
        }
        for _ in 0..8 {
            let Some(here) = random.pick(&own).and_then(|piece| piece.at.as_ref()) else {
                break;
            };
            let number = map.number(here).unwrap();
            let near: Vec<&str> = map
                .neighbours(number)
                .iter()
                .map(|near| map.space_at(*near).unwrap().id.as_str())
                .collect();
            let enemy = |space: &&&str| others.iter().any(|piece| piece.is_at(space));
            let to = near.iter().find(enemy).filter(|_| random.below(2) == 0);
            let stack = own.iter().filter(|piece| piece.is_at(here));
            let mut stack: Vec<&str> = stack.map(|piece| piece.id.as_str()).collect();
            // Some go alone, so that single counters lie about.
            if random.below(3) == 0 {
                stack.drain(..stack.len() - 1);
            }
            if let Some(to) = to.or_else(|| random.pick(&near)) {
                lines.push(format!("MOVE {}: {to}", stack.join(", ")));
            }
        }
        self.understood(state, seat, lines)
    }

    /// Those of the lines that are understood and possible: only they close a wait.
    fn understood(&self, state: &State, seat: &SeatId, mut lines: Vec<String>) -> String {
        let moment = campaign::moment(&self.context, state, seat);
        loop {
            let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
            let understood = campaign::understand(&self.context, &moment, seat, &text).unwrap();
            if understood.is_clean() && !lines.is_empty() {
                return text;
            }
            let wrong = understood.faulty_lines();
            assert!(
                !wrong.is_empty(),
                "not clean, and nothing is wrong:\n{text}"
            );
            for number in wrong.into_iter().rev() {
                lines.remove(number - 1);
            }
            if lines.is_empty() {
                return "NOTHING\n".to_owned();
            }
        }
    }
}
