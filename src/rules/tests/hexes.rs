//! Host functions on a map of hexes: that of four columns and three rows in the tests of the map.

use super::*;
use crate::game::hex::SMALL;

const TABLES: &str = r"
costs:
  rule: '1'
  source: stated
  values:
    clear: {foot: 1, horse: 1}
    wood: {foot: 2, horse: forbidden}
    river: {foot: 2, horse: forbidden}
    crest: {foot: 1, horse: 0}
    bridge: {foot: 0, horse: 0}
    road: {foot: 1, horse: 1}
    bridged: {foot: 1, horse: 1}
classes:
  rule: '1'
  source: stated
  values:
    clear: {foot: 2, guns: 3, plain: 1}
    wood: {foot: 3, guns: null, plain: 1}
    river: {foot: 4, guns: null, plain: 0}
    crest: {foot: 0, guns: 0, plain: 0}
    bridge: {foot: 0, guns: 0, plain: 0}
    gentle: {foot: 1, guns: 1, plain: 0}
    steep: {foot: 2, guns: null, plain: 0}
    rough: {foot: 1, guns: 2, plain: 0}
    high: {foot: 1, guns: 1, plain: 1}
    track: {foot: half, guns: [half, 5], plain: half}
sight:
  rule: '1'
  source: stated
  values:
    wood: {raised: 1, screens: true, watched: 1}
";

fn hex_value(expression: &str) -> Result<Value, String> {
    let game = Game {
        decl: serde_yaml::from_str(DECL).unwrap(),
        map: MapIndex::of_hexes(serde_yaml::from_str(SMALL).unwrap()),
        forces: serde_yaml::from_str(FORCES).unwrap(),
        tables: serde_yaml::from_str(TABLES).unwrap(),
        scenarios: Default::default(),
        theatre: None,
        theatres: Default::default(),
        text: BTreeMap::new(),
        scripts: vec![
            ("tiny/a.rhai".into(), LOOK.into()),
            (
                "tiny/b.rhai".into(),
                format!("fn play() {{ {expression} }}"),
            ),
        ],
        checklist: Vec::new(),
        digest: crate::digest::Digest::ZERO,
    };
    let program = Program::compile_with(Arc::new(game), RunLimits::default()).unwrap();
    let mut world = World::empty(program.game());
    for (piece, hex) in [
        ("one", "0101"),
        ("two", "0102"),
        ("ada", "dead"),
        ("foe", "0302"),
    ] {
        world.put(piece, &hex.into());
    }
    let (options, decisions) = (BTreeMap::new(), Decisions::default());
    let start = Start {
        phase: "play",
        world: &world,
        options: &options,
        decisions: &decisions,
    };
    program
        .call_on(&start, "play")
        .map_err(|error| error.message)
}

fn gives(expression: &str, expected: impl Into<Value>) {
    assert_eq!(hex_value(expression), Ok(expected.into()), "{expression}");
}

fn lists(expression: &str, expected: &[&str]) {
    assert_eq!(hex_value(expression), Ok(texts(expected)), "{expression}");
}

fn fails(expression: &str, message: &str) {
    let error = hex_value(expression).unwrap_err();
    assert!(error.contains(message), "{expression}: {error}");
}

#[test]
fn hexes_have_neighbours_directions_and_distances() {
    lists(
        "neighbours(\"0202\")",
        &["0102", "0201", "0203", "0301", "0302", "0303"],
    );
    gives("adjacent(\"0202\", \"0303\")", true);
    gives("adjacent(\"0201\", \"0302\")", false);
    gives("distance(\"0101\", \"0403\")", 4);
    gives("direction(\"0202\", \"0301\")", 1);
    gives("direction(\"0202\", \"0102\")", 5);
    gives("direction(\"0202\", \"0402\")", 0);
    gives("neighbour(\"0202\", 3)", "0303");
    gives("neighbour(\"0101\", 6)", "");
    fails("neighbour(\"0101\", 7)", "no direction");
    lists("neighbours_ahead(\"0202\", 1, 0)", &["0301"]);
    lists(
        "neighbours_ahead(\"0202\", 6, 1)",
        &["0102", "0201", "0301"],
    );
    lists("neighbours_ahead(\"0101\", 1, 2)", &["0201", "0102"]);
    fails("neighbours_ahead(\"0202\", 1, 3)", "0 to 2 more");
    gives("opposite(\"0301\", \"0202\")", "0203");
    gives("opposite(\"0202\", \"0101\")", "");
    lists("within(\"0101\", 1).list()", &["0101", "0102", "0201"]);
    lists(
        "ring(\"0101\", 2).list()",
        &["0103", "0202", "0203", "0301"],
    );
    lists("between(\"0101\", \"0301\")", &["0201"]);
    lists("between(\"0202\", \"0401\")", &["0301", "0302"]);
    lists("between(\"0202\", \"0302\")", &[]);
}

#[test]
fn sides_lines_places_and_regions_are_known() {
    lists("sides(\"0302\", \"0202\")", &["river", "crest"]);
    lists("sides(\"0201\", \"0301\")", &["bridge"]);
    lists("sides(\"0101\", \"0401\")", &[]);
    gives("is_road(\"0201\", \"0301\")", true);
    gives("is_road(\"0202\", \"0302\")", false);
    lists("along(\"ridge\").list()", &["0101", "0201", "0202", "0302"]);
    fails("along(\"rhine\")", "no line");
    gives("space_of(\"ford_end\")", "0301");
    gives("space_of(\"0402\")", "0402");
    gives("place_of(\"0301\") + place_of(\"0302\")", "ford_end");
    gives("terrain(\"0301\")", "wood");
    lists("spaces_of(\"wood\")", &["0103", "0301"]);
    lists("spaces_with(\"points\", 3)", &["0301"]);
    lists("spaces_with(\"points\")", &["0301"]);
    lists("spaces_with(\"harbour\")", &[]);
    lists("region(\"near_west\").list()", &["0201", "0202"]);
    gives(
        "in_region(\"0301\", \"two\") && !in_region(\"dead\", \"two\")",
        true,
    );
}

#[test]
fn hexes_have_levels_and_lines_of_sight() {
    gives("level(\"0301\") + level(\"0302\")", 3);
    gives("climb(\"0201\", \"0202\")", -2);
    gives("climb(\"0202\", \"0201\")", 2);
    gives("climb(\"0101\", \"0201\")", 3);
    gives("climb(\"0201\", \"0101\")", 2);
    fails("climb(\"0101\", \"0301\")", "to a neighbour");
    lists("line(\"0101\", \"0401\")", &["0201", "0301"]);
    lists("line(\"0401\", \"0101\")", &["0301", "0201"]);
    lists("line(\"0401\", \"0403\")", &["0302", "0402"]);
    lists("line(\"0101\", \"0102\")", &[]);
    let sees = |from: &str, to: &str, terms: &str| {
        format!("in_sight(\"{from}\", \"{to}\", #{{table: \"sight\"{terms}}})")
    };
    gives(&sees("0203", "0403", ""), true);
    gives(&sees("0203", "0403", ", bodies: \"0203\""), true);
    // 0403 stands above the body in 0303, 0302 not above that in 0202.
    gives(&sees("0203", "0403", ", bodies: [\"0303\"]"), true);
    gives(
        &sees("0203", "0402", ", bodies: [\"0302\", \"0303\"]"),
        false,
    );
    gives(&sees("0102", "0302", ""), false);
    gives(&sees("0201", "0401", ""), false);
    gives(&sees("0201", "0301", ""), true);
    // Not the wood in 0103 and 0301, and not 0402: 0403, on whose side the line runs, is higher.
    lists(
        "visible(\"0303\", 2, #{table: \"sight\", limit: \"watched\"}).list()",
        &[
            "0102", "0201", "0202", "0203", "0302", "0303", "0401", "0403",
        ],
    );
    gives(
        "\"0103\" in visible(\"0303\", 2, #{table: \"sight\"})",
        true,
    );
    gives(
        "\"0103\" in visible([\"0303\", \"0102\"], 2, #{table: \"sight\", limit: \"watched\"})",
        true,
    );
    fails("visible(\"0303\", 2, #{})", "needs a `table`");
    fails(
        "visible(\"0303\", 2, #{table: \"sight\", far: 1})",
        "there are: table, bodies, limit",
    );
    fails(
        "visible(\"0303\", 2, #{table: \"sight\", limit: \"smelt\"})",
        "no limit `smelt`",
    );
}

#[test]
fn areas_are_sets() {
    lists("area_of(pieces(\"red\")).list()", &["0101", "0102"]);
    lists(
        "area_of([\"0202\", piece(\"foe\"), piece(\"ada\")]).list()",
        &["0202", "0302"],
    );
    lists(
        "(area_of([\"0101\", \"0102\"]) - area_of(\"0102\")).list()",
        &["0101"],
    );
    lists(
        "(area_of(\"0101\") + area_of(\"0102\")).list()",
        &["0101", "0102"],
    );
    lists(
        "(within(\"0101\", 1) & within(\"0301\", 1)).list()",
        &["0201"],
    );
    lists("area_of(\"0101\").around().list()", &["0102", "0201"]);
    gives(
        "let a = area_of([]); a[\"0402\"] = true; a.len() + if \"0402\" in a { 10 } else { 0 }",
        11,
    );
    gives(
        "let a = area_of(\"0402\"); a.remove(\"0402\"); a.is_empty() && a == area_of([])",
        true,
    );
    gives("\"dead\" in region(\"all\")", false);
    lists(
        "having(pieces(), \"at\", region(\"west\"))",
        &["one", "two"],
    );
    fails("area_of([\"9999\"])", "no space `9999`");
    fails("area_of([7])", "spaces or pieces");
}

#[test]
fn ways_by_terms_cost_what_the_table_says() {
    let cost = |from: &str, to: &str, terms: &str| {
        format!("step_cost(\"{from}\", \"{to}\", #{{{terms}}})")
    };
    let foot = "table: \"costs\", class: \"foot\"";
    let horse = "table: \"costs\", class: \"horse\"";
    // Along the road neither wood nor crest nor bridge counts.
    gives(&cost("0201", "0301", foot), 1);
    gives(&cost("0101", "0201", foot), 1);
    // Wood 2 and river 2; river 2 and crest 1 besides the open hex; both closed to horse.
    gives(&cost("0202", "0301", foot), 4);
    gives(&cost("0202", "0302", foot), 4);
    gives(&cost("0202", "0302", horse), -1);
    gives(&cost("0401", "0301", horse), -1);
    gives(&cost("0401", "0402", horse), 1);
    gives(&cost("0401", "0403", foot), -1);
    // A bridge of boats opens the side and is the whole price.
    let boats = format!("{horse}, bridged: [[\"0302\", \"0202\"]]");
    gives(&cost("0202", "0302", &boats), 1);
    gives(&cost("0302", "0202", &boats), 1);
    // Without its bridge the side is the river's, and no road leads across.
    let blown = "unbridged: [[\"0301\", \"0201\"]]";
    gives(&cost("0201", "0301", &format!("{foot}, {blown}")), 4);
    gives(&cost("0201", "0301", &format!("{horse}, {blown}")), -1);
    gives(&cost("0201", "0301", &format!("{blown}, roads: true")), -1);
    gives(&cost("0101", "0201", &format!("{foot}, {blown}")), 1);
    fails(
        &cost("0202", "0203", "unbridged: [[\"0101\", \"0301\"]]"),
        "`unbridged` is a list of sides",
    );
    // Contact costs more, on the road too.
    let contact = format!("{foot}, dear: area_of(\"0301\"), surcharge: 3");
    gives(&cost("0201", "0301", &contact), 4);
    gives(
        &cost(
            "0201",
            "0301",
            &format!("{contact}, not_into: area_of(\"0301\")"),
        ),
        -1,
    );
    gives(&cost("0202", "0302", "not_across: [\"crest\"]"), -1);
    gives(&cost("0202", "0203", "roads: true"), -1);
    fails(
        &cost("0202", "0203", "not_across: [\"wall\"]"),
        "no kind of hexside `wall`",
    );
    fails(
        &cost("0202", "0203", "not_intoo: 1"),
        "a way has no `not_intoo`",
    );
    fails(
        &cost("0202", "0203", "class: \"foot\""),
        "`class` with `table`",
    );
    fails(
        &cost("0202", "0203", "table: \"costs\", class: \"boat\""),
        "no class `boat`",
    );
    fails(
        &cost("0202", "0203", "bridged: [[\"0101\", \"0301\"]]"),
        "two neighbours",
    );
}

#[test]
fn roads_have_classes_with_prices_of_their_own() {
    lists("roads_between(\"0201\", \"0101\")", &["high"]);
    lists("roads_between(\"0301\", \"0201\")", &["high", "track"]);
    lists("roads_between(\"0101\", \"0102\")", &[]);
    let cost = |from: &str, to: &str, class: &str, more: &str| {
        let terms = format!("table: \"classes\", class: \"{class}\"{more}");
        format!("step_cost(\"{from}\", \"{to}\", #{{{terms}}})")
    };
    // Open ground 2, along the track half of it, along the highway 1.
    gives(&cost("0102", "0202", "foot", ""), 2);
    gives(&cost("0201", "0202", "foot", ""), 1);
    gives(&cost("0201", "0202", "guns", ""), 1);
    gives(&cost("0301", "0302", "guns", ""), 1);
    // A track halves 1 to 1. Wood is closed to guns but for the highway, which is cheaper than 5.
    gives(&cost("0201", "0202", "plain", ""), 1);
    gives(&cost("0201", "0301", "guns", ""), 1);
    gives(&cost("0401", "0301", "guns", ""), -1);
    // Nobody may use a road into a full hex; hexsides are paid as well.
    gives(&cost("0201", "0202", "foot", ", roadless: \"0202\""), 2);
    gives(
        &cost("0201", "0301", "guns", ", roadless: area_of(\"0301\")"),
        -1,
    );
    // Rough ground is paid with the ground, so a track halves both: (2 + 1) / 2.
    gives(&cost("0102", "0202", "foot", ", rough: \"0202\""), 3);
    gives(&cost("0201", "0202", "foot", ", rough: \"0202\""), 1);
    gives(&cost("0301", "0302", "foot", ", rough: \"0302\""), 1);
    // 0202 is two levels below 0201: steep, up and down; gentle along eased roads. 0302 lies three
    // below 0301, which counts only as steep.
    let slopes = ", slopes: [\"gentle\", \"steep\"]";
    gives(&cost("0201", "0202", "foot", slopes), 3);
    gives(&cost("0202", "0201", "foot", slopes), 3);
    gives(&cost("0201", "0202", "guns", slopes), -1);
    let eased = format!("{slopes}, eased: [\"high\", \"track\"]");
    gives(&cost("0201", "0202", "guns", &eased), 2);
    gives(&cost("0301", "0302", "foot", slopes), 3);
    gives(&cost("0201", "0301", "foot", slopes), 2);
    gives(&cost("0201", "0301", "foot", &eased), 1);
    // Over the crest, three levels up, though the ground rises by one.
    gives(&cost("0101", "0201", "foot", slopes), 3);
    fails(
        &cost("0101", "0201", "foot", ", eased: [\"goat\"]"),
        "no class of roads `goat`",
    );
    fails(
        &cost("0101", "0201", "foot", ", slopes: [\"mild\"]"),
        "no slope `mild`",
    );
    fails(
        "step_cost(\"0101\", \"0201\", #{eased: [\"high\"]})",
        "with `table`",
    );
}

#[test]
fn zones_stop_a_way_and_make_it_dear() {
    // The highest amount is paid, once.
    let dear = "dear: [[within(\"0203\", 1), 1], [\"0203\", 2]]";
    gives(&format!("step_cost(\"0103\", \"0203\", #{{{dear}}})"), 3);
    gives(&format!("step_cost(\"0203\", \"0202\", #{{{dear}}})"), 2);
    gives(&format!("step_cost(\"0102\", \"0101\", #{{{dear}}})"), 1);
    gives("step_cost(\"0103\", \"0203\", #{dear: \"0203\"})", 2);
    fails(
        "step_cost(\"0103\", \"0203\", #{dear: [[\"0203\", 2]], surcharge: 1})",
        "its own",
    );
    // A way ends where it is stopped.
    let zone = "stops: area_of([\"0102\", \"0202\"]), leaving: 1";
    lists(
        &format!("flood(\"0101\", #{{{zone}, not_into: \"0201\"}}).list()"),
        &["0101", "0102"],
    );
    gives(
        &format!("path_cost(\"0101\", \"0203\", #{{{zone}, not_into: \"0201\"}})"),
        -1,
    );
    // From a start in it a way leads on, dearer, and not directly into it again.
    gives(&format!("step_cost(\"0102\", \"0103\", #{{{zone}}})"), 2);
    gives(&format!("step_cost(\"0102\", \"0202\", #{{{zone}}})"), -1);
    gives(&format!("path_cost(\"0102\", \"0202\", #{{{zone}}})"), 3);
    gives(&format!("reach(\"0102\", 2, #{{{zone}}})[\"0203\"]"), 2);
}

#[test]
fn ways_are_searched_for() {
    let foot = "#{table: \"costs\", class: \"foot\"}";
    // By the road over the bridge, 1 + 1 + 1.
    lists(
        &format!("cheapest(\"0202\", \"0302\", {foot})"),
        &["0201", "0301", "0302"],
    );
    gives(&format!("path_cost(\"0202\", \"0302\", {foot})"), 3);
    gives(&format!("reach(\"0202\", 3, {foot})[\"0302\"]"), 3);
    gives(&format!("\"0302\" in reach(\"0202\", 2, {foot})"), false);
    gives("costs_from([\"0101\", \"0403\"], #{})[\"0301\"]", 2);
    lists(
        "flood(\"0103\", #{not_across: [\"river\", \"bridge\"]}).list()",
        &["0101", "0102", "0103", "0201", "0202", "0203"],
    );
    lists(
        "flood(\"0103\", #{not_across: [\"river\"], not_into: area_of(\"0201\")}).list()",
        &["0101", "0102", "0103", "0202", "0203"],
    );
    lists(
        "flood(\"0302\", #{roads: true}).list()",
        &["0101", "0201", "0202", "0301", "0302"],
    );
    lists(
        "flood(\"0302\", #{roads: true, bridged: [[\"0302\", \"0303\"]]}).list()",
        &["0101", "0201", "0202", "0301", "0302", "0303"],
    );
    lists("reach(\"0101\", 1, #{}).list()", &["0101", "0102", "0201"]);
    gives("steps(\"0103\", \"0303\", #{not_across: [\"river\"]})", 5);
    gives(
        "steps(\"0103\", \"0403\", #{not_across: [\"river\", \"bridge\"]})",
        -1,
    );
    gives(
        "cheapest(\"0103\", \"0403\", #{not_across: [\"river\", \"bridge\"]})",
        Value::Null,
    );
    // What a given way costs, the cheapest or not.
    gives(
        &format!("way_cost(\"0202\", [\"0201\", \"0301\", \"0302\"], {foot})"),
        3,
    );
    gives("way_cost(\"0101\", [], #{})", 0);
    gives("way_cost(\"0101\", [\"0103\"], #{})", -1);
    gives(
        "way_cost(\"0101\", [\"0102\", \"0103\"], #{not_into: area_of(\"0103\")})",
        -1,
    );
    // Only the first step leads out of a zone.
    let zone = "#{stops: area_of([\"0102\", \"0103\"]), leaving: 1}";
    gives(&format!("way_cost(\"0102\", [\"0101\"], {zone})"), 2);
    gives(
        &format!("way_cost(\"0101\", [\"0102\", \"0101\"], {zone})"),
        -1,
    );
    // Equally dear: fewer spaces go first, then the lower label.
    lists("cheapest(\"0202\", \"0401\", #{})", &["0301", "0401"]);
    lists(
        "cheapest(\"0101\", \"0103\", #{not_into: area_of(\"0202\")})",
        &["0102", "0103"],
    );
    gives(
        "steps_from(piece(\"foe\"), |from, to| to != \"0301\" && to != \"0202\")[\"0201\"]",
        4,
    );
}

#[test]
fn pieces_are_found_where_they_have_gone() {
    let ids = ".map(|one| one.id)";
    // Asked before, so that it is known where all stand.
    let go = "let before = pieces().len(); move_to(piece(\"two\"), \"0302\"); move_to(piece(\"two\"), \"0302\");";
    lists(&format!("{go} at(\"0302\"){ids}"), &["two", "foe"]);
    lists(&format!("{go} at(\"0102\"){ids}"), &[]);
    gives(&format!("{go} pieces().len() - before"), 0);
    let away = "let before = pieces().len(); move_to(piece(\"foe\"), \"dead\");";
    lists(&format!("{away} at(\"0302\"){ids}"), &[]);
    lists(&format!("{away} at(\"dead\"){ids}"), &["ada", "foe"]);
    gives(&format!("{away} before - pieces().len()"), 1);
    let back = "let before = pieces().len(); move_to(piece(\"ada\"), \"0101\");";
    lists(&format!("{back} at(\"0101\"){ids}"), &["one", "ada"]);
    gives(&format!("{back} pieces().len() - before"), 1);
}

/// Relaxes every step until nothing changes, the slow and plain way, and compares all searches with
/// that.
const COMPARED: &str = r#"
    let wrong = [];
    for start in spaces() {
        let best = #{};
        best[start] = 0;
        for round in 0..12 {
            for here in spaces() {
                if !(here in best) { continue; }
                for next in neighbours(here) {
                    let cost = step_cost(here, next, how);
                    if cost < 0 { continue; }
                    let total = best[here] + cost;
                    if !(next in best) || total < best[next] { best[next] = total; }
                }
            }
        }
        let field = costs_from(start, how);
        let near = reach(start, 3, how);
        for goal in spaces() {
            let cost = if goal in best { best[goal] } else { -1 };
            let way = cheapest(start, goal, how);
            let walked = if way == () { -1 } else { 0 };
            let here = start;
            if way != () {
                for next in way { walked += step_cost(here, next, how); here = next; }
            }
            let reached = if cost <= 3 { cost } else { -1 };
            let paid = if way == () { -1 } else { way_cost(start, way, how) };
            if [field[goal], path_cost(start, goal, how), walked, paid, near[goal]] != [cost, cost, cost, cost, reached] {
                wrong.push(start + goal);
            }
            if (goal in flood(start, how)) != (cost >= 0) { wrong.push(start + goal); }
        }
    }
    wrong
"#;

#[test]
fn searches_agree_with_relaxing_every_step() {
    for how in [
        "#{}",
        "#{table: \"costs\", class: \"foot\"}",
        "#{table: \"costs\", class: \"horse\", dear: area_of([\"0202\", \"0302\"]), surcharge: 2}",
        "#{table: \"costs\", class: \"horse\", not_into: area_of(\"0201\"), bridged: [[\"0303\", \"0203\"]]}",
        "#{roads: true, not_from: area_of(\"0301\")}",
        "#{table: \"classes\", class: \"foot\", slopes: [\"gentle\", \"steep\"], eased: [\"high\"], rough: \"0302\", dear: [[\"0301\", 2], [within(\"0301\", 1), 1]]}",
        "|from, to| if terrain(to) == \"wood\" { -1 } else { distance(to, \"0101\") }",
    ] {
        lists(&format!("let how = {how}; {COMPARED}"), &[]);
    }
}

#[test]
fn a_shut_draw_takes_items_out_of_a_list() {
    let script = "fn play() { let cup = [\"A\", \"B\", \"C\"]; set_fact(\"secret\", draw_shut(cup, 1, \"t1/cup\")[0] == \"C\"); }";
    let resolved = done(run(script));
    assert_eq!(resolved.world.fact("secret"), &Value::Bool(true));
}
