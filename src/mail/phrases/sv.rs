//! Phrases of mail programs and their users in Swedish.

use super::MailLanguage;

pub(super) const PHRASES: MailLanguage = MailLanguage {
    openers: &["den"],
    verbs: &["skrev", "har skrivit"],
    from_keys: &["fran", "avsandare"],
    other_keys: &["skickat", "datum", "till", "kopia", "cc", "amne"],
    separators: &[
        "ursprungligt meddelande",
        "originalmeddelande",
        "vidarebefordrat meddelande",
        "vidarebefordrat brev",
        "borjan pa vidarebefordrat meddelande",
        "vidarebefordrat mejl",
    ],
    footers: &[
        "skickat fran min ",
        "skickat fran outlook",
        "skickat fran e-post",
        "skickat med ",
        "skaffa outlook for ",
        "hamta outlook for ",
        "virusfritt.",
    ],
    lists: &["e-postlista", "avregistrera"],
    disclaimers: &["detta meddelande och eventuella bilagor"],
    greetings: &["hej", "hejsan", "god morgon", "basta"],
    closings: &[
        "mvh",
        "med vanliga halsningar",
        "vanliga halsningar",
        "halsningar",
        "basta halsningar",
        "tack",
        "tack pa forhand",
        "hej da",
    ],
    sentences: &["min adress", "ny adress", "jag"],
    orders: &["order", "drag"],
    absences: &["autosvar", "automatiskt svar", "franvaro"],
    begin: &["borjan order", "borja order"],
    end: &["slut order"],
};
