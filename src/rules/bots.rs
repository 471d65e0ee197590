//! Bots: scripts that play a seat. A bot is a player and not part of the rules: it has the seat's
//! view, what the seat's letters ask, its own standing orders and a seeded chance, and returns the
//! lines of its mails.
//!
//! A bot `NAME` is a function `fn NAME(seat, asked)` in a file `rules/<game>/bots/NAME.rhai`. It
//! may call everything that the game's rules may call or define, as a player may read the rulebook;
//! functions that would reach outside its view refuse.

use std::sync::Arc;

use rhai::{Array, Map};

use super::{
    convert::{text_of, to_dynamic, to_map},
    errors::RuleError,
    outcome::Question,
    parsed_scripts::ParsedScripts,
    program::{Program, Start},
    sandbox::RunLimits,
};
use crate::{
    dice::{Key, RandomWords, hash},
    game::Game,
    ids::SeatId,
};

/// A bot's source of chance.
pub struct Luck(Option<RandomWords>);

impl Luck {
    /// The chance for a text: the same text always gives the same chance.
    #[must_use]
    pub fn of(seed: &str) -> Self {
        let digest = hash(&format!("estafette|luck|{seed}"));
        Self(Some(RandomWords::new(&Key::new(*digest.bytes()))))
    }
}

/// The request of a seat's newest letter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BotRequest {
    /// The phase that waits for its orders, if one does.
    pub phase: Option<String>,
    /// The questions that wait for its answers, in the order of their numbers.
    pub questions: Vec<Question>,
    /// How many mails it has sent since that letter.
    pub written: u32,
}

impl BotRequest {
    /// The request as a bot sees it: `phase` (or `()`), `questions` (each with `number`, `topic`,
    /// `about`, `options`, `otherwise`), `written`.
    fn to_map(&self) -> Map {
        let questions: Array = self
            .questions
            .iter()
            .enumerate()
            .map(|(index, question)| {
                let number = i64::try_from(index + 1).unwrap_or(i64::MAX);
                let options: Array = question.options.iter().map(to_dynamic).collect();
                Map::from_iter([
                    ("number".into(), number.into()),
                    ("topic".into(), question.topic.as_str().into()),
                    ("about".into(), to_map(&question.about).into()),
                    ("options".into(), options.into()),
                    ("otherwise".into(), to_dynamic(&question.otherwise)),
                ])
                .into()
            })
            .collect();
        let phase = self
            .phase
            .as_deref()
            .map_or(rhai::Dynamic::UNIT, Into::into);
        Map::from_iter([
            ("phase".into(), phase),
            ("questions".into(), questions.into()),
            ("written".into(), i64::from(self.written).into()),
        ])
    }
}

/// The bots of a game, compiled. They belong to one thread.
pub struct Bots {
    program: Program,
    names: Vec<String>,
}

impl Bots {
    /// Compiles a game's bots together with its rules.
    ///
    /// # Errors
    /// The first script error.
    pub fn compile(game: Arc<Game>, bots: &[(String, String)]) -> Result<Self, RuleError> {
        let scripts = [game.scripts.as_slice(), bots].concat();
        let limits = RunLimits::default();
        let program = Program::of_parsed(game, ParsedScripts::new(&scripts, &limits)?, limits);
        let stem = |(path, _): &(String, String)| {
            let file = path.rsplit('/').next()?;
            Some(file.strip_suffix(".rhai")?.to_owned())
        };
        let names = bots
            .iter()
            .filter_map(stem)
            .filter(|name| program.has_function(name, 2))
            .collect();
        Ok(Self { program, names })
    }

    /// Their names, sorted.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns true if there is a bot with this name.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.names.iter().any(|known| known == name)
    }

    /// The compiled scripts, for checks.
    #[must_use]
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Runs a bot for the mails that it writes now, each a list of lines; none if it has nothing to
    /// say. `start.world` is the seat's view.
    ///
    /// # Errors
    /// If the script fails, or returns anything but lists of lines.
    pub fn write(
        &self,
        name: &str,
        seat: &SeatId,
        start: &Start<'_>,
        asked: &BotRequest,
        luck: &mut Luck,
    ) -> Result<Vec<Vec<String>>, RuleError> {
        let program = &self.program;
        program
            .stage
            .set(Some(program.new_run(start, start.world.clone())));
        program.meter.start(program.meter.limits.operations);
        program.stage.chance.replace(luck.0.take());
        let written = program.call::<Array>(name, (seat.to_string(), asked.to_map()));
        luck.0 = program.stage.chance.take();
        program.stage.set(None);
        let written = written.map_err(|error| program.explain(&error, start, &[]))?;
        let mails: Option<Vec<Vec<String>>> = written
            .iter()
            .map(|mail| mail.read_lock::<Array>()?.iter().map(text_of).collect())
            .collect();
        mails.ok_or_else(|| {
            RuleError::general(format!(
                "the bot {name} must give an array of mails, each an array of lines"
            ))
        })
    }
}
