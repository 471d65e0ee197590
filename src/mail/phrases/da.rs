//! Phrases of mail programs and their users in Danish.

use super::MailLanguage;

pub(super) const PHRASES: MailLanguage = MailLanguage {
    openers: &["den", "d."],
    verbs: &["skrev"],
    from_keys: &["fra", "afsender"],
    other_keys: &["sendt", "dato", "til", "cc", "emne"],
    separators: &[
        "oprindelig meddelelse",
        "original meddelelse",
        "oprindelig besked",
        "videresendt meddelelse",
        "videresendt besked",
        "start pa videresendt besked",
        "videresendt mail",
    ],
    footers: &[
        "sendt fra min ",
        "sendt fra outlook",
        "sendt fra mail til windows",
        "sendt med ",
        "hent outlook til ",
        "virusfri.",
    ],
    lists: &["mailingliste", "afmeld"],
    disclaimers: &["denne meddelelse og eventuelle vedhaeftede"],
    greetings: &["hej", "godmorgen", "goddag", "kaere"],
    closings: &[
        "mvh",
        "hilsen",
        "venlig hilsen",
        "med venlig hilsen",
        "de bedste hilsner",
        "tak",
        "pa forhand tak",
    ],
    sentences: &["min adresse", "ny adresse", "jeg"],
    orders: &["ordrer", "tur"],
    absences: &["autosvar", "automatisk svar", "fravaer"],
    begin: &["begynd ordrer", "start ordrer"],
    end: &["slut ordrer"],
};
