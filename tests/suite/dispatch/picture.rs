//! Pictures of the map: the same bytes for the same document, nothing that the document does not
//! have.

use crate::dispatch::fixture::{asked_orders, document};
use estafette::{
    dispatch::{Proof, map_pictures, map_png, map_svg, page},
    game::Lang,
};

/// Writes the pictures and pages of both sides to `$DISPATCH_OUT`, to be looked at.
#[test]
#[ignore = "for the eye: set DISPATCH_OUT to a folder"]
fn write_for_the_eye() {
    let Ok(out) = std::env::var("DISPATCH_OUT") else {
        return;
    };
    for (scenario, seat, lang) in [
        ("campaign", "french", Lang::En),
        ("lonato", "french", Lang::En),
        ("lonato", "austrian", Lang::Fr),
    ] {
        let (document, faults) = document(scenario, seat, lang, asked_orders());
        assert_eq!(faults, []);
        let name = format!("{out}/{scenario}-{seat}");
        let start = std::time::Instant::now();
        let svg = map_svg(&document);
        println!("{name}: svg {:?}, {} bytes", start.elapsed(), svg.len());
        let start = std::time::Instant::now();
        let png = map_png(&svg).unwrap();
        println!("{name}: png {:?}, {} bytes", start.elapsed(), png.len());
        std::fs::write(format!("{name}.png"), png).unwrap();
        std::fs::write(format!("{name}.svg"), svg).unwrap();
        let page = page(&document, &map_pictures(&document), false).with(&Proof::default());
        let page = page.replace("cid:map", &format!("{name}.png"));
        std::fs::write(format!("{name}.html"), page).unwrap();
        std::fs::write(format!("{name}.txt"), estafette::dispatch::body(&document)).unwrap();
    }
}

#[test]
fn the_same_document_gives_the_same_bytes() {
    let draw = || map_svg(&document("lonato", "french", Lang::En, asked_orders()).0);
    let svg = draw();
    assert_eq!(svg, draw());
    assert_eq!(map_png(&svg).unwrap(), map_png(&svg).unwrap());
}

#[test]
fn numbers_are_whole_or_have_three_places() {
    let svg = map_svg(&document("lonato", "austrian", Lang::Fr, asked_orders()).0);
    let odd = regex::Regex::new(r"[0-9]\.[0-9]{4,}|NaN|inf\b").unwrap();
    assert!(odd.find(&svg).is_none(), "{:?}", odd.find(&svg));
}

#[test]
fn the_picture_shows_what_the_seat_knows() {
    let ours = map_svg(&document("lonato", "french", Lang::En, asked_orders()).0);
    let theirs = map_svg(&document("lonato", "austrian", Lang::En, asked_orders()).0);
    // Below the top counter: the owner sees it, the enemy does not.
    assert!(!ours.contains(">Wurmser +1<") && ours.contains(">Wurmser<"));
    assert!(theirs.contains(">Wurmser +1<"));
    assert!(ours.contains(">T3 Gummer<") && !theirs.contains(">T3 Gummer<"));
    assert!(theirs.contains(">T2 Rampon<"));
}

#[test]
fn every_space_and_water_has_its_name() {
    let document = document("campaign", "french", Lang::En, asked_orders()).0;
    let svg = map_svg(&document);
    let map = document.map.unwrap();
    for space in &map.spaces {
        assert!(svg.contains(&format!(">{}<", space.name)), "{}", space.name);
    }
    for water in &map.waters {
        assert!(svg.contains(&format!(">{}<", water.name)), "{}", water.name);
    }
}
