//! The graph of rooms: what may use what. An arrow that is not in the table is a mistake, or a
//! decision to be written here.

use std::collections::{BTreeMap, BTreeSet};

use super::imports::{Module, Sources, circles};

/// Every room with all the rooms that it uses, those below it first; a line that is set in goes on
/// with the one before. `crate` is the crate itself: its version.
const ROOMS: &str = "
crate:
ids:
digest:
ordered:
value:
yaml:
bounded:
visible:
unfinished:
disk: bounded unfinished
by_text:
templates:
mail: digest unfinished
dice: digest ids
game: bounded dice digest ids ordered templates value yaml
world: digest game ids ordered value
orders: game ids ordered templates value visible world
rules: dice game ids ordered orders value world
dispatch: game ids mail ordered templates value world
store: bounded digest disk game mail unfinished
campaign::model: bounded by_text crate dice digest disk dispatch game ids mail orders rules store
    value world yaml
campaign::words: campaign::model dice game ids orders rules templates value world
campaign::intake: campaign::model campaign::words dice digest ids mail orders
campaign::turn: campaign::model campaign::words dice digest game ids mail
    rules store value world
campaign::post: campaign::model campaign::turn campaign::words dice digest dispatch game ids
    mail orders rules store value world
campaign::durable: campaign::intake campaign::model campaign::post campaign::turn
    campaign::words dice digest dispatch game ids mail rules store
campaign:
check: dice dispatch game ids ordered orders rules value world yaml
audit: bounded campaign campaign::durable campaign::model campaign::post dice digest disk ids
    mail store
cases: bounded campaign::model campaign::post campaign::words dice dispatch game ids ordered
    orders rules value world yaml
simulate: audit campaign::durable campaign::model campaign::words dice digest dispatch game ids mail
    rules store value world
isolation: bounded campaign campaign::durable campaign::model game mail store
club: bounded campaign::durable campaign::model campaign::words dice digest disk
    dispatch game ids mail orders store yaml
serve: bounded campaign campaign::durable campaign::model club disk isolation mail store visible
    yaml
cli: audit bounded campaign campaign::durable campaign::model campaign::words cases check club dice
    digest disk dispatch game ids isolation mail orders rules serve simulate store templates unfinished visible
    world yaml
";

/// The table, room by room.
fn table() -> Vec<(&'static str, BTreeSet<String>)> {
    let mut table: Vec<(&str, BTreeSet<String>)> = Vec::new();
    for line in ROOMS.lines().filter(|line| !line.is_empty()) {
        let used = match line
            .split_once(": ")
            .or(line.strip_suffix(':').map(|room| (room, "")))
        {
            Some((room, used)) => {
                table.push((room, BTreeSet::new()));
                used
            }
            None => line,
        };
        let row = table.last_mut().expect("a room comes first");
        row.1.extend(used.split_whitespace().map(str::to_owned));
    }
    table
}

/// The room that a module belongs to: the longest entry of the table that its path begins with.
fn room(module: &Module) -> String {
    if module.is_empty() {
        return "crate".to_owned();
    }
    let path = module.join("::");
    let rooms = table().into_iter().map(|(room, _)| room);
    let fitting = rooms.filter(|room| path == *room || path.starts_with(&format!("{room}::")));
    fitting
        .max_by_key(|room| room.len())
        .unwrap_or(&path)
        .to_owned()
}

/// The arrows between rooms that the imports of their files make.
fn between_rooms(
    arrows: &BTreeMap<Module, BTreeSet<Module>>,
) -> BTreeMap<Module, BTreeSet<Module>> {
    let mut rooms: BTreeMap<Module, BTreeSet<Module>> = BTreeMap::new();
    for (from, to) in arrows {
        let from = vec![room(from)];
        let to: Vec<Module> = to.iter().map(|to| vec![room(to)]).collect();
        let others = to.into_iter().filter(|to| *to != from);
        rooms.entry(from.clone()).or_default().extend(others);
    }
    rooms
}

/// One line a room, so that a difference names the room.
fn lines(rooms: impl Iterator<Item = (String, BTreeSet<String>)>) -> String {
    let lines = rooms.map(|(room, used)| {
        format!(
            "{room}: {}\n",
            used.into_iter().collect::<Vec<_>>().join(" ")
        )
    });
    let mut lines: Vec<_> = lines.collect();
    lines.sort();
    lines.concat()
}

#[test]
fn rooms_use_what_the_table_says() {
    let found = between_rooms(&Sources::of_src().arrows());
    let found = found.into_iter().map(|(room, used)| {
        (
            room.concat(),
            used.into_iter().map(|room| room.concat()).collect(),
        )
    });
    let table = table()
        .into_iter()
        .map(|(room, used)| (room.to_owned(), used));
    assert_eq!(
        lines(found),
        lines(table),
        "imports on the left, the table on the right"
    );
}

#[test]
fn no_rooms_use_each_other_in_a_circle() {
    let found = circles(&between_rooms(&Sources::of_src().arrows()));
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn arrows_are_seen_through_nested_imports() {
    let sources = Sources::of(&[
        (
            "a",
            "pub use b::Thing; mod b; use crate::{c::{self, Other}, d};",
        ),
        (
            "a::b",
            "pub struct Thing; pub(super) fn f() { super::super::d::g(); }",
        ),
        (
            "c",
            "use crate::a::Thing; #[cfg(test)] mod tests { use crate::d; }",
        ),
        ("d", ""),
    ]);
    let arrows = sources.arrows();
    let module = |path: &str| path.split("::").map(str::to_owned).collect::<Module>();
    let used = |path: &str| {
        arrows[&module(path)]
            .iter()
            .map(|to| to.join("::"))
            .collect::<Vec<_>>()
    };
    assert_eq!(used("a"), ["c", "d"]);
    assert_eq!(used("a::b"), ["d"]);
    assert_eq!(
        used("c"),
        ["a::b"],
        "behind the door, and without the tests"
    );
    assert!(
        circles(&arrows).is_empty(),
        "a door that hands on is no use of what is behind it"
    );

    let circle = Sources::of(&[("a", "use crate::b::X;"), ("b", "use super::a::Y;")]);
    assert_eq!(circles(&circle.arrows()).len(), 1);
}

/// Within the campaign files use each other in one direction too.
#[test]
fn no_files_of_the_campaign_use_each_other_in_a_circle() {
    let arrows = Sources::of_src().arrows().into_iter();
    let arrows = arrows.filter(|(file, _)| file.first().is_some_and(|room| room == "campaign"));
    let found = circles(&arrows.collect());
    assert!(found.is_empty(), "{found:?}");
}

/// How many files of a room use each other in circles. Fewer is better, more is a mistake: what two
/// files need of each other has a third place.
const IN_CIRCLES: [(&str, usize); 8] = [
    ("audit", 6),
    ("club", 2),
    ("dice", 4),
    ("dispatch", 19),
    ("game", 10),
    ("mail", 8),
    ("orders", 11),
    ("rules", 15),
];

#[test]
fn no_file_comes_to_those_that_stand_in_circles() {
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    for circle in circles(&Sources::of_src().arrows()) {
        if let Some(room) = circle.first().and_then(|file| file.first()) {
            *found.entry(room.clone()).or_default() += circle.len();
        }
    }
    let known: BTreeMap<String, usize> = IN_CIRCLES
        .iter()
        .map(|(room, count)| ((*room).to_owned(), *count))
        .collect();
    assert_eq!(found, known);
}
