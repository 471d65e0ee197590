//! The document as plain text of at most 72 columns: first the events, then the request, then the
//! tables.

use unicode_width::UnicodeWidthStr;

use super::{
    document::{Document, Enemy, EnemyPiece, FormationRows, Group, QuestionText},
    layout::{COLUMNS, pad, widest, wrap},
    phrases::Phrases,
    table::{ForcesTable, PLACE},
};
use crate::mail::LETTER_HEAD;

/// The body of a dispatch: everything above the private block, which is what its digest binds.
#[must_use]
pub fn body(document: &Document) -> String {
    let mut page = TextPage {
        text: String::new(),
        words: Phrases::of(document.lang),
    };
    page.heading(document);
    page.notices(document);
    page.happened(document);
    page.asked(document);
    page.forces(document);
    if !document.allies.is_nothing() {
        page.known(&document.allies, "allies");
    }
    let others = if document.enemy.neutral {
        "others"
    } else {
        "enemy"
    };
    page.known(&document.enemy, others);
    page.situation(document);
    page.standing(document);
    page.reference(document);
    page.text
}

/// The table of the reader's own forces, as a dispatch shows it; empty if there are none.
#[must_use]
pub fn forces(document: &Document) -> String {
    let mut page = TextPage {
        text: String::new(),
        words: Phrases::of(document.lang),
    };
    page.forces(document);
    page.text
}

/// A text that grows.
struct TextPage {
    text: String,
    words: &'static Phrases,
}

impl TextPage {
    fn w(&self, key: &str) -> String {
        self.words.get(key).to_owned()
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    fn gap(&mut self) {
        self.text.push('\n');
    }

    fn paragraph(&mut self, text: &str, first: &str, rest: &str) {
        for line in wrap(text, first, rest) {
            self.line(&line);
        }
    }

    /// A heading that catches the eye: `-- What happened -----`.
    fn section(&mut self, title: &str) {
        let line = format!("-- {title} ");
        let rule = "-".repeat(COLUMNS.saturating_sub(line.width()));
        self.gap();
        self.line(&format!("{line}{rule}"));
        self.gap();
    }

    fn list(&mut self, items: &[String]) {
        for item in items {
            self.paragraph(item, "- ", "  ");
        }
    }

    fn heading(&mut self, document: &Document) {
        let head = &document.heading;
        self.line(LETTER_HEAD);
        if let Some(ending) = &document.ending {
            self.paragraph(&format!("*** {ending} ***"), "", "    ");
        }
        self.paragraph(&head.title, "  ", "  ");
        // Before the first turn there is no number.
        let turn = match head.turn {
            0 => String::new(),
            turn => format!("{} {turn}", self.w("turn")),
        };
        let when = [turn.as_str(), &head.date, &head.phase];
        let when: Vec<_> = when.into_iter().filter(|part| !part.is_empty()).collect();
        self.paragraph(&when.join(" - "), "  ", "  ");
        let game = if head.game == head.title {
            String::new()
        } else {
            format!("{}{}", head.game, self.w("colon"))
        };
        let who = format!("{game}{} ({} {})", head.side, self.w("seat"), head.seat);
        self.paragraph(&who, "  ", "  ");
        self.line(&"=".repeat(COLUMNS));
    }

    fn notices(&mut self, document: &Document) {
        for notice in &document.notices {
            self.gap();
            self.paragraph(notice, "! ", "  ");
        }
    }

    fn happened(&mut self, document: &Document) {
        let title = self.w("happened");
        self.section(&title);
        if document.happened.is_empty() {
            let nothing = self.w("nothing_happened");
            self.line(&nothing);
        }
        let turns = document
            .happened
            .iter()
            .any(|group| group.turn != document.heading.turn);
        for (number, group) in document.happened.iter().enumerate() {
            if number > 0 {
                self.gap();
            }
            self.group(group, turns);
        }
    }

    fn group(&mut self, group: &Group, turns: bool) {
        let turn = if turns && group.turn > 0 {
            format!("{} {}{}", self.w("turn"), group.turn, self.w("colon"))
        } else {
            String::new()
        };
        self.paragraph(&format!("{turn}{}", group.title), "", "  ");
        for event in &group.events {
            self.paragraph(&event.text, "  - ", "    ");
        }
    }

    fn asked(&mut self, document: &Document) {
        let asked = &document.asked;
        let title = self.w("asked");
        self.section(&title);
        self.paragraph(&asked.what, "", "");
        if !asked.deadline.is_empty() {
            let by = format!("{} {}", self.w("by"), asked.deadline);
            self.paragraph(&by, "", "   ");
        }
        for question in &asked.questions {
            self.gap();
            self.question(question);
        }
        if !asked.how.is_empty() {
            self.gap();
            self.paragraph(&asked.how, "", "");
        }
    }

    fn question(&mut self, question: &QuestionText) {
        let number = format!("{}. ", question.number);
        let indent = " ".repeat(number.width());
        self.paragraph(&question.text, &number, &indent);
        let mut labelled = |label: String, text: &str| {
            if !text.is_empty() {
                let first = format!("{indent}{label} ");
                let rest = format!("{indent}  ");
                for line in wrap(text, &first, &rest) {
                    self.text.push_str(&line);
                    self.text.push('\n');
                }
            }
        };
        labelled(self.words.get("answer_like").to_owned(), &question.answer);
        labelled(
            self.words.get("possible").to_owned(),
            &question.options.join(" | "),
        );
        labelled(self.words.get("otherwise").to_owned(), &question.otherwise);
    }

    fn forces(&mut self, document: &Document) {
        let forces = &document.forces;
        if forces.formations.is_empty() {
            return;
        }
        let title = self.w("forces");
        self.section(&title);
        let table = ForcesTable::of(document, self.words);
        let head = table.head(&forces.columns, self.words);
        self.line(&head);
        for formation in &forces.formations {
            self.gap();
            self.formation(formation, &table);
        }
        self.gap();
        let [units, strength, colon] = ["units", "strength", "colon"].map(|key| self.w(key));
        let mut sum = format!("{units}{colon}{}", forces.units);
        if forces.has_strength {
            sum.push_str(&format!("   {strength}{colon}{}", forces.strength));
        }
        self.line(&sum);
    }

    fn formation(&mut self, formation: &FormationRows, table: &ForcesTable) {
        let led_by = match formation.led_by.as_str() {
            "" => String::new(),
            leader => format!(" ({leader})"),
        };
        if !formation.name.is_empty() {
            self.paragraph(&format!("{}{led_by}", formation.name), "", "  ");
        }
        for leader in &formation.leaders {
            for line in table.leader(leader) {
                self.line(&line);
            }
        }
        for unit in &formation.units {
            for line in table.unit(unit) {
                self.line(&line);
            }
        }
    }

    /// Others' pieces as known, under the heading of these words.
    fn known(&mut self, enemy: &Enemy, words: &str) {
        let title = self.w(words);
        self.section(&title);
        if enemy.seen.is_empty() {
            let nothing = self.w(&format!("{words}_none"));
            self.line(&nothing);
        }
        let wide = widest(enemy.seen.iter().map(|space| space.place.as_str())).min(PLACE);
        let rest = " ".repeat(wide + 4);
        for space in &enemy.seen {
            let mut seen: Vec<_> = space.pieces.iter().map(|piece| self.piece(piece)).collect();
            if space.more {
                seen.push(self.w("more_below"));
            }
            if space.hidden > 0 {
                seen.push(format!("{} {}", space.hidden, enemy.unseen));
            }
            let first = format!("{}  ", pad(&space.place, wide, false));
            let whose = if space.side.is_empty() {
                String::new()
            } else {
                format!("{}{}", space.side, self.w("colon"))
            };
            let seen = seen.join(&self.w("semicolon"));
            self.paragraph(&format!("{whose}{seen}"), &first, &rest);
        }
        if !enemy.old.is_empty() {
            self.gap();
            let old = self.w("seen_before");
            self.line(&old);
            let wide = widest(enemy.old.iter().map(|old| old.place.as_str())).min(PLACE);
            let rest = " ".repeat(wide + 6);
            for old in &enemy.old {
                let first = format!("  {}  ", pad(&old.place, wide, false));
                let words = format!(
                    "{}, {} {}",
                    self.piece(&old.piece),
                    self.w("turn").to_lowercase(),
                    old.turn
                );
                self.paragraph(&words, &first, &rest);
            }
        }
    }

    /// "Ada (infantry, SP 4, CF 4), hits 1, out of command".
    fn piece(&self, piece: &EnemyPiece) -> String {
        let mut values = vec![piece.kind.clone()];
        values.extend(
            piece
                .values
                .iter()
                .map(|(name, value)| format!("{name} {value}")),
        );
        let mut words = format!("{} ({})", piece.name, values.join(", "));
        if let Some(hits) = piece.hits.filter(|hits| *hits > 0) {
            words.push_str(&format!(", {} {hits}", self.w("hits_short")));
        }
        for note in &piece.notes {
            words.push_str(&format!(", {note}"));
        }
        words
    }

    fn situation(&mut self, document: &Document) {
        if document.facts.is_empty() && document.control.is_empty() && document.boxes.is_empty() {
            return;
        }
        let title = self.w("situation");
        self.section(&title);
        self.list(&document.facts);
        for held in &document.control {
            let first = format!("- {}, {}{}", self.w("control"), held.side, self.w("colon"));
            self.paragraph(&held.places.join(", "), &first, "  ");
        }
        for held in &document.boxes {
            self.paragraph(
                &held.pieces.join(", "),
                &format!("- {}{}", held.name, self.w("colon")),
                "  ",
            );
        }
    }

    /// The standing orders, every line commented out, so that quoting them back gives no orders.
    fn standing(&mut self, document: &Document) {
        let title = self.w("standing");
        self.section(&title);
        if document.standing.is_empty() {
            let none = self.w("standing_none");
            self.paragraph(&none, "", "");
        }
        for line in &document.standing {
            self.line(&format!("# {line}"));
        }
        if !document.asks.is_empty() {
            let asks = format!("{} {}", self.w("asks"), document.asks.join(", "));
            self.paragraph(&asks, "", "  ");
        }
        for other in &document.standing_of_others {
            self.section(&other.title);
            for line in &other.lines {
                self.line(&format!("# {line}"));
            }
        }
    }

    /// Prints reference material, below all news.
    fn reference(&mut self, document: &Document) {
        let dice = &document.dice;
        let has_dice = !dice.open.is_empty() || !dice.own.is_empty();
        if document.template.is_empty() && !has_dice {
            return;
        }
        let title = self.w("reference");
        self.section(&title);
        self.template(document);
        if !document.template.is_empty() && has_dice {
            self.gap();
        }
        self.dice(document);
    }

    /// The template, every line commented out, so that quoting it back gives no orders.
    fn template(&mut self, document: &Document) {
        if document.template.is_empty() {
            return;
        }
        let title = self.w("template");
        self.line(&title);
        self.gap();
        let how = self.w("template_how");
        self.paragraph(&how, "", "");
        self.gap();
        for line in &document.template {
            self.line(&format!("# {line}"));
        }
    }

    fn dice(&mut self, document: &Document) {
        let dice = &document.dice;
        if dice.open.is_empty() && dice.own.is_empty() {
            return;
        }
        let title = self.w("dice");
        self.line(&title);
        self.gap();
        self.list(&dice.open);
        if !dice.own.is_empty() {
            let own = self.w("dice_own");
            self.paragraph(&own, "", "");
            self.list(&dice.own);
        }
    }
}
