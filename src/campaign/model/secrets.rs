//! The secrets behind a campaign's dice and letters: its master and, where one was lost, the keys
//! of the envelopes that it sealed (dice.md, section 10).
//!
//! Beside the master lies the file of kept keys: those of the next envelope, from which all earlier
//! ones follow and no later one. If the master is lost, they are enough to bring the campaign to
//! its next wait and to prove everything that was rolled. Then a new master begins a new *era*: its
//! anchors stand in a new opening of the register, and the count of envelopes goes on.

use std::{fmt, str::FromStr, sync::Arc};

use crate::{
    dice::{CampaignName, Chains, DiceError, Key, Lane, Master, PrivateBlock},
    ids::SeatId,
};

/// The keys for tokens and Message-IDs. They stay the same when a master is lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LetterKeys {
    pub token: Key,
    pub message: Key,
}

impl LetterKeys {
    fn of(master: &Master, name: &CampaignName) -> Self {
        let key = |purpose| Key::new(master.derived(&format!("estafette|{purpose}|{name}")));
        Self {
            token: key("token"),
            message: key("message"),
        }
    }
}

/// The kept keys of an era.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EraKeys {
    /// The last envelope of the era that had been sealed when they were written down.
    pub last: u32,
    /// The envelope that they belong to: the one after that, unless the master was lost before it
    /// was sealed.
    pub envelope: u32,
    /// Identifies the master that they come from, and reveals nothing about it.
    pub print: Key,
    letters: LetterKeys,
    keys: Vec<(Lane, Key)>,
}

/// The first line of the file.
const HEADING: &str = "estafette-keys 1";

impl EraKeys {
    /// The keys of the era's last envelope: a private block that an audit can read.
    fn block(&self, name: &CampaignName, seats: &[SeatId]) -> Option<PrivateBlock> {
        let last = Some(self.last).filter(|last| *last > 0)?;
        let chains = self.chains(name).ok()?;
        let keys = self.keys.iter();
        let keys =
            keys.filter_map(|(lane, _)| Some((lane.clone(), chains.key(lane, last).ok()?.clone())));
        Some(PrivateBlock {
            keys: keys.collect(),
            ..PrivateBlock::new(name.clone(), seats.first()?.clone(), last)
        })
    }

    fn chains(&self, name: &CampaignName) -> Result<Chains, DiceError> {
        Chains::of_keys(
            name.clone(),
            Chains::DEFAULT_LENGTH,
            self.envelope,
            &self.keys,
        )
    }
}

impl fmt::Display for EraKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LetterKeys { token, message } = &self.letters;
        writeln!(
            f,
            "{HEADING}\nlast {}\nenvelope {}",
            self.last, self.envelope
        )?;
        for (name, key) in [
            ("print", &self.print),
            ("token", token),
            ("message", message),
        ] {
            writeln!(f, "{name} {}", key.to_hex())?;
        }
        (self.keys.iter()).try_for_each(|(lane, key)| writeln!(f, "key {lane} {}", key.to_hex()))
    }
}

impl FromStr for EraKeys {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut lines = text.lines();
        if lines.next() != Some(HEADING) {
            return Err(format!("its first line is not `{HEADING}`"));
        }
        let mut field = |name: &str| {
            let line = lines.next().unwrap_or_default();
            let value = line.strip_prefix(name).map(str::trim);
            value.ok_or_else(|| format!("it has no line `{name}` in its place"))
        };
        let key = |text: &str| Key::from_hex(text).map_err(|_| "a key is no key".to_owned());
        let number = |text: &str| {
            let number = text.parse::<u32>().ok();
            let number = number.filter(|number| *number <= Chains::DEFAULT_LENGTH);
            number.ok_or_else(|| format!("`{text}` is no number of an envelope"))
        };
        let (last, envelope) = (number(field("last ")?)?, number(field("envelope ")?)?);
        if last > envelope {
            return Err("its keys do not reach its last envelope".to_owned());
        }
        let print = key(field("print ")?)?;
        let letters = LetterKeys {
            token: key(field("token ")?)?,
            message: key(field("message ")?)?,
        };
        let keys = lines.map(|line| {
            let mut words = line.split(' ').skip(1);
            let (lane, digits) = (words.next().unwrap_or_default(), words.next());
            let lane = lane.parse::<Lane>().map_err(|error| error.to_string())?;
            Ok((lane, key(digits.unwrap_or_default())?))
        });
        Ok(Self {
            last,
            envelope,
            print,
            letters,
            keys: keys.collect::<Result<_, String>>()?,
        })
    }
}

/// The source of the newest era's dice.
#[derive(Clone, Debug)]
pub enum Newest {
    /// The master of the era.
    Master(Master),
    /// Its kept keys: the master is lost, and no new one has been drawn.
    Kept(EraKeys),
}

/// All secrets of a campaign.
#[derive(Clone, Debug)]
pub struct Secrets {
    /// The kept keys of the eras whose master was lost and replaced, the oldest first.
    pub lost: Vec<EraKeys>,
    /// The newest era.
    pub newest: Newest,
}

impl From<Master> for Secrets {
    fn from(master: Master) -> Self {
        Self {
            lost: Vec::new(),
            newest: Newest::Master(master),
        }
    }
}

/// The chains of all eras.
pub(crate) struct Eras {
    name: CampaignName,
    lost: Vec<(EraKeys, Arc<Chains>)>,
    newest: Arc<Chains>,
    /// The newest era's master, if it is there.
    pub master: Option<Master>,
    pub letters: LetterKeys,
}

impl Eras {
    pub fn new(secrets: Secrets, name: &CampaignName, seats: &[SeatId]) -> Result<Self, DiceError> {
        let first = secrets.lost.first();
        let (newest, master, letters) = match secrets.newest {
            Newest::Master(master) => {
                let length = Chains::DEFAULT_LENGTH;
                let chains = Chains::new(name.clone(), master.clone(), length, seats, &[])?;
                let letters = LetterKeys::of(&master, name);
                (chains, Some(master), letters)
            }
            Newest::Kept(kept) => (kept.chains(name)?, None, kept.letters),
        };
        let letters = first.map_or(letters, |first| first.letters.clone());
        let lost = secrets.lost.into_iter().map(|kept| {
            let chains = Arc::new(kept.chains(name)?);
            Ok((kept, chains))
        });
        Ok(Self {
            name: name.clone(),
            lost: lost.collect::<Result<_, DiceError>>()?,
            newest: Arc::new(newest),
            master,
            letters,
        })
    }

    /// The chains of an envelope.
    pub fn of(&self, envelope: u32) -> &Arc<Chains> {
        let era = self.lost.get(self.number_of(envelope));
        era.map_or(&self.newest, |(_, chains)| chains)
    }

    /// The era of an envelope, counted from 0.
    pub fn number_of(&self, envelope: u32) -> usize {
        let mut lost = self.lost.iter();
        let era = lost.position(|(kept, _)| envelope <= kept.last);
        era.unwrap_or(self.lost.len())
    }

    /// The chains of an era, counted from 0.
    pub fn get(&self, era: usize) -> Option<&Arc<Chains>> {
        match era.cmp(&self.lost.len()) {
            std::cmp::Ordering::Equal => Some(&self.newest),
            _ => self.lost.get(era).map(|(_, chains)| chains),
        }
    }

    /// The last envelope of an era whose master is lost.
    pub fn last_of(&self, era: usize) -> Option<u32> {
        self.lost.get(era).map(|(kept, _)| kept.last)
    }

    /// The number of masters that were lost and replaced.
    pub fn lost(&self) -> usize {
        self.lost.len()
    }

    /// The keys to keep while this is the next envelope to be sealed; none without a master, or at
    /// the chain's end.
    ///
    /// # Errors
    /// As [`Lane::seat`].
    pub fn keep(&self, envelope: u32, seats: &[SeatId]) -> Result<Option<EraKeys>, DiceError> {
        let Some(master) = self.master.as_ref() else {
            return Ok(None);
        };
        let print = format!("estafette|print|{}", self.name);
        let keys = Lane::all(seats)?.into_iter().map(|lane| {
            let key = self.newest.key(&lane, envelope).ok()?.clone();
            Some((lane, key))
        });
        let keys: Option<_> = keys.collect();
        Ok(keys.map(|keys| EraKeys {
            last: envelope.saturating_sub(1),
            envelope,
            print: Key::new(master.derived(&print)),
            letters: self.letters.clone(),
            keys,
        }))
    }
}

impl EraKeys {
    /// The same keys, as those of an era that ended with this envelope.
    pub(crate) fn ending_with(self, last: u32) -> Self {
        Self { last, ..self }
    }

    /// Returns true if they come from this master.
    #[must_use]
    pub fn are_of(&self, master: &Master, name: &str) -> bool {
        self.print == Key::new(master.derived(&format!("estafette|print|{name}")))
    }

    /// The blocks of keys of several eras, for an audit.
    #[must_use]
    pub fn blocks(all: &[Self], name: &CampaignName, seats: &[SeatId]) -> Vec<PrivateBlock> {
        all.iter()
            .filter_map(|kept| kept.block(name, seats))
            .collect()
    }
}
