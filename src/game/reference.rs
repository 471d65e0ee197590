//! The reference of a game's files, made from the types that read them: a page for authors, and
//! JSON schemas for editors.

use std::fmt::Write;

use schemars::{JsonSchema, Schema, generate::SchemaSettings};
use serde_json::{Map as Json, Value};

use super::{ChecklistEntry, Forces, GameDecl, Map, Scenario, Tables, Text, hex::HexFile};

/// A kind of file of a game.
struct FileKind {
    /// Its name, for headings.
    name: &'static str,
    /// Its purpose, in one sentence.
    about: &'static str,
    schema: fn() -> Schema,
}

const KINDS: [FileKind; 8] = [
    FileKind {
        name: "game.yaml",
        about: "What the game is: sides, pieces' attributes, facts, phases, events, the order language.",
        schema: schema::<GameDecl>,
    },
    FileKind {
        name: "map.yaml",
        about: "A map of spaces and the roads between them.",
        schema: schema::<Map>,
    },
    FileKind {
        name: "map.yaml with a grid",
        about: "A map of hexes.",
        schema: schema::<HexFile>,
    },
    FileKind {
        name: "forces.yaml",
        about: "Formations and pieces.",
        schema: schema::<Forces>,
    },
    FileKind {
        name: "tables.yaml",
        about: "All numbers of the rules: tables by name.",
        schema: schema::<Tables>,
    },
    FileKind {
        name: "scenarios/NAME.yaml",
        about: "A starting position.",
        schema: schema::<Scenario>,
    },
    FileKind {
        name: "text/LANGUAGE.yaml",
        about: "All words that players of a language read.",
        schema: schema::<Text>,
    },
    FileKind {
        name: "checklist.yaml",
        about: "The rules that there are, in `rules/NAME/`: cases say which of them they test.",
        schema: schema::<Vec<ChecklistEntry>>,
    },
];

fn schema<T: JsonSchema>() -> Schema {
    let settings = SchemaSettings::draft2020_12().for_deserialize();
    settings.into_generator().into_root_schema_for::<T>()
}

/// The JSON schemas for editors: the name of each file, and its text.
#[must_use]
pub fn schemas() -> Vec<(String, String)> {
    let kinds = KINDS.iter().map(|kind| {
        let text = serde_json::to_string_pretty(&(kind.schema)()).unwrap_or_default();
        (format!("{}.schema.json", file_name(kind.name)), text + "\n")
    });
    kinds.collect()
}

/// `scenarios/NAME.yaml` as the name of a file: `scenarios`.
fn file_name(name: &str) -> String {
    match name {
        "map.yaml with a grid" => "map-hexes".to_owned(),
        _ => name.split(['/', '.']).next().unwrap_or_default().to_owned(),
    }
}

/// The page with every key of every file.
#[must_use]
pub fn page() -> String {
    let mut page = String::from(
        "# The files of a game\n\n\
         Every key that a game's files may have, made from the types that read them (`estafette check --reference docs`). A key that \
         does not stand here is an error. For editors there are JSON schemas beside this page in `schema/`. How a game is \
         written, step by step, stands in [rules.md](rules.md).\n",
    );
    for kind in &KINDS {
        let schema = (kind.schema)();
        let sections = Sections {
            of: kind.name,
            root: schema.as_value(),
        };
        let _ = write!(page, "\n## {}\n\n{}\n", kind.name, kind.about);
        sections.write(&mut page);
    }
    page
}

/// The sections of one file.
struct Sections<'a> {
    of: &'a str,
    root: &'a Value,
}

impl Sections<'_> {
    fn write(&self, page: &mut String) {
        if self.root["properties"].is_object() {
            self.table(page, self.root);
        } else {
            let _ = write!(page, "\nIt is a {}.\n", self.kind_of(self.root));
        }
        for (name, of) in self.definitions() {
            if of["properties"].is_object() {
                let about = said(&of);
                let _ = write!(page, "\n### {}\n\n{about}\n", self.heading(&name));
                self.table(page, &of);
            } else if let Some(ways) = of["oneOf"].as_array() {
                let _ = write!(page, "\n### {}\n\n{}\n\n", self.heading(&name), said(&of));
                for way in ways {
                    let word = way["const"].as_str().unwrap_or_default();
                    let _ = writeln!(page, "- `{word}`: {}", said(way));
                }
            }
        }
    }

    fn definitions(&self) -> Vec<(String, Value)> {
        let definitions = self.root["$defs"].as_object();
        let all = definitions.into_iter().flatten();
        all.map(|(name, of)| (name.clone(), of.clone())).collect()
    }

    fn heading(&self, name: &str) -> String {
        let name = name.strip_suffix("Decl").unwrap_or(name);
        format!("{}: {name}", self.of)
    }

    /// The keys of an object, a line each.
    fn table(&self, page: &mut String, of: &Value) {
        page.push_str("\n| key | what it is | needed | meaning |\n|---|---|---|---|\n");
        let empty = Json::new();
        let properties = of["properties"].as_object().unwrap_or(&empty);
        let required: Vec<&str> = of["required"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        for (key, value) in properties {
            let needed = if required.contains(&key.as_str()) {
                "yes".to_owned()
            } else {
                default(&value["default"])
            };
            let _ = writeln!(
                page,
                "| `{key}` | {} | {needed} | {} |",
                self.kind_of(value).replace('|', "\\|"),
                said(value).replace('|', "\\|"),
            );
        }
    }

    /// The type of a value, in words.
    fn kind_of(&self, value: &Value) -> String {
        if let Some(target) = value["$ref"].as_str() {
            return self.referred(target.rsplit('/').next().unwrap_or_default());
        }
        if let Some(ways) = value["anyOf"].as_array() {
            let ways: Vec<String> = ways
                .iter()
                .filter(|way| way["type"] != "null")
                .map(|way| self.kind_of(way))
                .collect();
            return ways.join(" or ");
        }
        let kind = match &value["type"] {
            Value::Array(kinds) => kinds.iter().find(|kind| *kind != "null"),
            kind => Some(kind),
        };
        match kind.and_then(Value::as_str) {
            Some("string") => "text".to_owned(),
            Some("integer") => "number".to_owned(),
            Some("boolean") => "true or false".to_owned(),
            Some("array") => format!("list: {}", self.kind_of(&value["items"])),
            Some("object") => {
                let of = &value["additionalProperties"];
                match of.is_object() || value["patternProperties"].is_object() {
                    true if of.is_object() => format!("map: {}", self.kind_of(of)),
                    _ => "map".to_owned(),
                }
            }
            _ => "any value".to_owned(),
        }
    }

    /// A definition in words: a link to its section, its list of words, or its own description.
    fn referred(&self, name: &str) -> String {
        let of = &self.root["$defs"][name];
        if of["properties"].is_object() {
            let heading = self.heading(name).to_lowercase();
            let letters = heading
                .chars()
                .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
            let anchor: String = letters.map(|c| if c == ' ' { '-' } else { c }).collect();
            let name = name.strip_suffix("Decl").unwrap_or(name);
            return format!("[{name}](#{anchor})");
        }
        if let Some(words) = words(of) {
            return words.join(", ");
        }
        if name == "Value" {
            return "any value".to_owned();
        }
        self.kind_of(of)
    }
}

/// The words that a value can be, if it is a choice of words.
fn words(of: &Value) -> Option<Vec<String>> {
    let quoted = |word: &Value| Some(format!("`{}`", word.as_str()?));
    if let Some(words) = of["enum"].as_array() {
        return words.iter().map(quoted).collect();
    }
    let ways = of["oneOf"].as_array()?;
    ways.iter().map(|way| quoted(&way["const"])).collect()
}

/// The documentation, on one line.
fn said(of: &Value) -> String {
    let said = of["description"].as_str().unwrap_or_default();
    said.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The default without a key.
fn default(value: &Value) -> String {
    match value {
        Value::Bool(truth) => format!("no: `{truth}`"),
        Value::Number(number) => format!("no: {number}"),
        Value::String(text) if !text.is_empty() => format!("no: `{text}`"),
        _ => "no".to_owned(),
    }
}
