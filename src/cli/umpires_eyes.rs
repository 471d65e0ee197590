//! What a blind umpire does not see: commands that show positions or orders ask for his word first.

use std::path::Path;

use super::{
    clock::ClockOption,
    failure::{CommandResult, Failure},
    new::failure,
    run::PATIENCE,
};
use crate::{
    campaign::{
        durable::Campaign,
        model::{settings::Settings, umpire_acts::UmpireAct, umpires::Umpire},
    },
    store::Directory,
};

/// Who looks, in a campaign with several umpires or a blind one.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct EyesOption {
    /// The umpire who acts or looks; the first one if not given
    #[arg(long = "as", value_name = "NAME", global = true)]
    pub name: Option<String>,
    /// A blind umpire sees positions and orders all the same: the register tells everybody, with
    /// this reason
    #[arg(long, value_name = "WHY", global = true)]
    pub reveal: Option<String>,
}

impl EyesOption {
    /// The umpire who looks; none in a campaign without one.
    ///
    /// # Errors
    /// If there is none of this name.
    pub fn umpire(&self, settings: &Settings) -> Result<Option<Umpire>, Failure> {
        let Some(name) = &self.name else {
            return Ok(settings.all_umpires().next());
        };
        let known = || settings.all_umpires().map(|it| it.name.to_string());
        settings.umpire_named(name).map(Some).ok_or_else(|| {
            let known: Vec<String> = known().collect();
            Failure::usage(format!(
                "--as: there is no umpire `{name}`; there are: {}",
                known.join(", ")
            ))
        })
    }

    /// Returns true if whoever looks is blind, and does not say that he looks all the same.
    ///
    /// # Errors
    /// As [`EyesOption::umpire`].
    pub fn are_shut(&self, settings: &Settings) -> Result<bool, Failure> {
        let umpire = self.umpire(settings)?;
        Ok(self.reveal.is_none() && umpire.is_some_and(|umpire| umpire.blind))
    }

    /// Lets positions or orders be shown: a blind umpire's word goes into the journal and the
    /// register first. `what` is the key of what he looks at.
    ///
    /// # Errors
    /// If he is blind and says nothing, or his word can't be taken.
    pub fn open(&self, root: &Path, what: &str, clock: &ClockOption) -> CommandResult {
        let directory = Directory::at(root);
        let Ok(settings) = Settings::of(&directory) else {
            // What is wrong is said by the command that looks.
            return Ok(());
        };
        let Some(umpire) = self.umpire(&settings)?.filter(|umpire| umpire.blind) else {
            return Ok(());
        };
        let Some(why) = &self.reveal else {
            return Err(Failure::failed(format!(
                "the umpire {} of this campaign is blind, and this shows positions or orders; `--reveal \"WHY\"` shows them all \
                 the same, and everybody reads in the register that you looked",
                umpire.name
            )));
        };
        let act = UmpireAct::Reveal {
            what: what.to_owned(),
            why: why.clone(),
        };
        let mut campaign = Campaign::open(root, PATIENCE).map_err(failure)?;
        let pass = campaign.umpire_does(&umpire.name, act, clock.now());
        pass.map(|_| ()).map_err(failure)
    }
}
