//! Secrets, chains of envelopes, and the keys that come from them (dice.md, sections 3, 5, 6 and
//! 8).

use std::{collections::BTreeMap, fmt, str::FromStr, sync::OnceLock};

use super::{
    error::DiceError,
    hash::{Digest, Key, hash},
    names::{CampaignName, Label, Lane, checked_seat},
    random::RandomWords,
    source::Mix,
};
use crate::ids::SeatId;

/// The secret of a campaign, which all its dice come from. `Debug` hides it, and it has no
/// `Display`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Master(Key);

impl Master {
    /// A secret for purposes other than dice, `F(M, use)`: it reveals nothing about the master or
    /// other uses. The protocol's own uses begin with `sd1|`.
    #[must_use]
    pub fn derived(&self, purpose: &str) -> [u8; 32] {
        *self.0.mac(purpose).bytes()
    }

    /// Draws a new master from the operating system.
    ///
    /// # Errors
    /// When the operating system gives no random bytes.
    pub fn draw() -> Result<Self, DiceError> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(|error| DiceError::NoRandomness(error.to_string()))?;
        Ok(Self(Key::new(bytes)))
    }

    /// The master of a simulated campaign. Everybody can compute it: such dice are not secret.
    #[must_use]
    pub fn simulated(seed: &str, campaign: &CampaignName) -> Self {
        Self(Key::new(
            *hash(&format!("sd1|simulate|{seed}|{campaign}")).bytes(),
        ))
    }

    /// Reads the 64 hexadecimal digits that the umpire keeps in the drawer.
    ///
    /// # Errors
    /// When the text is anything else.
    pub fn from_hex(text: &str) -> Result<Self, DiceError> {
        Key::from_hex(text).map(Self)
    }

    /// The master as 64 hexadecimal digits: for the drawer, the secret file, and the end of the
    /// campaign.
    #[must_use]
    pub fn to_hex(&self) -> String {
        self.0.to_hex()
    }

    /// `K[N, lane]`, the last key of a lane's chain.
    #[must_use]
    pub fn tip(&self, campaign: &CampaignName, lane: &str) -> Key {
        self.0.derive(&format!("sd1|tip|{campaign}|{lane}"))
    }
}

/// The keys of one lane from its anchor, `K[0]`, up to the highest known.
///
/// From `K[e]` follow all earlier keys, and no later one.
#[derive(Clone, Debug)]
pub struct Chain {
    lane: String,
    keys: Vec<Key>,
}

impl Chain {
    /// The whole chain of a lane. `lane` is a lane's name, or `w-<name>` for a witness.
    #[must_use]
    pub fn of_master(master: &Master, campaign: &CampaignName, lane: &str, length: u32) -> Self {
        Self::below(campaign, lane, length, master.tip(campaign, lane))
    }

    /// All keys that follow from the key of one envelope.
    #[must_use]
    pub fn below(campaign: &CampaignName, lane: &str, envelope: u32, key: Key) -> Self {
        let mut keys = Vec::with_capacity(envelope.min(Chains::MOST) as usize + 1);
        keys.push(key);
        for below in (0..envelope).rev() {
            keys.extend(
                keys.last()
                    .map(|above| step_down(campaign, lane, below, above)),
            );
        }
        keys.reverse();
        Self {
            lane: lane.to_owned(),
            keys,
        }
    }

    /// The highest envelope whose key is known: the chain's length when it was made from a master.
    #[must_use]
    pub fn last(&self) -> u32 {
        u32::try_from(self.keys.len())
            .unwrap_or(u32::MAX)
            .saturating_sub(1)
    }

    /// `K[envelope]`.
    ///
    /// # Errors
    /// When the chain does not reach that far.
    pub fn key(&self, envelope: u32) -> Result<&Key, DiceError> {
        self.keys
            .get(envelope as usize)
            .ok_or_else(|| DiceError::NoEnvelope {
                lane: self.lane.clone(),
                envelope,
                last: self.last(),
            })
    }

    /// `K[0]`, which the opening publishes.
    #[must_use]
    pub fn anchor(&self) -> Digest {
        self.keys.first().map_or(Digest::ZERO, Key::publish)
    }
}

/// `K[i]` from `K[i + 1]`.
#[must_use]
pub fn step_down(campaign: &CampaignName, lane: &str, i: u32, above: &Key) -> Key {
    Key::new(
        *hash(&format!(
            "sd1|chain|{campaign}|{lane}|{i}|{}",
            above.to_hex()
        ))
        .bytes(),
    )
}

/// All chains of one opening. A chain is computed when it is first asked for: answering one mail
/// takes one chain.
#[derive(Debug)]
pub struct Chains {
    campaign: CampaignName,
    /// None if it is lost: then all chains are known as far as their keys reach.
    master: Option<Master>,
    length: u32,
    lanes: BTreeMap<Lane, OnceLock<Chain>>,
}

impl Chains {
    /// The usual number of envelopes.
    pub const DEFAULT_LENGTH: u32 = 1000;
    /// The longest chain that is accepted. Outside texts name lengths, and work must stay bounded.
    pub const MOST: u32 = 100_000;

    /// The chains of `open`, `shut`, every seat, and the further lanes of several seats.
    ///
    /// # Errors
    /// When a seat's name is not allowed in dice.
    pub fn new(
        campaign: CampaignName,
        master: Master,
        length: u32,
        seats: &[SeatId],
        further: &[Lane],
    ) -> Result<Self, DiceError> {
        let lanes = Lane::all(seats)?.into_iter().chain(further.iter().cloned());
        let lanes: BTreeMap<_, _> = lanes.map(|lane| (lane, OnceLock::new())).collect();
        Ok(Self {
            campaign,
            master: Some(master),
            length,
            lanes,
        })
    }

    /// Chains whose master is lost, as far as the keys of one envelope reach.
    ///
    /// # Errors
    /// When the envelope is beyond the chains' end.
    pub fn of_keys(
        campaign: CampaignName,
        length: u32,
        envelope: u32,
        keys: &[(Lane, Key)],
    ) -> Result<Self, DiceError> {
        if envelope > length {
            return Err(DiceError::NoEnvelope {
                lane: Lane::shut().to_string(),
                envelope,
                last: length,
            });
        }
        let chain = |(lane, key): &(Lane, Key)| {
            let chain = Chain::below(&campaign, lane.as_str(), envelope, key.clone());
            (lane.clone(), OnceLock::from(chain))
        };
        Ok(Self {
            lanes: keys.iter().map(chain).collect(),
            campaign,
            master: None,
            length,
        })
    }

    /// The campaign's name.
    #[must_use]
    pub fn campaign(&self) -> &CampaignName {
        &self.campaign
    }

    /// The number of envelopes.
    #[must_use]
    pub fn length(&self) -> u32 {
        self.length
    }

    /// The chain of a lane.
    ///
    /// # Errors
    /// When the lane has none.
    pub fn chain(&self, lane: &Lane) -> Result<&Chain, DiceError> {
        let slot = self
            .lanes
            .get(lane)
            .ok_or_else(|| DiceError::NoLane(lane.to_string()))?;
        match (slot.get(), &self.master) {
            (Some(chain), _) => Ok(chain),
            (None, Some(master)) => Ok(slot.get_or_init(|| {
                Chain::of_master(master, &self.campaign, lane.as_str(), self.length)
            })),
            (None, None) => Err(DiceError::NoLane(lane.to_string())),
        }
    }

    /// `K[envelope, lane]`.
    ///
    /// # Errors
    /// When the lane has no chain, or the chain does not reach that far.
    pub fn key(&self, lane: &Lane, envelope: u32) -> Result<&Key, DiceError> {
        self.chain(lane)?.key(envelope)
    }

    /// The blind of a bound text: `blind(envelope, what)`.
    ///
    /// # Errors
    /// When the chain does not reach that far.
    pub fn blind(&self, envelope: u32, what: &BoundText) -> Result<Key, DiceError> {
        self.key(&Lane::shut(), envelope)
            .map(|key| blind(key, what))
    }

    /// The blinded digest of a text: `digest(envelope, what, text)`. Never use it for two texts
    /// with one `(envelope, what)`.
    ///
    /// # Errors
    /// When the chain does not reach that far.
    pub fn digest(&self, envelope: u32, what: &BoundText, text: &str) -> Result<Digest, DiceError> {
        self.blind(envelope, what).map(|blind| digest(&blind, text))
    }

    /// The anchors as the opening lists them: `open`, `shut`, the seats in their order, then the
    /// further lanes.
    ///
    /// # Errors
    /// When a lane has no chain.
    pub fn anchors(&self, seats: &[SeatId]) -> Result<Vec<(Lane, Digest)>, DiceError> {
        let mut order = Lane::all(seats)?;
        let further: Vec<Lane> = self
            .lanes
            .keys()
            .filter(|lane| !order.contains(lane))
            .cloned()
            .collect();
        order.extend(further);
        order
            .into_iter()
            .map(|lane| {
                self.chain(&lane)
                    .map(Chain::anchor)
                    .map(|anchor| (lane, anchor))
            })
            .collect()
    }
}

/// The key to all rolls of one lane in one envelope: `E[e, lane]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnvelopeKey(Key);

/// `E[e, lane] = F(K[e, lane], mix)`.
#[must_use]
pub fn envelope_key(chain_key: &Key, mix: &Mix) -> EnvelopeKey {
    EnvelopeKey(chain_key.derive(mix.as_str()))
}

impl EnvelopeKey {
    /// An envelope key that is known as such, as in the vectors' statistics.
    #[must_use]
    pub fn new(key: Key) -> Self {
        Self(key)
    }

    /// The key of the roll `<label>#<k>`, `k` from 1.
    #[must_use]
    pub fn roll_key(&self, label: &Label, k: u32) -> RollKey {
        RollKey(self.0.derive(&format!("sd1|roll|{label}#{k}")))
    }

    /// The key as hexadecimal digits.
    #[must_use]
    pub fn to_hex(&self) -> String {
        self.0.to_hex()
    }
}

/// The key that one roll comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RollKey(Key);

impl RollKey {
    /// The words of the roll, from the first.
    #[must_use]
    pub fn words(&self) -> RandomWords {
        RandomWords::new(&self.0)
    }

    /// The key as hexadecimal digits.
    #[must_use]
    pub fn to_hex(&self) -> String {
        self.0.to_hex()
    }
}

/// A text that a blinded digest binds (dice.md, section 8).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BoundText {
    /// The canonical orders of a seat at the seal.
    Orders(SeatId),
    /// All ledger lines of the envelope.
    Ledger,
    /// The head of the umpire's journal.
    Journal,
    /// The body of a seat's dispatch.
    Dispatch(SeatId),
    /// The list of a seat's letters.
    Letters(SeatId),
}

impl BoundText {
    /// The path of its text among the items of a bundle; none for the ledger, a file of its own.
    #[must_use]
    pub fn item(&self, envelope: u32) -> Option<String> {
        let name = match self {
            Self::Orders(seat) => format!("orders-{seat}"),
            Self::Ledger => return None,
            Self::Journal => "journal".to_owned(),
            Self::Dispatch(seat) => format!("dispatch-{seat}"),
            Self::Letters(seat) => format!("letters-{seat}"),
        };
        Some(format!("{envelope}/{name}.txt"))
    }
}

impl fmt::Display for BoundText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Orders(seat) => write!(f, "orders/{seat}"),
            Self::Ledger => f.write_str("ledger"),
            Self::Journal => f.write_str("journal"),
            Self::Dispatch(seat) => write!(f, "dispatch/{seat}"),
            Self::Letters(seat) => write!(f, "letters/{seat}"),
        }
    }
}

impl FromStr for BoundText {
    type Err = DiceError;

    fn from_str(text: &str) -> Result<Self, DiceError> {
        match text.split_once('/') {
            Some(("orders", seat)) => checked_seat(seat).map(Self::Orders),
            Some(("dispatch", seat)) => checked_seat(seat).map(Self::Dispatch),
            Some(("letters", seat)) => checked_seat(seat).map(Self::Letters),
            None if text == "ledger" => Ok(Self::Ledger),
            None if text == "journal" => Ok(Self::Journal),
            _ => Err(DiceError::malformed(
                "a bound text",
                text,
                "orders/<seat>, ledger, journal, dispatch/<seat> or letters/<seat>",
            )),
        }
    }
}

/// `blind(e, what) = F(K[e, shut], "sd1|blind|<what>")`.
#[must_use]
pub fn blind(shut_key: &Key, what: &BoundText) -> Key {
    shut_key.derive(&format!("sd1|blind|{what}"))
}

/// `digest(e, what, text) = F(blind(e, what), text)`.
#[must_use]
pub fn digest(blind: &Key, text: &str) -> Digest {
    blind.mac(text)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)] // tests may panic
mod tests {
    use super::*;

    /// The worked example of dice.md, section 6, from the master to the anchor and the roll.
    #[test]
    fn worked_example() {
        let campaign: CampaignName = "lodz-1914".parse().unwrap();
        let master =
            Master::from_hex("82aa10dd62980e1de789a1b3c00744bccb1c40a03e0ec9b05f56542821158d6c")
                .unwrap();
        let seats = [SeatId::from("red"), SeatId::from("blue")];
        let chains = Chains::new(campaign, master, 1000, &seats, &[]).unwrap();
        let chain = chains.chain(&Lane::open()).unwrap();
        assert_eq!(
            chain.key(1000).unwrap().to_hex(),
            "0fdc227c8bf162ef999adcf8ed21df38e063627b65a0ce38cc871840e7fde269"
        );
        assert_eq!(
            chain.key(2).unwrap().to_hex(),
            "3d18dfd53fd7393cc8acdb98f2d0220aafe0913624a839ebe09a0d33dcce3e83"
        );
        assert_eq!(
            chain.anchor().to_string(),
            "f8ee7a62d512d476b23e697462c49b12bde6eebff02d4aa6ceddbb1af6f05648"
        );
        assert!(matches!(
            chain.key(1001),
            Err(DiceError::NoEnvelope { last: 1000, .. })
        ));
        assert!(matches!(
            chains.chain(&"green".parse().unwrap()),
            Err(DiceError::NoLane(_))
        ));

        let envelope = EnvelopeKey::new(
            Key::from_hex("fdfd5581a11ca9703fd1fec9f49afc89e6f66ba1df0ad38f03175ff145538352")
                .unwrap(),
        );
        let mut words = envelope
            .roll_key(&"t1/combat/B7".parse().unwrap(), 1)
            .words();
        assert_eq!(
            [words.next_word(), words.next_word()],
            [1_196_260_980, 1_455_257_278]
        );
    }

    #[test]
    fn a_revealed_key_brings_the_earlier_ones_back() {
        let campaign: CampaignName = "c".parse().unwrap();
        let whole = Chain::of_master(&Master::simulated("1", &campaign), &campaign, "open", 40);
        let part = Chain::below(&campaign, "open", 7, whole.key(7).unwrap().clone());
        assert_eq!(part.anchor(), whole.anchor());
        assert_eq!(part.key(3).unwrap(), whole.key(3).unwrap());
        assert!(part.key(8).is_err());
    }

    #[test]
    fn masters_differ_and_hide() {
        assert_ne!(Master::draw().unwrap(), Master::draw().unwrap());
        let master = Master::draw().unwrap();
        assert!(!format!("{master:?}").contains(&master.to_hex()));
        assert_eq!(Master::from_hex(&master.to_hex()).unwrap(), master);
    }

    #[test]
    fn simulated_master_is_the_hash_of_its_text() {
        let campaign: CampaignName = "demo".parse().unwrap();
        assert_eq!(
            Master::simulated("7", &campaign).to_hex(),
            hash("sd1|simulate|7|demo").to_string()
        );
    }
}
