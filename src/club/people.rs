//! Who the members are: names and addresses, each member's in a file of his own. The journal knows
//! a file by its digest alone, so that it can be removed and the journal stays whole.

use std::collections::BTreeMap;

use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};

use super::member_number::MemberNumber;
use crate::{
    campaign::model::{clock::ClockZone, player_address::Address},
    digest::Digest,
    game::Lang,
    mail::NamedAddress,
    store::StoreError,
};

/// The most further addresses of a member.
pub(super) const MOST_FURTHER: usize = 4;
/// The longest name, in characters.
const LONGEST_NAME: usize = 60;

/// A person, as the club knows him. Written as YAML.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Person {
    /// Random digits, so that nobody can find out from the digest in the journal who it is.
    salt: String,
    /// What others call him; may be empty.
    #[serde(default)]
    pub name: String,
    /// Where his letters go.
    pub address: Address,
    /// From where he may also write.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub further: Vec<Address>,
    /// The language of his letters.
    pub lang: Lang,
    /// His time zone; none if the club's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<ClockZone>,
    /// True if other members may see his address.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shows_address: bool,
    /// An address that has not been confirmed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<UnconfirmedAddress>,
}

/// An address to which a code has been sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnconfirmedAddress {
    /// The address.
    pub address: Address,
    /// The number of the code: that of the version of the file in which it was asked for.
    pub code: u32,
    /// True if it shall be one more address; otherwise letters shall go there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub further: bool,
}

impl Person {
    /// A person with this address and language.
    ///
    /// # Errors
    /// When the operating system gives no random bytes.
    pub fn new(address: Address, lang: Lang) -> Result<Self, String> {
        let mut bytes = [0_u8; 16];
        getrandom::fill(&mut bytes).map_err(|error| error.to_string())?;
        Ok(Self {
            salt: HEXLOWER.encode(&bytes),
            name: String::new(),
            address,
            further: Vec::new(),
            lang,
            zone: None,
            shows_address: false,
            asked: None,
        })
    }

    /// Returns true if he writes from this address.
    #[must_use]
    pub fn writes_from(&self, email: &str) -> bool {
        self.address.is(email) || self.further.iter().any(|address| address.is(email))
    }

    /// His address as a header has it.
    #[must_use]
    pub fn in_header(&self) -> NamedAddress {
        NamedAddress {
            name: (!self.name.is_empty()).then(|| self.name.clone()),
            email: self.address.to_string(),
        }
    }

    /// Names him; what can't stand in a letter is left out.
    pub fn set_name(&mut self, name: &str) {
        let plain = crate::mail::clean_line(name);
        let plain = plain.trim().trim_matches(['"', '\'']).trim();
        self.name = plain.chars().take(LONGEST_NAME).collect();
    }

    /// The file.
    pub(super) fn to_yaml(&self) -> Result<String, StoreError> {
        serde_yaml::to_string(self).map_err(|error| StoreError::Unwritable {
            what: "member",
            problem: error.to_string(),
        })
    }
}

/// A version of a person's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PersonVersion {
    /// Counts from 1.
    pub version: u32,
    /// The digest of its text.
    pub digest: Digest,
}

/// All persons that the club knows.
#[derive(Clone, Debug, Default)]
pub struct People(pub(super) BTreeMap<MemberNumber, Person>);

impl People {
    /// The person behind a number; none if nothing of him is kept.
    #[must_use]
    pub fn get(&self, member: MemberNumber) -> Option<&Person> {
        self.0.get(&member)
    }

    /// A member as others may know him.
    #[must_use]
    pub fn shown(&self, member: MemberNumber) -> String {
        match self.get(member).map(|person| person.name.as_str()) {
            Some(name) if !name.is_empty() => format!("{name} ({member})"),
            _ => member.to_string(),
        }
    }

    /// Who writes from this address, confirmed or, for an applicant, not yet.
    #[must_use]
    pub fn at(&self, email: &str) -> Option<MemberNumber> {
        let mut people = self.0.iter();
        people
            .find(|(_, person)| person.writes_from(email))
            .map(|(member, _)| *member)
    }

    /// Returns true if an address is somebody's, or somebody else is being asked at it.
    pub(super) fn is_taken(&self, address: &Address, by_other_than: MemberNumber) -> bool {
        let others = self
            .0
            .iter()
            .filter(|(member, _)| **member != by_other_than);
        others.into_iter().any(|(_, person)| {
            let asked = person.asked.as_ref();
            person.writes_from(address.as_str())
                || asked.is_some_and(|asked| asked.address == *address)
        })
    }
}
