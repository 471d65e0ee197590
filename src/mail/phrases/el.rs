//! Phrases of mail programs and their users in Greek.

use super::MailLanguage;

pub(super) const PHRASES: MailLanguage = MailLanguage {
    openers: &["στις"],
    verbs: &["εγραψε"],
    from_keys: &["απο"],
    other_keys: &[
        "σταλθηκε",
        "ημερομηνια",
        "προς",
        "κοιν.",
        "κοινοποιηση",
        "θεμα",
    ],
    separators: &["αρχικο μηνυμα", "προωθημενο μηνυμα", "προωθουμενο μηνυμα"],
    footers: &["σταλθηκε απο "],
    lists: &[],
    disclaimers: &[],
    greetings: &["γεια", "καλημερα", "καλησπερα", "αγαπητε", "αγαπητη"],
    closings: &["χαιρετισμους", "με εκτιμηση", "ευχαριστω"],
    sentences: &[],
    orders: &["εντολες", "γυρος"],
    absences: &["αυτοματη απαντηση"],
    begin: &[],
    end: &[],
};
