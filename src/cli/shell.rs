//! Completions and manual pages, made from the same declarations as the program's help.

use std::{fs, path::PathBuf};

use clap::CommandFactory;

use super::{
    Cli,
    failure::{CommandResult, Failure},
    out,
};

/// The name under which the program is called.
const NAME: &str = "estafette";

/// Arguments of `completions`.
#[derive(Debug, clap::Args)]
pub struct CompletionsArgs {
    /// The shell
    shell: clap_complete::Shell,
}

/// Arguments of `man`.
#[derive(Debug, clap::Args)]
pub struct ManArgs {
    /// The command; without one, the program itself
    command: Option<String>,
    /// All pages, as files in this folder: `estafette.1`, `estafette-new.1` and so on
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    into: Option<PathBuf>,
}

/// Prints the completions of a shell.
///
/// # Errors
/// If standard output refuses.
pub fn completions(args: &CompletionsArgs) -> CommandResult {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), NAME, &mut script);
    out::bytes(&script)
}

/// Prints a manual page, or writes all of them.
///
/// # Errors
/// Exit code 2 if there is no such command, 3 if the disk refuses.
pub fn man(args: &ManArgs) -> CommandResult {
    // Each page has the program's version in its header.
    let mut program = Cli::command().propagate_version(true);
    program.build();
    if let Some(folder) = &args.into {
        fs::create_dir_all(folder)
            .and_then(|()| clap_mangen::generate_to(Cli::command().propagate_version(true), folder))
            .map_err(|error| Failure::environment(format!("{}: {error}", folder.display())))?;
        return Ok(());
    }
    let wanted = match &args.command {
        None => program,
        Some(name) => {
            let found = program.find_subcommand(name).filter(|it| !it.is_hide_set());
            let found = found.ok_or_else(|| {
                Failure::usage(format!("there is no command `{name}`; see `{NAME} help`"))
            })?;
            found.clone()
        }
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(wanted).render(&mut page)?;
    out::bytes(&page)
}
