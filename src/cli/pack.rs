//! `estafette pack DIR...`: ended campaigns become one file each.

use std::path::{Path, PathBuf};

use super::{
    failure::{CommandResult, Failure},
    isolated,
    new::failure,
    out,
    run::PATIENCE,
    status_list::is_foreign,
};
use crate::{campaign::durable, store::Directory};

/// Arguments of `pack`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Directories of campaigns that are over
    #[arg(value_name = "DIR", required = true)]
    directories: Vec<PathBuf>,
}

/// Packs campaigns. Each is unpacked by itself when somebody works with it again.
///
/// # Errors
/// Exit code 1 if one is not over, or damaged; 3 if the disk refuses or another process has it.
pub fn run(args: &Args) -> CommandResult {
    if args.directories.iter().any(|root| is_foreign(root)) {
        return isolated::again();
    }
    args.directories.iter().try_for_each(|root| pack(root))
}

fn pack(root: &Path) -> CommandResult {
    let directory = Directory::find(root).map_err(|error| failure(error.into()))?;
    // Nobody goes on with it between the look and the packing.
    let lock = directory.lock(PATIENCE);
    let _lock = lock.map_err(|error| failure(error.into()))?;
    let shown = root.display();
    if directory.is_packed() {
        return out::line(format!("{shown}: packed already"));
    }
    if isolated::is_needed(root) {
        let why = "it was packed until just now, and its rules do not ship; try again";
        return Err(Failure::environment(format!("{shown}: {why}")));
    }
    let (_, _, state) = durable::look(root).map_err(failure)?;
    if state.rests_since().is_none() {
        let why = match state.is_over() {
            true => "its dice are still to be disclosed",
            false => "it is not over",
        };
        return Err(Failure::failed(format!("{shown} is not packed: {why}")));
    }
    directory.pack().map_err(|error| failure(error.into()))?;
    out::line(format!(
        "{shown}: packed; whatever works with it unpacks it again"
    ))
}
