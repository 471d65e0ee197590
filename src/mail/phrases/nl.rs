//! Phrases of mail programs and their users in Dutch.

use super::MailLanguage;

pub(super) const PHRASES: MailLanguage = MailLanguage {
    openers: &["op"],
    verbs: &["schreef", "heeft geschreven"],
    from_keys: &["van", "afzender"],
    other_keys: &["verzonden", "datum", "aan", "cc", "onderwerp"],
    separators: &[
        "oorspronkelijk bericht",
        "origineel bericht",
        "doorgestuurd bericht",
        "begin doorgestuurd bericht",
    ],
    footers: &[
        "verstuurd vanaf mijn ",
        "verzonden vanaf mijn ",
        "verzonden met ",
        "outlook voor ",
        "download outlook voor ",
        "virusvrij.",
    ],
    lists: &["mailinglijst"],
    disclaimers: &["dit bericht en eventuele bijlagen"],
    greetings: &["hoi", "hallo", "beste", "goedemorgen", "goedemiddag", "dag"],
    closings: &[
        "groeten",
        "groet",
        "groetjes",
        "met vriendelijke groet",
        "met vriendelijke groeten",
        "vriendelijke groet",
        "mvg",
        "bedankt",
        "dank je",
    ],
    sentences: &["mijn adres", "nieuw adres", "ik ben"],
    orders: &["orders", "beurt", "zetten"],
    absences: &["automatisch antwoord", "afwezig"],
    begin: &["begin orders", "begin bevelen"],
    end: &["einde orders", "einde bevelen"],
};
