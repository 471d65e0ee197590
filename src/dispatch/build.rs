//! Briefing to document: the only place where a dispatch takes anything from the view.

use std::{collections::BTreeSet, sync::Arc};

use minijinja::context;

use super::{
    Briefing, NewsItem, OpenRoll, Request, Words, WordsError,
    document::{
        Control, DiceSection, Document, EventText, Group, Heading, MailWant, QuestionText,
        RequestSection,
    },
    forces, map,
    places::PiecesInPlaces,
    when,
    words::KnownFacts,
};
use crate::{
    game::{self, FactAudience, Game, JoinedEvent, SeatDecl, Space},
    ids::SideId,
    value::{Fields, Value},
    world::{Piece, Winners},
};

/// A briefing with its words, and what went wrong with them.
pub(super) struct Builder<'a> {
    pub(super) briefing: &'a Briefing<'a>,
    pub(super) words: &'a Words,
    pub(super) places: PiecesInPlaces<'a>,
    faults: Vec<WordsError>,
}

impl Document {
    /// Makes the document of a briefing.
    ///
    /// A text of the game that can't be printed never stops a dispatch: its key and arguments
    /// replace it, and the returned list tells the umpire.
    #[must_use]
    pub fn build(briefing: &Briefing<'_>) -> (Self, Vec<WordsError>) {
        Self::of(briefing, &Words::new(briefing.game, briefing.lang), true)
    }

    /// Like [`Document::build`], with words that are there already. A document without the map,
    /// which costs more than all the rest, is for letters that don't show it.
    #[must_use]
    pub fn of(briefing: &Briefing<'_>, words: &Words, has_map: bool) -> (Self, Vec<WordsError>) {
        let mut builder = Builder {
            briefing,
            words,
            places: PiecesInPlaces::of(briefing.view),
            faults: Vec::new(),
        };
        let mut document = builder.document();
        document.map = has_map.then(|| map::build::build(&builder, &document.heading));
        (document, builder.faults)
    }
}

impl<'a> Builder<'a> {
    fn document(&mut self) -> Document {
        let briefing = self.briefing;
        let heading = self.heading();
        let ending = self.ending();
        let subject = match &ending {
            Some(ending) => self.words.say(
                "subject_over",
                context! { campaign => &heading.campaign, ending },
            ),
            None => self.words.say(
                "subject",
                context! {
                    campaign => &heading.campaign, turn => heading.turn, phase => &heading.phase
                },
            ),
        };
        Document {
            lang: briefing.lang,
            subject,
            notices: briefing.notices.to_vec(),
            ending,
            happened: self.happened(),
            asked: self.asked(),
            forces: forces::own(self),
            allies: forces::allies(self),
            enemy: forces::enemy(self),
            facts: self.facts(),
            control: self.control(),
            boxes: self.boxes(),
            standing: briefing.standing.to_vec(),
            standing_of_others: Vec::new(),
            asks: briefing.asks.to_vec(),
            template: briefing.template.to_vec(),
            dice: self.dice(),
            map: None,
            heading,
        }
    }

    /// The reader's seat; none if it is the umpire's or a stranger's.
    pub(super) fn seat(&self) -> Option<&'a SeatDecl> {
        self.briefing.game.decl.seat(self.briefing.seat)
    }

    /// Returns true if the reader plays a side, or an ally of it.
    pub(super) fn is_friend(&self, side: &str) -> bool {
        let decl = &self.briefing.game.decl;
        self.seat().is_some_and(|seat| decl.is_friend(seat, side))
    }

    /// Returns true if the reader plays a side.
    pub(super) fn plays(&self, side: &str) -> bool {
        self.seat().is_some_and(|seat| seat.plays(side))
    }

    /// The spaces with pieces, old sightings or other knowledge, in map-file order.
    pub(super) fn busy(&self) -> Vec<(usize, &'a Space)> {
        let (map, view) = (&self.briefing.game.map, self.briefing.view);
        let pieces = view.pieces.values().filter_map(|piece| piece.at.as_ref());
        let numbers: BTreeSet<usize> = pieces
            .chain(view.spaces.keys())
            .filter_map(|place| map.number(place))
            .collect();
        let spaces = numbers.into_iter();
        spaces
            .filter_map(|number| Some((number, map.space_at(number)?)))
            .collect()
    }

    /// Returns true if a piece is the reader's own.
    pub(super) fn own(&self, piece: &Piece) -> bool {
        let decl = &self.briefing.game.decl;
        self.seat().is_some_and(|seat| piece.is_own(decl, seat))
    }

    /// A phase in words, or its id.
    pub(super) fn phase(&mut self, phase: &str) -> String {
        if phase.is_empty() {
            return String::new();
        }
        let words = self.words.phase(phase);
        self.or_fallback(words, || phase.to_owned())
    }

    fn or_fallback(
        &mut self,
        words: Result<String, WordsError>,
        fallback: impl FnOnce() -> String,
    ) -> String {
        words.unwrap_or_else(|fault| {
            self.faults.push(fault);
            fallback()
        })
    }

    fn heading(&mut self) -> Heading {
        let briefing = self.briefing;
        let decl = &briefing.game.decl;
        let turn = briefing.view.turn();
        let date = usize::try_from(turn.saturating_sub(1))
            .ok()
            .and_then(|turn| decl.dates.get(turn))
            .map_or_else(String::new, |date| when::game_date(briefing.lang, date));
        let seat = self.seat();
        let colour = seat.and_then(|seat| decl.side(seat.first_side()?));
        Heading {
            campaign: briefing.campaign.to_owned(),
            title: briefing.title.to_owned(),
            game: game::said(&decl.title, briefing.lang).to_owned(),
            seat: briefing.seat.to_string(),
            side: seat.map_or_else(String::new, |seat| self.words.seat_name(&seat.id)),
            colour: colour.map_or_else(|| "#555555".to_owned(), |side| side.colour.clone()),
            turn,
            date,
            phase: self.phase(briefing.phase),
        }
    }

    fn ending(&self) -> Option<String> {
        let ending = self.briefing.view.ended.as_ref()?;
        let levels = &self.words.text().levels;
        let level = levels.get(&ending.level).unwrap_or(&ending.level);
        Some(match &ending.side {
            Winners::Nobody => self.words.say("drawn", context! { level }),
            Winners::One(side) => {
                let side = self.words.name_of(side);
                self.words.say("won", context! { side, level })
            }
            Winners::Seats(seats) => {
                let seats = seats.iter().map(|seat| self.words.seat_name(seat));
                let side: Vec<String> = seats.collect();
                self.words.say("won", context! { side, level })
            }
        })
    }

    /// Events grouped by turn and phase and under their headings, in the order in which they were
    /// told; those that belong at the head come first.
    fn happened(&mut self) -> Vec<Group> {
        let (events, display) = (self.briefing.events, self.briefing.display);
        // Each with whether it stands behind those that belong at the head.
        let mut groups: Vec<(bool, Group)> = Vec::new();
        for several in events.chunk_by(|one, next| is_one_line(&display.together, one, next)) {
            let Some(heard) = several.first() else {
                continue;
            };
            let told = self.told(several, heard);
            let outcomes: Vec<String> = several.iter().filter_map(|it| self.outcome(it)).collect();
            let mut headings = display.headings.iter();
            if let Some(heading) = headings.find(|heading| heading.event == heard.key) {
                let group = Group {
                    turn: heard.turn,
                    phase: heard.phase.clone(),
                    title: told.text,
                    outcomes,
                    events: Vec::new(),
                };
                groups.push((!heading.first, group));
                continue;
            }
            let goes_on = |group: &Group| {
                let same = group.phase == heard.phase || self.goes_on(&heard.phase);
                group.turn == heard.turn && same
            };
            if !groups.last().is_some_and(|(_, group)| goes_on(group)) {
                let group = Group {
                    turn: heard.turn,
                    phase: heard.phase.clone(),
                    title: self.phase(&heard.phase),
                    outcomes: Vec::new(),
                    events: Vec::new(),
                };
                groups.push((true, group));
            }
            if let Some((_, group)) = groups.last_mut() {
                group.outcomes.extend(outcomes);
                group.events.push(told);
            }
        }
        groups.sort_by_key(|(is_behind, _)| *is_behind);
        groups.into_iter().map(|(_, group)| group).collect()
    }

    /// Events of one line in words.
    fn told(&mut self, several: &[NewsItem], first: &NewsItem) -> EventText {
        let key = first.key.clone();
        if several.len() < 2 {
            return EventText {
                key,
                text: self.event(first),
                args: first.args.clone(),
            };
        }
        let list: Vec<Value> = (several.iter())
            .map(|one| Value::Map(Fields::clone(&one.args)))
            .collect();
        let words = self.words.together(&key, list.clone());
        EventText {
            text: self.or_fallback(words, || {
                let all = several.iter().map(|one| plain(&one.key, &one.args));
                all.collect::<Vec<_>>().join("; ")
            }),
            args: Arc::new(Fields::from([("list".to_owned(), Value::List(list))])),
            key,
        }
    }

    /// Returns true if a phase's events are told under the heading of the phase before.
    fn goes_on(&self, phase: &str) -> bool {
        let name = phase.split_once('.').map_or(phase, |(name, _)| name);
        let mut phases = self.briefing.game.decl.phases.iter();
        phases.any(|known| known.id == name && known.goes_on)
    }

    fn event(&mut self, heard: &NewsItem) -> String {
        let words = self.words.event(&heard.key, &heard.args);
        self.or_fallback(words, || plain(&heard.key, &heard.args))
    }

    /// How an event ended, if the game has words for it; a broken text is told once, as the event.
    fn outcome(&mut self, heard: &NewsItem) -> Option<String> {
        match self.words.outcome(&heard.key, &heard.args)? {
            Ok(words) => Some(words),
            Err(fault) => {
                self.faults.push(fault);
                None
            }
        }
    }

    fn asked(&mut self) -> RequestSection {
        let asked = &self.briefing.asked;
        let (want, until) = match asked {
            Request::Orders { deadline, .. } => (MailWant::Orders, *deadline),
            Request::Questions { deadline, .. } => (MailWant::Answers, *deadline),
            Request::Waiting { deadline } | Request::Invited { deadline, .. } => {
                (MailWant::Nothing, *deadline)
            }
            Request::Over => (MailWant::Over, None),
        };
        let (what, how) = match asked {
            Request::Orders {
                phases,
                only_standing,
                when_ready,
                ..
            } => {
                let phases: Vec<_> = phases.iter().map(|phase| self.phase(phase)).collect();
                let mut what = self.words.say("orders_wanted", context! { phases });
                if *when_ready {
                    what = format!("{what} {}", self.words.fixed("when_all_ready"));
                } else if until.is_none() {
                    what = format!("{what} {}", self.words.fixed("when_all_in"));
                }
                let how = if *only_standing {
                    "orders_how_only_standing"
                } else {
                    "orders_how"
                };
                (what, self.words.fixed(how))
            }
            Request::Questions { list, .. } => {
                let what = self
                    .words
                    .say("answers_wanted", context! { n => list.len() });
                (what, self.words.fixed("answers_how"))
            }
            Request::Invited { phase, .. } => {
                let phases = [self.phase(phase)];
                let what = self.words.say("invited_wanted", context! { phases });
                let deadline = self.moment(until);
                (what, self.words.say("invited_how", context! { deadline }))
            }
            Request::Waiting { .. } => {
                let what = self.words.fixed("nothing_wanted");
                let deadline = self.moment(until);
                let how = self.words.say("nothing_how", context! { deadline });
                (what, how)
            }
            Request::Over => (self.words.fixed("over"), String::new()),
        };
        let questions = match asked {
            Request::Questions { list, .. } => list.iter().map(|one| self.question(one)).collect(),
            _ => Vec::new(),
        };
        RequestSection {
            want,
            what,
            // A reader who is asked nothing has no deadline, and reads when the others' wait ends.
            deadline: self.moment(until.filter(|_| want != MailWant::Nothing)),
            until,
            how,
            questions,
        }
    }

    /// A moment in the reader's words; nothing for none.
    fn moment(&self, at: Option<jiff::Timestamp>) -> String {
        at.map_or_else(String::new, |at| {
            when::moment(self.words, at, self.briefing.zone)
        })
    }

    fn question(&mut self, asked: &super::OpenQuestion) -> QuestionText {
        let words = self.words.question(&asked.topic, &asked.about);
        let topics = &self.words.text().topics;
        let answer = topics.get(&asked.topic);
        QuestionText {
            number: asked.number,
            topic: asked.topic.clone(),
            answer: answer.map_or_else(String::new, |topic| topic.answer.clone()),
            text: self.or_fallback(words, || plain(&asked.topic, &asked.about)),
            options: asked.options.clone(),
            otherwise: asked.otherwise.clone(),
        }
    }

    /// Facts that the reader knows and the game has words for, in the order of its text: public
    /// ones, then the reader's own share of each shared fact.
    fn facts(&mut self) -> Vec<String> {
        let mut facts = Vec::new();
        let decl = &self.briefing.game.decl;
        let view = self.briefing.view;
        let known: Fields = (decl.facts.iter())
            .filter(|(_, fact)| fact.shown != FactAudience::Umpire)
            .map(|(name, _)| (name.clone(), view.fact(name).clone()))
            .collect();
        let known = KnownFacts::new(known);
        for name in self.words.text().facts.keys() {
            let shown = decl.facts.get(name).map(|fact| fact.shown);
            let of: Vec<Option<&str>> = match shown {
                Some(FactAudience::Party) => named(decl.parties.iter().map(|party| &*party.id)),
                Some(FactAudience::Side) => named(decl.sides.iter().map(|side| &*side.id)),
                Some(FactAudience::Seat) => named(decl.seats.iter().map(|seat| &*seat.id)),
                _ => vec![None],
            };
            for of in of {
                match self.words.fact(name, of, &known) {
                    // When all is over what each side had for itself may say the same twice.
                    Ok(Some(words)) if !words.is_empty() && !facts.contains(&words) => {
                        facts.push(words);
                    }
                    Ok(_) => {}
                    Err(fault) => self.faults.push(fault),
                }
            }
        }
        facts
    }

    /// Who controls what: the sides in their order, then towns that nobody controls, if the game
    /// wants them listed.
    fn control(&self) -> Vec<Control> {
        let (game, display) = (self.briefing.game, self.briefing.display);
        let Some(attribute) = &display.control else {
            return Vec::new();
        };
        let held_by = |holder: Option<&SideId>| -> Vec<String> {
            let spaces = game.map.map().spaces.iter();
            let held = spaces.filter(|space| {
                let held = self
                    .briefing
                    .view
                    .space_state(&space.id, attribute)
                    .as_text();
                let free = holder.is_none()
                    && display.relief(&space.terrain) == super::Relief::City
                    && !display.sieges.iter().any(|siege| siege.at == space.id);
                held == holder.map(SideId::as_str) && (holder.is_some() || free)
            });
            held.map(|space| space.name_in(self.words.lang()).to_owned())
                .collect()
        };
        let sides = game.decl.sides.iter();
        let mut control: Vec<_> = sides
            .map(|side| Control {
                side: self.words.name_of(&side.id),
                places: held_by(Some(&side.id)),
            })
            .collect();
        if display.unheld {
            control.push(Control {
                side: self.words.fixed("nobody"),
                places: held_by(None),
            });
        }
        control.retain(|held| !held.places.is_empty());
        control
    }

    fn dice(&self) -> DiceSection {
        let given = &self.briefing.dice;
        let rolls = |rolls: &[OpenRoll]| rolls.iter().map(|roll| self.roll(roll)).collect();
        DiceSection {
            open: rolls(&given.open),
            own: rolls(&given.own),
        }
    }

    /// "Turn 3, combat, Ford: 2d6 = 3 + 5": the parts of a label with names for ids.
    fn roll(&self, roll: &OpenRoll) -> String {
        let (label, again) = roll.label.rsplit_once('#').unwrap_or((&roll.label, ""));
        let parts = label.split('/').enumerate().map(|(place, part)| {
            let turn = part.strip_prefix('t').filter(|_| place == 0);
            match turn.and_then(|turn| turn.parse::<i64>().ok()) {
                Some(turn) => self.words.say("turn_n", context! { turn }),
                None if place == 1 => {
                    let purpose = self.words.text().dice.get(part);
                    purpose.cloned().unwrap_or_else(|| part.replace('_', " "))
                }
                None => match self.briefing.view.piece(part) {
                    Some(piece) => self.words.piece_name(&piece.id, &piece.name),
                    None => self.words.name_of(part).replace('_', " "),
                },
            }
        });
        let mut label = parts.collect::<Vec<_>>().join(", ");
        if !matches!(again, "" | "1") {
            label.push_str(&format!(" ({again})"));
        }
        let results: Vec<_> = roll.results.iter().map(ToString::to_string).collect();
        let colon = self.words.fixed("colon");
        format!("{label}{colon}{} = {}", roll.spec, results.join(" + "))
    }
}

fn named<'n>(ids: impl Iterator<Item = &'n str>) -> Vec<Option<&'n str>> {
    ids.map(Some).collect()
}

/// Returns true if two events that follow each other are told in one line.
fn is_one_line(declared: &[JoinedEvent], one: &NewsItem, next: &NewsItem) -> bool {
    let agree = |it: &JoinedEvent| {
        it.by
            .iter()
            .all(|arg| one.args.get(arg) == next.args.get(arg))
    };
    (&one.key, one.turn, &one.phase) == (&next.key, next.turn, &next.phase)
        && declared.iter().any(|it| it.event == one.key && agree(it))
}

/// An event that has no words: its key and its arguments, so that nothing is lost.
fn plain(key: &str, args: &Fields) -> String {
    let args = args.iter().map(|(name, value)| {
        let shown = value.get("name").unwrap_or(value);
        let shown = match shown {
            Value::Text(text) => text.to_string(),
            other => serde_json::to_string(other).unwrap_or_default(),
        };
        format!("{name} {shown}")
    });
    let args: Vec<_> = args.collect();
    if args.is_empty() {
        key.to_owned()
    } else {
        format!("{key}: {}", args.join(", "))
    }
}

/// A space as tables name it: on a hex map the label comes before the name, since players look for
/// it there.
pub(super) fn spot_name(game: &Game, words: &Words, space: &Space) -> String {
    let name = space.name_in(words.lang());
    if game.map.hexes().is_some() && name != space.id.as_str() {
        format!("{} {name}", space.id)
    } else {
        name.to_owned()
    }
}

/// The name of a space or a box.
pub(super) fn place_name(game: &Game, words: &Words, place: Option<&str>) -> String {
    let Some(place) = place else {
        return words.fixed("nowhere");
    };
    match game.map.space(place) {
        Some(space) => spot_name(game, words, space),
        None => words
            .text()
            .boxes
            .get(place)
            .map_or(place, String::as_str)
            .to_owned(),
    }
}
