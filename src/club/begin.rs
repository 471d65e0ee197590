//! Begins the campaign of a full table.

use std::path::Path;

use jiff::Timestamp;

use super::{
    catalogue,
    draw::SeatDraw,
    people::{People, Person},
    settings::ClubSettings,
    table::TablePlan,
};
use crate::{
    bounded::FileError,
    campaign::{
        durable::{Campaign, CampaignError},
        model::{
            player_address::PlayerAddress,
            seats::{Seat, Seats},
            settings::{CampaignId, DiceSource, Settings},
        },
    },
    dice::Master,
    disk,
    game::{EmbeddedFiles, Game, GameFiles, Lang, Seating},
    ids::SeatId,
    store::Directory,
};

/// Why a campaign can't be begun.
pub(super) enum BeginError {
    /// The machine failed: it is tried again.
    Environment(String),
    /// It never can be.
    Never(String),
}

impl From<CampaignError> for BeginError {
    fn from(error: CampaignError) -> Self {
        if error.is_environment() {
            Self::Environment(error.to_string())
        } else {
            Self::Never(error.to_string())
        }
    }
}

/// Makes the campaign of a table in this folder, or finds it made: a club that was killed in
/// between does not make it twice.
///
/// # Errors
/// See [`BeginError`].
pub(super) fn begin(
    club: &ClubSettings,
    people: &People,
    (plan, drawn): (&TablePlan, &SeatDraw),
    folder: &Path,
    now: Timestamp,
) -> Result<CampaignId, BeginError> {
    let campaign: CampaignId = drawn.campaign.parse().map_err(BeginError::Never)?;
    let target = folder.join(campaign.as_str());
    let there = Directory::at(&target);
    if there.is_whole() {
        let there = Settings::of(&there).ok();
        let is_own = there.is_some_and(|there| is_of_table(&there, club, plan, drawn, &campaign));
        let taken = || BeginError::Never(format!("the name `{campaign}` is taken"));
        return is_own.then(|| campaign.clone()).ok_or_else(taken);
    }
    disk::make_folder(folder).map_err(|error| BeginError::Environment(error.to_string()))?;
    let settings = settings(club, people, plan, drawn, campaign.clone(), now)?;
    let failed = |error: FileError| BeginError::Never(error.to_string());
    let game = GameFiles::gather(&EmbeddedFiles, &plan.game).map_err(failed)?;
    let bots = GameFiles::gather_bots(&EmbeddedFiles, &plan.game).map_err(failed)?;
    let master = Master::draw().map_err(|error| BeginError::Environment(error.to_string()))?;
    Campaign::create_with_bots(&target, &settings, (&game, &bots), &master, now)?;
    Ok(campaign)
}

/// Returns true if a campaign that is there was made for this table.
fn is_of_table(
    there: &Settings,
    club: &ClubSettings,
    plan: &TablePlan,
    drawn: &SeatDraw,
    campaign: &CampaignId,
) -> bool {
    let is_seated = |seat: &SeatId| {
        let mut seated = drawn.seated.iter();
        let is_members = seated.any(|(_, drawn)| drawn == seat);
        let there = there.seats.get(seat);
        there.is_some_and(|there| there.address.bot().is_none() == is_members)
    };
    there.campaign == *campaign
        && there.game == plan.game
        && there.scenario == plan.scenario
        && there.options == plan.options
        && there.mailbox == club.mailbox
        && there.seats.iter().count() == plan.seats.len() + plan.bots.len()
        && plan.seats.iter().chain(&plan.bots).all(is_seated)
}

fn settings(
    club: &ClubSettings,
    people: &People,
    plan: &TablePlan,
    drawn: &SeatDraw,
    campaign: CampaignId,
    now: Timestamp,
) -> Result<Settings, BeginError> {
    let never = |why: &str| BeginError::Never(why.to_owned());
    let seating = Seating {
        roster: plan.roster.clone(),
        ..Seating::default()
    };
    let game = catalogue::load(&plan.game).ok_or_else(|| never("the game is not sound"))?;
    let game = game.seated(&seating).map_err(BeginError::Never)?;
    let mut seats = Vec::new();
    for decl in &game.decl.seats {
        seats.push(seat(people, &game, drawn, &decl.id)?);
    }
    // Whoever plays must not see everything, from whichever of his addresses he writes.
    let plays = |umpire: &str| {
        let mut seated = drawn.seated.iter();
        seated.any(|(member, _)| {
            let person = people.get(*member);
            person.is_some_and(|person| person.writes_from(umpire))
        })
    };
    let umpire = club.umpire.clone().filter(|umpire| !plays(umpire.as_str()));
    let settings = Settings {
        campaign,
        title: String::new(),
        game: plan.game.clone(),
        scenario: plan.scenario.clone(),
        options: plan.options.clone(),
        seats: Seats::new(seats).map_err(BeginError::Never)?,
        seating,
        umpire,
        umpires: Vec::new(),
        mailbox: club.mailbox.clone(),
        schedule: plan.schedule.clone(),
        dice: vec![DiceSource::Orders],
        questions_per_turn: plan.questions,
        pictures: true,
        trust: Default::default(),
        unreachable: Default::default(),
        dispatches: Default::default(),
        press: plan.press,
        absence: plan.absence,
        observers: plan.observers.clone(),
        club: club.address().parse().ok(),
        seed: None,
        created: Timestamp::from_second(now.as_second()).unwrap_or(now),
    };
    settings.check().map_err(BeginError::Never)?;
    Ok(settings)
}

/// A seat with whoever has drawn it, or else a bot.
fn seat(people: &People, game: &Game, drawn: &SeatDraw, id: &SeatId) -> Result<Seat, BeginError> {
    let mut seated = drawn.seated.iter();
    let Some((member, _)) = seated.find(|(_, seat)| seat == id) else {
        let address: PlayerAddress = "bot".parse().map_err(BeginError::Never)?;
        return Ok(Seat {
            id: id.clone(),
            address,
            lang: game.language(Lang::En),
            name: String::new(),
            zone: None,
            screen: Default::default(),
        });
    };
    let gone = || BeginError::Never(format!("{member} has left the club"));
    let person = people.get(*member).ok_or_else(gone)?;
    Ok(Seat {
        lang: game.language(person.lang),
        ..in_seat(person, id)
    })
}

/// Somebody in a seat.
pub(super) fn in_seat(person: &Person, id: &SeatId) -> Seat {
    Seat {
        id: id.clone(),
        address: PlayerAddress::Mail(person.address.clone()),
        lang: person.lang,
        name: person.name.clone(),
        zone: person.zone.clone(),
        screen: Default::default(),
    }
}
