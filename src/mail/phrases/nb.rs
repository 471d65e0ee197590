//! Phrases of mail programs and their users in Norwegian.

use super::MailLanguage;

pub(super) const PHRASES: MailLanguage = MailLanguage {
    openers: &["den", "pa"],
    verbs: &["skrev"],
    from_keys: &["fra", "avsender"],
    other_keys: &["sendt", "dato", "til", "kopi", "cc", "emne"],
    separators: &[
        "opprinnelig melding",
        "original melding",
        "videresendt melding",
        "start pa videresendt melding",
        "begynnelse pa videresendt melding",
        "videresendt e-post",
    ],
    footers: &[
        "sendt fra min ",
        "sendt fra outlook",
        "sendt fra e-post",
        "sendt med ",
        "fa outlook for ",
        "last ned outlook for ",
        "virusfri.",
    ],
    lists: &["e-postliste", "avslutte abonnement"],
    disclaimers: &["denne meldingen og eventuelle vedlegg"],
    greetings: &["hei", "heisann", "god morgen", "kjaere"],
    closings: &[
        "mvh",
        "hilsen",
        "vennlig hilsen",
        "med vennlig hilsen",
        "beste hilsen",
        "takk",
        "takk pa forhand",
    ],
    sentences: &["min adresse", "ny adresse", "jeg"],
    orders: &["ordrer", "tur", "trekk"],
    absences: &["automatisk svar", "fravaer"],
    begin: &["begynn ordre", "start ordre"],
    end: &["slutt ordre"],
};
