//! What a dispatch costs: a seat's document with text and HTML, and the picture of its map. Budgets
//! in release: 4 ms for the first, 120 ms for the second; 250 ms for a picture of 3,465 hexes, 150
//! ms for one of areas.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a benchmark may panic"
)]

#[allow(dead_code, reason = "the tests use the rest")]
#[path = "../tests/suite/dispatch/fixture.rs"]
mod dispatch_fixture;
#[allow(dead_code, reason = "other benchmarks use the rest")]
mod play;

use dispatch_fixture::{asked_orders, document};
use estafette::{
    campaign,
    dispatch::{Proof, body, map_pictures, map_png, map_svg, page},
    game::Lang,
};
use play::planned::{AREAS, HEXES, Table, planned};

fn main() {
    divan::main();
}

/// JSON, text and HTML of a finished document.
#[divan::bench]
fn json_text_html(bencher: divan::Bencher<'_, '_>) {
    let (document, _) = document("lonato", "french", Lang::En, asked_orders());
    let pictures = map_pictures(&document);
    bencher.bench_local(|| {
        (
            serde_json::to_string(&document).ok(),
            body(&document),
            page(&document, &pictures, false).with(&Proof::default()),
        )
    });
}

/// The document, with the game loaded from its files each time: an upper bound.
#[divan::bench]
fn build_with_loading() {
    divan::black_box(document("lonato", "french", Lang::En, asked_orders()));
}

/// The map as SVG.
#[divan::bench]
fn svg(bencher: divan::Bencher<'_, '_>) {
    let (document, _) = document("lonato", "french", Lang::En, asked_orders());
    bencher.bench_local(|| map_svg(&document));
}

/// The map as PNG.
#[divan::bench]
fn png(bencher: divan::Bencher<'_, '_>) {
    let (document, _) = document("lonato", "french", Lang::En, asked_orders());
    let svg = map_svg(&document);
    bencher.bench_local(|| map_png(&svg).ok());
}

/// The picture of a map of hexes after some turns, from the document on: all sheets in one, as the
/// command `map` writes it. Letters have them one by one.
#[divan::bench]
fn png_of_hexes(bencher: divan::Bencher<'_, '_>) {
    png_of_table(bencher, &HEXES, 4);
}

/// The same of a map of areas with seven seats, whose scenario begins with turn 5.
#[divan::bench]
fn png_of_areas(bencher: divan::Bencher<'_, '_>) {
    png_of_table(bencher, &AREAS, 6);
}

fn png_of_table(bencher: divan::Bencher<'_, '_>, table: &Table, turn: i64) {
    let planned = planned(table, turn);
    let (context, state) = (&planned.context, &planned.state);
    let seat = context.settings().seats.ids().next();
    let document = campaign::map_document(context, state, seat).unwrap();
    bencher.bench_local(|| map_png(&map_svg(&document)).unwrap());
}
