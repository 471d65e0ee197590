//! From files to a [`Game`].

use std::collections::BTreeMap;

use super::{
    ChecklistEntry, Files, Forces, Game, GameDecl, GameFiles, Lang, Map, MapIndex, Problem,
    Scenario, Tables, Text, read::Reader,
};
use indexmap::IndexMap;

impl Game {
    /// Loads a game and checks that it is sound.
    ///
    /// # Errors
    /// Everything that is wrong with its files, sorted by file and place.
    pub fn load(files: &dyn Files, id: &str) -> Result<Self, Vec<Problem>> {
        Self::from_files(&gather(files, id)?, id)
    }

    /// Loads a game that was sound when its files were pinned: its files are read, their sense is not checked again.
    ///
    /// # Errors
    /// Everything that can't be read.
    pub fn load_pinned(files: &dyn Files, id: &str) -> Result<Self, Vec<Problem>> {
        parse(&gather(files, id)?, id)
    }

    /// Loads a game from files in memory and checks that it is sound.
    ///
    /// # Errors
    /// Everything that is wrong with its files, sorted by file and place.
    pub fn from_files(files: &GameFiles, id: &str) -> Result<Self, Vec<Problem>> {
        parse(files, id)
    }
}

fn gather(files: &dyn Files, id: &str) -> Result<GameFiles, Vec<Problem>> {
    GameFiles::gather(files, id)
        .map_err(|error| vec![Problem::new(&format!("games/{id}"), "", error.to_string())])
}

fn parse(files: &GameFiles, id: &str) -> Result<Game, Vec<Problem>> {
    let mut reader = Reader::new(files, id);
    let decl: Option<GameDecl> = reader.file("game.yaml");
    let map: Option<Map> = reader.file("map.yaml");
    let forces: Option<Forces> = reader.file("forces.yaml");
    let tables: Option<Tables> = reader.file("tables.yaml");
    let scenarios: IndexMap<String, Scenario> = reader.folder("scenarios").into_iter().collect();
    let text: BTreeMap<Lang, Text> = texts(&mut reader);
    let checklist: Option<Vec<ChecklistEntry>> = reader.checklist();
    let scripts = reader.scripts();
    let parts = (decl, map, forces, tables, checklist);
    let (Some(decl), Some(map), Some(forces), Some(tables), Some(checklist)) = parts else {
        return Err(reader.problems());
    };
    let problems = reader.problems();
    if !problems.is_empty() {
        return Err(problems);
    }
    Ok(Game {
        decl,
        map: MapIndex::new(map),
        forces,
        tables,
        scenarios,
        text,
        scripts,
        checklist,
        digest: files.digest(),
    })
}

fn texts(reader: &mut Reader<'_>) -> BTreeMap<Lang, Text> {
    let texts = Lang::ALL.map(|lang| (lang, reader.file(&format!("text/{}.yaml", lang.code()))));
    texts
        .into_iter()
        .filter_map(|(lang, text)| Some((lang, text?)))
        .collect()
}
