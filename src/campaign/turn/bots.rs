//! Mails of bots are taken like a person's: the same words have the same effect. If a bot fails,
//! the umpire is told, and the wait goes on as for a silent player.

use std::collections::BTreeMap;

use crate::{
    campaign::{
        model::{
            absence::AbsenceAct,
            events::{BotMails, SeatMail},
            players,
            state::State,
            work_error::WorkError,
        },
        turn::{
            plan::{BotTrouble, UmpireLetter},
            planning, taking,
            work::Work,
        },
        words::bot::{MOST_MAILS, is_waited_for},
    },
    digest::Digest,
    ids::SeatId,
};

/// Takes what a bot has written.
pub(crate) fn write(work: &mut Work<'_>, written: &BotMails) -> Result<(), WorkError> {
    let BotMails {
        seat,
        bot,
        mails,
        failed,
    } = written;
    let player = players::player(work.context, &work.state, seat);
    let entry = work.state.seats.get(seat);
    let absence = entry.and_then(|entry| entry.attendance.absence.as_ref());
    let stands_in = absence.is_some_and(|it| it.acts == AbsenceAct::Bot(bot.clone()));
    if !stands_in && player.and_then(|player| player.address.bot()) != Some(bot) {
        return Err(WorkError::NoBot {
            seat: seat.clone(),
            bot: bot.clone(),
        });
    }
    let token = token_of(&work.state, seat);
    note(&mut work.state, seat, mails.len());
    for words in mails {
        taking::take_words(work, &as_mail(written, words))?;
        if token_of(&work.state, seat) != token {
            // The remaining mails answer a letter that is out of date.
            return Ok(());
        }
    }
    let entry = work.state.seats.get(seat);
    let rests = entry.is_some_and(|entry| entry.bot_mails() >= MOST_MAILS);
    if rests && is_waited_for(&work.state, seat) {
        let trouble = BotTrouble {
            seat: seat.clone(),
            bot: bot.clone(),
            failed: failed.clone(),
        };
        planning::notice(work, UmpireLetter::Bot(trouble));
    }
    Ok(())
}

/// The number of the token under which a seat answers.
fn token_of(state: &State, seat: &SeatId) -> u64 {
    state.seats.get(seat).map_or(0, |entry| entry.token)
}

/// Counts the mails of a bot. If it wrote none, it has nothing more to say.
fn note(state: &mut State, seat: &SeatId, mails: usize) {
    if let Some(entry) = state.seats.get_mut(seat) {
        let more = match mails {
            0 => MOST_MAILS,
            mails => u32::try_from(mails).unwrap_or(MOST_MAILS),
        };
        entry.bot_wrote = (entry.token, entry.bot_mails().saturating_add(more));
    }
}

/// A mail with these words, as if it had come from outside.
fn as_mail(written: &BotMails, words: &str) -> SeatMail {
    SeatMail {
        seat: written.seat.clone(),
        message_id: None,
        digest: Digest::of(words.as_bytes()),
        file: String::new(),
        from: format!("bot:{}", written.bot),
        words: words.to_owned(),
        ignored: BTreeMap::new(),
        files: Vec::new(),
        unread: Vec::new(),
    }
}
