//! What is refused in a map of hexes, and how the refusal reads: each mistake is made in a real
//! map.
use estafette::game::{EmbeddedFiles, GameFiles, inspect};

const MAP: &str = "games/novara/map.yaml";

/// The problems of the map after replacing a text, which must be there; places are left out.
fn broken(old: &str, new: &str) -> Vec<String> {
    problems_of(|text| {
        assert!(text.contains(old), "the map has no {old:?}");
        text.replacen(old, new, 1)
    })
}

/// The problems of the map after a change.
fn problems_of(change: impl Fn(&str) -> String) -> Vec<String> {
    let mut files = GameFiles::gather(&EmbeddedFiles, "novara").unwrap();
    let bytes = files.0.get_mut(MAP).unwrap();
    *bytes = change(str::from_utf8(bytes).unwrap()).into_bytes();
    let (_, problems) = inspect(&files, "novara");
    for problem in &problems {
        assert!(problem.line > 0 && problem.column > 0, "{problem}");
    }
    problems
        .iter()
        .filter(|problem| problem.file == MAP)
        .map(|problem| format!("{}: {}", problem.path, problem.message))
        .collect()
}

#[test]
fn the_map_as_it_is_has_no_fault() {
    assert_eq!(broken("grid:", "grid:"), [""; 0]);
}

#[test]
fn labels_must_be_on_the_grid_and_written_as_it_writes_them() {
    assert_eq!(
        broken("side: 3308-3309", "side: 3308-6409"),
        [
            "crossings[0].side: there is no hex `6409`",
            "roads[1].hexes[16]: the road from 3309 to 3308 meets a major_river without a crossing"
        ]
    );
    assert_eq!(
        broken("hexes: [\n      1908, 1909,", "hexes: [\n      1908, 199,"),
        ["roads[0].hexes[1]: there is no hex `199`"]
    );
    assert_eq!(
        broken(
            "  \"0107\": {exit: austrian}",
            "  \"0156\": {exit: austrian}"
        ),
        ["data.0156: there is no hex `0156`"]
    );
}

#[test]
fn hexsides_part_neighbours() {
    assert_eq!(
        broken("2601-2701, ", "2601-2801, "),
        ["lines[0].sides[0]: 2601 and 2801 are no neighbours"]
    );
    assert_eq!(
        broken("2601-2701, ", "2601-2701, 2701-2601, "),
        ["lines[0].sides[1]: 2701-2601 stands here twice"]
    );
    let problems = broken("2601-2701, ", "2601, ");
    assert!(
        problems[0].contains("written as its two hexes"),
        "{problems:?}"
    );
}

#[test]
fn roads_go_from_neighbour_to_neighbour_over_crossings() {
    assert_eq!(
        broken("1908, 1909, 1810,", "1908, 1810,"),
        ["roads[0].hexes[1]: 1908 and 1810 are no neighbours"]
    );
    // Without its bridge the road from Novara runs into the Agogna.
    assert_eq!(
        broken(
            "  - {side: 1710-1711, kind: minor_bridge, line: agogna, source: reconstructed}\n",
            ""
        ),
        ["roads[0].hexes[4]: the road from 1710 to 1711 meets a minor_river without a crossing"]
    );
}

#[test]
fn crossings_lie_where_a_road_meets_the_river_that_they_name() {
    assert_eq!(
        broken(
            "side: 3308-3309, kind: major_bridge",
            "side: 3308-3309, kind: minor_bridge"
        ),
        [
            "crossings[0].kind: `minor_bridge` does not lie over a major_river",
            "roads[1].hexes[16]: the road from 3309 to 3308 meets a major_river without a crossing"
        ]
    );
    assert_eq!(
        broken(
            "side: 3308-3309, kind: major_bridge, line: ticino",
            "side: 3308-3309, kind: major_bridge, line: sesia"
        ),
        ["crossings[0].side: 3308-3309 is no side of `sesia`"]
    );
    let moved = broken("side: 3308-3309, kind", "side: 3207-3208, kind");
    assert!(
        moved.contains(&"crossings[0].side: no road leads over 3207-3208".to_owned()),
        "{moved:?}"
    );
}

#[test]
fn every_hex_has_a_terrain() {
    assert_eq!(
        broken("\"cccccccccccccwccc", "\"ccccccccccccczccc"),
        ["rows[0]: no terrain has the letter `z`"]
    );
    assert_eq!(
        broken("\"cccccccccccccwccc", "\"ccccccccccccwccc"),
        ["rows[0]: this row has 62 letters for 63 columns"]
    );
    let short = broken("labels: CCRR,", "labels: CRR,");
    assert!(
        short[0].contains("63 columns and 55 rows don't fit into labels CRR"),
        "{short:?}"
    );
    let flat = broken("metres: 1000", "metres: 0");
    assert!(flat[0].contains("at least one metre"), "{flat:?}");
    let huge = broken(
        "columns: 63, rows: 55",
        "columns: 63000000000, rows: 55000000000",
    );
    assert!(huge[0].contains("at most 40000"), "{huge:?}");
}

#[test]
fn places_are_unique() {
    let twice = broken(
        "{id: vercelli, name: Vercelli",
        "{id: casale, name: Vercelli",
    );
    assert!(
        twice.contains(&"places[1]: `casale` stands here twice".to_owned()),
        "{twice:?}"
    );
    assert_eq!(
        broken("name: Mortara, hex: 2833", "name: Mortara, hex: 0548"),
        ["places[4].hex: `casale` is in hex 0548 already"]
    );
    let named = broken("name: Cava,", "name: Pavie,");
    assert!(
        named[0].ends_with("`pavia` is called `Pavie` too"),
        "{named:?}"
    );
}

#[test]
fn regions_say_what_they_are() {
    assert_eq!(
        broken(
            "zone_s1: {within: 3, of: [vespolate]",
            "zone_s1: {within: 3, of: [vespolato]"
        ),
        [
            "regions.zone_s1: no hex belongs to this region",
            "regions.zone_s1.of[0]: there is no place or hex `vespolato`"
        ]
    );
    let later = broken(
        "columns: [32, 50], rows: [22, 42], in: west_of_ticino",
        "columns: [32, 50], rows: [22, 42], in: zone_s1",
    );
    assert!(
        later.contains(
            &"regions.area_la_sforzesca.in: there is no region before this one `zone_s1`"
                .to_owned()
        ),
        "{later:?}"
    );
}

#[test]
fn every_hex_has_a_level_if_any_has() {
    assert_eq!(
        broken("\nrows:\n", "\nlevels: [\"12\"]\nrows:\n"),
        [
            "levels: there are 1 rows of levels for 55",
            "levels[0]: this row has 2 levels for 63 columns"
        ]
    );
    let crest = "\nlines:\n  - {id: x, name: X, kind: crest, level: 3, sides: [0101-0201], source: stated}\n  \
                 - {id: y, name: Y, kind: crest, level: 4, sides: [0201-0101], source: stated}\n";
    let twice = broken("\nlines:\n", crest);
    assert_eq!(
        twice,
        ["lines[1].sides[0]: the crest `x` stands on 0201-0101 already"]
    );
}

#[test]
fn every_road_has_a_class_if_the_map_has_classes() {
    let classes = "\nroad_classes: [{id: wood}, {id: lane}]\nroads:\n";
    let found = broken("\nroads:\n", classes);
    let expected = [
        "road_classes[0].id: a terrain or a hexside is called `wood` too",
        "roads[0].class: the map has `road_classes`, and this road has no `class`",
    ];
    assert_eq!(found[..2], expected);
    assert!(found.len() > 10, "{found:?}");
}

/// Every road a lane, and a bridge gone: lanes that wade need none.
#[test]
fn a_class_of_roads_that_wades_needs_no_crossing() {
    let lanes = |class: &str| {
        problems_of(|text| {
            let road = "source: reconstructed\n    hexes: [";
            let all = text.replace(road, &format!("class: lane\n    {road}"));
            let all = all.replacen(
                "\nroads:\n",
                &format!("\nroad_classes: [{class}]\nroads:\n"),
                1,
            );
            all.replacen("side: 3308-3309", "side: 3308-6409", 1)
        })
    };
    let lost = "crossings[0].side: there is no hex `6409`";
    assert_eq!(lanes("{id: lane, wades: true}"), [lost]);
    let met =
        "roads[1].hexes[16]: the road from 3309 to 3308 meets a major_river without a crossing";
    assert_eq!(lanes("{id: lane}"), [lost, met]);
}
