//! `estafette backup` and `estafette restore`: all that a host keeps in one file, and back.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use super::{
    failure::{CommandResult, Failure},
    new, out,
    serve::Config,
};
use crate::{
    disk::folder_of,
    serve::HostConfig,
    store::{
        BackupError, BackupWriter, Directory, Position, StoreError, UnpackBounds, UnpackError,
        archive_in, unpack_within,
    },
    unfinished,
};

/// How long to wait for a pass that works on a campaign.
const PATIENCE: Duration = Duration::from_secs(120);
/// What a backup may have in it: far more than any host has.
const BOUNDS: UnpackBounds = UnpackBounds {
    entries: 20_000_000,
    bytes: 1 << 40,
    permissions: true,
};
/// The name of the configuration in a backup of a host.
const CONFIG: &str = "estafette.yaml";

/// Arguments of `backup`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Directories of campaigns, or of a club
    #[arg(
        value_name = "DIR",
        required_unless_present = "file",
        conflicts_with = "file"
    )]
    directories: Vec<PathBuf>,
    #[command(flatten)]
    config: Config,
    /// A file that does not exist yet; gzipped tar
    #[arg(long, value_name = "FILE.tar.gz")]
    out: PathBuf,
}

/// Arguments of `restore`.
#[derive(Debug, clap::Args)]
pub struct RestoreArgs {
    /// The file that `backup` has written
    #[arg(value_name = "FILE.tar.gz")]
    backup: PathBuf,
    /// A folder that does not exist yet
    #[arg(long, value_name = "FOLDER")]
    into: PathBuf,
}

/// Writes a backup.
///
/// # Errors
/// Exit code 2 if there is nothing to copy, 3 if the disk refuses or another process keeps a
/// campaign.
pub fn backup(args: &Args) -> CommandResult {
    let config = args.config.named()?;
    let mut writer = BackupWriter::create(&args.out).map_err(failure)?;
    let count = match (&config, args.config.file()) {
        (Some(config), Some(file)) => add_host(&mut writer, config, file)?,
        _ => {
            for path in &args.directories {
                add(&mut writer, path, &own_name(path)?)?;
            }
            args.directories.len()
        }
    };
    let files = writer.finish().map_err(failure)?;
    out::line(format!(
        "{}: {} of {}; their secrets are in it, from which all dice come: keep it as you keep those",
        args.out.display(),
        out::counted(files, "file"),
        directories(count),
    ))
}

fn directories(count: usize) -> String {
    match count {
        1 => "one directory".to_owned(),
        count => format!("{count} directories"),
    }
}

/// Adds the configuration, the club, all campaigns and the mails that were put aside. The club is
/// held from the first to the last: it begins no campaign meanwhile. Returns the number of
/// directories.
fn add_host(writer: &mut BackupWriter, config: &HostConfig, file: &Path) -> Result<usize, Failure> {
    let from = folder_of(file);
    let club = config.club.as_deref().map(Directory::open_club);
    let club = club.transpose().map_err(failure)?;
    let held = club.as_ref().map(|club| club.lock(PATIENCE));
    let _held = held.transpose().map_err(failure)?;
    let campaigns = config.directories(&[]).map_err(Failure::environment)?;
    writer.add_file(file, Path::new(CONFIG)).map_err(failure)?;
    for path in &campaigns {
        add(writer, path, &name_from(from, path)?)?;
    }
    if let Some(club) = &club {
        let name = name_from(from, club.root())?;
        writer.add_folder(club.root(), &name).map_err(failure)?;
    }
    if config.state.is_dir() {
        let name = name_from(from, &config.state)?;
        writer.add_folder(&config.state, &name).map_err(failure)?;
    }
    Ok(campaigns.len() + usize::from(club.is_some()))
}

/// Adds a campaign or a club.
fn add(writer: &mut BackupWriter, path: &Path, name: &Path) -> CommandResult {
    let directory = opened(path).map_err(failure)?;
    writer.add(&directory, name, PATIENCE).map_err(failure)
}

/// A campaign's directory, or a club's.
fn opened(path: &Path) -> Result<Directory, StoreError> {
    Directory::find(path).or_else(|error| Directory::open_club(path).map_err(|_| error))
}

/// The name in the backup of what the configuration names: its way from there, if it lies below.
fn name_from(from: &Path, path: &Path) -> Result<PathBuf, Failure> {
    let canonical = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let (from, whole) = (canonical(from), canonical(path));
    match whole.strip_prefix(&from) {
        Ok(below) if !below.as_os_str().is_empty() => Ok(below.to_owned()),
        _ => own_name(path),
    }
}

/// The last part of a path.
fn own_name(path: &Path) -> Result<PathBuf, Failure> {
    let whole = path
        .canonicalize()
        .map_err(|error| Failure::environment(format!("{}: {error}", path.display())))?;
    let name = whole.file_name().map(PathBuf::from);
    name.ok_or_else(|| Failure::usage(format!("{} is no campaign's directory", path.display())))
}

/// Unpacks a backup into a new folder, and reads all journals in it.
///
/// # Errors
/// Exit code 1 if something in it is damaged, 2 if the folder exists, 3 if the disk refuses.
pub fn restore(args: &RestoreArgs) -> CommandResult {
    if args.into.symlink_metadata().is_ok() {
        return Err(Failure::usage(format!(
            "{} exists already: a backup is put into a folder of its own",
            args.into.display()
        )));
    }
    let above = folder_of(&args.into);
    let archive = archive_in(&args.backup, BOUNDS.bytes, above).map_err(|error| match error {
        BackupError::Store(error) => failure(error),
        BackupError::Damaged { .. } => Failure::failed(error),
    })?;
    let beside = tempfile::Builder::new()
        .prefix(unfinished::PREFIX)
        .tempdir_in(above)?;
    unpack_within(archive, beside.path(), BOUNDS).map_err(|error| {
        let text = format!("{}: {error}", args.backup.display());
        match error {
            UnpackError::Io(_) => Failure::environment(text),
            _ => Failure::failed(text),
        }
    })?;
    let found = found_in(beside.path())?;
    // Only its owner may look into this folder.
    fs::rename(beside.keep(), &args.into)?;
    let mut damaged = Vec::new();
    for path in &found {
        let shown = args.into.join(path);
        Directory::at(&shown).share_rules();
        match records(&shown) {
            Ok(records) => out::line(format!(
                "{}: {}",
                shown.display(),
                out::counted(records, "record")
            ))?,
            Err(error) => damaged.push(format!("{}: {error}", shown.display())),
        }
    }
    if found.is_empty() {
        damaged.push(format!(
            "{}: there is no campaign in it",
            args.backup.display()
        ));
    }
    if !damaged.is_empty() {
        return Err(Failure::failed_in(damaged));
    }
    for path in elsewhere(&args.into) {
        out::line(format!(
            "{} names {}, which is not what was restored: change it before you run this host",
            args.into.join(CONFIG).display(),
            path.display()
        ))?;
    }
    out::line(format!(
        "{} restored in {}; `estafette audit` proves them",
        directories(found.len()),
        args.into.display()
    ))
}

/// What the configuration that was restored names outside of its folder.
fn elsewhere(into: &Path) -> Vec<PathBuf> {
    let Ok(config) = HostConfig::read(&into.join(CONFIG)) else {
        return Vec::new();
    };
    let named = config.campaigns.iter().chain(&config.club);
    let named = named.chain([&config.state]);
    let outside = named.filter(|path| !path.starts_with(into));
    outside.cloned().collect()
}

/// The number of records in a whole journal.
fn records(path: &Path) -> Result<usize, StoreError> {
    let (directory, _copy) = opened(path)?.to_read()?;
    let contents = directory.records::<serde_json::Value>(Position::START)?;
    Ok(contents.records.len())
}

/// The directories of campaigns and clubs in a folder, from there, sorted.
fn found_in(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let (mut found, mut open) = (Vec::new(), vec![PathBuf::new()]);
    while let Some(below) = open.pop() {
        let path = folder.join(&below);
        if opened(&path).is_ok() {
            found.push(below);
            continue;
        }
        for entry in fs::read_dir(&path)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                open.push(below.join(entry.file_name()));
            }
        }
    }
    found.sort();
    Ok(found)
}

fn failure(error: StoreError) -> Failure {
    new::failure(error.into())
}
