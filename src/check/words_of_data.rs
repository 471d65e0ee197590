//! Words that a game's data brings along: keys of maps, results of tables, keywords of forms.

use std::collections::BTreeSet;

use crate::game::Game;

/// Keys of maps that the host makes.
pub(super) const HOST_KEYS: [&str; 35] = [
    "piece",
    "name",
    "side",
    "kind",
    "own",
    "unknown",
    "space",
    "id",
    "add",
    "who",
    "verb",
    "line",
    "text",
    "seat",
    "condition",
    "otherwise",
    "orders",
    "block",
    "mail",
    "list",
    "all",
    "at",
    "except",
    "within",
    "of",
    "is",
    "args",
    "not",
    "any",
    "number",
    "topic",
    "about",
    "options",
    "phase",
    "lines",
];

/// Keys of maps in tables, data and facts.
pub(super) fn keys_of_data(game: &Game) -> BTreeSet<&str> {
    use crate::value::Value;
    fn keys<'v>(value: &'v Value, found: &mut BTreeSet<&'v str>) {
        match value {
            Value::List(list) => list.iter().for_each(|item| keys(item, found)),
            Value::Map(fields) => {
                for (name, item) in fields {
                    found.insert(name);
                    keys(item, found);
                }
            }
            _ => {}
        }
    }
    let mut found = BTreeSet::new();
    let maps = game.maps().map(|map| map.map());
    let values = (game.tables.values())
        .flat_map(|table| {
            table
                .values
                .values()
                .chain(table.rows.iter().flat_map(|row| &row.result))
        })
        .chain(
            game.scenarios
                .values()
                .flat_map(|scenario| scenario.data.values().chain(scenario.facts.values())),
        )
        .chain(
            maps.clone()
                .flat_map(|map| &map.spaces)
                .flat_map(|space| space.data.values()),
        )
        .chain(
            maps.flat_map(|map| &map.roads)
                .flat_map(|road| road.data.values()),
        )
        .chain(game.decl.facts.values().map(|fact| &fact.default));
    values.for_each(|value| keys(value, &mut found));
    found
}

/// All texts that tables give as results or hold as values.
pub(super) fn results_of_tables(game: &Game) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    for table in game.tables.values() {
        let results = table.rows.iter().flat_map(|row| &row.result);
        for value in results.chain(table.values.values()) {
            super::names::texts_in(value, &mut found);
        }
        found.extend(table.columns.iter().map(|column| column.id.as_str()));
    }
    found
}

/// The keywords that forms, topics and groups have.
pub(super) fn keywords_of_forms(game: &Game) -> BTreeSet<String> {
    let orders = &game.decl.orders;
    let forms = (orders.verbs.values().flat_map(|verb| &verb.forms))
        .chain(orders.topics.values().flat_map(|topic| &topic.forms))
        .chain(
            orders
                .conditions
                .values()
                .flat_map(|condition| &condition.forms),
        );
    let mut found = BTreeSet::new();
    for form in forms {
        let mut rest = form.as_str();
        while let Some(start) = rest.find(|c: char| c.is_ascii_uppercase()) {
            let tail = rest.get(start..).unwrap_or_default();
            let end = tail
                .find(|c: char| !(c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_'))
                .unwrap_or(tail.len());
            found.insert(tail.get(..end).unwrap_or_default().to_owned());
            rest = tail.get(end..).unwrap_or_default();
        }
    }
    found.extend(
        orders
            .topics
            .values()
            .filter_map(|topic| topic.keyword.clone()),
    );
    let standing = orders.verbs.iter().filter(|(_, verb)| verb.standing);
    found.extend(standing.map(|(name, verb)| verb.group.as_ref().unwrap_or(name).to_uppercase()));
    // The host's own words may be spelt anew by a game.
    found.extend(
        [
            "ALL", "AT", "TO", "EXCEPT", "IF", "ELSE", "AND", "OR", "NOT", "END", "THEN", "ADD",
            "NOTHING", "CANCEL", "ASK", "DONT_ASK", "ANSWER",
        ]
        .map(str::to_owned),
    );
    found
}
