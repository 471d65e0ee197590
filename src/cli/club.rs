//! `estafette club ACTION DIR`: the club around the campaigns.

use std::{
    io::Read,
    path::{Component, Path, PathBuf},
};

use super::{
    clock::ClockOption,
    club_results,
    failure::{CommandResult, Failure},
    out,
    run::PATIENCE,
    seating::lang,
};
use crate::{
    campaign::model::{player_address::Address, settings::CampaignId},
    club::{
        ABSENCE_DAYS, Club, ClubError, ClubPass, ClubRuling, ClubSettings, EntryRule, FounderRule,
        LETTERS_AT, MemberNumber, MemberStanding, Person, TableStanding, TakeoverRule, check_draw,
    },
    dice::Master,
    digest::Digest,
    ids::SeatId,
    mail::{self, Mailbox},
};

/// Arguments of `club`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    action: ClubAction,
}

#[derive(Debug, clap::Subcommand)]
enum ClubAction {
    /// Found a club
    New(Box<FoundingArgs>),
    /// Make one pass: take the mails that have come, and begin the campaigns of full tables
    Run {
        #[command(flatten)]
        place: PlaceArgs,
    },
    /// Enter a member, without a confirmation by mail
    Add {
        #[command(flatten)]
        place: PlaceArgs,
        /// His address
        address: String,
        /// The name that others see
        #[arg(long, default_value = "")]
        name: String,
        /// The language of his letters
        #[arg(long, value_name = "CODE")]
        lang: Option<String>,
        /// His time zone
        #[arg(long, value_name = "ZONE")]
        zone: Option<String>,
        /// Allow this member to found tables, where not everybody may
        #[arg(long)]
        founder: bool,
    },
    /// Members, a line each
    List {
        #[command(flatten)]
        place: PlaceArgs,
    },
    /// All that is kept of a member
    Show {
        #[command(flatten)]
        place: PlaceArgs,
        /// The member's number, m7
        member: MemberNumber,
    },
    /// Accept an applicant, where the umpire decides who becomes a member
    Accept {
        #[command(flatten)]
        place: PlaceArgs,
        /// The member's number, m7
        member: MemberNumber,
    },
    /// Take a member out of the club; nothing of him is kept here
    Remove {
        #[command(flatten)]
        place: PlaceArgs,
        /// The member's number, m7
        member: MemberNumber,
    },
    /// Whether a member may found tables, where not everybody may
    Founder {
        #[command(flatten)]
        place: PlaceArgs,
        /// The member's number, m7
        member: MemberNumber,
        /// Forbid it
        #[arg(long)]
        no: bool,
    },
    /// Tables, a line each
    Tables {
        #[command(flatten)]
        place: PlaceArgs,
    },
    /// What is remembered of campaigns that have ended: results, ratings, deadlines kept
    Results {
        #[command(flatten)]
        place: PlaceArgs,
        /// Of this game alone
        #[arg(long, value_name = "ID")]
        game: Option<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Give up an open table
    Close {
        #[command(flatten)]
        place: PlaceArgs,
        /// The table's number
        table: u32,
    },
    /// Have a member look on at a campaign whose table lets him
    Observe {
        #[command(flatten)]
        place: PlaceArgs,
        /// The table's number
        table: u32,
        /// The member's number, m7
        member: MemberNumber,
        /// Not any more
        #[arg(long)]
        off: bool,
    },
    /// Give a seat that looks for a player to a member who has asked for it
    Takeover {
        #[command(flatten)]
        place: PlaceArgs,
        /// The table's number
        table: u32,
        /// The seat
        seat: SeatId,
        /// The member's number, m7
        member: MemberNumber,
    },
    /// Make a draw of seats again from the letter about it on standard input; exit 1 if it does not
    /// fit
    Draw {
        /// The anchor, from the letter about the table when it was new
        #[arg(long)]
        anchor: Digest,
    },
}

/// Where the club is.
#[derive(Debug, clap::Args)]
struct PlaceArgs {
    /// The club's directory
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    #[command(flatten)]
    clock: ClockOption,
}

/// The settings of a new club.
#[derive(Debug, clap::Args)]
struct FoundingArgs {
    /// The club's directory, which must not exist yet
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// Its name in addresses, 1 to 16 of a-z, 0-9 and -
    #[arg(long)]
    name: CampaignId,
    /// Its title in letters
    #[arg(long, default_value = "")]
    title: String,
    /// The mailbox of the host
    #[arg(long, value_name = "LOCAL@DOMAIN")]
    mailbox: Mailbox,
    /// The folder for new campaigns; estafette.yaml must serve it
    #[arg(long, value_name = "FOLDER")]
    campaigns: PathBuf,
    /// The umpire's address
    #[arg(long, value_name = "ADDRESS")]
    umpire: Option<String>,
    /// The time zone of those who name none
    #[arg(long, default_value = "UTC")]
    zone: String,
    /// The language of letters to strangers and to the umpire
    #[arg(long, value_name = "CODE", default_value = "en")]
    lang: String,
    /// Applicants wait for the umpire's word
    #[arg(long)]
    closed: bool,
    /// Only members to whom the umpire gives it may found tables
    #[arg(long)]
    named_founders: bool,
    /// The most days in a year by which a member's absences may move deadlines
    #[arg(long, value_name = "DAYS", default_value_t = ABSENCE_DAYS)]
    absence_days: u32,
    /// The hour at which the club writes by itself: to you, if something needs you, and on the
    /// first of a month to its members
    #[arg(long, value_name = "HOUR", default_value_t = LETTERS_AT)]
    letters_at: u8,
    /// Its members get no letter each month
    #[arg(long)]
    no_monthly_letter: bool,
    /// Members take over seats that look for a player without the umpire's word
    #[arg(long)]
    free_takeover: bool,
    #[command(flatten)]
    clock: ClockOption,
}

/// Runs the command.
///
/// # Errors
/// Exit code 1 if something can't be done, 2 if the arguments are wrong, 3 if the disk refuses.
pub fn run(args: &Args) -> CommandResult {
    match &args.action {
        ClubAction::New(args) => found(args),
        ClubAction::Run { place } => {
            let pass = open(place)?.pass(place.clock.now()).map_err(failure)?;
            told(&pass)
        }
        ClubAction::Add {
            place,
            address,
            name,
            lang: code,
            zone,
            founder,
        } => {
            mail::check_address(address).map_err(Failure::usage)?;
            let address: Address = address.parse().map_err(Failure::usage)?;
            let mut club = open(place)?;
            let lang = code.as_deref().map(lang).transpose()?;
            let lang = lang.unwrap_or(club.settings().lang);
            let mut person = Person::new(address, lang).map_err(Failure::environment)?;
            person.set_name(name);
            let zone = zone.as_deref().map(str::parse).transpose();
            person.zone = zone.map_err(Failure::usage)?;
            let entered = club.enter(person, *founder, place.clock.now());
            let (member, pass) = entered.map_err(failure)?;
            told(&pass)?;
            out::line(member.to_string())
        }
        ClubAction::List { place } => list(&open(place)?),
        ClubAction::Show { place, member } => show(&open(place)?, *member),
        ClubAction::Accept { place, member } => rule(place, ClubRuling::Accept { member: *member }),
        ClubAction::Remove { place, member } => rule(place, ClubRuling::Remove { member: *member }),
        ClubAction::Founder { place, member, no } => rule(
            place,
            ClubRuling::Founder {
                member: *member,
                may: !no,
            },
        ),
        ClubAction::Tables { place } => tables(&open(place)?),
        ClubAction::Results { place, game, json } => {
            let results = open(place)?.results(game.as_deref());
            club_results::print(&results, *json)
        }
        ClubAction::Close { place, table } => rule(place, ClubRuling::Close { table: *table }),
        ClubAction::Takeover {
            place,
            table,
            seat,
            member,
        } => rule(
            place,
            ClubRuling::TakeOver {
                table: *table,
                seat: seat.clone(),
                member: *member,
            },
        ),
        ClubAction::Observe {
            place,
            table,
            member,
            off,
        } => rule(
            place,
            ClubRuling::Observe {
                table: *table,
                member: *member,
                on: !off,
            },
        ),
        ClubAction::Draw { anchor } => draw(*anchor),
    }
}

fn failure(error: ClubError) -> Failure {
    if error.is_environment() {
        Failure::environment(error)
    } else {
        Failure::failed(error)
    }
}

fn open(place: &PlaceArgs) -> Result<Club, Failure> {
    Club::open(&place.directory, PATIENCE).map_err(failure)
}

fn rule(place: &PlaceArgs, ruling: ClubRuling) -> CommandResult {
    let pass = open(place)?.rule(ruling, place.clock.now());
    told(&pass.map_err(failure)?)
}

fn told(pass: &ClubPass) -> CommandResult {
    pass.lines.iter().try_for_each(out::line)?;
    if pass.letters > 0 {
        out::line(format!("{} written", out::counted(pass.letters, "letter")))?;
    }
    Ok(())
}

fn found(args: &FoundingArgs) -> CommandResult {
    let now = args.clock.now();
    let umpire = args.umpire.as_deref().map(str::parse::<Address>);
    let umpire = umpire.transpose().map_err(Failure::usage)?;
    let settings = ClubSettings {
        club: args.name.clone(),
        title: args.title.clone(),
        mailbox: args.mailbox.clone(),
        umpire,
        zone: args.zone.parse().map_err(Failure::usage)?,
        lang: lang(&args.lang)?,
        entry: if args.closed {
            EntryRule::Umpire
        } else {
            EntryRule::Anybody
        },
        founders: if args.named_founders {
            FounderRule::Named
        } else {
            FounderRule::Members
        },
        absence_days: args.absence_days,
        takeover: if args.free_takeover {
            TakeoverRule::Anybody
        } else {
            TakeoverRule::Umpire
        },
        letters_at: args.letters_at,
        monthly: !args.no_monthly_letter,
        campaigns: from_club(&args.directory, &args.campaigns)?,
        created: jiff::Timestamp::from_second(now.as_second()).unwrap_or(now),
    };
    settings.check().map_err(Failure::usage)?;
    let master = Master::draw().map_err(Failure::environment)?;
    let directory = Club::found(&args.directory, &settings, &master, now).map_err(failure)?;
    out::line(format!(
        "{}: {} founded",
        directory.root().display(),
        settings.club
    ))?;
    out::line(format!("Its address: {}", settings.address()))
}

/// The folder of the campaigns as seen from the club's: both may be moved together if they lie in
/// one folder.
fn from_club(club: &Path, campaigns: &Path) -> Result<PathBuf, Failure> {
    let (club, campaigns) = (absolute(club)?, absolute(campaigns)?);
    let folder = club.parent().filter(|folder| folder.parent().is_some());
    let beside = folder.and_then(|folder| campaigns.strip_prefix(folder).ok());
    let is_plain = |path: &Path| {
        path.components()
            .all(|part| matches!(part, Component::Normal(_)))
    };
    Ok(match beside {
        Some(beside) if is_plain(beside) => Path::new("..").join(beside),
        _ => campaigns,
    })
}

/// A path that means the same from everywhere.
fn absolute(path: &Path) -> Result<PathBuf, Failure> {
    std::path::absolute(path).map_err(Failure::environment)
}

fn list(club: &Club) -> CommandResult {
    for (number, member) in &club.state().members {
        let standing = match member.standing {
            MemberStanding::Applicant => "not confirmed",
            MemberStanding::Waiting => "waits for your word",
            MemberStanding::Member => "member",
            MemberStanding::Left => continue,
        };
        let Some(person) = club.people().get(*number) else {
            continue;
        };
        let name = &person.name;
        out::line(format!("{number}  {standing}  {name} <{}>", person.address))?;
    }
    Ok(())
}

fn show(club: &Club, number: MemberNumber) -> CommandResult {
    let member = club.state().members.get(&number);
    let found = member.zip(club.people().get(number));
    let (member, person) =
        found.ok_or_else(|| Failure::failed(format!("nothing is kept of {number}")))?;
    out::line(format!(
        "member: {number}, {:?}, since {}",
        member.standing, member.since
    ))?;
    out::line(format!("name: {}", person.name))?;
    out::line(format!("address: {}", person.address))?;
    for address in &person.further {
        out::line(format!("further address: {address}"))?;
    }
    if let Some(asked) = &person.asked {
        out::line(format!("not confirmed: {}", asked.address))?;
    }
    let zone = person.zone.as_ref().unwrap_or(&club.settings().zone);
    out::line(format!("language: {}, zone: {zone}", person.lang.code()))?;
    let shown = if person.shows_address {
        "shown to members"
    } else {
        "shown to nobody"
    };
    out::line(format!("the address is {shown}"))?;
    out::line(format!("mails: {}", member.files.len()))?;
    for (table, found) in &club.state().tables {
        if found.concerns(number) {
            out::line(format!("table {table}"))?;
        }
    }
    Ok(())
}

fn tables(club: &Club) -> CommandResult {
    for (number, table) in &club.state().tables {
        let standing = match &table.standing {
            TableStanding::Open => format!("{} missing", table.missing()),
            TableStanding::Full(_) => "full".to_owned(),
            TableStanding::Begun(_, campaign) => format!("begun as {campaign}"),
            TableStanding::Closed => "closed".to_owned(),
            TableStanding::Failed => "could not begin".to_owned(),
        };
        let plan = &table.plan;
        out::line(format!(
            "{number}  {} {}  {standing}",
            plan.game, plan.scenario
        ))?;
    }
    Ok(())
}

/// Makes a draw again from the lines of a letter.
fn draw(anchor: Digest) -> CommandResult {
    let mut text = String::new();
    std::io::stdin()
        .lock()
        .take(1 << 20)
        .read_to_string(&mut text)?;
    let parsed = mail::parts(text.as_bytes()).map(|parts| parts.text);
    let text = parsed
        .filter(|text| text.contains("joined"))
        .unwrap_or(text);
    // The lines that are read stand below the one that names the campaign.
    let is_first = |line: &str| {
        let mut words = line.split_whitespace();
        words.next() == Some("draw") && words.count() == 1
    };
    let lines: Vec<&str> = text.lines().collect();
    let begin = lines.iter().rposition(|line| is_first(line)).unwrap_or(0);
    let words = |name: &str| {
        let lines = lines.iter().skip(begin).map(|line| line.trim());
        let found: Vec<&str> = lines
            .filter_map(|line| line.strip_prefix(name)?.strip_prefix(' '))
            .collect();
        found
    };
    let missing = || {
        Failure::failed("this is no letter about a draw: it has no lines `draw`, `key`, `seats`")
    };
    let first = |name: &str| words(name).first().copied().ok_or_else(missing);
    let (campaign, key) = (first("draw")?, first("key")?);
    let seats: Vec<SeatId> = first("seats")?
        .split_whitespace()
        .map(SeatId::from)
        .collect();
    let joined: String = words("joined")
        .iter()
        .map(|line| format!("{line}\n"))
        .collect();
    let drawn = check_draw(campaign, anchor, key, &seats, &joined).map_err(Failure::failed)?;
    let told: Vec<&str> = words("seated");
    for (member, seat) in &drawn.seated {
        out::line(format!("{member} {seat}"))?;
    }
    let seated = drawn
        .seated
        .iter()
        .map(|(member, seat)| format!("{member} {seat}"));
    if !told.is_empty() && !seated.eq(told.iter().map(|line| (*line).to_owned())) {
        return Err(Failure::failed("the letter says otherwise"));
    }
    Ok(())
}
