//! What mail programs and their users write in Czech, and what Slovak telephones add.

use super::MailLanguage;

pub(super) const PHRASES: MailLanguage = MailLanguage {
    openers: &["dne"],
    verbs: &["napsal", "napsala", "napsal(a)", "pise", "napsali"],
    from_keys: &["od", "odesilatel"],
    other_keys: &["odeslano", "datum", "komu", "kopie", "predmet", "prijemce"],
    separators: &[
        "puvodni zprava",
        "preposlana zprava",
        "presmerovana zprava",
        "zacatek preposilane zpravy",
        "puvodni e-mail",
    ],
    footers: &[
        "odeslano z ",
        "odeslano ze ",
        "odeslano pomoci ",
        "odeslano pres ",
        "ziskat outlook pro ",
        "stahnout outlook pro ",
        "bez viru.",
        "odoslane z ",
        "odoslane zo ",
    ],
    lists: &["postovni konference", "odhlasit"],
    disclaimers: &[
        "tato zprava a vsechny jeji prilohy",
        "tento e-mail a jeho prilohy",
    ],
    greetings: &[
        "ahoj",
        "dobry den",
        "dobre rano",
        "dobry vecer",
        "cau",
        "zdravim",
        "mily",
        "mila",
        "vazeny",
        "vazena",
    ],
    closings: &[
        "s pozdravem",
        "zdravim",
        "diky",
        "dekuji",
        "s uctou",
        "mej se",
        "mejte se",
        "hezky den",
    ],
    sentences: &["moje adresa", "nova adresa", "jsem", "budu"],
    absences: &["automaticka odpoved", "mimo kancelar"],
    begin: &["zacatek rozkazu"],
    end: &["konec rozkazu"],
};
