//! `estafette orders DIR --seat S < text`: what these orders would mean now.

use std::{io::Read, path::PathBuf};

use super::{
    failure::{Failure, Outcome},
    new::failure,
    out,
};
use crate::{campaign::host, dice::canonical_orders, ids::SeatId, orders::MAX_BYTES};

/// Arguments of `orders`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The campaign's directory
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// The seat
    #[arg(long)]
    seat: String,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Runs the command. Nothing is changed, and nothing is said that the seat's receipt would not say.
///
/// # Errors
/// Exit code 1 if a line is wrong.
pub fn run(args: &Args) -> Outcome {
    let (_, engine, state) = host::look(&args.directory).map_err(failure)?;
    let seat = SeatId::from(args.seat.as_str());
    if engine.settings().seats.get(&seat).is_none() {
        return Err(Failure::usage(format!("there is no seat `{seat}`")));
    }
    let mut text = String::new();
    let most = u64::try_from(MAX_BYTES).unwrap_or(u64::MAX);
    std::io::stdin()
        .lock()
        .take(most)
        .read_to_string(&mut text)
        .map_err(Failure::usage)?;
    let words = canonical_orders(&text);
    let moment = engine.moment(&state, &seat);
    let understood = engine
        .understand(&moment, &seat, &words)
        .map_err(Failure::failed)?;
    if args.json {
        out::json(
            &serde_json::json!({ "reading": understood.reading, "remarks": understood.remarks }),
        )?;
    } else {
        out::line(
            engine
                .receipt_text(&state, &seat, &moment, &understood, &words, &[], "")
                .trim_end(),
        )?;
    }
    if understood.is_clean() {
        Ok(())
    } else {
        Err(Failure::said())
    }
}
