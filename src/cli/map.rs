//! `estafette map DIR --out FILE`: the map as a seat sees it, or the umpire.

use std::path::PathBuf;

use super::{
    failure::{CommandResult, Failure},
    isolated,
    new::failure,
    out,
};
use crate::{
    campaign::{self, durable},
    dispatch,
    ids::SeatId,
};

/// Arguments of `map`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The campaign's directory
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// The seat; the umpire's map with everything on it if not given
    #[arg(long)]
    seat: Option<String>,
    /// Where to; `.svg` or `.png`
    #[arg(long, value_name = "FILE.svg|.png")]
    out: PathBuf,
}

/// Runs the command.
///
/// # Errors
/// Exit code 2 for a file that is neither SVG nor PNG, 3 if it can't be written.
pub fn run(args: &Args) -> CommandResult {
    if isolated::is_needed(&args.directory) {
        return isolated::again();
    }
    let (_, context, state) = durable::look(&args.directory).map_err(failure)?;
    let seat = args.seat.as_deref().map(SeatId::from);
    if let Some(seat) = &seat
        && context.settings().seats.get(seat).is_none()
    {
        return Err(Failure::usage(format!("there is no seat `{seat}`")));
    }
    let document =
        campaign::map_document(&context, &state, seat.as_ref()).map_err(Failure::failed)?;
    let svg = dispatch::map_svg(&document);
    match args
        .out
        .extension()
        .and_then(|extension| extension.to_str())
    {
        Some("svg") => out::file(&args.out, svg.as_bytes())?,
        Some("png") => out::file(
            &args.out,
            &dispatch::map_png(&svg).map_err(Failure::failed)?,
        )?,
        _ => return Err(Failure::usage("--out: a map is an .svg or a .png file")),
    }
    Ok(())
}
