//! A club's directory, looked at from outside: whether its journal is whole, its members' files are
//! those that it binds, and its tables and the campaigns know of each other. Only reads.

use std::path::Path;

use super::{
    apply::apply,
    club_files::ClubError,
    events::ClubEvent,
    settings::{ClubKeys, ClubSettings},
    state::ClubState,
};
use crate::{
    campaign::model::settings::Settings,
    dice::Master,
    digest::Digest,
    disk,
    store::{Blob, Directory, Position, Record, StoreError},
};

/// What was found in a club's directory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClubFindings {
    /// The records of its journal.
    pub records: usize,
    /// Its members' files.
    pub members: usize,
    /// The campaigns that have begun at its tables.
    pub campaigns: usize,
    /// What is wrong, a sentence each.
    pub wrong: Vec<String>,
}

/// Looks at a club's directory.
///
/// # Errors
/// If it is no club, or the machine fails. What is wrong with a club is no error.
pub fn examine(root: &Path) -> Result<ClubFindings, ClubError> {
    let directory = Directory::open_club(root)?;
    let mut found = ClubFindings::default();
    let settings = match ClubSettings::of(&directory) {
        Err(error) if error.is_environment() => return Err(error.into()),
        Err(error) => {
            found.wrong.push(error.to_string());
            return Ok(found);
        }
        Ok(settings) => settings,
    };
    let records = match directory.records::<ClubEvent>(Position::START) {
        Err(error) if error.is_environment() => return Err(error.into()),
        Err(error) => {
            found.wrong.push(error.to_string());
            return Ok(found);
        }
        Ok(contents) => contents.records,
    };
    found.records = records.len();
    let secret = directory.fetch(Blob::Master)?.unwrap_or_default();
    let keys = ClubKeys::of(&Master::from_hex(secret.trim())?, &settings.club);
    found.wrong.extend(order(&records, &settings));
    let state = records.iter().fold(ClubState::default(), |state, record| {
        apply(&settings, &keys, state, record).0
    });
    people(&directory, &state, &mut found)?;
    campaigns(&settings.campaigns_of(root), &settings, &state, &mut found)?;
    Ok(found)
}

/// What is wrong with the order of a journal's records.
fn order(records: &[Record<ClubEvent>], settings: &ClubSettings) -> Vec<String> {
    let mut wrong = Vec::new();
    match records.first().map(|record| &record.event) {
        Some(ClubEvent::Founded { terms }) => wrong.extend(terms.check(settings).err()),
        _ => wrong.push("the journal does not begin with the founding of the club".to_owned()),
    }
    let is_done = |record: &Record<ClubEvent>| matches!(record.event, ClubEvent::Done(_));
    for pair in records.get(1..).unwrap_or_default().windows(2) {
        if let [input, done] = pair
            && is_done(input) == is_done(done)
        {
            let n = done.n;
            wrong.push(format!(
                "record {n} of the journal: what came of the one before it is missing, or stands there twice"
            ));
        }
    }
    wrong
}

/// Compares the members' files with the digests in the journal.
fn people(
    directory: &Directory,
    state: &ClubState,
    found: &mut ClubFindings,
) -> Result<(), StoreError> {
    for (member, entry) in &state.members {
        let Some(version) = entry.person else {
            continue;
        };
        found.members += 1;
        let blob = Blob::Person {
            member: member.0,
            version: version.version,
        };
        let text = directory.fetch(blob)?;
        if text.is_none_or(|text| Digest::of(text.as_bytes()) != version.digest) {
            let path = directory.place(blob);
            found.wrong.push(format!(
                "{}: it is not what the journal says of {member}; put it back from a backup",
                path.display()
            ));
        }
    }
    Ok(())
}

/// Compares the tables with the campaigns in the club's folder.
fn campaigns(
    folder: &Path,
    settings: &ClubSettings,
    state: &ClubState,
    found: &mut ClubFindings,
) -> Result<(), StoreError> {
    let begun = state.tables.iter().filter_map(|(number, table)| {
        let campaign = table.begun_as()?;
        Some((*number, campaign.as_str(), table.ended.is_some()))
    });
    let begun: Vec<(u32, &str, bool)> = begun.collect();
    found.campaigns = begun.len();
    for (table, campaign, ended) in &begun {
        let root = folder.join(campaign);
        // What has ended may go: its result stays.
        if !ended && !Directory::at(&root).is_whole() {
            found.wrong.push(format!(
                "{}: the campaign of table {table} is not there; put it back, from a backup if it is lost",
                root.display()
            ));
        }
    }
    let names = disk::folders_in(folder)?;
    let address = settings.address();
    for name in names.iter().filter(|name| !name.starts_with('.')) {
        let directory = Directory::at(&folder.join(name));
        let known = begun.iter().any(|(_, campaign, _)| campaign == name);
        if known || !directory.is_whole() {
            continue;
        }
        let of_club = Settings::of(&directory).ok().and_then(|it| it.club);
        if of_club.is_some_and(|club| club.is(&address)) {
            found.wrong.push(format!(
                "{}: it says that it is of this club, and no table has begun it; name it in `campaigns` of estafette.yaml if \
                 it is to run, and look whether the club's journal is an old copy",
                folder.join(name).display()
            ));
        }
    }
    Ok(())
}
