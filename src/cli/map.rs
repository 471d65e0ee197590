//! `estafette map DIR --out FILE`: the map as a seat sees it, or the umpire.

use std::path::PathBuf;

use super::{
    clock::ClockOption,
    failure::{CommandResult, Failure},
    isolated,
    new::failure,
    out,
    umpires_eyes::EyesOption,
};
use crate::{
    campaign::{self, durable},
    dispatch::{self, Paper},
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
    /// The state after this record of the journal; the newest if not given
    #[arg(long, value_name = "N")]
    record: Option<u64>,
    /// The part between two hexes alone, as `3929-4636`
    #[arg(long, value_name = "HEX-HEX")]
    window: Option<String>,
    /// The whole map, or the window, on one page to print; a `.pdf` is A3 if not given
    #[arg(long, value_name = "PAPER")]
    sheet: Option<Paper>,
    /// How many times as large as in a letter a `.png` is
    #[arg(long, value_name = "TIMES", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=3))]
    scale: u32,
    /// Where to; `.svg`, `.png` or `.pdf`
    #[arg(long, value_name = "FILE.svg|.png|.pdf")]
    out: PathBuf,
    #[command(flatten)]
    eyes: EyesOption,
    #[command(flatten)]
    clock: ClockOption,
}

/// Runs the command.
///
/// # Errors
/// Exit code 2 for a file that is no SVG, PNG or PDF, or an unknown seat or window; 3 if the file
/// can't be written.
pub fn run(args: &Args) -> CommandResult {
    if isolated::is_needed(&args.directory) {
        return isolated::again();
    }
    args.eyes.open(&args.directory, "map", &args.clock)?;
    let (_, context, state) = match args.record {
        None => durable::look(&args.directory),
        Some(record) => durable::look_after(&args.directory, record),
    }
    .map_err(failure)?;
    let seat = args.seat.as_deref().map(SeatId::from);
    if let Some(seat) = &seat
        && context.settings().seats.get(seat).is_none()
    {
        return Err(Failure::usage(format!("there is no seat `{seat}`")));
    }
    let mut document =
        campaign::map_document(&context, &state, seat.as_ref()).map_err(Failure::failed)?;
    let format = (args.out.extension()).and_then(|extension| extension.to_str());
    let paper = args.sheet.or((format == Some("pdf")).then_some(Paper::A3));
    if paper.is_some() || args.window.is_some() {
        let corners = (args.window.as_deref()).map(corners).transpose()?;
        dispatch::show_part(&mut document, context.game(), corners).map_err(|corner| {
            Failure::usage(format!("--window: there is no hex `{corner}` on this map"))
        })?;
    }
    let mut svg = match paper {
        Some(paper) => dispatch::map_page(&document, paper),
        None => dispatch::map_svg(&document),
    };
    let has_sheets = paper.is_none() && args.window.is_none();
    if has_sheets
        && format == Some("png")
        && dispatch::is_too_high(&svg).map_err(Failure::failed)?
    {
        // A long column of sheets could not be read, but one sheet with the whole map can.
        dispatch::show_part(&mut document, context.game(), None).map_err(Failure::usage)?;
        svg = dispatch::map_svg(&document);
    }
    let file = match format {
        Some("svg") => Ok(svg.into_bytes()),
        Some("png") => dispatch::map_png_times(&svg, args.scale),
        Some("pdf") => dispatch::map_pdf(&svg),
        _ => {
            let why = "--out: a map is an .svg, a .png or a .pdf file";
            return Err(Failure::usage(why));
        }
    };
    out::file(&args.out, &file.map_err(Failure::failed)?)
}

/// The two corners of a window.
fn corners(window: &str) -> Result<[&str; 2], Failure> {
    let corners = window.split_once('-').map(|(a, b)| [a.trim(), b.trim()]);
    let why = || format!("--window: `{window}` is no window; write two hexes, as `3929-4636`");
    corners.ok_or_else(|| Failure::usage(why()))
}
