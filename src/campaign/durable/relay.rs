//! The beacon's value from an HTTPS relay that the settings name (dice.md, section 5).
//!
//! A relay is a convenience and is trusted with nothing: its value is checked and journaled like
//! one from a file or a mail. It is asked only once the round's moment has come, and a failure is
//! just a line for the umpire: the value may still come another way.

use std::{sync::Arc, time::Duration};

use jiff::Timestamp;
use ureq::{
    Agent,
    tls::{Certificate, RootCerts, TlsConfig},
};

use crate::campaign::{
    durable::{Campaign, CampaignError, Pass},
    model::{missing_values, settings::DiceSource, sources::BeaconText},
};

/// The time to wait for a relay's whole answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// The longest answer that is read, in bytes. A round takes some 300.
const LARGEST_ANSWER: u64 = 64 << 10;

/// A source of texts by address.
pub trait Fetch {
    /// Fetches the text at an address.
    ///
    /// # Errors
    /// The reason, in words.
    fn text(&self, address: &str) -> Result<String, String>;
}

/// Texts over HTTPS: nothing else, no redirection, within ten seconds.
#[derive(Debug)]
pub struct Https(Agent);

impl Https {
    /// Trusts the certificate authorities that browsers trust.
    #[must_use]
    pub fn new() -> Self {
        Self::with(TlsConfig::builder())
    }

    /// Trusts one certificate authority alone, given in PEM.
    ///
    /// # Errors
    /// If the text has no certificate.
    pub fn trusting(authority: &str) -> Result<Self, String> {
        let authority = Certificate::from_pem(authority.as_bytes());
        let authority = authority.map_err(|error| error.to_string())?;
        let roots = RootCerts::Specific(Arc::new(vec![authority]));
        Ok(Self::with(TlsConfig::builder().root_certs(roots)))
    }

    fn with(tls: ureq::tls::TlsConfigBuilder) -> Self {
        let config = Agent::config_builder()
            .https_only(true)
            .max_redirects(0)
            .timeout_global(Some(PATIENCE))
            .user_agent(concat!("estafette/", env!("CARGO_PKG_VERSION")))
            .tls_config(tls.build());
        Self(config.build().new_agent())
    }
}

impl Default for Https {
    fn default() -> Self {
        Self::new()
    }
}

impl Fetch for Https {
    fn text(&self, address: &str) -> Result<String, String> {
        let mut answer = self.0.get(address).call().map_err(|e| e.to_string())?;
        if answer.status() != 200 {
            return Err(format!("it answers with status {}", answer.status()));
        }
        let body = answer.body_mut().with_config().limit(LARGEST_ANSWER);
        body.read_to_string().map_err(|error| error.to_string())
    }
}

impl Campaign {
    /// Asks the relay for the beacon's value, if the settings name a relay, the dice wait for a
    /// round, and its moment has come.
    ///
    /// # Errors
    /// As [`Campaign::pass`]. A failing relay is no error, only a line of the pass.
    pub fn ask_relay(&mut self, relay: &dyn Fetch, now: Timestamp) -> Result<Pass, CampaignError> {
        let mut pass = Pass::default();
        let Some((round, address)) = self.due_at_relay(now) else {
            return Ok(pass);
        };
        match relay.text(&address) {
            Ok(text) => {
                self.bring(&BeaconText::read(&text), now, &mut pass)?;
                if pass.lines.is_empty() {
                    let line = format!("{address} has no value of round {round} of the beacon");
                    pass.lines.push(line);
                }
            }
            Err(why) => pass.lines.push(format!(
                "round {round} of the beacon could not be had from {address}: {why}; a mail or a file may bring it"
            )),
        }
        Ok(pass)
    }

    /// The round to ask a relay for, and the address to ask.
    fn due_at_relay(&self, now: Timestamp) -> Option<(u64, String)> {
        let (round, moment) = missing_values::wanted(self.context(), self.state())?.round?;
        let relay = self.context().settings().dice.iter().find_map(relay_of)?;
        let chain = self.context().beacon()?.chain.to_string();
        let relay = relay.trim_end_matches('/');
        (moment <= now).then(|| (round, format!("{relay}/{chain}/public/{round}")))
    }
}

fn relay_of(source: &DiceSource) -> Option<&str> {
    match source {
        DiceSource::Drand { relay, .. } => relay.as_deref(),
        _ => None,
    }
}
