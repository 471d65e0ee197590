//! A map of areas as a picture: what its file says is drawn, and of counters what the seat knows.

use estafette::{
    check,
    dispatch::{Paper, map::areas::AreaSign, map_page, map_png, map_svg, show_ground},
    game,
};

use super::allies::{disk, document, files, seating, table};

#[test]
fn a_sheet_and_a_part_of_it_larger_have_each_space_once() {
    let table = table(&seating("3"));
    let map = document(&table, &table.begin(), "white").map.unwrap();
    let areas = map.areas.expect("the map is drawn as areas");
    let named = |sheet: usize| {
        let spaces = areas.sheets[sheet].map.spaces.iter();
        spaces.map(|space| space.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(named(0), ["Hill", "Mill"]);
    assert_eq!(named(1), ["Ford", "Town"]);
    let values = areas.sheets[0].map.spaces.iter().map(|space| space.value);
    assert_eq!(values.collect::<Vec<_>>(), [Some(2), None]);
    assert_eq!(areas.sheets[1].name, "The south");
    assert_eq!(areas.sheets[1].at[1], areas.sheets[0].map.height + 20);
    // Roads and outlines are on both, borders where both outlines have their points.
    for sheet in &areas.sheets {
        assert_eq!((sheet.roads.len(), sheet.outlines.len()), (1, 4));
        assert_eq!(sheet.borders.len(), 2);
        assert_eq!(sheet.borders[0].points.len(), 3);
    }
    assert_eq!(areas.sheets[0].outlines[2].fill, "#cfd6a8");
    let signs = [
        AreaSign::Fort(2, Some(2)),
        AreaSign::Works(None, true),
        AreaSign::Points(2, None),
    ];
    assert_eq!(areas.sheets[0].signs, [signs.to_vec(), Vec::new()]);
}

/// What everybody gets to plan on before a campaign shows nobody, not even as a dot.
#[test]
fn the_ground_alone_tells_of_no_piece() {
    let table = table(&seating("3"));
    let mut document = document(&table, &table.begin(), "white");
    assert!(map_svg(&document).contains("Wagram"));
    show_ground(&mut document, table.context.game());
    for svg in [map_svg(&document), map_page(&document, Paper::A4)] {
        assert!(svg.contains(">Ford") && !svg.contains("Wagram") && !svg.contains(">GR"));
    }
    for sheet in &document
        .map
        .unwrap()
        .areas
        .expect("the map is drawn as areas")
        .sheets
    {
        assert!(sheet.dots.is_empty() && sheet.map.stacks.is_empty());
    }
}

#[test]
fn counters_bear_letters_and_are_those_that_the_seat_knows() {
    let table = table(&seating("3"));
    let map = document(&table, &table.begin(), "white").map.unwrap();
    let svg = map_svg(&document(&table, &table.begin(), "white"));
    // Own counters by name, an ally's, and of the enemy their number and a dot on the first sheet.
    assert!(svg.contains("WH Wagram"), "{svg}");
    assert!(svg.contains(">GR"), "{svg}");
    for enemy in ["Rohan", "Rennes"] {
        assert!(!svg.contains(enemy), "{enemy}");
    }
    let areas = map.areas.expect("the map is drawn as areas");
    let hidden = |sheet: usize| {
        let stacks = areas.sheets[sheet].map.stacks.iter();
        stacks.map(|stack| stack.hidden).sum::<i64>()
    };
    assert_eq!((hidden(0), hidden(1)), (0, 2));
    assert_eq!(areas.sheets[0].dots.len(), 1);
    assert_eq!(map_png(&svg).unwrap(), map_png(&svg).unwrap());
}

#[test]
fn a_drawing_that_makes_no_sense_is_refused() {
    let bots = game::bot_scripts(&disk(), "league").unwrap();
    for (right, wrong, message) in [
        ("fine: 10", "fine: 0", "1 to 100"),
        ("north: 453600", "north: 449000", "north lies above south"),
        (
            "west: 97000, east: 103000",
            "west: 97000, east: 97010",
            "8 times",
        ),
        ("    hill: [[453600", "    hull: [[453600", "`hull`"),
        (
            "[450500, 97000], [450500, 103000], [449400, 103000], ",
            "",
            "three points",
        ),
        (
            "a: hill, b: mill, kind",
            "a: hill, b: well, kind",
            "`well` has no outline",
        ),
        ("[452500, 100000]", "[452500, 10000000]", "nowhere on earth"),
        ("colours:", "heights: [peak]\n  colours:", "`peak`"),
        ("colours:", "water: [sea]\n  colours:", "`sea`"),
        ("data: prize}", "data: price}", "`price`"),
        ("{data: paved,", "{data: paces,", "`paces`"),
        ("data: works,", "data: works, state: dug,", "`dug`"),
    ] {
        let mut files = files();
        let map = files.0.get_mut("games/league/map.yaml").unwrap();
        let text = String::from_utf8(map.clone()).unwrap();
        assert!(text.contains(right), "{right}");
        *map = text.replacen(right, wrong, 1).into_bytes();
        let found = check::check(&files, &bots, "league");
        let said = found
            .iter()
            .any(|problem| problem.to_string().contains(message));
        assert!(said, "{wrong}: {found:#?}");
    }
}
