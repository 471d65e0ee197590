//! What needs the umpire of a club. No name and no address stands here, since the journal keeps it.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::state::{ClubState, MOST_RETURNED, MemberNumber, MemberStanding};
use crate::{
    campaign::{
        durable::needs::{CampaignNeed, needs},
        model::settings::CampaignId,
    },
    disk::DiskSpace,
    ids::SeatId,
    store::Directory,
};

/// The most characters of a trouble of the host.
const LONGEST: usize = 300;

/// Something that needs the umpire.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "about", rename_all = "snake_case", deny_unknown_fields)]
pub enum ClubNeed {
    /// Somebody waits for his word to become a member.
    Applicant {
        /// Who.
        member: MemberNumber,
    },
    /// Letters to a member come back.
    Unreachable {
        /// Who.
        member: MemberNumber,
    },
    /// Seats of a campaign look for another player.
    Seats {
        /// The table.
        table: u32,
        /// The seats.
        seats: Vec<SeatId>,
    },
    /// A campaign.
    Campaign {
        /// Its name.
        campaign: CampaignId,
        /// What of it.
        needs: Vec<CampaignNeed>,
    },
    /// The disk is nearly full.
    Disk {
        /// MiB that are free.
        free: u64,
    },
    /// Something else of the host: a mail server, a certificate.
    Host {
        /// What, in a line.
        trouble: String,
    },
}

/// All that needs the umpire now, campaigns by their tables.
pub(super) fn of_club(
    state: &ClubState,
    folder: &Path,
    disk: Option<DiskSpace>,
    troubles: &[String],
) -> Vec<ClubNeed> {
    let mut all = Vec::new();
    for (number, member) in &state.members {
        let member_number = *number;
        match member.standing {
            MemberStanding::Waiting => all.push(ClubNeed::Applicant {
                member: member_number,
            }),
            MemberStanding::Member if member.returned >= MOST_RETURNED => {
                all.push(ClubNeed::Unreachable {
                    member: member_number,
                });
            }
            _ => {}
        }
    }
    for (number, table) in &state.tables {
        let Some(campaign) = table.begun_as() else {
            continue;
        };
        let seats: Vec<SeatId> = table.offered().cloned().collect();
        if !seats.is_empty() {
            all.push(ClubNeed::Seats {
                table: *number,
                seats,
            });
        }
        let directory = Directory::at(&folder.join(campaign.as_str()));
        let found = needs(&directory).unwrap_or_else(|error| {
            vec![CampaignNeed::Stopped {
                why: error.to_string(),
            }]
        });
        if !found.is_empty() {
            all.push(ClubNeed::Campaign {
                campaign: campaign.clone(),
                needs: found,
            });
        }
    }
    if let Some(disk) = disk.filter(DiskSpace::is_low) {
        all.push(ClubNeed::Disk {
            free: disk.free >> 20,
        });
    }
    let line = |trouble: &String| ClubNeed::Host {
        trouble: trouble.chars().take(LONGEST).collect(),
    };
    all.extend(troubles.iter().map(line));
    all
}
