//! From files to a [`Game`].

use std::{collections::BTreeMap, sync::Arc, thread};

use super::{
    ChecklistEntry, Files, Forces, Game, GameDecl, GameFiles, Lang, Map, MapIndex, Problem,
    Scenario, Seating, Severity, Tables, Text, Theatre,
    check::check,
    extending, locate, overlay,
    read::{FileTrust, GameReader},
};
use crate::ordered::IndexMap;

impl Game {
    /// The languages that it has words in.
    pub fn languages(&self) -> impl Iterator<Item = Lang> + Clone {
        self.text.keys().copied()
    }

    /// A language, or one that the game has instead if it has no words in this one.
    #[must_use]
    pub fn language(&self, wanted: Lang) -> Lang {
        let has = self.text.contains_key(&wanted);
        let other = || self.languages().next().unwrap_or(wanted);
        if has { wanted } else { other() }
    }

    /// Its words in a language, or in one that it has.
    #[must_use]
    pub fn words(&self, lang: Lang) -> Option<&Arc<Text>> {
        self.text.get(&self.language(lang))
    }

    /// The options with every switch on: what the order language is checked and explained with,
    /// since a verb may exist with an option only.
    #[must_use]
    pub fn switched_on(&self) -> BTreeMap<String, String> {
        let options = self.decl.options.iter();
        let switches = options.filter(|(_, option)| option.values.iter().any(|it| it == "on"));
        switches
            .map(|(id, _)| (id.clone(), "on".to_owned()))
            .collect()
    }

    /// The scenario that is asked for, or else the game's own, or the first one for a roster.
    ///
    /// # Errors
    /// The scenarios for this roster, if the one asked for is not among them.
    pub fn scenario_for<'a>(
        &'a self,
        roster: Option<&str>,
        asked: Option<&str>,
    ) -> Result<&'a str, Vec<&'a str>> {
        let fitting = (self.scenarios.values())
            .filter(|scenario| roster.is_none_or(|roster| scenario.is_for(roster)));
        let known: Vec<&str> = fitting.map(|scenario| scenario.id.as_str()).collect();
        let of_name = |name: &str| known.iter().copied().find(|id| *id == name);
        let found = match asked {
            Some(asked) => of_name(asked),
            None => of_name(&self.decl.default_scenario).or_else(|| known.first().copied()),
        };
        found.ok_or(known)
    }

    /// Returns true if pieces of a kind are units.
    #[must_use]
    pub fn is_unit(&self, kind: &str) -> bool {
        self.decl.kinds.get(kind).is_some_and(|kind| kind.unit)
    }

    /// Returns true if the checklist has a rule, or rules below it (`8.3` has `8.3.c`). A game
    /// without a checklist has any.
    #[must_use]
    pub fn has_rule(&self, rule: &str) -> bool {
        let belongs = |id: &str| {
            let rest = id.strip_prefix(rule);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        self.checklist.is_empty() || self.checklist.iter().any(|entry| belongs(&entry.id))
    }

    /// Loads a game and checks that it is sound.
    ///
    /// # Errors
    /// Everything that is wrong with its files, sorted by file and place.
    pub fn load(files: &dyn Files, id: &str) -> Result<Self, Vec<Problem>> {
        let (game, mut problems) = inspect(&gather(files, id)?, id);
        problems.retain(|problem| problem.severity == Severity::Error);
        match game {
            Some(game) if problems.is_empty() => Ok(game),
            _ => Err(problems),
        }
    }

    /// The game with other seats than those that it begins with.
    ///
    /// # Errors
    /// As [`GameDecl::take_seats`].
    pub fn seated(mut self, seating: &Seating) -> Result<Self, String> {
        self.decl.take_seats(seating)?;
        Ok(self)
    }

    /// Loads a game that was sound when its files were pinned: the files are read, their sense is
    /// not judged again.
    ///
    /// # Errors
    /// Everything that can't be read.
    pub fn load_pinned(files: &dyn Files, id: &str) -> Result<Self, Vec<Problem>> {
        match parse(&gather(files, id)?, id, FileTrust::Pinned) {
            (Some(game), problems) if problems.is_empty() => Ok(game),
            (_, problems) => Err(problems),
        }
    }
}

/// The scripts of a game alone: file names (`game/combat.rhai`) with their texts, as
/// [`Game::scripts`] has them. A file that is no text is left out; loading the game tells of it.
#[must_use]
pub fn scripts(files: &GameFiles, id: &str) -> Vec<(String, String)> {
    GameReader::new(files, id, FileTrust::Pinned).scripts()
}

/// Reads and checks a game as far as possible: the game, unless a file can't be read, and all
/// problems in order. Others who judge parts of it (forms, scripts) add theirs and call
/// [`sort_problems`].
#[must_use]
pub fn inspect(files: &GameFiles, id: &str) -> (Option<Game>, Vec<Problem>) {
    let (game, mut problems) = parse(files, id, FileTrust::Nothing);
    // A file that can't be read would only make other things look missing.
    if problems.is_empty() {
        problems.extend(game.iter().flat_map(|game| check(game, id)));
    }
    sort_problems(files, id, &mut problems);
    (game, problems)
}

/// The most bytes of files searched for the places of problems, since each place costs a reading of
/// its file. Problems beyond that have only their path.
const MOST_SEARCHED: usize = 2 << 20;

/// Finds line and column of problems that give a path only, and sorts them by file and place.
pub fn sort_problems(files: &GameFiles, id: &str, problems: &mut Vec<Problem>) {
    let mut left = MOST_SEARCHED;
    for problem in problems.iter_mut().filter(|problem| problem.line == 0) {
        let length = |file: &str| files.0.get(file).map_or(0, Vec::len);
        let over = problem.file.replace(&format!("games/{id}/"), "data/");
        let Some(rest) = left.checked_sub(length(&problem.file) + length(&over)) else {
            break;
        };
        left = rest;
        overlay::blame(files, id, problem);
        let text = files.0.get(&problem.file);
        let text = text.and_then(|bytes| std::str::from_utf8(bytes).ok());
        // The lines of a file that was laid over another stand in neither.
        if let Some(text) = text.filter(|text| !extending::is_laid_over(text)) {
            locate::place(problem, text);
        }
    }
    problems.sort();
    problems.dedup();
}

fn gather(files: &dyn Files, id: &str) -> Result<GameFiles, Vec<Problem>> {
    let refuse = |message: String| vec![Problem::new(&format!("games/{id}"), "", message)];
    let found = GameFiles::gather(files, id).map_err(|error| refuse(error.to_string()))?;
    if found.0.keys().any(|path| path.starts_with("games/")) {
        return Ok(found);
    }
    let known = files.game_ids().unwrap_or_default().join(", ");
    Err(refuse(format!(
        "there is no game `{id}`; there are: {known}"
    )))
}

/// The game, unless a file can't be read, and the problems of the files.
fn parse(files: &GameFiles, id: &str, trust: FileTrust) -> (Option<Game>, Vec<Problem>) {
    let path = format!("games/{id}/game.yaml");
    let extended = (files.0.get(&path)).and_then(|bytes| extending::extended(bytes));
    if let Some(other) = extended {
        // Joined files say nothing of it any more.
        let message = format!("there is no game `{other}` to extend");
        return (None, vec![Problem::new(&path, "extends", message)]);
    }
    let mut reader = GameReader::new(files, id, trust);
    let (data, text) = data_and_texts(&mut reader);
    let scripts = reader.scripts();
    let problems = reader.problems();
    let Some(data) = data else {
        return (None, problems);
    };
    let usual = data.decl.default_scenario.clone();
    let game = Game {
        decl: data.decl,
        map: data.map,
        forces: data.forces,
        tables: data.tables,
        theatre: None,
        theatres: data.theatres,
        scenarios: data.scenarios,
        text,
        scripts,
        checklist: data.checklist,
        digest: files.digest(),
    };
    let first = game.theatres.keys().next().cloned();
    let game = match first {
        Some(first) => game.in_theatre(&first).staged(&usual),
        None => game,
    };
    (Some(game), problems)
}

/// What of a game is neither words nor scripts.
struct GameData {
    decl: GameDecl,
    map: MapIndex,
    forces: Forces,
    tables: Tables,
    theatres: IndexMap<String, Theatre>,
    scenarios: IndexMap<String, Scenario>,
    checklist: Vec<ChecklistEntry>,
}

type Texts = BTreeMap<Lang, Arc<Text>>;

/// The data, unless a file of it can't be read, and the words. These are half of all: another
/// thread reads them meanwhile, since a process for a single mail does little else than reading.
fn data_and_texts(reader: &mut GameReader<'_>) -> (Option<GameData>, Texts) {
    let mut words = reader.apart();
    thread::scope(|scope| {
        let texts = scope.spawn(move || (texts(&mut words), words));
        let data = data(reader);
        let (texts, words) = texts
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        reader.join(words);
        (data, texts)
    })
}

fn data(reader: &mut GameReader<'_>) -> Option<GameData> {
    let mut decl: Option<GameDecl> = reader.file("game.yaml");
    if let Some(decl) = &mut decl {
        if !decl.rosters.is_empty() && !decl.seats.is_empty() {
            let message = "a game that has rosters has its seats there, and none beside them";
            reader.refuse("game.yaml", "seats", message.to_owned());
        }
        decl.take_first_roster();
    }
    let tables: Option<Tables> = reader.file_if_any("tables.yaml");
    let names = reader.theatres();
    let common = tables.clone().unwrap_or_default();
    let theatres: IndexMap<String, Theatre> = names
        .iter()
        .filter_map(|name| Some((name.clone(), theatre(reader, name, &common)?)))
        .collect();
    // A game of theatres has no map beside them, until one is taken.
    let own = if names.is_empty() {
        let map = map(reader, "map.yaml");
        map.zip(reader.file::<Forces>("forces.yaml"))
    } else {
        let first = theatres.values().next();
        first.map(|first| (first.map.clone(), first.forces.clone()))
    };
    let scenarios: IndexMap<String, Scenario> = reader.folder("scenarios").into_iter().collect();
    let checklist: Option<Vec<ChecklistEntry>> = reader.checklist();
    let (map, forces) = own?;
    Some(GameData {
        decl: decl?,
        map,
        forces,
        tables: tables?,
        theatres,
        scenarios,
        checklist: checklist?,
    })
}

/// A theatre: its map, its forces, and the game's tables with its own in their place.
fn theatre(reader: &mut GameReader<'_>, name: &str, common: &Tables) -> Option<Theatre> {
    let folder = format!("theatres/{name}");
    let map = map(reader, &format!("{folder}/map.yaml"));
    let forces: Option<Forces> = reader.file(&format!("{folder}/forces.yaml"));
    let own: Option<Tables> = reader.file_if_any(&format!("{folder}/tables.yaml"));
    let (map, forces, own) = (map?, forces?, own?);
    let own_tables = own.keys().cloned().collect();
    let mut tables = common.clone();
    tables.extend(own);
    Some(Theatre {
        map,
        forces,
        tables,
        own_tables,
    })
}

/// Most spaces of a map of points: names and plates are placed among all of them. A larger map is
/// one of hexes.
const MOST_SPACES: usize = 500;
/// Most roads of a map of points.
const MOST_ROADS: usize = 4_000;
/// Most points of all rivers and lakes of a map of points together, and of all outlines of areas.
const MOST_POINTS: usize = 10_000;

/// The map: of points, or of hexes if the file has a `grid`.
fn map(reader: &mut GameReader<'_>, file: &str) -> Option<MapIndex> {
    if reader.has_key(file, "grid") {
        return reader.file(file).map(MapIndex::of_hexes);
    }
    let map: Map = reader.file(file)?;
    let points = map.waters.values().map(|water| water.points.len());
    let outlines = map
        .drawing
        .iter()
        .flat_map(|drawing| drawing.outlines.values());
    let outlined = outlines.map(Vec::len).sum();
    let counted = [
        ("spaces", map.spaces.len(), MOST_SPACES),
        ("roads", map.roads.len(), MOST_ROADS),
        ("waters", points.sum(), MOST_POINTS),
        ("drawing.outlines", outlined, MOST_POINTS),
    ];
    let large = counted.into_iter().find(|(_, count, most)| count > most);
    if let Some((path, count, most)) = large {
        let message = format!("{count} are too many to be drawn; there may be {most}");
        reader.refuse(file, path, message);
        return None;
    }
    Some(MapIndex::new(map))
}

/// The words of each language that has a file; one is enough.
fn texts(reader: &mut GameReader<'_>) -> Texts {
    let name = |lang: Lang| format!("text/{}.yaml", lang.code());
    if !Lang::ALL.into_iter().any(|lang| reader.has(&name(lang))) {
        let known = Lang::ALL.map(name).join(" or ");
        let message = format!("a game needs words in one language at least: {known}");
        reader.refuse("text", "", message);
    }
    let mut texts = BTreeMap::new();
    for lang in Lang::ALL {
        if reader.has(&name(lang))
            && let Some(text) = reader.file::<Text>(&name(lang))
        {
            texts.insert(lang, text.into());
        }
    }
    texts
}
