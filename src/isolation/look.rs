//! Where a campaign with rules of others stands, as the command `status` says it in a process of
//! its own.

use std::path::Path;

use serde::Deserialize;

use super::{ProcessBounds, ProcessEnd, run_and_listen};
use crate::mail::transport::Stop;

/// As much of a status as is asked for.
#[derive(Deserialize)]
struct StatusLine {
    phase: Option<String>,
    stopped: Option<String>,
}

/// The phase that a campaign is in, as all its players may know it: none during a wait that is a
/// secret of those who are asked.
///
/// # Errors
/// The reason why it can't be opened.
pub fn phase_of(root: &Path, bounds: &ProcessBounds) -> Result<Option<String>, String> {
    let line = ["status".into(), root.into(), "--json".into()];
    let end = run_and_listen(&line, bounds, &Stop::new()).map_err(|error| error.to_string())?;
    let said = match end {
        ProcessEnd::Done { said, .. } => said,
        ProcessEnd::Died(death) => return Err(death.to_string()),
        ProcessEnd::Interrupted => return Err("the process of its rules was ended".to_owned()),
    };
    let status: StatusLine = serde_json::from_slice(&said)
        .map_err(|_| "`estafette status` says what is wrong".to_owned())?;
    match status.stopped {
        Some(why) => Err(why),
        None => Ok(status.phase),
    }
}
