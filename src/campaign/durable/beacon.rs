//! The beacon's values: from files, and from a relay if the settings name one.

use jiff::Timestamp;

use crate::{
    campaign::{
        durable::{Campaign, CampaignError, Pass},
        model::{
            events::{DiceValue, Event, Reason},
            missing_values,
            sources::BeaconText,
        },
    },
    dice::SourceValue,
};

/// The largest file with values of the beacon, in bytes.
const LARGEST_BEACON: u64 = 64 << 10;

impl Campaign {
    /// Takes the beacon's value from a text if the dice wait for it.
    ///
    /// # Errors
    /// As [`Campaign::pass`].
    pub fn bring_beacon(&mut self, text: &str, now: Timestamp) -> Result<Pass, CampaignError> {
        let mut pass = Pass::default();
        let text = BeaconText::read(text);
        pass.lines.extend(text.problem());
        self.bring(&text, now, &mut pass)?;
        Ok(pass)
    }

    /// Looks for the value in the campaign's folder `beacon`, then at the relay.
    pub(crate) fn beacon_folder(
        &mut self,
        now: Timestamp,
        pass: &mut Pass,
    ) -> Result<(), CampaignError> {
        let wanted = missing_values::wanted(self.context(), self.state());
        if wanted.is_none_or(|wanted| wanted.round.is_none()) {
            return Ok(());
        }
        for (place, text) in self.directory().beacon(LARGEST_BEACON)? {
            let problem = match text {
                Ok(text) => {
                    let text = BeaconText::read(&text);
                    self.bring(&text, now, pass)?;
                    text.problem()
                        .map(|problem| format!("{}, {problem}", place.display()))
                }
                Err(error) => Some(error.to_string()),
            };
            if let Some(problem) = problem {
                self.notice_once(problem);
            }
        }
        #[cfg(feature = "drand")]
        {
            let asked = self.ask_relay(&super::relay::Https::new(), now)?;
            pass.lines.extend(asked.lines);
            pass.letters += asked.letters;
        }
        Ok(())
    }

    pub(super) fn bring(
        &mut self,
        text: &BeaconText,
        now: Timestamp,
        pass: &mut Pass,
    ) -> Result<(), CampaignError> {
        for value in &text.values {
            let SourceValue::Drand { round, .. } = value else {
                continue;
            };
            let moment = self.state().next_moment(now);
            match missing_values::check_value(self.context(), self.state(), value, moment) {
                Ok(()) => {
                    let event = Event::Value(Box::new(DiceValue {
                        value: value.clone(),
                        mail: None,
                        orders: None,
                    }));
                    self.input(event, now, pass)?;
                }
                Err(Reason::ValueWrong) => pass.lines.push(format!(
                    "round {round} of the beacon was not taken: its signature is not genuine"
                )),
                Err(Reason::ValueTooSoon) => pass.lines.push(format!(
                    "round {round} of the beacon was not taken: its moment has not come, by this machine's clock"
                )),
                // A folder keeps the rounds of earlier envelopes.
                Err(_) => {}
            }
        }
        Ok(())
    }
}
