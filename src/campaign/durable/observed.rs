//! What those see who look on: sheets in a folder, which the club hands out as the campaign's
//! setting has it. A sheet is made when all seats have been told the same position, from nothing
//! but a view, and never changes again.

use super::{Campaign, CampaignError, results::result};
use crate::{
    campaign::{
        model::{
            context::Context,
            endings::result_of,
            observers::ObserverRule,
            state::{CurrentWait, State},
            work_error::WorkError,
        },
        post,
    },
    dispatch,
    ids::SeatId,
    mail::{AutoSubmitted, Image, ImageKind, NamedAddress, Outgoing, render},
    store::Directory,
};

/// The seat that looks on: the game has none of this name, so that it sees what is public, and all
/// after the end.
const NOBODY: &str = "observers";
/// The end of the name of the last sheet, which may be of the same turn and envelope as the one
/// before it, and of any other. The first comes behind the other in the order of the alphabet.
/// Earlier names, of which the parts stood in another order, ended otherwise: nobody reads them.
const LAST: &str = "over";
const OTHER: &str = "open";

/// The name of a sheet. Names stand in the order in which sheets were made: envelopes only grow,
/// and turns do not when a campaign is taken back.
fn key(turn: i64, envelope: u32, is_last: bool) -> String {
    let last = if is_last { LAST } else { OTHER };
    format!("{envelope:06}-{:06}-{last}", turn.clamp(0, 999_999))
}

/// What the name of a sheet says.
#[derive(Clone, Copy)]
struct SheetName {
    turn: u32,
    envelope: u32,
    is_last: bool,
}

impl SheetName {
    fn parse(key: &str) -> Option<Self> {
        let mut parts = key.split('-');
        Some(Self {
            envelope: parts.next()?.parse().ok()?,
            turn: parts.next()?.parse().ok()?,
            is_last: match parts.next()? {
                LAST => true,
                OTHER => false,
                _ => return None,
            },
        })
    }
}

/// The sheets that may be handed out, the oldest first.
///
/// # Errors
/// The environment.
pub fn released(directory: &Directory, rule: &ObserverRule) -> Result<Vec<String>, CampaignError> {
    let keys = directory.observed().keys()?;
    let is_over = !keys.is_empty() && result(directory)?.0.is_some();
    Ok(allowed(keys, rule, is_over))
}

/// Those of the sheets that may be handed out. When a campaign was taken back, its turn is that of
/// the newest envelope, and none that it has had before.
fn allowed(mut keys: Vec<String>, rule: &ObserverRule, is_over: bool) -> Vec<String> {
    let names = keys.iter().filter_map(|key| SheetName::parse(key));
    let names: Vec<SheetName> = names.collect();
    let newest = names.iter().map(|name| name.envelope).max();
    let of_newest = names.iter().filter(|name| Some(name.envelope) == newest);
    let turn = of_newest.map(|name| name.turn).min().unwrap_or(0);
    keys.retain(|key| {
        // An end that was taken back shows everything.
        let name = SheetName::parse(key).filter(|name| is_over || !name.is_last);
        name.is_some_and(|name| match rule {
            ObserverRule::None => false,
            ObserverRule::Public => true,
            ObserverRule::Delayed { turns, .. } => {
                is_over || name.turn.saturating_add(*turns) <= turn
            }
            ObserverRule::Ended => name.is_last,
        })
    });
    keys
}

impl Campaign {
    /// Lays down a sheet of what those see who look on, if all seats have been told where the
    /// campaign stands and there is none yet.
    pub(crate) fn keep_observed(&self) -> Result<(), CampaignError> {
        let (context, state) = (self.context(), self.state());
        let rule = &context.settings.observers;
        let is_over = result_of(context, state).is_some();
        let is_told = state.shown.is_none() && matches!(state.waiting, CurrentWait::Orders { .. });
        let is_wanted = match rule {
            ObserverRule::None => false,
            ObserverRule::Ended => is_over,
            ObserverRule::Public | ObserverRule::Delayed { .. } => is_over || is_told,
        };
        if !is_wanted {
            return Ok(());
        }
        let folder = self.directory().observed();
        let key = key(state.world.turn(), state.dice.envelope, is_over);
        if folder.has(&key)? {
            return Ok(());
        }
        folder.put(&key, &sheet(context, state, rule)?)?;
        Ok(())
    }
}

/// A sheet as a mail, so that its words and pictures stand together.
fn sheet(context: &Context, state: &State, rule: &ObserverRule) -> Result<Vec<u8>, CampaignError> {
    let seat = match rule {
        ObserverRule::Delayed { seat, .. } => seat.clone(),
        _ => SeatId::from(NOBODY),
    };
    let document = post::observed_document(context, state, &seat)?;
    let mut images = Vec::new();
    for (picture, svg) in dispatch::map_pictures(&document) {
        if !context.settings.pictures {
            break;
        }
        // A sheet whose map can't be drawn has words.
        let Ok(bytes) = dispatch::map_png(&svg) else {
            continue;
        };
        images.push(Image {
            file_name: format!("{}.png", picture.cid),
            cid: picture.cid,
            bytes,
            kind: ImageKind::Shown,
        });
    }
    let from = NamedAddress {
        name: None,
        email: context.mailbox().to_string(),
    };
    let mail = render(&Outgoing {
        campaign: context.settings.campaign.to_string(),
        to: from.clone(),
        from,
        reply_to: None,
        subject: document.subject.clone(),
        message_id: "sheet@observers".to_owned(),
        date: state.time,
        in_reply_to: None,
        references: Vec::new(),
        auto_submitted: AutoSubmitted::Generated,
        text: dispatch::body(&document),
        html: None,
        images,
        attachments: Vec::new(),
    });
    let mail = mail.map_err(|source| WorkError::Mail {
        to: seat.to_string(),
        source,
    })?;
    Ok(mail)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheets(named: &[(i64, u32)]) -> Vec<String> {
        let names = named.iter();
        let names = names.map(|(turn, envelope)| key(*turn, *envelope, false));
        names.collect()
    }

    #[test]
    fn sheets_are_handed_out_as_the_rule_says() {
        let delayed = ObserverRule::Delayed {
            seat: "red".into(),
            turns: 2,
        };
        let mut keys = sheets(&[(1, 0), (1, 1), (2, 2), (3, 3)]);
        let strange = ["strange", "000003-000001-now", "000003-000003-end"];
        keys.extend(strange.map(str::to_owned));
        let count = |keys: &[String], rule: &ObserverRule, is_over| {
            allowed(keys.to_vec(), rule, is_over).len()
        };
        assert_eq!(count(&[], &delayed, false), 0);
        assert_eq!(count(&keys, &ObserverRule::Public, false), 4);
        assert_eq!(count(&keys, &ObserverRule::None, false), 0);
        assert_eq!(count(&keys, &ObserverRule::Ended, false), 0);
        let found = allowed(keys.clone(), &delayed, false);
        assert_eq!(found, sheets(&[(1, 0), (1, 1)]));
        keys.push(key(3, 3, true));
        assert_eq!(count(&keys, &delayed, true), 5);
        assert_eq!(count(&keys, &ObserverRule::Ended, true), 1);
        // It goes on after all.
        assert_eq!(count(&keys, &ObserverRule::Ended, false), 0);
        assert_eq!(count(&keys, &ObserverRule::Public, false), 4);
        assert_eq!(count(&keys, &delayed, false), 2);
    }

    /// Who gives up ends a wait, with the turn and the envelope of the sheet before; and what was
    /// taken back is older than what came after.
    #[test]
    fn the_last_sheet_comes_last() {
        assert!(key(3, 3, true) > key(3, 3, false));
        assert!(key(2, 4, false) > key(3, 3, true));
    }

    /// What was seen of later turns before does not let a turn be seen in time.
    #[test]
    fn a_campaign_that_was_taken_back_is_in_its_present_turn() {
        let delayed = ObserverRule::Delayed {
            seat: "red".into(),
            turns: 1,
        };
        for now in [(2, 5), (2, 6)] {
            let keys = sheets(&[(1, 1), (2, 2), (3, 3), (4, 5), now]);
            let found = allowed(keys, &delayed, false);
            assert_eq!(found, sheets(&[(1, 1)]), "{now:?}");
        }
    }
}
