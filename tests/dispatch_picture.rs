//! Pictures of the map: the same bytes for the same document, nothing that the document does not have.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

mod dispatch_fixture;

use dispatch_fixture::{asked_orders, document};
use estafette::{
    dispatch::{html, map_png, map_svg},
    game::Lang,
};

/// Writes the pictures and pages of both sides to `$DISPATCH_OUT`, to be looked at.
#[test]
#[ignore = "for the eye: set DISPATCH_OUT to a folder"]
fn write_for_the_eye() {
    let Ok(out) = std::env::var("DISPATCH_OUT") else { return };
    for (scenario, seat, lang) in [
        ("campaign", "french", Lang::En),
        ("lonato", "french", Lang::En),
        ("lonato", "austrian", Lang::Fr),
    ] {
        let (document, faults) = document(scenario, seat, lang, asked_orders());
        assert_eq!(faults, []);
        let name = format!("{out}/{scenario}-{seat}");
        let svg = map_svg(&document);
        let start = std::time::Instant::now();
        let png = map_png(&svg).unwrap();
        println!("{name}: png {:?}, {} bytes", start.elapsed(), png.len());
        std::fs::write(format!("{name}.png"), png).unwrap();
        std::fs::write(format!("{name}.svg"), svg).unwrap();
        let page = html(&document).replace("cid:map", &format!("{name}.png"));
        std::fs::write(format!("{name}.html"), page).unwrap();
        std::fs::write(format!("{name}.txt"), estafette::dispatch::body(&document)).unwrap();
    }
}
