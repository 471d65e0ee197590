//! The reference of a game's files is what the types read: it is written anew, has every key with
//! its meaning, and knows every key of the games that are shipped.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;
use syn::{Attribute, Item, ItemStruct, LitStr};

use estafette::game::reference;

use crate::support::program::estafette;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_reference_and_the_schemas_are_up_to_date() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let ran = estafette(&["check", "castiglione", "--reference", path], b"");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let mut names = vec![PathBuf::from("game-yaml.md")];
    let schemas = fs::read_dir(folder.path().join("schema")).unwrap();
    names.extend(schemas.map(|file| Path::new("schema").join(file.unwrap().file_name())));
    assert_eq!(names.len(), 9);
    for name in names {
        let written = fs::read_to_string(folder.path().join(&name)).unwrap();
        let kept = fs::read_to_string(root().join("docs").join(&name)).unwrap_or_default();
        assert!(
            written == kept,
            "docs/{} is not what the types read now; write it anew:\n\
             cargo run -- check castiglione --reference docs",
            name.display()
        );
    }
}

/// The keys of a struct as serde reads them; none if it reads another type in its place.
fn keys(item: &ItemStruct) -> Vec<String> {
    let text = |attribute: &Attribute, name: &str| {
        let mut found = None;
        let _ = attribute.parse_nested_meta(|meta| {
            if let Ok(value) = meta.value() {
                let value: LitStr = value.parse()?;
                if meta.path.is_ident(name) {
                    found = Some(value.value());
                }
            }
            Ok(())
        });
        found
    };
    let serde = |attributes: &[Attribute], name: &str| {
        let ours = attributes.iter().filter(|it| it.path().is_ident("serde"));
        ours.filter_map(|attribute| text(attribute, name)).next()
    };
    let reads = item.attrs.iter().any(|attribute| {
        let mut found = false;
        if attribute.path().is_ident("derive") {
            let _ = attribute.parse_nested_meta(|meta| {
                found |= meta.path.is_ident("Deserialize");
                Ok(())
            });
        }
        found
    });
    if !reads || serde(&item.attrs, "try_from").is_some() {
        return Vec::new();
    }
    let fields = item.fields.iter().filter_map(|field| {
        let name = field.ident.as_ref()?.to_string();
        Some(serde(&field.attrs, "rename").unwrap_or(name))
    });
    fields.collect()
}

/// The keys in each section of the page, by the last word of its heading, with what is said of
/// them.
fn sections(page: &str) -> BTreeMap<String, BTreeMap<String, String>> {
    let mut found: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    let mut section = String::new();
    for line in page.lines() {
        if let Some(heading) = line.strip_prefix('#') {
            let heading = heading.trim_start_matches('#').trim();
            section = match heading.rsplit_once(": ") {
                Some((_, name)) => name.to_owned(),
                None => heading.to_owned(),
            };
        } else if let Some(row) = line.strip_prefix("| `") {
            let key = row.split('`').next().unwrap();
            let said = row.trim_end_matches(" |").rsplit(" | ").next().unwrap();
            let keys = found.entry(section.clone()).or_default();
            keys.insert(key.to_owned(), said.to_owned());
        }
    }
    found
}

#[test]
fn every_key_that_the_types_read_is_explained() {
    let page = reference::page();
    let sections = sections(&page);
    let headings: BTreeMap<&str, &str> = [
        ("GameDecl", "game.yaml"),
        ("Map", "map.yaml"),
        ("HexFile", "map.yaml with a grid"),
        ("Forces", "forces.yaml"),
        ("Scenario", "scenarios/NAME.yaml"),
        ("Text", "text/LANGUAGE.yaml"),
        ("RawGrid", "Shape"),
    ]
    .into();
    let mut count = 0;
    for file in [
        "decl.rs",
        "model.rs",
        "display.rs",
        "text.rs",
        "mod.rs",
        "hex/file.rs",
        "hex/grid.rs",
    ] {
        let text = fs::read_to_string(root().join("src/game").join(file)).unwrap();
        for item in syn::parse_file(&text).unwrap().items {
            let Item::Struct(item) = item else { continue };
            let name = item.ident.to_string();
            let plain = name.strip_suffix("Decl").unwrap_or(&name);
            let section = headings.get(&*name).copied().unwrap_or(plain);
            for key in keys(&item) {
                let said = sections.get(section).and_then(|keys| keys.get(&key));
                assert!(
                    said.is_some_and(|said| !said.is_empty()),
                    "{section}: nothing is said of `{key}`"
                );
                count += 1;
            }
        }
    }
    assert!(count > 150, "{count}");
}

/// Keys of a file that its schema does not have.
fn unknown(schema: &Value, of: &Value, value: &Value, path: &str, found: &mut BTreeSet<String>) {
    if let Some(target) = of["$ref"].as_str() {
        let name = target.rsplit('/').next().unwrap();
        return unknown(schema, &schema["$defs"][name], value, path, found);
    }
    if let Some(ways) = of["anyOf"].as_array() {
        let mut least: Option<BTreeSet<String>> = None;
        for way in ways.iter().filter(|way| way["type"] != "null") {
            let mut wrong = BTreeSet::new();
            unknown(schema, way, value, path, &mut wrong);
            if least.as_ref().is_none_or(|least| wrong.len() < least.len()) {
                least = Some(wrong);
            }
        }
        return found.extend(least.unwrap_or_default());
    }
    match value {
        Value::Array(items) => {
            for item in items {
                unknown(schema, &of["items"], item, path, found);
            }
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                let path = format!("{path}.{name}");
                let property = &of["properties"][name];
                if property.is_object() {
                    unknown(schema, property, field, &path, found);
                } else if of["additionalProperties"].is_object() {
                    unknown(schema, &of["additionalProperties"], field, &path, found);
                } else if of["additionalProperties"] == false {
                    found.insert(path);
                }
            }
        }
        _ => {}
    }
}

#[test]
fn the_schemas_know_every_key_of_the_games_that_are_shipped() {
    let schemas: BTreeMap<String, Value> = reference::schemas()
        .into_iter()
        .map(|(name, text)| (name, serde_json::from_str(&text).unwrap()))
        .collect();
    let mut found = BTreeSet::new();
    let mut count = 0;
    let mut look = |path: &Path, schema: &str| {
        let value: Value = serde_yaml::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        let schema = &schemas[&format!("{schema}.schema.json")];
        unknown(
            schema,
            schema,
            &value,
            &path.display().to_string(),
            &mut found,
        );
        count += 1;
    };
    for game in [
        "castiglione",
        "diplomacy",
        "novara",
        "risorgimento",
        "toulon",
    ] {
        let folder = root().join("games").join(game);
        for name in ["game", "tables"] {
            look(&folder.join(format!("{name}.yaml")), name);
        }
        let map = match game {
            "novara" | "risorgimento" => "map-hexes",
            _ => "map",
        };
        let theatres = fs::read_dir(folder.join("theatres")).into_iter().flatten();
        let mut theatres: Vec<_> = theatres.map(|entry| entry.unwrap().path()).collect();
        if theatres.is_empty() {
            theatres.push(folder.clone());
        }
        for theatre in theatres {
            look(&theatre.join("map.yaml"), map);
            look(&theatre.join("forces.yaml"), "forces");
        }
        for (part, schema) in [("scenarios", "scenarios"), ("text", "text")] {
            for file in fs::read_dir(folder.join(part)).unwrap() {
                look(&file.unwrap().path(), schema);
            }
        }
        look(
            &root().join("rules").join(game).join("checklist.yaml"),
            "checklist",
        );
    }
    assert!(found.is_empty(), "{found:?}");
    assert!(count > 15, "{count}");
}

#[test]
fn a_key_that_no_type_reads_is_not_in_a_schema() {
    let (_, text) = reference::schemas().swap_remove(0);
    let schema: Value = serde_json::from_str(&text).unwrap();
    let wrong = serde_json::json!({"sides": [{"id": "red", "color": "#ff0000"}], "phases": [{"id": "a", "than": []}]});
    let mut found = BTreeSet::new();
    unknown(&schema, &schema, &wrong, "game", &mut found);
    assert_eq!(
        found.into_iter().collect::<Vec<_>>(),
        ["game.phases.than", "game.sides.color"]
    );
}
