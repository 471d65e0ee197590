//! The files of a campaign's secrets: the master and the keys kept beside it, and how to go on when
//! the master is lost.

use std::{path::Path, time::Duration};

use jiff::Timestamp;

use crate::{
    campaign::{
        durable::{Campaign, CampaignError, Pass},
        model::{
            context::Context,
            events::{Event, Ruling},
            ruling_error::RulingError,
            secrets::{EraKeys, Newest, Secrets},
            state::State,
            work_error::WorkError,
        },
        turn::rulings,
    },
    dice::Master,
    store::{Blob, Directory},
};

/// The secrets of a campaign directory.
///
/// # Errors
/// If the master is lost and no keys are kept, or a file can't be read as keys.
pub(crate) fn secrets_of(directory: &Directory, campaign: &str) -> Result<Secrets, CampaignError> {
    let (master, keys, lost) = (
        master(directory)?,
        kept(directory, Blob::Keys)?,
        lost(directory)?,
    );
    // The keys of a replaced master stay until new ones are written.
    let old = |keys: &EraKeys| lost.last().is_some_and(|lost| lost.print == keys.print);
    let newest = match (master, keys) {
        (Some(master), Some(keys)) if !keys.are_of(&master, campaign) && !old(&keys) => {
            return Err(wrong(
                &directory.place(Blob::Master),
                "this is not the secret with which the campaign goes on; put the right one back from the drawer",
            ));
        }
        (Some(master), _) => Newest::Master(master),
        (None, Some(keys)) => Newest::Kept(keys),
        (None, None) => return Err(CampaignError::NoMaster(directory.place(Blob::Master))),
    };
    Ok(Secrets { lost, newest })
}

/// The kept keys of the eras whose master was lost and replaced.
///
/// # Errors
/// If a file can't be read as keys.
pub fn lost(directory: &Directory) -> Result<Vec<EraKeys>, CampaignError> {
    let files = (1..).map(|era| kept(directory, Blob::LostKeys(era)).transpose());
    files.map_while(|kept| kept).collect()
}

fn wrong(path: &Path, problem: &str) -> CampaignError {
    CampaignError::Master {
        path: path.to_owned(),
        problem: problem.to_owned(),
    }
}

fn master(directory: &Directory) -> Result<Option<Master>, CampaignError> {
    let Some(text) = directory.fetch(Blob::Master)? else {
        return Ok(None);
    };
    let master = Master::from_hex(text.trim());
    master.map(Some).map_err(|_| {
        wrong(&directory.place(Blob::Master), "this is not the campaign's secret of 64 hexadecimal digits; restore it from the copy in the drawer")
    })
}

/// The keys kept in this blob, if it exists.
///
/// # Errors
/// If it can't be read as keys.
pub fn kept(directory: &Directory, blob: Blob) -> Result<Option<EraKeys>, CampaignError> {
    let Some(text) = directory.fetch(blob)? else {
        return Ok(None);
    };
    let kept = text.parse::<EraKeys>();
    kept.map(Some)
        .map_err(|problem| wrong(&directory.place(blob), &problem))
}

/// Keeps the keys of the envelope that is sealed next.
pub(crate) fn keep(
    directory: &Directory,
    context: &Context,
    state: &State,
) -> Result<(), CampaignError> {
    let kept = context
        .to_keep(state.dice.envelope + 1)
        .map_err(WorkError::from)?;
    if let Some(kept) = kept {
        directory.keep(Blob::Keys, &kept.to_string())?;
    }
    Ok(())
}

impl Campaign {
    /// Keeps the keys of the next envelope before anybody is told that the one before it is sealed.
    pub(crate) fn keep_keys(&mut self) -> Result<(), CampaignError> {
        let next = self.state().dice.envelope + 1;
        if self.kept == Some(next) {
            return Ok(());
        }
        self.journal.sync()?;
        keep(self.directory(), self.context(), self.state())?;
        self.kept = Some(next);
        Ok(())
    }

    /// Goes on with a new master after the old one was lost (dice.md, section 10). If a crash
    /// interrupts this, doing it again finishes it. Returns the new master, for the drawer.
    ///
    /// # Errors
    /// If the master is there, no keys were kept, or orders have come that the next envelope must
    /// seal: in that case run the campaign with the kept keys first.
    pub fn renew(
        root: &Path,
        why: &str,
        now: Timestamp,
        patience: Duration,
    ) -> Result<(Pass, Master), CampaignError> {
        let directory = Directory::open(root)?;
        let keys = kept(&directory, Blob::Keys)?;
        if let (Some(keys), None) = (keys, directory.fetch(Blob::Master)?) {
            let campaign = Self::open(root, patience)?;
            rulings::may_renew(campaign.state(), why).map_err(WorkError::from)?;
            let era = campaign.state().lost + 1;
            let text = keys.ending_with(campaign.state().dice.envelope).to_string();
            directory.keep(Blob::LostKeys(era), &text)?;
            let text = format!("{}\n", Master::draw().map_err(WorkError::from)?.to_hex());
            directory.keep(Blob::Master, &text)?;
        }
        let mut campaign = Self::open(root, patience)?;
        let anchors = campaign.context().anchors(campaign.state().lost + 1)?;
        let ruling = Ruling::NewMaster {
            anchors,
            why: why.to_owned(),
        };
        let mut pass = Pass::default();
        campaign.check_ruling(&ruling, now)?;
        campaign.input(Event::Umpire(ruling), now, &mut pass)?;
        let master = master(&directory)?.ok_or(RulingError::NotLost);
        Ok((pass, master.map_err(WorkError::from)?))
    }
}
