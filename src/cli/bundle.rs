//! `estafette bundle DIR --out FOLDER|FILE.tar`: what an auditor needs, without secrets that still
//! matter.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::{
    failure::{CommandResult, Failure},
    isolated,
    new::failure,
    out,
};
use crate::{audit::bundle, cli::progress::Bar, disk::folder_of, unfinished};

/// Arguments of `bundle`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The campaign's directory
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// A folder that does not exist yet or is empty, or a file whose name ends in .tar
    #[arg(long, value_name = "FOLDER|FILE.tar")]
    out: PathBuf,
}

/// Runs the command.
///
/// # Errors
/// Exit code 1 if the campaign does not fit its journal, 3 if the disk refuses.
pub fn run(args: &Args) -> CommandResult {
    if isolated::is_needed(&args.directory) {
        return isolated::again_at_length(None);
    }
    if args.out.exists()
        && args
            .out
            .read_dir()
            .is_ok_and(|mut entries| entries.next().is_some())
        || args.out.is_file()
    {
        let out = args.out.display();
        return Err(Failure::usage(format!(
            "{out} exists already; choose another name"
        )));
    }
    let is_archive = args.out.extension().is_some_and(|end| end == "tar");
    let beside = folder_of(&args.out);
    if !is_archive {
        fs::create_dir_all(beside)?;
    }
    // Another name until it is whole: a full disk leaves no half of a bundle behind.
    let unfinished = if is_archive {
        tempfile::tempdir()
    } else {
        tempfile::Builder::new()
            .prefix(unfinished::PREFIX)
            .tempdir_in(beside)
    }?;
    let folder = unfinished.path().join("bundle");
    let written = write(&args.directory, &folder)?;
    if is_archive {
        out::file(&args.out, &pack(&folder)?)?;
    } else {
        fs::rename(&folder, &args.out)?;
    }
    let what = if written.complete {
        "everything, with the master: the campaign has ended"
    } else {
        "the register alone: the rest is secret until the master is published"
    };
    out::line(format!(
        "{}: {} files; {what}",
        args.out.display(),
        written.files
    ))
}

/// Writes the bundle with a bar: all of the campaign's work is done again.
fn write(directory: &Path, out: &Path) -> Result<bundle::BundleSummary, Failure> {
    let bar = Bar::new();
    bundle::write_watched(directory, out, &mut |done, all| bar.show(done, all)).map_err(failure)
}

/// Two bundles of one campaign have the same bytes: the order is that of the names, and no times
/// and owners are kept.
fn pack(folder: &Path) -> io::Result<Vec<u8>> {
    let mut archive = tar::Builder::new(Vec::new());
    archive.mode(tar::HeaderMode::Deterministic);
    append(&mut archive, folder, Path::new(""))?;
    archive.into_inner()
}

fn append(archive: &mut tar::Builder<Vec<u8>>, folder: &Path, below: &Path) -> io::Result<()> {
    let mut entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = below.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            append(archive, &entry.path(), &name)?;
        } else {
            archive.append_path_with_name(entry.path(), &name)?;
        }
    }
    Ok(())
}
