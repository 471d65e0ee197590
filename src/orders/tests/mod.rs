//! Lines of a small game: read, printed, explained.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests may panic")]

mod blocks;
mod hexes;
mod open;
mod reading;
mod settling;
mod showing;

use super::{Command, Diagnostic, Order, OrderLine, fixture::OrderTable};
use crate::game::Lang;

fn order(text: &str) -> Order {
    let reading = OrderTable::new(Lang::En).read(text);
    match reading.lines.as_slice() {
        [(_, OrderLine::Order(order))] => order.clone(),
        other => panic!("{text}: {other:#?}"),
    }
}

fn wrong(text: &str) -> Diagnostic {
    let reading = OrderTable::new(Lang::En).read(text);
    match reading.lines.as_slice() {
        [(_, OrderLine::Wrong(wrong))] => wrong.clone(),
        other => panic!("{text}: {other:#?}"),
    }
}

/// The words under the caret.
fn under(wrong: &Diagnostic) -> String {
    let length = wrong.span.1 - wrong.span.0;
    wrong.text.chars().skip(wrong.span.0).take(length).collect()
}
