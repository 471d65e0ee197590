//! `estafette serve`: the host that stays up.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{
    clock::ClockOption,
    failure::{CommandResult, Failure},
};
use crate::{
    mail::transport::Stop,
    serve::{ConfigError, HostConfig, ServeError, log, serve},
};

/// Arguments of `serve`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Campaign directories beside those of the configuration
    #[arg(value_name = "DIR")]
    pub directories: Vec<PathBuf>,
    #[command(flatten)]
    config: Config,
    #[command(flatten)]
    clock: ClockOption,
}

/// The option that names the host's configuration.
#[derive(Clone, Debug, clap::Args)]
pub struct Config {
    /// The host's configuration
    #[arg(long = "config", value_name = "FILE")]
    file: Option<PathBuf>,
}

impl Config {
    /// The configuration: the file named, or `estafette.yaml` here.
    ///
    /// # Errors
    /// Exit code 2 if it is wrong, 3 if it can't be read.
    pub fn read(&self) -> Result<HostConfig, Failure> {
        let here = PathBuf::from("estafette.yaml");
        let file = self.file.as_ref().unwrap_or(&here);
        HostConfig::read(file).map_err(|error| match error {
            ConfigError::File(_) => Failure::environment(format!(
                "{error}; name the configuration with --config FILE"
            )),
            ConfigError::Wrong { .. } => Failure::usage(error),
        })
    }

    /// The file, if one was named.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// The configuration if one was named.
    ///
    /// # Errors
    /// As [`Config::read`].
    pub fn named(&self) -> Result<Option<HostConfig>, Failure> {
        self.file.as_ref().map(|_| self.read()).transpose()
    }
}

/// An error of the host as a failure of the command.
pub fn failure(error: ServeError) -> Failure {
    match error {
        ServeError::Nothing { ref left_out } => {
            let heading = error.to_string();
            Failure::usage_in([&heading].into_iter().chain(left_out))
        }
        _ => Failure::environment(error),
    }
}

/// Runs the command until a signal (TERM or INT) ends it. A second signal ends it at once.
///
/// # Errors
/// Exit code 2 if the configuration is wrong, 3 if another host has the folder, or the environment
/// fails.
pub fn run(args: &Args) -> CommandResult {
    let config = args.config.read()?;
    log::begin(config.log);
    let stop = Stop::new();
    stop_on_signals(&stop)?;
    let clock = args.clock;
    let clock: crate::serve::HostClock = Arc::new(move || clock.now());
    serve(&config, &args.directories, &clock, &stop).map_err(failure)
}

#[cfg(unix)]
fn stop_on_signals(stop: &Stop) -> CommandResult {
    use signal_hook::{
        consts::{SIGINT, SIGTERM},
        iterator::Signals,
    };
    let mut signals = Signals::new([SIGTERM, SIGINT]).map_err(Failure::environment)?;
    let stop = stop.clone();
    std::thread::spawn(move || {
        for (count, _) in signals.forever().enumerate() {
            stop.stop();
            if count > 0 {
                std::process::exit(3);
            }
        }
    });
    Ok(())
}

/// Elsewhere the host is ended as any other process, which it bears.
#[cfg(not(unix))]
fn stop_on_signals(_stop: &Stop) -> CommandResult {
    Ok(())
}
