//! The letters of dice that wait: orders are closed, a witness is asked, a value was refused.

use super::{
    Recipient, Witness,
    drafts::Content,
    engine::{Effects, Engine, EngineError},
    events::Refused,
    sources::Wanted,
    state::State,
};
use crate::{
    dice::{PrivateBlock, Source, What, source::witness_lane},
    dispatch,
    game::Lang,
    ids::SeatId,
    mail::{ReplyAddress, Token},
};

impl Engine {
    /// Tells every seat that orders are closed, with the seal that binds them, and asks the witnesses for their tokens.
    pub(super) fn seal_letters(
        &self,
        state: &mut State,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        let entries = std::mem::take(&mut state.dice.unsent);
        for seat in self.settings.seats.ids() {
            if effects.recalled {
                self.count_letter(state, seat, false, effects);
                continue;
            }
            let (lang, address) = (self.lang(state, seat), self.reply_address(state, seat));
            let text = self.seal_text(state, lang, None, &address);
            let mut content = self.seal_content(state, lang, text, &entries);
            content.private = self.sealed_orders(state, seat)?.to_string();
            self.send_to_seat(state, seat, content, effects)?;
        }
        for witness in self.settings.witnesses() {
            let address = self.witness_address(state, &witness.name);
            let text = self.seal_text(state, Lang::En, Some(&witness.name), &address);
            let content = self.seal_content(state, Lang::En, text, &entries);
            self.send_to_witness(state, witness, content, effects)?;
        }
        Ok(())
    }

    fn seal_text(
        &self,
        state: &State,
        lang: Lang,
        witness: Option<&SeatId>,
        address: &str,
    ) -> String {
        let wanted = self.wanted(state);
        let names: Vec<String> = wanted
            .iter()
            .flat_map(|wanted| wanted.witnesses.iter().map(ToString::to_string))
            .collect();
        let chain = self.sources.iter().find_map(|source| match source {
            Source::Drand(beacon) => Some(beacon.chain.to_string()),
            _ => None,
        });
        dispatch::sealed(&dispatch::Sealed {
            lang,
            game: &self.game,
            campaign: self.settings.campaign.as_str(),
            envelope: state.dice.envelope,
            zone: self.settings.schedule.zone(),
            round: wanted.and_then(|wanted| wanted.round),
            chain: chain.as_deref().unwrap_or_default(),
            witnesses: &names,
            witness: witness.map(SeatId::as_str),
            address,
            answers: seals_answers(state),
        })
    }

    fn seal_content(&self, state: &State, lang: Lang, text: String, entries: &[String]) -> Content {
        let phrase = match (lang, seals_answers(state)) {
            (Lang::En, false) => "Orders are closed",
            (Lang::Fr, false) => "Les ordres sont clos",
            (Lang::En, true) => "The answers are sealed",
            (Lang::Fr, true) => "Les réponses sont scellées",
        };
        let subject = format!("[{}] {phrase}", self.settings.campaign);
        Content::plain(subject, text, None).with_entries(entries)
    }

    /// The blind with which a seat checks that its own orders were sealed.
    fn sealed_orders(&self, state: &State, seat: &SeatId) -> Result<PrivateBlock, EngineError> {
        let what = What::Orders(seat.clone());
        let blind = self
            .chains(state.dice.envelope)
            .blind(state.dice.envelope, &what)?;
        Ok(PrivateBlock {
            blinds: vec![(what, blind)],
            ..PrivateBlock::new(self.name.clone(), seat.clone(), state.dice.envelope)
        })
    }

    /// Where a witness's answer to the present seal goes.
    fn witness_address(&self, state: &State, name: &SeatId) -> String {
        let campaign = self.settings.campaign.as_str();
        let seat = witness_lane(name);
        let token = Token::make(
            self.eras.letters.token.bytes(),
            campaign,
            &seat,
            state.dice.envelope.into(),
        );
        let address = ReplyAddress {
            host: self.host(),
            campaign: campaign.to_owned(),
            seat,
            token,
        };
        address.to_string()
    }

    fn send_to_witness(
        &self,
        state: &mut State,
        witness: &Witness,
        content: Content,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        let recipient = Recipient::Witness(witness.name.clone());
        let reply_to = self.witness_address(state, &witness.name);
        let to = (witness.address.to_string(), Some(reply_to));
        self.send_to_other(state, recipient, to, content, effects)
    }

    /// Tells a seat or a witness that the value was taken, and what the dice still wait for.
    pub(super) fn value_letter(
        &self,
        state: &mut State,
        who: &SeatId,
        wanted: &Wanted,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        let witness = who.strip_prefix("w-").and_then(|name| self.witness(name));
        if effects.recalled && witness.is_none() {
            self.count_letter(state, who, false, effects);
            return Ok(());
        }
        let lang = witness.map_or_else(|| self.lang(state, who), |_| Lang::En);
        let names: Vec<String> = wanted.witnesses.iter().map(ToString::to_string).collect();
        let text = dispatch::value_taken(&dispatch::ValueTaken {
            lang,
            game: &self.game,
            envelope: state.dice.envelope,
            zone: self.settings.schedule.zone(),
            round: wanted.round,
            witnesses: &names,
        });
        let phrase = match lang {
            Lang::En => "A value for the dice",
            Lang::Fr => "Une valeur pour les dés",
        };
        let subject = format!("[{}] {phrase}", self.settings.campaign);
        let content = Content::plain(subject, text, None);
        match witness {
            Some(witness) => self.send_to_witness(state, witness, content, effects),
            None => self.send_to_seat(state, who, content, effects),
        }
    }

    /// Tells a witness why an answer was not taken.
    pub(super) fn witness_refusal(
        &self,
        state: &mut State,
        witness: &Witness,
        refused: &Refused,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        let text = dispatch::refusal(&dispatch::Refusal {
            lang: Lang::En,
            why: refused.reason.key(),
            campaign: self.settings.campaign.as_str(),
            address: &self.witness_address(state, &witness.name),
            umpire: self.umpire(),
        });
        let subject = format!("[{}] Your mail was not taken", self.settings.campaign);
        let content = Content::plain(subject, text, refused.message_id.clone());
        self.send_to_witness(state, witness, content, effects)
    }
}

/// Whether the last seal was that of a public wait.
fn seals_answers(state: &State) -> bool {
    let shown = state.shown.as_ref();
    shown.is_some_and(|shown| !shown.questions.is_empty())
}
