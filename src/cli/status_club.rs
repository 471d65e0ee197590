//! `estafette status CLUB`: a whole club in one screen, for its umpire.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::{
    failure::{CommandResult, Failure},
    isolated, out,
    run::PATIENCE,
    status_list::{self, CampaignLine, campaigns, in_words, is_foreign, lines},
};
use crate::{
    club::{Club, ClubNeed, MemberStanding, TableStanding},
    disk::DiskSpace,
    isolation::ProcessBounds,
    serve::ClubPlace,
    store::Directory,
};

/// A club in one screen.
#[derive(Debug, Serialize)]
struct ClubStatus {
    club: String,
    title: String,
    members: usize,
    tables: TableCounts,
    /// The disk that the club lies on.
    disk: Option<DiskSpace>,
    /// What needs the umpire beside campaigns.
    needs: Vec<ClubNeed>,
    /// Campaigns that go on, those with problems first.
    campaigns: Vec<CampaignLine>,
}

/// Tables by where they stand.
#[derive(Debug, Default, Serialize)]
struct TableCounts {
    open: usize,
    running: usize,
    ended: usize,
}

/// Returns true if a club stands here.
pub fn is_club(path: &Path) -> bool {
    Directory::open_club(path).is_ok()
}

/// Prints it.
///
/// # Errors
/// Exit code 1 if the club or one of its campaigns can't be opened.
pub fn print(root: &Path, json: bool, secrets: bool) -> CommandResult {
    let place = ClubPlace::read(root).map_err(Failure::failed)?;
    let folder = place.settings.campaigns_of(root);
    // Before the first one begins there is none.
    let found = campaigns(&[folder]).unwrap_or_default();
    if found.iter().any(|root| is_foreign(root)) {
        return isolated::again_or(&ProcessBounds::default(), |death| {
            let foreign = format!("not looked at, since {death}");
            look(root, &found, secrets, Some(&foreign))?.print(json)
        });
    }
    look(root, &found, secrets, None)?.print(json)
}

fn look(
    root: &Path,
    found: &[PathBuf],
    secrets: bool,
    foreign: Option<&str>,
) -> Result<ClubStatus, Failure> {
    let club = Club::open(root, PATIENCE).map_err(Failure::failed)?;
    let mut tables = TableCounts::default();
    for table in club.state().tables.values() {
        match &table.standing {
            TableStanding::Open | TableStanding::Full(_) => tables.open += 1,
            TableStanding::Begun(..) if table.ended.is_some() => tables.ended += 1,
            TableStanding::Begun(..) => tables.running += 1,
            TableStanding::Closed | TableStanding::Failed => {}
        }
    }
    let members = club.state().members.values();
    let members = members.filter(|it| it.standing == MemberStanding::Member);
    let members = members.count();
    let mut needs = club.needs(&[]);
    // They say it themselves, and as it stands now.
    needs.retain(|need| !matches!(need, ClubNeed::Campaign { .. }));
    let settings = club.settings().clone();
    // Nobody waits for the club while its campaigns are looked at.
    drop(club);
    let mut campaigns = lines(found, secrets, foreign);
    campaigns.retain(|line| !line.is_over || !line.wrong.is_empty());
    campaigns.sort_by_key(|line| (line.wrong.is_empty(), line.campaign.clone()));
    Ok(ClubStatus {
        club: settings.club.to_string(),
        title: settings.title().to_owned(),
        members,
        tables,
        disk: DiskSpace::of(root),
        needs,
        campaigns,
    })
}

impl ClubStatus {
    fn print(&self, json: bool) -> CommandResult {
        if json {
            out::json(self)?;
            return status_list::outcome(&self.campaigns);
        }
        let TableCounts {
            open,
            running,
            ended,
        } = self.tables;
        out::line(format!(
            "{} ({}): {}, {open} open {}, {running} running, {ended} ended",
            self.club,
            self.title,
            out::counted(self.members, "member"),
            if open == 1 { "table" } else { "tables" },
        ))?;
        if let Some(disk) = &self.disk {
            let gib = |bytes: u64| format!("{:.1} GiB", bytes as f64 / f64::from(1_u32 << 30));
            let (free, all) = (gib(disk.free), gib(disk.total));
            let low = if disk.is_low() {
                "  WRONG: nearly full"
            } else {
                ""
            };
            out::line(format!("disk: {free} of {all} free{low}"))?;
        }
        for need in &self.needs {
            if let Some(said) = said(need) {
                out::line(format!("  {said}"))?;
            }
        }
        status_list::print_lines(&self.campaigns)?;
        status_list::outcome(&self.campaigns)
    }
}

fn said(need: &ClubNeed) -> Option<String> {
    Some(match need {
        ClubNeed::Applicant { member } => format!("{member} waits for your word"),
        ClubNeed::Unreachable { member } => format!("letters to {member} come back"),
        ClubNeed::Seats { table, seats } => {
            let seats: Vec<&str> = seats.iter().map(|seat| seat.as_str()).collect();
            format!("table {table} looks for a player of {}", seats.join(", "))
        }
        ClubNeed::Campaign { campaign, needs } => {
            let needs: Vec<String> = needs.iter().map(in_words).collect();
            format!("{campaign}: {}", needs.join("; "))
        }
        ClubNeed::Host { trouble } => trouble.clone(),
        // The line about the disk says so.
        ClubNeed::Disk { .. } => return None,
    })
}
