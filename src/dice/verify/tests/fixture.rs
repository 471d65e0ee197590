//! A sound campaign, made with the public functions only.

use std::sync::Arc;

use super::super::{BTreeMap, Bundle, CampaignName};
use crate::{
    dice::{
        entry::{DiceEntry, End, EntryBody, Note, Opening, Seal},
        form::Form,
        hash::{Digest, hash},
        keys::{BoundText, Chain, Chains, Master},
        ledger::{Ledger, LedgerLine},
        names::Lane,
        receipt::{Receipt, ReceiptKind, ReceiptNumber},
        register::Register,
        roller::{Counters, Dice, SealedDice},
        source::{Source, SourceValue, witness_lane},
        time::Time,
    },
    ids::SeatId,
};

/// A campaign of two seats, an optional witness, and two envelopes, made with the public functions
/// only.
pub(super) struct Game {
    pub(super) form: Form,
    pub(super) chains: Arc<Chains>,
    pub(super) master: Master,
    pub(super) witness: Option<Chain>,
    pub(super) seats: Vec<SeatId>,
    pub(super) register: Register,
    pub(super) ledger: Ledger,
    pub(super) receipts: String,
    pub(super) items: BTreeMap<String, String>,
}

pub(super) const LENGTH: u32 = 20;

pub(super) fn time(text: &str) -> Time {
    text.parse().unwrap()
}

impl Game {
    pub(super) fn new(with_witness: bool) -> Self {
        Self::of(Form::Letters, with_witness)
    }

    pub(super) fn of(form: Form, with_witness: bool) -> Self {
        let campaign: CampaignName = "test-1".parse().unwrap();
        let master = Master::simulated("7", &campaign);
        let seats = vec![SeatId::from("red"), SeatId::from("blue")];
        let joined: Lane = "red+blue".parse().unwrap();
        let chains =
            Chains::new(campaign.clone(), master.clone(), LENGTH, &seats, &[joined]).unwrap();
        let secret = Master::simulated("witness", &campaign);
        let witness = with_witness
            .then(|| Chain::of_master(&secret, &campaign, &witness_lane("cleo"), LENGTH));
        let mut game = Self {
            form,
            chains: Arc::new(chains),
            master,
            witness,
            seats,
            register: Register::new(campaign),
            ledger: Ledger::default(),
            receipts: String::new(),
            items: BTreeMap::new(),
        };
        let opening = game.opening();
        game.register.append(EntryBody::Open(opening)).unwrap();
        game
    }

    pub(super) fn opening(&self) -> Opening {
        let source = match &self.witness {
            Some(chain) => Source::Witness {
                name: "cleo".into(),
                anchor: chain.anchor(),
            },
            None => Source::Orders,
        };
        let anchors = self.chains.anchors(&self.seats).unwrap();
        Opening {
            rules: hash("rules"),
            form: self.form,
            seats: self.seats.clone(),
            chain: LENGTH,
            anchors,
            sources: vec![source],
        }
    }

    pub(super) fn bind(
        &mut self,
        envelope: u32,
        what: BoundText,
        path: &str,
        text: &str,
    ) -> Digest {
        self.items
            .insert(format!("{envelope}/{path}.txt"), text.to_owned());
        self.chains.digest(envelope, &what, text).unwrap()
    }

    pub(super) fn seal(&mut self, envelope: u32) -> Seal {
        let mut orders = Vec::new();
        for seat in self.seats.clone() {
            let text = format!("hold {envelope}\n");
            let shut = self.chains.key(&Lane::shut(), envelope).unwrap();
            let letter = (self.form == Form::Letters).then(|| hash("letter"));
            for (kind, k, sent, text) in [
                (
                    ReceiptKind::Orders,
                    1,
                    "2026-11-21T18:00:00Z",
                    text.as_str(),
                ),
                // The seat did not know that orders were closed; and then it was asked something.
                (ReceiptKind::Orders, 2, "2026-11-21T20:00:01Z", "too late\n"),
                (ReceiptKind::Answer, 1, "2026-11-21T21:00:00Z", "1: yes\n"),
            ] {
                let (kind, k) = match self.form {
                    Form::Texts if kind == ReceiptKind::Answer => (ReceiptKind::Orders, 3),
                    _ => (kind, k),
                };
                let number = ReceiptNumber {
                    kind,
                    envelope,
                    seat: seat.clone(),
                    k,
                };
                let receipt = Receipt::issue(shut, number, time(sent), text, letter);
                self.receipts.push_str(&format!("{receipt}\n| {text}"));
            }
            let digest = self.bind(
                envelope,
                BoundText::Orders(seat.clone()),
                &format!("orders-{seat}"),
                &text,
            );
            orders.push((seat, digest));
        }
        let seal = Seal {
            envelope,
            sealed: time("2026-11-21T20:00:00Z"),
            round: None,
            orders,
        };
        self.register.append(EntryBody::Seal(seal.clone())).unwrap();
        seal
    }

    /// Plays an envelope from the orders to the dice entry; `hold` keeps the open key back,
    /// `earlier` are the envelopes kept back before.
    pub(super) fn play(
        &mut self,
        envelope: u32,
        hold: bool,
        earlier: Vec<LedgerLine>,
    ) -> Vec<LedgerLine> {
        let seal = self.seal(envelope);
        let token = self
            .witness
            .as_ref()
            .map(|chain| chain.key(envelope).unwrap().clone());
        let values: Vec<SourceValue> = token
            .into_iter()
            .map(|token| SourceValue::Witness {
                name: "cleo".into(),
                token: Some(token),
            })
            .collect();
        let mix = self
            .opening()
            .mix(self.chains.campaign(), &seal, &values)
            .unwrap();
        let mut dice =
            SealedDice::new(Arc::clone(&self.chains), envelope, mix, Counters::default());
        for (lane, label, spec) in [
            ("open", "t1/combat/B7", "2d6"),
            ("open", "t1/combat/B7", "2d6"),
            ("red", "t1/recon", "1d6"),
            ("red+blue", "t1/parley", "1d6"),
            ("shut", "t1/cup", "draw3/9"),
        ] {
            dice.roll(
                &lane.parse().unwrap(),
                &label.parse().unwrap(),
                &spec.parse().unwrap(),
            )
            .unwrap();
        }
        self.ledger.0.extend_from_slice(dice.made());
        let open: Vec<LedgerLine> = dice
            .made()
            .iter()
            .filter(|line| line.lane.is_open())
            .cloned()
            .collect();

        let lines = self.ledger.text_of(envelope);
        let mut binds = vec![(
            BoundText::Ledger,
            self.chains
                .digest(envelope, &BoundText::Ledger, &lines)
                .unwrap(),
        )];
        binds.push((
            BoundText::Journal,
            self.bind(
                envelope,
                BoundText::Journal,
                "journal",
                &format!("{}\n", hash("journal")),
            ),
        ));
        for seat in self.seats.clone() {
            let what = BoundText::Dispatch(seat.clone());
            binds.push((
                what.clone(),
                self.bind(
                    envelope,
                    what,
                    &format!("dispatch-{seat}"),
                    "Nothing new.\n",
                ),
            ));
        }
        for seat in self.seats.clone() {
            if self.form == Form::Letters {
                let what = BoundText::Letters(seat.clone());
                let list = format!("letter test-1.{seat}.{envelope}.a@b {}\n", hash("letter"));
                let path = format!("letters-{seat}");
                binds.push((what.clone(), self.bind(envelope, what, &path, &list)));
            }
        }
        let open_key = (!hold).then(|| self.chains.key(&Lane::open(), envelope).unwrap().clone());
        let rolls = if hold {
            Vec::new()
        } else {
            [earlier, open.clone()].concat()
        };
        let entry = DiceEntry {
            envelope,
            values,
            open_key,
            binds,
            rolls,
        };
        self.register.append(EntryBody::Dice(entry)).unwrap();
        if hold { open } else { Vec::new() }
    }

    pub(super) fn end(&mut self) {
        self.register
            .append(EntryBody::Note(Note::new("The end is near.").unwrap()))
            .unwrap();
        self.register
            .append(EntryBody::End(End {
                masters: vec![Some(self.master.clone())],
            }))
            .unwrap();
    }

    pub(super) fn bundle(&self) -> Bundle {
        Bundle {
            campaign: self.register.campaign().clone(),
            register: self.register.to_string(),
            ledger: Some(self.ledger.to_string()),
            receipts: Some(self.receipts.clone()),
            items: self.items.clone(),
            private: Vec::new(),
            partial: false,
            gone: std::collections::BTreeSet::new(),
        }
    }
}

pub(super) fn finished(with_witness: bool) -> Game {
    finished_in(Form::Letters, with_witness)
}

pub(super) fn finished_in(form: Form, with_witness: bool) -> Game {
    let mut game = Game::of(form, with_witness);
    let held = game.play(1, true, Vec::new());
    game.play(2, false, held);
    game.end();
    game
}
