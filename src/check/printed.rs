//! Printed orders read back as the same orders: every name of the game, in every language and in
//! every form that takes it.
//!
//! A form is printed with all that it may leave out and with none of it; then one thing at a time
//! is another: a choice, a name, a list of two. Where two forms have the same words on both sides
//! of a name, all names are tried in the first of them alone.

use std::collections::BTreeSet;

use crate::{
    game::{Game, Lang, PieceDecl, Problem},
    orders::{FormSubject, Grammar, NameIndex, Tongue, Vocabulary, all_forms, pattern::Slot},
    value::{Fields, Value},
};

/// The most problems that are told: one badly chosen name rarely comes alone.
const MOST: usize = 20;
/// The number of names that are tried in every form.
const IN_EVERY_FORM: usize = 3;

/// The names that don't read back, and the forms.
pub(super) fn wrong(game: &Game) -> Vec<Problem> {
    let Ok(grammar) = Grammar::new(&game.decl, &game.switched_on()) else {
        return Vec::new();
    };
    let mut found = PrintedFindings {
        game,
        problems: Vec::new(),
        told: BTreeSet::new(),
    };
    for lang in game.languages() {
        for side in &game.decl.sides {
            let names = Vocabulary::of_side(game, &side.id, lang);
            let tongue = Tongue::new(&grammar, &names, lang);
            found.names(&tongue);
            let mut tried = BTreeSet::new();
            for (of, form) in all_forms(&grammar) {
                found.form(&tongue, of, form, &mut tried);
            }
        }
    }
    found.problems
}

/// The words around a slot that make one form like another.
type Beside = (Slot, String, String);

struct PrintedFindings<'a> {
    game: &'a Game,
    problems: Vec<Problem>,
    /// The ids that something has been said of.
    told: BTreeSet<String>,
}

impl PrintedFindings<'_> {
    /// Names that mean something else, or nothing, when they stand alone.
    fn names(&mut self, tongue: &Tongue<'_>) {
        for (what, names) in tongue.names.lists() {
            for id in names.ids() {
                let Some(other) = collision(names, id) else {
                    continue;
                };
                if self.told.insert(id.to_owned()) {
                    let name = names.name(id).unwrap_or_default();
                    let message = format!(
                        "the name `{name}` of the {what} `{id}` does not read back: {other}"
                    );
                    self.say(self.place(id, tongue.lang), message);
                }
            }
        }
    }

    /// A form with each of its choices and names.
    fn form(
        &mut self,
        tongue: &Tongue<'_>,
        of: FormSubject<'_>,
        form: usize,
        tried: &mut BTreeSet<Beside>,
    ) {
        for base in [usize::MIN, usize::MAX] {
            let mut decisions = Vec::new();
            let first = tongue.sample(of, form, &mut |count, slot| {
                decisions.push((count, slot));
                base
            });
            let Some(first) = first else {
                return;
            };
            self.judge(tongue, (of, form), &first);
            for (place, (count, slot)) in decisions.iter().enumerate() {
                let all = slot.is_none_or(|slot| tried.insert(beside(tongue, of, &first, slot)));
                let most = if all {
                    *count
                } else {
                    IN_EVERY_FORM.min(*count)
                };
                for value in 0..most {
                    let mut at = 0;
                    let args = tongue.sample(of, form, &mut |_, _| {
                        at += 1;
                        if at == place + 1 { value } else { base }
                    });
                    if let Some(args) = args {
                        self.judge(tongue, (of, form), &args);
                    }
                }
            }
        }
    }

    fn judge(&mut self, tongue: &Tongue<'_>, (of, form): (FormSubject<'_>, usize), args: &Fields) {
        if self.problems.len() > MOST {
            return;
        }
        let printed = tongue.printed(of, args);
        if tongue.reads(of, args, &printed) {
            return;
        }
        // A name that does not even read alone has been told.
        let mut named = BTreeSet::new();
        args.values().for_each(|value| texts(value, &mut named));
        if named.iter().any(|name| self.told.contains(*name)) {
            return;
        }
        let why = why(tongue, &named);
        let path = format!("orders.{}.forms[{form}]", of.path());
        if self.told.insert(path.clone() + &why) {
            let message =
                format!("`{printed}` does not read back as the order that it is printed of{why}");
            let file = format!("games/{}/game.yaml", self.game.decl.id);
            self.say(Some((file, path)), message);
        }
    }

    /// The file and path of a piece, a space or a formation.
    fn place(&self, id: &str, lang: Lang) -> Option<(String, String)> {
        let game = self.game;
        let file = |name: &str| format!("games/{}/{name}", game.decl.id);
        let piece = |piece: &PieceDecl| piece.id == *id;
        if let Some(number) = game.forces.pieces.iter().position(piece) {
            let file = file(&game.theatre_file("forces.yaml"));
            return Some((file, format!("pieces[{number}]")));
        }
        let mut formations = game.forces.formations.iter();
        if formations.any(|formation| formation.id == *id) {
            return Some((
                file(&format!("text/{}.yaml", lang.code())),
                format!("formations.{id}"),
            ));
        }
        let Some(hexes) = game.map.hexes() else {
            let number = game.map.number(id)?;
            let file = file(&game.theatre_file("map.yaml"));
            return Some((file, format!("spaces[{number}]")));
        };
        let mut places = hexes.file().places.iter();
        let number = places.position(|place| place.hex == *id)?;
        let file = file(&game.theatre_file("map.yaml"));
        Some((file, format!("places[{number}]")))
    }

    fn say(&mut self, place: Option<(String, String)>, message: String) {
        if self.problems.len() > MOST {
            return;
        }
        let (file, path) = place.unwrap_or_else(|| {
            let file = format!("games/{}/game.yaml", self.game.decl.id);
            (file, String::new())
        });
        let message = if self.problems.len() == MOST {
            "more names do not read back; mend what is listed first".to_owned()
        } else {
            message
        };
        self.problems.push(Problem::new(&file, path, message));
    }
}

/// The reason why a name can't stand in an order, or whose name it also is; none if it, or the id
/// that is printed for it, reads back.
fn collision(names: &NameIndex, id: &str) -> Option<String> {
    let name = names.name(id)?;
    if let Some(sign) = name.chars().find(|c| matches!(c, '#' | ';' | '；')) {
        let what = if sign == '#' {
            "begins a comment"
        } else {
            "ends an order"
        };
        return Some(format!("`{sign}` {what}"));
    }
    if !name.contains(char::is_alphanumeric) {
        return Some("it has no letter or digit".to_owned());
    }
    let meant = names.meant(names.shown(id)?);
    let others = meant.iter().filter(|other| **other != id);
    let others: Vec<_> = others.map(|other| format!("`{other}`")).collect();
    (!others.is_empty()).then(|| format!("it is a name of {} too", others.join(", ")))
}

/// A guess at the fault in the names of a line that does not read back.
fn why(tongue: &Tongue<'_>, named: &BTreeSet<&str>) -> String {
    let mut why = BTreeSet::new();
    for (_, names) in tongue.names.lists() {
        for id in named.iter().filter(|id| names.has(id)) {
            let name = names.shown(id).unwrap_or_default();
            if let Some(keyword) = tongue.grammar.keyword_in(name, tongue.lang) {
                why.insert(format!("the keyword {keyword} stands in the name `{name}`"));
            }
            let begins = |other: &&str| *other != *id && names.begins(other, name);
            for other in names.ids().filter(begins) {
                let longer = names.name(other).unwrap_or_default();
                why.insert(format!("`{longer}` begins with `{name}`"));
            }
        }
    }
    let why: Vec<_> = why.into_iter().collect();
    if why.is_empty() {
        return String::new();
    }
    format!(": {}", why.join("; "))
}

/// The words before and after the value of a slot, as a form prints them.
fn beside(tongue: &Tongue<'_>, of: FormSubject<'_>, args: &Fields, slot: Slot) -> Beside {
    let printed = tongue.printed(of, args);
    let mut named = BTreeSet::new();
    args.values().for_each(|value| texts(value, &mut named));
    let lists = tongue.names.lists();
    let found = named.iter().find_map(|id| {
        let mut shown = lists.iter().filter_map(|(_, names)| names.shown(id));
        shown.find_map(|shown| printed.split_once(shown))
    });
    let (before, behind) = found.unwrap_or((&printed, ""));
    let last = before.split_whitespace().next_back().unwrap_or_default();
    let next = behind.split_whitespace().next().unwrap_or_default();
    (slot, last.to_owned(), next.to_owned())
}

fn texts<'v>(value: &'v Value, found: &mut BTreeSet<&'v str>) {
    super::names::texts_in(value, found);
}
