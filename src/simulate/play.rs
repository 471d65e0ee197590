//! Plays one campaign from its opening letters to the publication of its secret, by mail.

use std::{
    collections::BTreeMap,
    path::Path,
    rc::Rc,
    time::{Duration, Instant},
};

use jiff::{SignedDuration, Timestamp};

use super::{
    CampaignFault, PlayedCampaign, Shop, TurnTally, checks::Checks, player::BotPlayer,
    settings::settings,
};
use crate::{
    audit,
    campaign::{
        durable::memory::MemoryCampaign,
        model::{context::Context, recipient::Recipient, settings::Settings, state::CurrentWait},
        words::bot::{MOST_MAILS, bot_mails, questions_of},
    },
    dice::Master,
    ids::SeatId,
    mail,
    rules::Luck,
    store::PinnedFiles,
    world::World,
};

/// Minutes between two mails.
const BETWEEN: SignedDuration = SignedDuration::from_mins(7);
/// Inputs of one turn after which it is taken to have no end.
const MOST_INPUTS: usize = 60;

/// A campaign under way.
struct Play<'a> {
    shop: &'a Shop<'a>,
    campaign: MemoryCampaign,
    players: Vec<BotPlayer>,
    checks: Rc<Checks>,
    now: Timestamp,
    turns: BTreeMap<i64, BTreeMap<SeatId, TurnTally>>,
    /// The mails of the players, in order.
    sent: Vec<(SeatId, Vec<u8>)>,
    /// How many letters have been handed to their readers.
    delivered: usize,
    /// The turn, and the inputs since it began.
    inputs: (i64, usize),
}

/// Plays a campaign to its end, or to the first fault.
pub(super) fn play(shop: &Shop<'_>, number: usize) -> PlayedCampaign {
    let bots = shop.plan.bots_of(number, &shop.seats);
    let mut played = PlayedCampaign {
        number,
        bots: bots.clone(),
        ..PlayedCampaign::default()
    };
    let begun = Instant::now();
    let made = match Play::begin(shop, number, &bots) {
        Ok(made) => made,
        Err(what) => {
            played.faults.push(CampaignFault {
                at: "the beginning".into(),
                what,
            });
            played.printed = shop.printout.take();
            return played;
        }
    };
    let (mut play, settings, master) = made;
    if let Err(what) = play.run() {
        let state = play.campaign.state();
        play.checks.fault(Some(state), &state.phase, what);
    }
    played.time = begun.elapsed();
    played.printed = shop.printout.take();
    let begun = Instant::now();
    if play.checks.is_sound() {
        play.audit(&settings, &master);
        played.audit = begun.elapsed();
        // It has run the same phases once more.
        drop(shop.printout.take());
    }
    let state = play.campaign.state();
    played.ending = state.world.ended.clone();
    played.last_turn = state.world.turn();
    played.phases = play.checks.phases();
    played.faults = play.checks.faults();
    played.letters = play.campaign.letters().len();
    let is_kept = shop.plan.keep_all || !played.faults.is_empty();
    if let (Some(out), true) = (&shop.plan.out, is_kept) {
        let kept = play.keep(
            &out.join(settings.campaign.as_str()),
            &master,
            &played.faults,
        );
        if let Err(what) = kept {
            played.faults.push(CampaignFault {
                at: "keeping it".into(),
                what,
            });
        }
    }
    played.turns = play.turns;
    played
}

fn said(error: impl ToString) -> String {
    error.to_string()
}

impl<'a> Play<'a> {
    fn begin(
        shop: &'a Shop<'a>,
        number: usize,
        bots: &BTreeMap<SeatId, String>,
    ) -> Result<(Self, Settings, Master), String> {
        let plan = shop.plan;
        // Like the demo's, the campaigns begin at a fixed hour: what they come to depends on the
        // seed alone.
        let now = Timestamp::from_second(1_795_000_000).map_err(said)?;
        let settings = settings(plan, shop.compiled.program().game(), number, now)?;
        let name = settings.campaign.as_str().parse().map_err(said)?;
        let master = Master::simulated(&plan.seed.to_string(), &name);
        let original =
            World::set_up(shop.compiled.program().game(), &plan.scenario).map_err(said)?;
        shop.compiled.program().be_strict();
        let checks = Rc::new(Checks::new(
            shop.compiled.program(),
            &plan.options,
            original,
        ));
        let context =
            Context::with(&shop.compiled, settings.clone(), master.clone()).map_err(said)?;
        let players = settings.seats.iter().map(|seat| {
            let bot = bots.get(&seat.id).cloned().unwrap_or_default();
            let luck = Luck::of(&format!("{} {number} {}", plan.seed, seat.id));
            BotPlayer::new(seat, bot, luck)
        });
        let players = players.collect();
        let context = context.watched(Rc::<Checks>::clone(&checks));
        let campaign = MemoryCampaign::create(context, shop.rules, now).map_err(said)?;
        let mut play = Self {
            shop,
            campaign,
            players,
            checks,
            now,
            turns: BTreeMap::new(),
            sent: Vec::new(),
            delivered: 0,
            inputs: (0, 0),
        };
        play.checks.meets(&play.campaign.state().world);
        play.deliver(true)?;
        Ok((play, settings, master))
    }

    /// Plays till nothing is waited for any more, or something is found wrong.
    fn run(&mut self) -> Result<(), String> {
        while self.checks.is_sound() {
            let due = match &self.campaign.state().waiting {
                CurrentWait::Nothing => return Ok(()),
                CurrentWait::Repair { error, .. } => {
                    return Err(format!("the rules stopped: {error}"));
                }
                CurrentWait::Disclosure { at } => Some(*at),
                CurrentWait::Orders { seats, .. } if seats.is_empty() => {
                    return Err("a dead end: orders of nobody are waited for".into());
                }
                CurrentWait::Orders { deadline, .. }
                | CurrentWait::Answers { deadline, .. }
                | CurrentWait::Dice { deadline, .. } => *deadline,
                CurrentWait::Dispatch { .. } => self.campaign.state().dispatch_at,
            };
            if self.someone_writes()? {
                continue;
            }
            let Some(due) = due else {
                return Err("a dead end: nobody has anything to say, and no deadline comes".into());
            };
            self.now = self.now.max(due);
            if self.campaign.due(self.now).map_err(said)?.is_none() {
                return Err(format!("a dead end: the deadline {due} changes nothing"));
            }
            self.after()?;
        }
        Ok(())
    }

    /// Lets the first player write who has something to say. Returns false if there was none.
    fn someone_writes(&mut self) -> Result<bool, String> {
        for index in 0..self.players.len() {
            let mails = self.mails_of(index)?;
            let state = self.campaign.state();
            let Some(player) = self.players.get_mut(index) else {
                continue;
            };
            let token = state.seats.get(&player.seat).map_or(0, |seat| seat.token);
            if mails.is_empty() {
                player.rest(token);
                continue;
            }
            for lines in mails {
                // A mail may end the wait; what was to follow it is then out of date.
                if !self.post(index, token, &lines)? {
                    break;
                }
            }
            return Ok(true);
        }
        Ok(false)
    }

    /// The mails that a player writes now: none if its orders are in, or it has given up.
    fn mails_of(&mut self, index: usize) -> Result<Vec<Vec<String>>, String> {
        let state = self.campaign.state();
        let context = self.campaign.context();
        let Some(player) = self.players.get_mut(index) else {
            return Ok(Vec::new());
        };
        let Some(entry) = state.seats.get(&player.seat) else {
            return Ok(Vec::new());
        };
        let written = player.written(entry.token);
        let questions = questions_of(state, &player.seat);
        // Orders stay in during quiet questions: they say nothing of the answers.
        let is_done = entry.ready && questions.is_empty();
        if is_done || written >= MOST_MAILS || state.is_over() {
            return Ok(Vec::new());
        }
        let bot = (&self.shop.bots, player.bot.as_str());
        bot_mails(context, state, bot, &player.seat, written, &mut player.luck)
            .map_err(|error| format!("the bot {}: {error}", player.bot))
    }

    /// Sends a mail. Whether the player's letter still waits for more.
    fn post(&mut self, index: usize, token: u64, lines: &[String]) -> Result<bool, String> {
        self.now = self.now.checked_add(BETWEEN).map_err(said)?;
        let Some(player) = self.players.get_mut(index) else {
            return Ok(false);
        };
        let seat = player.seat.clone();
        let bytes = player.answer(lines, token, self.now)?;
        self.checks
            .named_by(&seat, self.shop.names.mentioned(&lines.join("\n")));
        let turn = self.campaign.state().world.turn();
        let file = format!("{:04}", self.sent.len() + 1);
        let effects = self.campaign.post(&file, &bytes, self.now).map_err(said)?;
        self.sent.push((seat.clone(), bytes));
        if let Some((seat, fault)) = effects.faults.first() {
            return Err(format!("a check of orders of {seat} failed: {fault}"));
        }
        self.tally(turn, &seat).mails += 1;
        if let Some(understood) = &effects.understood {
            let orders = understood.reading.orders().count();
            let refused = (0..orders)
                .filter(|order| understood.is_refused(*order))
                .count();
            let wrong = understood.reading.wrong().count();
            let tally = self.tally(turn, &seat);
            tally.orders += orders;
            tally.refused += refused;
            tally.wrong += wrong;
        } else if !matches!(self.campaign.state().waiting, CurrentWait::Repair { .. }) {
            return Err(format!(
                "a mail of {seat} was not taken:\n{}",
                lines.join("\n")
            ));
        }
        self.after()?;
        let now = self.campaign.state().seats.get(&seat);
        Ok(now.is_some_and(|entry| entry.token == token))
    }

    fn tally(&mut self, turn: i64, seat: &SeatId) -> &mut TurnTally {
        self.turns
            .entry(turn)
            .or_default()
            .entry(seat.clone())
            .or_default()
    }

    /// Hands out the letters and sees that the turns go on.
    fn after(&mut self) -> Result<(), String> {
        self.deliver(false)?;
        let turn = self.campaign.state().world.turn();
        self.inputs = if self.inputs.0 == turn {
            (turn, self.inputs.1 + 1)
        } else {
            (turn, 1)
        };
        if self.inputs.1 > MOST_INPUTS {
            return Err(format!(
                "turn {turn} does not end: {MOST_INPUTS} mails and deadlines have not brought it on"
            ));
        }
        Ok(())
    }

    /// Hands the new letters to their readers, and looks through them.
    fn deliver(&mut self, opening: bool) -> Result<(), String> {
        if let Some((seat, fault)) = self.campaign.unproposed().first() {
            return Err(format!("a template of orders for {seat} failed: {fault}"));
        }
        let letters = self.campaign.letters();
        let state = self.campaign.state();
        for letter in letters.get(self.delivered..).unwrap_or_default() {
            let Recipient::Seat(seat) = &letter.to else {
                continue;
            };
            let bytes = letter.bytes().map_err(|error| error.to_string())?;
            let parts =
                mail::parts(&bytes).ok_or_else(|| format!("a letter to {seat} can't be read"))?;
            self.checks
                .letter(self.shop.names, seat, &parts, opening, state);
            if let Some(player) = self.players.iter_mut().find(|player| player.seat == *seat) {
                player.receive(parts);
            }
        }
        self.delivered = letters.len();
        let turn = state.world.turn();
        let asked: Vec<(SeatId, u32)> = state
            .seats
            .iter()
            .map(|(seat, entry)| {
                (
                    seat.clone(),
                    if entry.questions.0 == turn {
                        entry.questions.1
                    } else {
                        0
                    },
                )
            })
            .collect();
        for (seat, questions) in asked {
            self.tally(turn, &seat).questions = questions;
        }
        Ok(())
    }

    /// Replays everything from the journal and compares; checks the dice.
    fn audit(&self, settings: &Settings, master: &Master) {
        let state = self.campaign.state();
        let context = match Context::with(&self.shop.compiled, settings.clone(), master.clone()) {
            Ok(context) => context,
            Err(error) => return self.checks.fault(Some(state), "audit", said(error)),
        };
        match audit::in_memory(&self.campaign, &context) {
            Ok(report) => (report.wrong.iter().chain(&report.unproven))
                .for_each(|wrong| self.checks.fault(Some(state), "audit", wrong.clone())),
            Err(error) => self.checks.fault(Some(state), "audit", said(error)),
        }
    }

    /// Leaves the campaign on the disk, with the players' mails and what was found.
    fn keep(&self, folder: &Path, master: &Master, faults: &[CampaignFault]) -> Result<(), String> {
        let mails = folder.join("sent");
        std::fs::create_dir_all(&mails).map_err(said)?;
        for (number, (seat, bytes)) in self.sent.iter().enumerate() {
            let name = format!("{:04}-{seat}.eml", number + 1);
            std::fs::write(mails.join(name), bytes).map_err(said)?;
        }
        let lines: String = faults.iter().map(|fault| format!("{fault}\n")).collect();
        std::fs::write(folder.join("faults.txt"), lines).map_err(said)?;
        let pinned = PinnedFiles::new(self.shop.files.0.clone()).map_err(said)?;
        self.campaign
            .keep(&folder.join("campaign"), &pinned, master)
            .map_err(said)?;
        Ok(())
    }
}

/// A span of time in milliseconds.
pub(super) fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
