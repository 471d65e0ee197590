//! Tells the player's own lines from all others, after the habits of the mail programs.
//!
//! The lines come folded; the phrases are data (see [`super::phrases`]). When in doubt a line is kept: the receipt shows it
//! and the player sees the mistake, while a line that was dropped silently would be an order that is never carried out.

use super::{
    own_letter,
    phrases::{LANGUAGES, Language},
    words::Fate,
};

/// The fate of each folded line.
pub(super) fn fates(folded: &[String]) -> Vec<Fate> {
    let mut fates = Scanner {
        folded,
        fates: vec![Fate::Taken; folded.len()],
    }
    .run();
    keep_marked(folded, &mut fates);
    fates
}

/// Sorts lines into fates, from top to bottom.
struct Scanner<'a> {
    folded: &'a [String],
    fates: Vec<Fate>,
}

impl Scanner<'_> {
    fn run(mut self) -> Vec<Fate> {
        let end = self.folded.len();
        let mut at = 0;
        while at < end {
            at = self.step(at);
        }
        self.fates
    }

    /// Decides about line `at` and returns the next undecided line.
    fn step(&mut self, at: usize) -> usize {
        let end = self.folded.len();
        let line = self.line(at);
        if is_quoted(line) {
            return self.mark(at, at + 1, Fate::Quoted);
        }
        if let Some(letter) = own_letter::letter(self.folded, at) {
            return self.mark(letter.start, letter.end, Fate::OwnLetter);
        }
        if line == "--" {
            let quote = (at..end)
                .find(|&index| is_quoted(self.line(index)))
                .unwrap_or(end);
            return self.mark(at, quote, Fate::Signature);
        }
        if is_separator(line) || self.starts_header_block(at) {
            self.mark_ruler_above(at);
            return self.mark(at, end, Fate::ForwardedOrHeaderBlock);
        }
        if self.starts_list_footer(at) {
            return self.mark(at, end, Fate::Footer);
        }
        if let Some(after) = self.attribution(at) {
            self.mark_ruler_above(at);
            self.mark(at, after, Fate::Attribution);
            let quote = (after..end).find(|&index| !self.line(index).is_empty());
            return match quote {
                Some(index) if is_quoted(self.line(index)) => after,
                _ => self.mark(after, end, Fate::Quoted),
            };
        }
        if is_footer(line) || is_ruler(line) {
            return self.mark(at, at + 1, Fate::Footer);
        }
        at + 1
    }

    fn line(&self, index: usize) -> &str {
        self.folded.get(index).map_or("", String::as_str)
    }

    /// Gives the lines from `start` to before `end` a fate and returns `end`.
    fn mark(&mut self, start: usize, end: usize, fate: Fate) -> usize {
        self.fates
            .iter_mut()
            .take(end)
            .skip(start)
            .for_each(|slot| *slot = fate);
        end
    }

    /// A ruler between the player's words and a copied mail belongs to the copy.
    fn mark_ruler_above(&mut self, at: usize) {
        if let Some(above) = at
            .checked_sub(1)
            .filter(|&above| is_ruler(self.line(above)))
        {
            self.mark(above, at, Fate::ForwardedOrHeaderBlock);
        }
    }

    /// At least three header lines, the sender's among them; two below a ruler.
    fn starts_header_block(&self, at: usize) -> bool {
        let keys: Vec<Key> = (at..self.folded.len())
            .map_while(|index| header_key(self.line(index)))
            .take(6)
            .collect();
        let below_ruler = at
            .checked_sub(1)
            .is_some_and(|above| is_ruler(self.line(above)));
        keys.contains(&Key::From) && keys.len() >= if below_ruler { 2 } else { 3 }
    }

    /// A ruler with the words of a mailing list's footer in the three lines below.
    fn starts_list_footer(&self, at: usize) -> bool {
        is_ruler(self.line(at))
            && (at + 1..at + 4).any(|index| {
                any(
                    |language| language.lists,
                    |phrase| self.line(index).contains(phrase),
                )
            })
    }

    /// The line after an attribution of up to four lines that starts at `at`.
    fn attribution(&self, at: usize) -> Option<usize> {
        let mut joined = String::new();
        for index in at..at + 4 {
            let line = self.line(index);
            // A line that opens an attribution of its own is not the continuation of another.
            if line.is_empty() || is_quoted(line) || (index > at && self.is_attribution_line(index))
            {
                return None;
            }
            joined.push_str(line);
            if is_opened_attribution(&joined) || (index == at && is_plain_attribution(&joined)) {
                return Some(index + 1);
            }
            joined.push(' ');
        }
        None
    }

    fn is_attribution_line(&self, index: usize) -> bool {
        is_opened_attribution(self.line(index))
            || is_opened_attribution(&format!("{} {}", self.line(index), self.line(index + 1)))
    }
}

fn any(
    phrases: impl Fn(&Language) -> &'static [&'static str],
    test: impl Fn(&'static str) -> bool,
) -> bool {
    LANGUAGES
        .iter()
        .any(|language| phrases(language).iter().any(|phrase| test(phrase)))
}

fn is_quoted(line: &str) -> bool {
    line.starts_with('>') || own_letter::is_printed(line)
}

/// "On 3 March 2025 at 10:12, Ada <ada@example.org> wrote:" in any known language.
fn is_opened_attribution(line: &str) -> bool {
    let Some(body) = line.strip_suffix(':') else {
        return false;
    };
    let dated = body.contains(|c: char| c.is_ascii_digit() || c == '@');
    LANGUAGES.iter().any(|language| {
        language
            .openers
            .iter()
            .any(|opener| starts_with_word(body, opener))
            && language
                .verbs
                .iter()
                .any(|verb| contains_word(body, verb) && (dated || body.trim_end().ends_with(verb)))
    })
}

/// "Ada <ada@example.org> wrote:", without a date.
fn is_plain_attribution(line: &str) -> bool {
    line.strip_suffix(':').is_some_and(|body| {
        body.contains('@')
            && any(
                |language| language.verbs,
                |verb| body.trim_end().ends_with(&format!(" {verb}")),
            )
    })
}

fn starts_with_word(line: &str, word: &str) -> bool {
    line.strip_prefix(word)
        .is_some_and(|rest| rest.starts_with([' ', ',']))
}

fn contains_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let before = line.get(..at).and_then(|text| text.chars().next_back());
        let after = line
            .get(at + word.len()..)
            .and_then(|text| text.chars().next());
        ![before, after]
            .into_iter()
            .flatten()
            .any(char::is_alphanumeric)
    })
}

/// "-----Original Message-----" and "Begin forwarded message:".
fn is_separator(line: &str) -> bool {
    let core = line.trim_matches(['-', '_', '*', '=', ' ']);
    let title = core.trim_end_matches([':', ' ']);
    let framed = line.starts_with("--") || line.starts_with("__") || core.ends_with(':');
    framed && any(|language| language.separators, |phrase| title == phrase)
}

fn is_footer(line: &str) -> bool {
    any(
        |language| language.footers,
        |phrase| line.starts_with(phrase),
    )
}

/// A line of ten or more strokes and nothing else.
fn is_ruler(line: &str) -> bool {
    line.chars().count() >= 10
        && line
            .chars()
            .all(|c| matches!(c, '_' | '-' | '=' | '*' | '\u{2500}'..='\u{257f}'))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Key {
    From,
    Other,
}

/// The kind of a copied header line: "From: Ada", "*Envoyé :* lundi".
fn header_key(line: &str) -> Option<Key> {
    let (key, _) = line.trim_start_matches('*').split_once(':')?;
    let key = key.trim_end_matches([' ', '*']);
    if any(|language| language.from_keys, |phrase| key == phrase) {
        Some(Key::From)
    } else {
        any(|language| language.other_keys, |phrase| key == phrase).then_some(Key::Other)
    }
}

/// When the player marked a block of orders, only what is inside of it counts.
fn keep_marked(folded: &[String], fates: &mut [Fate]) {
    let is_mark = |line: &str, marks: fn(&Language) -> &'static [&'static str]| {
        let line = line.trim_matches(|c: char| !c.is_alphanumeric());
        any(marks, |phrase| line == phrase)
    };
    let taken = |fates: &[Fate], index: usize| fates.get(index) == Some(&Fate::Taken);
    let begins = |line: &str| is_mark(line, |language| language.begin);
    if !folded
        .iter()
        .enumerate()
        .any(|(index, line)| taken(fates, index) && begins(line))
    {
        return;
    }
    let mut inside = false;
    for (line, fate) in folded
        .iter()
        .zip(fates.iter_mut())
        .filter(|(_, fate)| **fate == Fate::Taken)
    {
        let begin = begins(line);
        let end = is_mark(line, |language| language.end);
        if begin || end {
            inside = begin;
        }
        if begin || end || !inside {
            *fate = Fate::OutsideMarkers;
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may panic")]

    use super::*;
    use crate::mail::phrases::fold;

    /// The fates of a text, a letter a line: . taken, > quoted, a attribution, s signature, f footer, h header block or
    /// forwarded, o outside of markers.
    fn sketch(text: &str) -> String {
        let folded: Vec<String> = text.lines().map(fold).collect();
        let letter = |fate: &Fate| match fate {
            Fate::Taken => '.',
            Fate::Quoted => '>',
            Fate::Attribution => 'a',
            Fate::Signature => 's',
            Fate::Footer => 'f',
            Fate::ForwardedOrHeaderBlock => 'h',
            Fate::Courtesy => 'c',
            Fate::OwnLetter => 'l',
            Fate::OutsideMarkers => 'o',
        };
        fates(&folded).iter().map(letter).collect()
    }

    #[test]
    fn attributions_of_many_languages_cut_what_follows() {
        for attribution in [
            "On Mon, Mar 3, 2025 at 9:58 AM Ada <ada@example.org> wrote:",
            "Le lun. 3 mars 2025 à 09:58, Ada <ada@example.org> a écrit\u{202f}:",
            "Am 03.03.2025 um 09:58 schrieb Ada:",
            "El lun, 3 mar 2025 a las 9:58, Ada (<ada@example.org>) escribió:",
            "Il giorno lun 3 mar 2025 alle ore 09:58 Ada <ada@example.org> ha scritto:",
            "Op ma 3 mrt 2025 om 09:58 schreef Ada <ada@example.org>:",
            "Ada North <ada@example.org> wrote:",
        ] {
            assert_eq!(
                sketch(&format!("HOLD\n{attribution}\n\nMOVE old")),
                ".a>>",
                "{attribution}"
            );
            assert_eq!(
                sketch(&format!("{attribution}\n\n> MOVE old\nHOLD")),
                "a.>.",
                "{attribution}"
            );
        }
    }

    #[test]
    fn an_attribution_may_be_broken_over_four_lines_and_not_five() {
        assert_eq!(
            sketch("HOLD\nOn Monday, 3 March\n2025, Ada\n<ada@example.org>\nwrote:\n> x"),
            ".aaaa>"
        );
        assert_eq!(
            sketch("On Monday,\n3 March\n2025,\nAda\nwrote:\n> x"),
            ".....>"
        );
    }

    #[test]
    fn an_order_above_an_attribution_is_not_part_of_it() {
        assert_eq!(
            sketch("Le 3e corps attaque 0412\nOn Mon 3 March, Ada wrote:\n> x"),
            ".a>"
        );
        assert_eq!(
            sketch("On 0412 build fort 2\nOn Mon 3 March Ada\n<ada@example.org> wrote:\n> x"),
            ".aa>"
        );
    }

    #[test]
    fn header_blocks_of_many_languages_cut_the_rest() {
        for block in [
            "From: Ada\nSent: Monday\nTo: Bert\nSubject: x",
            "De : Ada\nEnvoyé : lundi\nÀ : Bert\nObjet : x",
            "Von: Ada\nGesendet: Montag\nAn: Bert\nBetreff: x",
            "*From:* Ada\n*Date:* Monday\n*To:* Bert\n*Cc:* Cara",
            "Gesendet: Montag\nVon: Ada\nAn: Bert\nBetreff: x",
        ] {
            assert_eq!(
                sketch(&format!("HOLD\n{block}\n\nMOVE old")),
                ".hhhhhh",
                "{block}"
            );
        }
        assert_eq!(
            sketch("HOLD\n______________\nFrom: Ada\nSent: Monday\n\nMOVE old"),
            ".hhhhh"
        );
    }

    #[test]
    fn two_lines_with_colons_are_no_header_block() {
        assert_eq!(sketch("From: Lonato\nTo: Salo\nHOLD"), "...");
        assert_eq!(sketch("To: Salo\nCc: x\nDate: y\nHOLD"), "....");
    }

    #[test]
    fn titles_of_forwarded_mails_cut_the_rest() {
        for title in [
            "-----Original Message-----",
            "-------- Message d\u{2019}origine --------",
            "---------- Forwarded message ---------",
            "Begin forwarded message:",
            "Début du message réexpédié :",
            "-----Ursprüngliche Nachricht-----",
        ] {
            assert_eq!(
                sketch(&format!("HOLD\n{title}\nMOVE old")),
                ".hh",
                "{title}"
            );
        }
        assert_eq!(sketch("original message\nHOLD"), "..");
    }

    #[test]
    fn a_signature_ends_at_the_next_quotation() {
        assert_eq!(sketch("HOLD\n--\nAda\nMOVE away\n> old\nREST"), ".sss>.");
        assert_eq!(sketch("HOLD\n---\nREST -- now"), "...");
    }

    #[test]
    fn footers_drop_single_lines_and_lists_the_rest() {
        assert_eq!(
            sketch("Sent from my telephone\nHOLD\nEnvoyé de mon iPhone\n--------------\nREST"),
            "f.ff."
        );
        assert_eq!(
            sketch("HOLD\n_______________\nWar mailing list\nwar@example.org"),
            ".fff"
        );
    }

    #[test]
    fn a_letter_of_ours_without_its_marks_is_no_order() {
        let digest = "ab".repeat(32);
        let letter = format!(
            "{}\nMOVE old\n\nregister 3 {digest}",
            own_letter::LETTER_HEAD
        );
        assert_eq!(sketch(&format!("HOLD\n{letter}\nREST")), ".llll.");
        assert_eq!(sketch(&format!("{letter}\n{letter}\nREST")), "llllllll.");
        assert_eq!(
            sketch("| MOVE old\n  3 | MOVE old\n    | REST\nHOLD"),
            ">>>."
        );
    }

    #[test]
    fn only_marked_lines_count_where_there_are_marks() {
        assert_eq!(
            sketch("hello\nBEGIN ORDERS\nHOLD\nEND ORDERS\nbye"),
            "oo.oo"
        );
        assert_eq!(
            sketch("Début des ordres :\nHOLD\n> quoted\nFIN ORDRES"),
            "o.>o"
        );
        // Without an end, all that follows; marks in quotations are none.
        assert_eq!(sketch("hello\n-- begin orders --\nHOLD\nREST"), "oo..");
        assert_eq!(
            sketch("HOLD\n> BEGIN ORDERS\n> MOVE\n> END ORDERS\nREST"),
            ".>>>."
        );
        assert_eq!(sketch("HOLD\nEND ORDERS"), "..");
    }
}
