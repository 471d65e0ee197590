//! The figures of Magenta, Solferino and the canal bridge by double entry: maps, forces and set-ups
//! against a second list of them, brigade by brigade, so that a slip of the pen in the game's files
//! is found even where no case happens to meet it.

use std::collections::{BTreeMap, BTreeSet};

use estafette::game::{EmbeddedFiles, Files, Forces, PieceDecl, Scenario};
use estafette::value::{Fields, Value};
use serde::de::DeserializeOwned;
use serde_yaml::Value as Yaml;

const LISTED: &str = include_str!("../../data/risorgimento-figures.txt");
const BATTLES: [&str; 2] = ["solferino", "magenta"];

fn file<T: DeserializeOwned>(path: &str) -> T {
    let path = format!("games/risorgimento/{path}");
    serde_yaml::from_slice(&EmbeddedFiles.read(&path).unwrap()).unwrap()
}

fn map_of(battle: &str) -> Yaml {
    file(&format!("theatres/{battle}/map.yaml"))
}

fn forces_of(battle: &str) -> Forces {
    file(&format!("theatres/{battle}/forces.yaml"))
}

fn scenario(name: &str) -> Scenario {
    file(&format!("scenarios/{name}.yaml"))
}

/// The rests of the lines of the list that begin so.
fn listed(first: &str) -> impl Iterator<Item = &'static str> + use<> {
    let first = format!("{first} ");
    LISTED.lines().filter_map(move |line| {
        let rest = line.strip_prefix(&first)?;
        Some(rest)
    })
}

fn set(lines: impl IntoIterator<Item = impl ToString>) -> BTreeSet<String> {
    lines.into_iter().map(|line| line.to_string()).collect()
}

/// Demands that two sets are the same; says what is in one alone.
#[track_caller]
fn assert_same(what: &str, game: &BTreeSet<String>, list: &BTreeSet<String>) {
    let [more, less]: [Vec<_>; 2] = [
        game.difference(list).collect(),
        list.difference(game).collect(),
    ];
    assert!(
        more.is_empty() && less.is_empty() && !list.is_empty(),
        "{what}: the game alone has {more:#?}, the list alone {less:#?}"
    );
}

// Maps

fn text(value: &Yaml) -> String {
    let text = value.as_str().map(str::to_owned);
    text.or_else(|| value.as_i64().map(|it| it.to_string()))
        .unwrap()
}

fn texts(value: &Yaml) -> Vec<String> {
    value.as_sequence().unwrap().iter().map(text).collect()
}

fn list_in<'a>(map: &'a Yaml, name: &str) -> &'a [Yaml] {
    map[name].as_sequence().unwrap()
}

/// A row of letters that are followed by how often they stand there.
fn row(counted: &str) -> String {
    let parts = counted.split(' ').map(|part| {
        let (letter, times) = part.split_once('*').unwrap_or((part, "1"));
        letter.repeat(times.parse().unwrap())
    });
    parts.collect()
}

/// Pairs of hexes, each pair in the order of its labels.
fn sides(hexes: &str) -> Vec<String> {
    let pair = |side: &str| {
        let mut ends: Vec<&str> = side.split('-').collect();
        ends.sort_unstable();
        ends.join("-")
    };
    hexes.split(' ').map(pair).collect()
}

#[test]
fn ground_and_heights_are_those_of_the_list() {
    for battle in BATTLES {
        let map = map_of(battle);
        for (name, key) in [("ground", "rows"), ("levels", "levels")] {
            let rows: Vec<String> = listed(&format!("{name} {battle}"))
                .map(|line| row(line.split_once(' ').unwrap().1))
                .collect();
            assert_eq!(texts(&map[key]), rows, "{name} of {battle}");
        }
    }
}

#[test]
fn waters_and_crests_are_those_of_the_list() {
    for battle in BATTLES {
        let map = map_of(battle);
        let mut game = BTreeSet::new();
        for line in list_in(&map, "lines") {
            let kind = text(&line["kind"]);
            let level = line.get("level").map(text).unwrap_or_default();
            let hexes = texts(&line["sides"]).join(" ");
            game.extend(sides(&hexes).iter().map(|it| format!("{kind}{level} {it}")));
        }
        for crossing in list_in(&map, "crossings") {
            let side = sides(&text(&crossing["side"])).remove(0);
            game.insert(format!("{} {side}", text(&crossing["kind"])));
        }
        let mut list = BTreeSet::new();
        for line in listed(&format!("side {battle}")) {
            let (kind, hexes) = line.split_once(' ').unwrap();
            list.extend(sides(hexes).iter().map(|it| format!("{kind} {it}")));
        }
        let crests = listed(&format!("crest {battle}"));
        list.extend(crests.map(|line| format!("crest{line}")));
        for works in ["bridge", "ford"] {
            for line in listed(&format!("{works} {battle}")) {
                let (over, side) = line.split_once(' ').unwrap();
                list.insert(format!("{over}_{works} {side}"));
            }
        }
        assert_same(battle, &game, &list);
    }
}

#[test]
fn ways_places_and_entries_are_those_of_the_list() {
    for battle in BATTLES {
        let map = map_of(battle);
        let ways = list_in(&map, "roads").iter();
        let mut game = set(ways.map(|way| {
            format!(
                "way {} {}",
                text(&way["class"]),
                texts(&way["hexes"]).join(" ")
            )
        }));
        let places = list_in(&map, "places").iter();
        game.extend(places.map(|it| format!("place {} {}", text(&it["hex"]), text(&it["name"]))));
        for (hex, data) in map["data"].as_mapping().unwrap() {
            let (entry, side) = (text(&data["entry"]), text(&data["entry_side"]));
            game.insert(format!("entry {entry} {side} {}", text(hex)));
        }
        let of = |what: &'static str| {
            listed(&format!("{what} {battle}")).map(move |line| format!("{what} {line}"))
        };
        let list = of("way").chain(of("place")).chain(of("entry")).collect();
        assert_same(battle, &game, &list);
    }
}

// Forces

/// A brigade of the list: its id, whether it is of the Guard, its leader, foot, horse and guns, and
/// how it stands.
struct Brigade {
    id: &'static str,
    is_guard: bool,
    parts: Vec<&'static str>,
}

impl Brigade {
    fn of(line: &'static str) -> Self {
        let mut parts = line.split("; ");
        let first = parts.next().unwrap();
        Self {
            id: first.trim_end_matches(" guard"),
            is_guard: first.ends_with(" guard"),
            parts: parts.collect(),
        }
    }

    fn corps(&self) -> &'static str {
        self.id.split_once('_').unwrap().0
    }

    /// The words of each entry of a part.
    fn entries(&self, part: usize) -> Vec<Vec<&'static str>> {
        let entries = self.parts[part].split(", ").filter(|it| *it != "-");
        entries.map(|it| it.split(' ').collect()).collect()
    }

    /// Its counters but for the leader, in the order of the list: foot, horse; guns. Each with its
    /// figures.
    fn units(&self) -> [Vec<(String, String)>; 2] {
        let corps = self.corps();
        let guard = if self.is_guard { "guard" } else { "-" };
        let mut troops = Vec::new();
        for (part, suffix) in [(1, ""), (2, "_cavalry")] {
            for entry in self.entries(part) {
                let [code, count, class, cohesion, ma] = entry[..] else {
                    panic!("{entry:?}")
                };
                let regiment = format!("{corps}_{}", code.to_lowercase());
                let figures = format!("{class}{suffix} {cohesion} {ma} - 0 {guard}");
                match count {
                    "1" => troops.push((regiment.clone(), format!("{figures} -"))),
                    _ => troops.extend((1..=count.parse().unwrap()).map(|number: i64| {
                        (
                            format!("{regiment}_{number}"),
                            format!("{figures} {regiment}"),
                        )
                    })),
                }
            }
        }
        let guns = self.entries(3).into_iter().map(|entry| {
            let [code, gun, range, ma] = entry[..] else {
                panic!("{entry:?}")
            };
            let kind = if gun == "horse" { "horse_guns" } else { "guns" };
            let id = format!("{corps}_{}", code.to_lowercase());
            (id, format!("{kind} 0 {ma} {gun} {range} {guard} -"))
        });
        let guns = guns.collect();
        [troops, guns]
    }

    /// Where its counters stand: the hex, the front, the place in the stack from the top. A unit
    /// and a battery fill each of the first hexes as long as there are batteries, two units the
    /// others, chasseurs on top; guns alone stand three in a hex. The leader stands in the first.
    fn places(&self) -> BTreeMap<String, String> {
        let mut words = self.parts[4].split(' ');
        if words.next() != Some("facing") {
            return BTreeMap::new();
        }
        let facing = words.next().unwrap();
        let hexes: Vec<&str> = words.collect();
        let [troops, guns] = self.units();
        let alone = troops.is_empty();
        let (mut troops, mut guns) = (troops.into_iter().peekable(), guns.into_iter().peekable());
        let mut found = BTreeMap::new();
        if self.parts[0] != "-" {
            found.insert(format!("{}_ld", self.id), hexes[0].to_owned());
        }
        for hex in hexes {
            let mut stack = Vec::new();
            if alone {
                stack.extend(guns.by_ref().take(3));
            } else {
                stack.extend(troops.next());
                let second = if guns.peek().is_some() {
                    guns.next()
                } else {
                    troops.next()
                };
                stack.extend(second);
            }
            stack.sort_by_key(|(_, figures)| !figures.starts_with("jaeger"));
            for (rank, (id, _)) in stack.into_iter().enumerate() {
                found.insert(id, format!("{hex} {facing} {rank}"));
            }
        }
        assert!(
            troops.peek().is_none() && guns.peek().is_none(),
            "{}",
            self.id
        );
        found
    }
}

fn brigades(battle: &str) -> Vec<Brigade> {
    listed(&format!("brigade {battle}"))
        .map(Brigade::of)
        .collect()
}

fn int(piece: &PieceDecl, name: &str) -> i64 {
    let value = piece.attributes.get(name).and_then(Value::as_int);
    value.unwrap_or(0)
}

/// A counter of the game, as the list would have it.
fn figures(piece: &PieceDecl) -> String {
    let text = |name: &str| {
        piece
            .attributes
            .get(name)
            .and_then(Value::as_text)
            .unwrap_or("-")
    };
    let guard = piece.attributes.get("guard") == Some(&Value::Bool(true));
    let number = |name: &str| int(piece, name);
    let (id, side, kind) = (&piece.id, &piece.side, &piece.kind);
    let formation = piece.formation.as_deref().unwrap_or("-");
    let figures = match kind.as_str() {
        "chief" => format!("{} {} {}", number("ma"), number("initiative"), piece.name),
        "commander" => format!(
            "{} {} {} back {} {} near {} {}",
            number("range"),
            number("continuity"),
            number("ma"),
            number("back_range"),
            number("back_continuity"),
            number("near_range"),
            piece.name
        ),
        "brigadier" => format!(
            "{} {} {} {}",
            number("range"),
            number("engagement"),
            number("ma"),
            piece.name
        ),
        _ => format!(
            "{} {} {} {} {} {}",
            number("cohesion"),
            number("ma"),
            text("gun"),
            number("range"),
            if guard { "guard" } else { "-" },
            text("regiment")
        ),
    };
    format!("{id} {side} {formation} {} {kind} {figures}", text("corps"))
}

/// Sides of corps, by their ids.
fn side_of(battle: &str, corps: &str) -> &'static str {
    let mut all = listed(&format!("corps {battle} {corps}"));
    all.next().unwrap().split(' ').next().unwrap()
}

#[test]
fn counters_and_leaders_are_those_of_the_list() {
    for (battle, counters) in [("solferino", 612), ("magenta", 316)] {
        let game = set(forces_of(battle).pieces.iter().map(figures));
        let mut list = BTreeSet::new();
        for brigade in brigades(battle) {
            let corps = brigade.corps();
            let side = side_of(battle, corps);
            let id = brigade.id;
            if brigade.parts[0] != "-" {
                let leader = brigade.parts[0];
                list.insert(format!("{id}_ld {side} {id} {corps} brigadier {leader}"));
            }
            for (unit, figures) in brigade.units().concat() {
                list.insert(format!("{unit} {side} {id} {corps} {figures}"));
            }
        }
        for line in listed(&format!("commander {battle}")) {
            let (words, name) = line.split_once(": ").unwrap();
            let (corps, words) = words.split_once(' ').unwrap();
            let side = side_of(battle, corps);
            let figures: Vec<&str> = words.split(' ').take(8).collect();
            let figures = figures.join(" ").replace("near -", "near 0");
            list.insert(format!(
                "{corps}_co {side} {corps} {corps} commander {figures} {name}"
            ));
        }
        for line in listed(&format!("chief {battle}")) {
            let (words, name) = line.split_once(": ").unwrap();
            let words: Vec<&str> = words.split(' ').collect();
            let id = chief_id(name);
            let (side, figures) = (words[0], words[1..3].join(" "));
            list.insert(format!("{id} {side} - - chief {figures} {name}"));
        }
        assert_same(battle, &game, &list);
        assert_eq!(list.len(), counters, "{battle}");
    }
}

/// The id of a commander in chief: the first of his names.
fn chief_id(name: &str) -> String {
    let first = name.split(' ').next().unwrap();
    format!("cc_{}", first.to_lowercase())
}

/// Who comes in and when, as the list has it: the turn, the entry, and whether it acts but once.
fn arrivals(battle: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for brigade in brigades(battle) {
        if brigade.parts[4].starts_with("turn") {
            found.insert(format!("{} {}", brigade.id, brigade.parts[4]));
        }
    }
    for (what, skipped) in [("commander", "_co"), ("chief", "")] {
        for line in listed(&format!("{what} {battle}")) {
            let (words, name) = line.split_once(": ").unwrap();
            let Some((_, when)) = words.split_once(" turn ") else {
                continue;
            };
            let id = match skipped {
                "" => chief_id(name),
                _ => format!("{}{skipped}", words.split(' ').next().unwrap()),
            };
            found.insert(format!("{id} turn {when}"));
        }
    }
    found
}

fn field<'v>(value: &'v Value, name: &str) -> &'v Value {
    value.as_map().and_then(|map| map.get(name)).unwrap()
}

fn data<'s>(scenario: &'s Scenario, name: &str) -> &'s Fields {
    scenario.data[name].as_map().unwrap()
}

/// A value in one word.
fn word(value: &Value) -> String {
    match value {
        Value::Text(text) => text.to_string(),
        Value::Int(number) => number.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn reinforcements_and_objectives_are_those_of_the_list() {
    for battle in BATTLES {
        let scenario = scenario(battle);
        let mut game = set(data(&scenario, "arrivals").iter().map(|(id, arrival)| {
            let once = match arrival.as_map().unwrap().get("one_activation") {
                Some(Value::Bool(true)) => " once",
                _ => "",
            };
            let [turn, entry] = ["turn", "entry"].map(|name| word(field(arrival, name)));
            format!("{id} turn {turn} {entry}{once}")
        }));
        for (id, entry) in data(&scenario, "entries") {
            let [side, hex] = ["side", "hex"].map(|name| word(field(entry, name)));
            game.insert(format!("entry {id} {side} {hex}"));
        }
        for (hex, flag) in data(&scenario, "victory_hexes") {
            game.insert(format!("flag {hex} {}", word(field(flag, "points"))));
        }
        for (loss, points) in data(&scenario, "losses") {
            game.insert(format!("{loss} {}", word(points)));
        }
        for level in scenario.data["levels"].as_list().unwrap() {
            let [least, level] = ["min", "result"].map(|name| field(level, name));
            game.insert(format!("{} {}", word(least), word(level)));
        }
        let mut list = arrivals(battle);
        for what in ["entry", "flag"] {
            let lines = listed(&format!("{what} {battle}"));
            list.extend(lines.map(|line| format!("{what} {line}")));
        }
        for what in ["losses", "levels_of_victory"] {
            let mut lines = listed(&format!("{what} {battle}"));
            list.extend(lines.next().unwrap().split(", ").map(str::to_owned));
        }
        assert_same(battle, &game, &list);
    }
}

/// Where the counters of a scenario stand on the map: hex, and of units front and place.
fn standing(scenario: &Scenario) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for (hex, pieces) in &scenario.positions {
        if !hex.as_str().starts_with(['S', 'M']) {
            continue;
        }
        for piece in pieces {
            let fields = scenario.pieces.get(piece);
            let number = |name: &str| Some(word(fields?.get(name)?));
            let more = match (number("facing"), number("rank")) {
                (Some(facing), Some(rank)) => format!(" {facing} {rank}"),
                _ => String::new(),
            };
            found.insert(piece.to_string(), format!("{hex}{more}"));
        }
    }
    found
}

#[test]
fn set_ups_are_those_of_the_list() {
    for battle in BATTLES {
        let mut list = BTreeMap::new();
        for brigade in brigades(battle) {
            list.extend(brigade.places());
        }
        for (what, suffix) in [("commander", "_co"), ("chief", "")] {
            for line in listed(&format!("{what} {battle}")) {
                let (words, name) = line.split_once(": ").unwrap();
                let hex = words.rsplit(' ').next().unwrap();
                let id = match suffix {
                    "" => chief_id(name),
                    _ => format!("{}{suffix}", words.split(' ').next().unwrap()),
                };
                if hex.len() > 2 {
                    list.insert(id, hex.to_owned());
                }
            }
        }
        let lines =
            |all: &BTreeMap<String, String>| set(all.iter().map(|(id, at)| format!("{id} {at}")));
        assert_same(battle, &lines(&standing(&scenario(battle))), &lines(&list));
    }
}

#[test]
fn the_canal_bridge_is_set_up_as_the_list_says() {
    let game = standing(&scenario("canal_bridge"));
    let game = set(game.iter().map(|(id, at)| {
        // The list has no places in stacks: whoever is named first is on top.
        let words: Vec<&str> = at.split(' ').take(2).collect();
        format!("{id} {}", words.join(" "))
    }));
    assert_same("canal_bridge", &game, &set(listed("stands")));
}

#[test]
fn turns_weather_and_corps_are_those_of_the_list() {
    for battle in ["solferino", "magenta", "canal_bridge"] {
        let scenario = scenario(battle);
        let weather = scenario.data["weather"].as_list().unwrap();
        let weather: Vec<String> = weather.iter().map(word).collect();
        let line = listed(&format!("battle {battle}")).next().unwrap();
        let mut words = line.splitn(3, ' ');
        assert_eq!(
            words.next(),
            Some(&*word(&scenario.data["turns"])),
            "{battle}"
        );
        let first = word(&scenario.data["first_initiative"]);
        assert_eq!(words.next(), Some(&*first), "{battle}");
        let listed_weather = words.next().unwrap().split(' ').flat_map(|it| {
            let (what, times) = it.split_once('x').unwrap_or((it, "1"));
            std::iter::repeat_n(what, times.parse().unwrap())
        });
        assert_eq!(weather, listed_weather.collect::<Vec<_>>(), "{battle}");
    }
    for battle in BATTLES {
        let scenario = scenario(battle);
        let game = set(data(&scenario, "corps").iter().map(|(id, corps)| {
            let [side, army, order] =
                ["side", "army", "order"].map(|name| word(field(corps, name)));
            let brigades = field(corps, "brigades").as_list().unwrap().iter();
            let brigades = brigades.map(word).collect::<Vec<_>>().join(" ");
            format!("{id} {side} {army} {order}: {brigades}")
        }));
        let list = set(listed(&format!("corps {battle}")).map(|line| {
            let corps = line.split(' ').next().unwrap();
            let own = brigades(battle).into_iter();
            let own = own.filter(|brigade| brigade.corps() == corps);
            let own = own.map(|brigade| brigade.id).collect::<Vec<_>>().join(" ");
            format!("{line}: {own}")
        }));
        assert_same(battle, &game, &list);
        let rests = listed(&format!("rests {battle}"));
        let resting = set(scenario.pieces.iter().filter_map(|(id, fields)| {
            let is_resting = fields.get("reserve") == Some(&Value::Bool(true));
            is_resting.then_some(id)
        }));
        let list = brigades(battle);
        let expected = set(rests.flat_map(|id| {
            let brigade = list.iter().find(|brigade| brigade.id == id).unwrap();
            brigade.units().concat().into_iter().map(|(id, _)| id)
        }));
        assert_eq!(resting, expected, "in reserve at {battle}");
    }
}
