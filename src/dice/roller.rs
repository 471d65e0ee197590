//! Throwing dice: from sealed envelopes, or from a list (rule cases). A replay throws the sealed
//! ones again.

use std::{collections::BTreeMap, collections::VecDeque, sync::Arc};

use serde::{Deserialize, Serialize};

use super::{
    error::DiceError,
    keys::{Chains, EnvelopeKey, envelope_key},
    ledger::LedgerLine,
    names::{Label, Lane},
    random::throw,
    source::Mix,
    spec::Spec,
};

/// A source of dice for the rules.
pub trait Dice {
    /// Throws. Returns the single dice in order, or positions (1 is the first) in the list drawn
    /// from.
    ///
    /// # Errors
    /// Depends on the source: an unknown lane, a list that is too short.
    fn roll(&mut self, lane: &Lane, label: &Label, spec: &Spec) -> Result<Vec<u32>, DiceError>;

    /// All rolls made so far, in order.
    fn made(&self) -> &[LedgerLine];

    /// Tells it that the phase goes on with the answers to a round of questions, counted from 0:
    /// rolls from now on may come from another envelope.
    fn answered(&mut self, _round: usize) {}
}

/// How often each label has been used in each lane of the current envelope: a plain value, saved at
/// the start of a phase and given back when the phase is run again.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Counters(BTreeMap<Lane, BTreeMap<Label, u32>>);

impl Counters {
    /// The counters after these rolls of one envelope.
    #[must_use]
    pub fn of(rolled: &[LedgerLine]) -> Self {
        let mut counters = Self::default();
        for line in rolled {
            counters.note(&line.lane, &line.label, line.k);
        }
        counters
    }

    /// The `k` that the next roll of this label gets, from 1.
    #[must_use]
    pub fn next(&self, lane: &Lane, label: &Label) -> u32 {
        self.0
            .get(lane)
            .and_then(|labels| labels.get(label))
            .map_or(1, |used| used.saturating_add(1))
    }

    /// Rolls under a label, and counts its use. `give` makes the result for the label's `k`.
    fn roll(
        &mut self,
        (envelope, lane, label): (u32, &Lane, &Label),
        spec: &Spec,
        give: impl FnOnce(u32) -> Vec<u32>,
    ) -> LedgerLine {
        let k = self.next(lane, label);
        let result = give(k);
        self.note(lane, label, k);
        LedgerLine {
            envelope,
            lane: lane.clone(),
            label: label.clone(),
            k,
            spec: *spec,
            result,
        }
    }

    /// Notes a use of the label.
    pub(super) fn note(&mut self, lane: &Lane, label: &Label, k: u32) {
        self.0
            .entry(lane.clone())
            .or_default()
            .insert(label.clone(), k);
    }
}

/// Dice from sealed envelopes: the real ones.
#[derive(Debug)]
pub struct SealedDice {
    chains: Arc<Chains>,
    envelope: u32,
    mix: Mix,
    counters: Counters,
    keys: BTreeMap<Lane, EnvelopeKey>,
    made: Vec<LedgerLine>,
    changes: BTreeMap<usize, (Arc<Chains>, u32, Mix)>,
}

impl SealedDice {
    /// Dice from this envelope. `counters` are empty for a fresh envelope, and otherwise those at
    /// the start of the phase.
    #[must_use]
    pub fn new(chains: Arc<Chains>, envelope: u32, mix: Mix, counters: Counters) -> Self {
        Self {
            chains,
            envelope,
            mix,
            counters,
            keys: BTreeMap::new(),
            made: Vec::new(),
            changes: BTreeMap::new(),
        }
    }

    /// The dice, set to change to another envelope once this round of questions is answered, as
    /// after a public wait in mid-phase (dice.md, section 9).
    #[must_use]
    pub fn changing_after(
        mut self,
        round: usize,
        chains: Arc<Chains>,
        envelope: u32,
        mix: Mix,
    ) -> Self {
        self.changes.insert(round, (chains, envelope, mix));
        self
    }

    /// Changes to another envelope. Counters begin anew.
    fn change_envelope(&mut self, chains: Arc<Chains>, envelope: u32, mix: Mix) {
        (self.chains, self.envelope, self.mix) = (chains, envelope, mix);
        self.counters = Counters::default();
        self.keys.clear();
    }

    /// The envelope in use.
    #[must_use]
    pub fn envelope(&self) -> u32 {
        self.envelope
    }

    /// The counters of the envelope in use.
    #[must_use]
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    fn envelope_key(&mut self, lane: &Lane) -> Result<EnvelopeKey, DiceError> {
        if let Some(key) = self.keys.get(lane) {
            return Ok(key.clone());
        }
        let key = envelope_key(self.chains.key(lane, self.envelope)?, &self.mix);
        self.keys.insert(lane.clone(), key.clone());
        Ok(key)
    }
}

impl Dice for SealedDice {
    fn roll(&mut self, lane: &Lane, label: &Label, spec: &Spec) -> Result<Vec<u32>, DiceError> {
        let key = self.envelope_key(lane)?;
        let place = (self.envelope, lane, label);
        let line = self.counters.roll(place, spec, |k| {
            throw(spec, &mut key.roll_key(label, k).words())
        });
        let result = line.result.clone();
        self.made.push(line);
        Ok(result)
    }

    fn made(&self) -> &[LedgerLine] {
        &self.made
    }

    fn answered(&mut self, round: usize) {
        if let Some((chains, envelope, mix)) = self.changes.remove(&round) {
            self.change_envelope(chains, envelope, mix);
        }
    }
}

/// Dice from a list of numbers, for rule cases: each roll takes as many as it has dice, a draw
/// takes positions.
#[derive(Debug, Clone, Default)]
pub struct ScriptedDice {
    numbers: VecDeque<u32>,
    counters: Counters,
    made: Vec<LedgerLine>,
}

impl ScriptedDice {
    /// Dice with these numbers. Their lines in the ledger name envelope 1.
    #[must_use]
    pub fn new(numbers: impl IntoIterator<Item = u32>) -> Self {
        Self {
            numbers: numbers.into_iter().collect(),
            ..Self::default()
        }
    }

    /// The numbers that no roll has taken.
    #[must_use]
    pub fn left_over(&self) -> Vec<u32> {
        self.numbers.iter().copied().collect()
    }
}

impl Dice for ScriptedDice {
    fn roll(&mut self, lane: &Lane, label: &Label, spec: &Spec) -> Result<Vec<u32>, DiceError> {
        let (needed, left) = (spec.size(), self.numbers.len());
        let (label_text, spec_text) = (label.to_string(), spec.to_string());
        if needed > left {
            return Err(DiceError::ScriptTooShort {
                label: label_text,
                spec: spec_text,
                needed,
                left,
            });
        }
        let result: Vec<u32> = self.numbers.drain(..needed).collect();
        if !spec.can_give(&result) {
            return Err(DiceError::ScriptImpossible {
                label: label_text,
                spec: spec_text,
                numbers: result,
            });
        }
        let given = result.clone();
        let line = self.counters.roll((1, lane, label), spec, |_| given);
        self.made.push(line);
        Ok(result)
    }

    fn made(&self) -> &[LedgerLine] {
        &self.made
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)] // tests may panic
mod tests {
    use super::*;
    use crate::dice::keys::Master;

    fn sealed(counters: Counters) -> SealedDice {
        let campaign: crate::dice::CampaignName = "demo".parse().unwrap();
        let master = Master::simulated("1", &campaign);
        let chains = Chains::new(campaign, master, 20, &["red".into()], &[]).unwrap();
        SealedDice::new(Arc::new(chains), 2, Mix::from_text("sd1 mix\n"), counters)
    }

    fn roll(
        dice: &mut dyn Dice,
        lane: &str,
        label: &str,
        spec: &str,
    ) -> Result<Vec<u32>, DiceError> {
        dice.roll(
            &lane.parse().unwrap(),
            &label.parse().unwrap(),
            &spec.parse().unwrap(),
        )
    }

    #[test]
    fn a_repeat_has_its_own_number_in_its_lane() {
        let mut dice = sealed(Counters::default());
        for lane in ["open", "open", "red"] {
            roll(&mut dice, lane, "t1/a", "3d6").unwrap();
        }
        let tags: Vec<String> = dice
            .made()
            .iter()
            .map(|l| format!("{} {}#{}", l.lane, l.label, l.k))
            .collect();
        assert_eq!(tags, ["open t1/a#1", "open t1/a#2", "red t1/a#1"]);
        assert!(matches!(
            roll(&mut dice, "blue", "t1/a", "1d6"),
            Err(DiceError::NoLane(_))
        ));
    }

    #[test]
    fn a_phase_run_again_with_its_counters_gives_the_same() {
        let mut first = sealed(Counters::default());
        roll(&mut first, "open", "t1/a", "2d6").unwrap();
        let start = first.counters().clone();
        let saved = serde_json::to_string(&start).unwrap();
        let result = roll(&mut first, "open", "t1/a", "2d6").unwrap();

        let mut again = sealed(serde_json::from_str(&saved).unwrap());
        assert_eq!(roll(&mut again, "open", "t1/a", "2d6").unwrap(), result);
        assert_eq!(again.made(), &first.made()[1..]);
    }

    #[test]
    fn other_rolls_do_not_shift_a_roll() {
        let mut alone = sealed(Counters::default());
        let result = roll(&mut alone, "open", "t1/b", "9d6").unwrap();
        let mut among = sealed(Counters::default());
        roll(&mut among, "red", "t1/b", "9d6").unwrap();
        roll(&mut among, "open", "t1/a", "shuffle9").unwrap();
        assert_eq!(roll(&mut among, "open", "t1/b", "9d6").unwrap(), result);
    }

    #[test]
    fn another_envelope_begins_to_count_anew() {
        let change = |dice: SealedDice, round, envelope| {
            let (chains, mix) = (Arc::clone(&dice.chains), Mix::from_text("sd1 mix\n"));
            dice.changing_after(round, chains, envelope, mix)
        };
        let dice = sealed(Counters::default());
        let mut dice = change(change(dice, 1, 3), 2, 21);
        let second = roll(&mut dice, "open", "t1/a", "20d6").unwrap();
        dice.answered(0);
        assert_eq!(dice.envelope(), 2, "the first round was asked in quiet");
        dice.answered(1);
        assert_ne!(roll(&mut dice, "open", "t1/a", "20d6").unwrap(), second);
        assert_eq!(
            dice.made()[1].question().to_string(),
            "roll 3 open t1/a#1 20d6"
        );
        dice.answered(2);
        assert!(matches!(
            roll(&mut dice, "open", "t1/a", "1d6"),
            Err(DiceError::NoEnvelope { .. })
        ));
    }

    #[test]
    fn scripted_dice() {
        let mut dice = ScriptedDice::new([2, 5, 3, 1, 9]);
        assert_eq!(roll(&mut dice, "open", "t1/a", "2d6").unwrap(), [2, 5]);
        assert_eq!(
            roll(&mut dice, "open", "t1/cup", "draw2/3").unwrap(),
            [3, 1]
        );
        assert_eq!(dice.left_over(), [9]);
        let short = roll(&mut dice, "open", "t1/late", "2d6").unwrap_err();
        assert!(short.to_string().contains("t1/late"), "{short}");
        let impossible = roll(&mut dice, "open", "t1/late", "1d6").unwrap_err();
        assert!(matches!(impossible, DiceError::ScriptImpossible { .. }));
    }
}
