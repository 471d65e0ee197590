//! Phrases that mail programs and their users write around a player's words, a file for each
//! language.
//!
//! All phrases are *folded* (see [`fold`]): lower case, no accents, plain apostrophes and hyphens.
//! To teach the reader another language, add a file with a [`MailLanguage`]; no code changes.

mod da;
mod de;
mod en;
mod es;
mod fi;
mod fr;
mod it;
mod nb;
mod nl;
mod others;
mod pt;
mod sv;

mod cs;
mod el;
mod hu;
mod ja;
mod pl;
mod ro;
mod ru;
mod tr;
mod uk;
mod zh;

mod lookup;

pub(super) use lookup::{
    BEGIN, CLOSINGS, DISCLAIMERS, END, FOOTERS, FROM_KEYS, GREETINGS, ORDERS, OTHER_KEYS,
    PhraseSet, SENTENCES, SEPARATORS, VERBS, contains_word,
};
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// A list of phrases.
pub(super) type PhraseList = &'static [&'static str];

/// The set phrases of one language.
pub(super) struct MailLanguage {
    /// First words of an attribution: "*On* Monday Ada wrote:".
    pub openers: PhraseList,
    /// Verbs of an attribution: "On Monday Ada *wrote*:".
    pub verbs: PhraseList,
    /// The sender's key in a copied header block.
    pub from_keys: PhraseList,
    /// The other keys of such a block: date, recipients, subject.
    pub other_keys: PhraseList,
    /// Titles of quoted or forwarded mails: "----- Original Message -----", "Begin forwarded
    /// message:".
    pub separators: PhraseList,
    /// Beginnings of lines that programs and virus scanners add.
    pub footers: PhraseList,
    /// Words in the footer of a mailing list, below a line of underscores.
    pub lists: PhraseList,
    /// Beginnings of the notices on confidence and law that companies put below every mail.
    pub disclaimers: PhraseList,
    /// Words that open a letter: "*Hello* Ada,".
    pub greetings: PhraseList,
    /// Lines that close a letter, above the writer's name.
    pub closings: PhraseList,
    /// Words of a sentence that tells of a date or an address, which no mail program writes over a
    /// quotation: "*I am* away *until* 3 March, *write to* bert@example.org:".
    pub sentences: PhraseList,
    /// Words of a heading over orders, which may tell a date: "My *orders* for 3 March 2025,
    /// 20:00:".
    pub orders: PhraseList,
    /// Beginnings of the subject of an automatic answer.
    pub absences: PhraseList,
    /// Lines that open a block of orders.
    pub begin: PhraseList,
    /// Lines that close it.
    pub end: PhraseList,
}

/// The languages that the reader knows.
pub(super) const LANGUAGES: &[MailLanguage] = &[
    en::PHRASES,
    fr::PHRASES,
    de::PHRASES,
    es::PHRASES,
    it::PHRASES,
    nl::PHRASES,
    sv::PHRASES,
    da::PHRASES,
    nb::PHRASES,
    pt::PHRASES,
    fi::PHRASES,
    cs::PHRASES,
    el::PHRASES,
    hu::PHRASES,
    ja::PHRASES,
    pl::PHRASES,
    ro::PHRASES,
    ru::PHRASES,
    tr::PHRASES,
    uk::PHRASES,
    zh::PHRASES,
    others::PHRASES,
];

/// Returns true if a phrase of any language passes a test.
pub(super) fn any(
    phrases: impl Fn(&MailLanguage) -> PhraseList,
    test: impl Fn(&'static str) -> bool,
) -> bool {
    LANGUAGES
        .iter()
        .any(|language| phrases(language).iter().any(|phrase| test(phrase)))
}

/// Lower case, without accents, with plain apostrophes and hyphens and single spaces: what phrases
/// are compared in.
pub(super) fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    if text.is_ascii() {
        // Most lines of most mails are, and have nothing to decompose.
        text.chars().for_each(|c| push_folded(&mut folded, c));
    } else {
        let base = text.nfkd().filter(|c| !is_combining_mark(*c));
        base.for_each(|c| push_folded(&mut folded, c));
    }
    folded.truncate(folded.trim_end().len());
    folded
}

fn push_folded(folded: &mut String, character: char) {
    match character {
        '\u{2018}' | '\u{2019}' | '\u{02bc}' => folded.push('\''),
        '\u{2010}'..='\u{2015}' | '\u{2212}' => folded.push('-'),
        '\u{e6}' | '\u{c6}' => folded.push_str("ae"),
        '\u{f8}' | '\u{d8}' => folded.push('o'),
        '\u{df}' => folded.push_str("ss"),
        c if c.is_whitespace() => {
            if !folded.is_empty() && !folded.ends_with(' ') {
                folded.push(' ');
            }
        }
        c if c.is_ascii() => folded.push(c.to_ascii_lowercase()),
        c => folded.extend(c.to_lowercase()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may panic")]

    use super::*;

    #[test]
    fn folding_removes_case_accents_and_typographic_marks() {
        assert_eq!(
            fold("  Début   du message réexpédié\u{a0}: "),
            "debut du message reexpedie :"
        );
        assert_eq!(
            fold("Message d\u{2019}origine \u{2013} Ünter"),
            "message d'origine - unter"
        );
        assert_eq!(fold("Følgende Ærø Grüße"), "folgende aero grusse");
    }

    #[test]
    fn every_phrase_is_written_folded() {
        for language in LANGUAGES {
            let lists = [
                language.openers,
                language.verbs,
                language.from_keys,
                language.other_keys,
                language.separators,
                language.footers,
                language.lists,
                language.disclaimers,
                language.greetings,
                language.closings,
                language.sentences,
                language.orders,
                language.absences,
                language.begin,
                language.end,
            ];
            for phrase in lists.into_iter().flatten() {
                assert_eq!(fold(phrase), phrase.trim_end(), "write the phrase folded");
                assert!(!phrase.is_empty(), "every line begins with nothing");
            }
        }
    }
}
