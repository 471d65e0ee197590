//! The bots of a campaign: players that are scripts. Whenever the campaign waits for a seat that a
//! bot plays, the bot is run on the seat's view, and what it writes is an input like a mail.
//!
//! Their scripts lie beside the pinned rules, in a folder of their own: a bot is a player and no
//! part of the rules, and nothing in the journal depends on its script.

use std::sync::Arc;

use jiff::Timestamp;

use super::{Campaign, CampaignError, Pass};
use crate::{
    campaign::{
        model::{
            context::Context,
            events::{BotMails, Event},
        },
        words::bot::{AwaitedBot, awaited_bot, bot_mails},
    },
    dice::canonical_orders,
    game::{self, EmbeddedFiles, Files, GameFiles},
    rules::Bots,
    store::{Directory, PinnedFiles},
};

/// The most times that bots may write in one pass: two that play each other must not keep the host
/// from its other campaigns.
const MOST_IN_A_PASS: usize = 32;
/// The most mails that a bot may write at once.
const MOST_AT_ONCE: usize = 4;
/// The longest mail of a bot, in bytes.
const LONGEST_MAIL: usize = 64 << 10;
/// The longest error of a script that is recorded, in characters.
const LONGEST_FAULT: usize = 500;

/// Puts a game's bots beside a campaign's pinned rules, where they are run from.
///
/// # Errors
/// If a path can't be kept, or the disk refuses.
pub fn lay_down(directory: &Directory, bots: &GameFiles) -> Result<(), CampaignError> {
    let files = PinnedFiles::new(bots.0.clone())?;
    Ok(directory.keep_bots(&files)?)
}

/// Reads and compiles the bots of a campaign; none if it has none. The inner error is a fault of
/// their scripts.
fn read(
    directory: &Directory,
    context: &Context,
) -> Result<Result<Option<Bots>, String>, CampaignError> {
    let files = match directory.bots() {
        Err(error) if error.is_environment() => return Err(error.into()),
        Err(error) => return Ok(Err(error.to_string())),
        Ok(None) => return Ok(Ok(None)),
        Ok(Some(files)) => GameFiles(files.into_files()),
    };
    let compiled = game::bot_scripts(&files, &context.settings.game)
        .map_err(|error| error.to_string())
        .and_then(|scripts| {
            let game = Arc::clone(&context.game);
            Bots::compile(game, &scripts).map_err(|error| error.to_string())
        });
    Ok(compiled.map(Some))
}

impl Campaign {
    /// Lets the awaited bots write, one after the other.
    ///
    /// # Errors
    /// As [`Campaign::pass`]. A failing script is no error: it is recorded, and the umpire is told.
    pub(crate) fn let_bots_write(
        &mut self,
        now: Timestamp,
        pass: &mut Pass,
    ) -> Result<(), CampaignError> {
        while pass.bots < MOST_IN_A_PASS
            && let Some(awaited) = awaited_bot(&self.context, &self.state, now)
        {
            pass.bots += 1;
            self.check_master()?;
            let written = self.written_by(&awaited)?;
            self.take_in(Event::Bot(Box::new(written)), now, pass)?;
        }
        Ok(())
    }

    /// Records that the awaited bot could not write because its script killed the process that ran
    /// it.
    ///
    /// # Errors
    /// As [`Campaign::pass`].
    pub fn bot_has_failed(&mut self, why: &str, now: Timestamp) -> Result<Pass, CampaignError> {
        let mut pass = Pass::default();
        if let Some(awaited) = awaited_bot(&self.context, &self.state, now) {
            let failed = failure(&awaited, why);
            self.take_in(Event::Bot(Box::new(failed)), now, &mut pass)?;
        }
        Ok(pass)
    }

    /// The names of the bots that can play a seat, sorted. A campaign made without bots gets its
    /// game's from these files.
    ///
    /// # Errors
    /// If their scripts can't be run, or the disk refuses.
    pub fn known_bots(&mut self, files: &dyn Files) -> Result<Vec<String>, CampaignError> {
        let wrong = |why| CampaignError::Bots { why };
        if !self.directory.has_bots() {
            let found = GameFiles::gather_bots(files, &self.context.settings.game);
            let found = found.map_err(|error| wrong(error.to_string()))?;
            if found.0.is_empty() {
                return Ok(Vec::new());
            }
            lay_down(&self.directory, &found)?;
            self.bots = None;
        }
        let bots = read(&self.directory, &self.context)?.map_err(wrong)?;
        Ok(bots.map_or_else(Vec::new, |bots| bots.names().to_vec()))
    }

    /// Runs a bot for the mails that it writes now.
    fn written_by(&mut self, awaited: &AwaitedBot) -> Result<BotMails, CampaignError> {
        if self.bots.is_none() {
            if !self.directory.has_bots() {
                // A seat has been given to a bot by a mail. What is wrong with the scripts is found
                // when they are read.
                let _ = self.known_bots(&EmbeddedFiles);
            }
            self.bots = Some(read(&self.directory, &self.context)?);
        }
        let name = awaited.bot.as_str();
        let bots = match &self.bots {
            Some(Ok(Some(bots))) if bots.has(name) => bots,
            Some(Err(why)) => return Ok(failure(awaited, why)),
            _ => return Ok(failure(awaited, "this campaign has no such bot")),
        };
        let mut luck = awaited.luck(&self.context);
        let (seat, written) = (&awaited.seat, awaited.written);
        let mails = bot_mails(
            &self.context,
            &self.state,
            (bots, name),
            seat,
            written,
            &mut luck,
        );
        let mails: Vec<String> = match mails {
            Ok(mails) => mails.iter().map(|lines| canonical(lines)).collect(),
            Err(error) => return Ok(failure(awaited, &error.to_string())),
        };
        if mails.len() > MOST_AT_ONCE || mails.iter().any(|mail| mail.len() > LONGEST_MAIL) {
            return Ok(failure(awaited, "it writes too much"));
        }
        Ok(BotMails {
            seat: awaited.seat.clone(),
            bot: awaited.bot.clone(),
            mails: mails.into_iter().filter(|mail| !mail.is_empty()).collect(),
            failed: None,
        })
    }
}

fn canonical(lines: &[String]) -> String {
    canonical_orders(&lines.join("\n"))
}

/// The record of a bot that could not write.
fn failure(awaited: &AwaitedBot, why: &str) -> BotMails {
    BotMails {
        seat: awaited.seat.clone(),
        bot: awaited.bot.clone(),
        mails: Vec::new(),
        failed: Some(why.chars().take(LONGEST_FAULT).collect()),
    }
}
