//! Checks `display` in game.yaml: the attributes, states, data and facts that it names must exist.

use super::names::{Names, Sort};
use crate::game::{Problem, nearest};

/// Names in `display` that the game does not have.
pub(super) fn unknown(names: &Names<'_>) -> Vec<Problem> {
    let decl = &names.game.decl;
    let display = &decl.display;
    let mut named: Vec<(String, Sort, &str)> = Vec::new();
    let single = [
        ("strength", Sort::Attribute, &display.strength),
        ("hits", Sort::Attribute, &display.hits),
        ("reduced", Sort::Attribute, &display.reduced),
        ("radius", Sort::Attribute, &display.radius),
        ("span", Sort::Attribute, &display.span),
        ("kept_by", Sort::Attribute, &display.kept_by),
        ("pace", Sort::Attribute, &display.pace),
        ("facing", Sort::Attribute, &display.facing),
        ("rank", Sort::Attribute, &display.rank),
        ("bars.attribute", Sort::Attribute, &display.bars.attribute),
        ("control", Sort::SpaceState, &display.control),
        ("supply", Sort::SpaceData, &display.supply),
        ("limits", Sort::ScenarioData, &display.limits),
        ("bridge", Sort::RoadData, &display.bridge),
        ("broken", Sort::RoadState, &display.broken),
    ];
    for (key, sort, name) in single {
        named.extend(
            name.iter()
                .map(|name| (key.to_owned(), sort, name.as_str())),
        );
    }
    for (key, list) in [("units", &display.units), ("leaders", &display.leaders)] {
        let places = list.iter().enumerate();
        named
            .extend(places.map(|(number, name)| {
                (format!("{key}[{number}]"), Sort::Attribute, name.as_str())
            }));
    }
    for (number, mark) in display.marks.iter().enumerate() {
        let path = format!("marks[{number}].attribute");
        named.push((path, Sort::Attribute, &mark.attribute));
    }
    for (number, arrow) in display.arrows.iter().enumerate() {
        named.push((format!("arrows[{number}].event"), Sort::Event, &arrow.event));
    }
    for (number, heading) in display.headings.iter().enumerate() {
        let path = format!("headings[{number}].event");
        named.push((path, Sort::Event, &heading.event));
    }
    for (number, several) in display.together.iter().enumerate() {
        let path = format!("together[{number}].event");
        named.push((path, Sort::Event, &several.event));
    }
    for (number, siege) in display.sieges.iter().enumerate() {
        named.push((format!("sieges[{number}].fact"), Sort::Fact, &siege.fact));
    }
    for terrain in display.terrains.keys() {
        named.push((format!("terrains.{terrain}"), Sort::Terrain, terrain));
    }
    for (id, declared) in &decl.boxes {
        let until = declared.until.iter();
        named.extend(until.map(|name| (format!("boxes.{id}"), Sort::Attribute, name.as_str())));
    }
    let file = format!("games/{}/game.yaml", decl.id);
    let unknown = named
        .into_iter()
        .filter(|(_, sort, name)| !names.holds(*sort, name));
    unknown
        .map(|(path, sort, name)| {
            let message = format!("there is no {} `{name}`", sort.name());
            let path = match path.strip_prefix("boxes.") {
                Some(id) => format!("boxes.{id}.until"),
                None => format!("display.{path}"),
            };
            let problem = Problem::new(&file, path, message);
            match nearest(name, names.all(sort).iter().copied()) {
                Some(near) => problem.hint(format!("did you mean `{near}`?")),
                None => problem,
            }
        })
        .collect()
}
