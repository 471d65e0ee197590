//! What mail programs write around a player's words, language by language.
//!
//! All phrases are *folded* (see [`fold`]): lower case, no accents, plain apostrophes and hyphens. To teach the reader
//! another language, add a [`Language`]; no code changes.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// The set phrases of one language.
pub(super) struct Language {
    /// First words of an attribution: "*On* Monday Ada wrote:".
    pub openers: &'static [&'static str],
    /// Verbs of an attribution: "On Monday Ada *wrote*:".
    pub verbs: &'static [&'static str],
    /// The sender's key in a copied header block.
    pub from_keys: &'static [&'static str],
    /// The other keys of such a block: date, recipients, subject.
    pub other_keys: &'static [&'static str],
    /// Titles of quoted or forwarded mails: "----- Original Message -----", "Begin forwarded message:".
    pub separators: &'static [&'static str],
    /// Beginnings of lines that programs and virus scanners add.
    pub footers: &'static [&'static str],
    /// Words in the footer of a mailing list, below a line of underscores.
    pub lists: &'static [&'static str],
    /// Beginnings of the subject of an automatic answer.
    pub absences: &'static [&'static str],
    /// Lines that open a block of orders.
    pub begin: &'static [&'static str],
    /// Lines that close it.
    pub end: &'static [&'static str],
}

/// The languages that the reader knows.
pub(super) const LANGUAGES: &[Language] = &[ENGLISH, FRENCH, GERMAN, SPANISH, ITALIAN, DUTCH];

const ENGLISH: Language = Language {
    openers: &["on"],
    verbs: &["wrote"],
    from_keys: &["from"],
    other_keys: &["sent", "date", "to", "cc", "subject", "reply-to"],
    separators: &[
        "original message",
        "forwarded message",
        "begin forwarded message",
        "original appointment",
    ],
    footers: &[
        "sent from my ",
        "sent from mail for windows",
        "sent from outlook",
        "sent from yahoo",
        "sent from aol",
        "sent with proton",
        "sent via ",
        "get outlook for ",
        "this email has been checked for viruses",
        "virus-free.",
    ],
    lists: &[
        "mailing list",
        "to unsubscribe",
        "you received this message because you are subscribed",
    ],
    absences: &[
        "automatic reply",
        "auto reply",
        "autoreply",
        "out of office",
        "out of the office",
    ],
    begin: &["begin orders"],
    end: &["end orders"],
};

const FRENCH: Language = Language {
    openers: &["le"],
    verbs: &["a ecrit"],
    from_keys: &["de", "expediteur"],
    other_keys: &[
        "envoye",
        "date",
        "a",
        "cc",
        "copie a",
        "objet",
        "sujet",
        "destinataire",
        "repondre a",
    ],
    separators: &[
        "message d'origine",
        "message original",
        "mail original",
        "courriel original",
        "message transfere",
        "message reexpedie",
        "debut du message reexpedie",
        "debut du message transfere",
    ],
    footers: &[
        "envoye de mon ",
        "envoye depuis ",
        "envoye a partir d",
        "envoye avec ",
        "telecharger outlook pour ",
        "telechargez outlook pour ",
        "obtenir outlook pour ",
        "provenance : courrier pour windows",
        "cet e-mail a ete verifie par le logiciel antivirus",
        "garanti sans virus",
        "sans virus.",
    ],
    lists: &[
        "liste de diffusion",
        "se desabonner",
        "pour vous desinscrire",
    ],
    absences: &[
        "reponse automatique",
        "absence du bureau",
        "message d'absence",
    ],
    begin: &["debut ordres", "debut des ordres"],
    end: &["fin ordres", "fin des ordres"],
};

const GERMAN: Language = Language {
    openers: &["am"],
    verbs: &["schrieb"],
    from_keys: &["von"],
    other_keys: &[
        "gesendet",
        "datum",
        "an",
        "cc",
        "kopie",
        "betreff",
        "antwort an",
    ],
    separators: &[
        "ursprungliche nachricht",
        "originalnachricht",
        "original-nachricht",
        "weitergeleitete nachricht",
        "anfang der weitergeleiteten nachricht",
    ],
    footers: &[
        "von meinem ",
        "gesendet von meinem ",
        "gesendet mit ",
        "diese nachricht wurde von meinem ",
        "outlook fur ",
        "holen sie sich outlook fur ",
    ],
    lists: &["mailingliste", "mailing-liste"],
    absences: &["automatische antwort", "abwesenheitsnotiz", "abwesenheit"],
    begin: &["beginn befehle", "anfang befehle"],
    end: &["ende befehle"],
};

const SPANISH: Language = Language {
    openers: &["el"],
    verbs: &["escribio"],
    from_keys: &["de"],
    other_keys: &["enviado", "enviado el", "fecha", "para", "cc", "asunto"],
    separators: &[
        "mensaje original",
        "mensaje reenviado",
        "inicio del mensaje reenviado",
    ],
    footers: &["enviado desde mi ", "obtener outlook para "],
    lists: &["lista de correo"],
    absences: &["respuesta automatica"],
    begin: &["inicio ordenes"],
    end: &["fin ordenes"],
};

const ITALIAN: Language = Language {
    openers: &["il"],
    verbs: &["ha scritto"],
    from_keys: &["da"],
    other_keys: &["inviato", "data", "a", "cc", "oggetto"],
    separators: &[
        "messaggio originale",
        "messaggio inoltrato",
        "inizio messaggio inoltrato",
    ],
    footers: &["inviato da ", "inviato dal mio ", "scarica outlook per "],
    lists: &["lista di distribuzione"],
    absences: &["risposta automatica"],
    begin: &["inizio ordini"],
    end: &["fine ordini"],
};

const DUTCH: Language = Language {
    openers: &["op"],
    verbs: &["schreef"],
    from_keys: &["van"],
    other_keys: &["verzonden", "datum", "aan", "cc", "onderwerp"],
    separators: &[
        "oorspronkelijk bericht",
        "doorgestuurd bericht",
        "begin doorgestuurd bericht",
    ],
    footers: &["verstuurd vanaf mijn ", "verzonden vanaf mijn "],
    lists: &["mailinglijst"],
    absences: &["automatisch antwoord", "afwezig"],
    begin: &["begin orders"],
    end: &["einde orders"],
};

/// Lower case, without accents, with plain apostrophes and hyphens and single spaces: what phrases are compared in.
pub(super) fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for character in text.nfkd().filter(|c| !is_combining_mark(*c)) {
        match character {
            '\u{2018}' | '\u{2019}' | '\u{02bc}' => folded.push('\''),
            '\u{2010}'..='\u{2015}' | '\u{2212}' => folded.push('-'),
            c if c.is_whitespace() => {
                if !folded.is_empty() && !folded.ends_with(' ') {
                    folded.push(' ');
                }
            }
            c => folded.extend(c.to_lowercase()),
        }
    }
    folded.truncate(folded.trim_end().len());
    folded
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
                language.absences,
                language.begin,
                language.end,
            ];
            for phrase in lists.into_iter().flatten() {
                assert_eq!(fold(phrase), phrase.trim_end(), "write the phrase folded");
            }
        }
    }
}
