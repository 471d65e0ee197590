//! Copies of letters that go out again: found where they are kept, and addressed to their readers'
//! present addresses.

use super::CampaignError;
use crate::{
    campaign::{
        model::{
            context::Context, errands::LetterCopy, players, replies::reply_address_of,
            state::State, work_error::WorkError,
        },
        post::Letter,
    },
    mail::{self, NamedAddress, ReadyMail},
    store::Directory,
};

/// The copies of letters that are in the outboxes, or about to be; and the Message-IDs of those
/// that somebody took away.
///
/// # Errors
/// If the disk refuses, or a letter can't be addressed.
pub(super) fn ready(
    directory: &Directory,
    (context, state): (&Context, &State),
    fresh: &[Letter],
    copies: &[LetterCopy],
) -> Result<(Vec<ReadyMail>, Vec<String>), CampaignError> {
    let (mut found, mut missing) = (Vec::new(), Vec::new());
    for copy in copies {
        let Some(player) = players::player(context, state, &copy.to) else {
            continue;
        };
        let known = fresh
            .iter()
            .find(|letter| letter.message_id == copy.message_id);
        let bytes = match known {
            Some(letter) => Some(letter.bytes()?.into_owned()),
            None => directory.outbox(&copy.to).find(&copy.message_id)?,
        };
        let Some(bytes) = bytes else {
            missing.push(copy.message_id.clone());
            continue;
        };
        let reply_to = NamedAddress {
            name: Some(context.title(player.lang)),
            email: reply_address_of(context, &copy.to, copy.token),
        };
        let bytes = mail::copy_to(&bytes, &player.in_header(), Some(&reply_to));
        found.push(ReadyMail {
            to: copy.to.to_string(),
            key: copy.key.clone(),
            bytes: bytes.map_err(|source| WorkError::Mail {
                to: copy.to.to_string(),
                source,
            })?,
        });
    }
    Ok((found, missing))
}
