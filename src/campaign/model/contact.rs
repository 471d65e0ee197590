//! Contacts of seats: how players are reached when the settings are out of date.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::campaign::model::seats::{Address, Seat};

/// How a seat's player is reached when the settings are out of date.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contact {
    /// The player; none if it is still the one in the settings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<Seat>,
    /// The seat's letters up to this number went to an earlier address.
    #[serde(default)]
    pub since: u64,
    /// The change of address that has been requested but not confirmed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<AddressRequest>,
    /// The addresses that have been sent a code, in the order of the codes; no address gets two.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub codes: Vec<IssuedCode>,
}

/// A change of address that waits for its code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AddressRequest {
    /// The new address.
    pub address: Address,
    /// Until when the code is good.
    pub until: Timestamp,
    /// The number of the letter with the code, which the code is made from.
    pub letter: u64,
}

/// An address that has been sent a code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IssuedCode {
    /// The address.
    pub address: Address,
    /// When.
    pub at: Timestamp,
    /// The number of the letter among those of the seat.
    pub letter: u64,
}
