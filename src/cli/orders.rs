//! `estafette orders DIR --seat S < text`: what these orders would mean now; without text, how the
//! seat's standing orders stand.

use std::{
    io::{IsTerminal, Read},
    path::PathBuf,
};

use super::{
    cli_words::{CliWords, TerminalPage},
    clock::ClockOption,
    failure::{CommandResult, Failure},
    isolated,
    new::failure,
    out::{self, TraceOption},
    umpires_eyes::EyesOption,
};
use crate::{
    campaign::{
        self, durable,
        model::{context::Context, state::State},
        words::standing::Standing,
    },
    dice::canonical_orders,
    dispatch::WordsOrigin,
    ids::SeatId,
    orders::MAX_BYTES,
    rules::Printout,
};

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
    #[command(flatten)]
    trace: TraceOption,
    #[command(flatten)]
    eyes: EyesOption,
    #[command(flatten)]
    clock: ClockOption,
}

/// Runs the command. Nothing is changed, and nothing is said that the seat itself is not told.
///
/// # Errors
/// Exit code 1 if a line is wrong.
pub fn run(args: &Args) -> CommandResult {
    if isolated::is_needed(&args.directory) {
        return isolated::again_at_length(Some(1));
    }
    args.eyes.open(&args.directory, "orders", &args.clock)?;
    let (_, context, state) = durable::look(&args.directory).map_err(failure)?;
    let seat = SeatId::from(args.seat.as_str());
    if context.settings().seats.get(&seat).is_none() {
        let seats: Vec<&str> = context.settings().seats.ids().map(SeatId::as_str).collect();
        return Err(Failure::usage(format!(
            "there is no seat `{seat}`; there are: {}",
            seats.join(", ")
        )));
    }
    let printout = Printout::default();
    if args.trace.is_on() {
        context.program().listen(&printout);
    }
    let text = text()?;
    if text.trim().is_empty() {
        return standing(args, &context, &state, &seat);
    }
    let words = canonical_orders(&text);
    let moment = campaign::moment(&context, &state, &seat);
    let joined = campaign::join(&context, &state, &seat, &moment, &words).map_err(Failure::failed);
    out::trace(&format!("the checks of {seat}'s orders"), &printout.take());
    let joined = joined?;
    let (understood, words) = (&joined.understood, &joined.text);
    if args.json {
        out::json(&serde_json::json!({
            "reading": understood.reading,
            "remarks": understood.remarks,
            "answer_remarks": understood.answer_remarks,
        }))?;
    } else {
        out::text(
            campaign::receipt(
                &context,
                &state,
                &seat,
                &moment,
                understood,
                words,
                &WordsOrigin {
                    prose: joined.prose.clone(),
                    ..WordsOrigin::default()
                },
            )
            .text
            .trim_end(),
        )?;
    }
    if let Some(fault) = joined.faults.first() {
        return Err(Failure::failed(format!(
            "a check of orders failed: {fault}"
        )));
    }
    if understood.is_clean() {
        Ok(())
    } else {
        Err(Failure::said())
    }
}

/// The text on standard input; nothing at a terminal, where nobody would know that the command
/// waits for it.
fn text() -> Result<String, Failure> {
    let mut text = String::new();
    let input = std::io::stdin();
    if !input.is_terminal() {
        let most = u64::try_from(MAX_BYTES).unwrap_or(u64::MAX);
        let mut input = input.lock().take(most);
        input.read_to_string(&mut text).map_err(Failure::usage)?;
    }
    Ok(text)
}

/// Shows how the standing orders of a seat stand, in its language.
fn standing(args: &Args, context: &Context, state: &State, seat: &SeatId) -> CommandResult {
    let now = campaign::standing(context, state, seat);
    let to_come = campaign::standing_to_come(context, state, seat).map_err(Failure::failed)?;
    if args.json {
        return out::json(&serde_json::json!({ "now": now, "to_come": to_come }));
    }
    let words = CliWords::of(campaign::lang(context, state, seat))?;
    let mut page = TerminalPage::default();
    page.line(words.get("standing_now").to_uppercase());
    if now.orders.iter().all(|order| order.lines.is_empty()) {
        page.line(format!("  {}", words.get("none")));
    }
    print(&mut page, &now, &words);
    if let Some(to_come) = &to_come {
        page.heading(words.get("standing_to_come"));
        print(&mut page, to_come, &words);
    }
    page.lines.iter().try_for_each(out::line)
}

fn print(page: &mut TerminalPage, standing: &Standing, words: &CliWords) {
    let given = standing.orders.iter().flat_map(|order| &order.lines);
    page.lines.extend(given.map(|line| format!("  {line}")));
    page.heading(words.get("no_order"));
    let open = standing.orders.iter();
    for order in open.filter(|order| order.lines.is_empty()) {
        let (keyword, default) = (&order.keyword, &order.default);
        page.item(2, &format!("{keyword}{}{default}", words.get("colon")));
    }
    page.line("");
    if standing.asks.is_empty() {
        page.paragraph(0, words.get("nobody_asks"));
    } else {
        let asks = words.get("asks");
        page.paragraph(0, &format!("{asks} {}", standing.asks.join(", ")));
    }
}
