//! Phrases of mail programs and their users in Italian.

use super::MailLanguage;

pub(super) const PHRASES: MailLanguage = MailLanguage {
    openers: &["il"],
    verbs: &["ha scritto", "scrive"],
    from_keys: &["da"],
    other_keys: &["inviato", "data", "a", "cc", "oggetto"],
    separators: &[
        "messaggio originale",
        "messaggio inoltrato",
        "inizio messaggio inoltrato",
        "messaggio originario",
    ],
    footers: &[
        "inviato da ",
        "inviato dal mio ",
        "scarica outlook per ",
        "ottieni outlook per ",
        "privo di virus.",
    ],
    lists: &["lista di distribuzione"],
    disclaimers: &[
        "questo messaggio e i suoi allegati",
        "avviso di riservatezza",
    ],
    greetings: &[
        "ciao",
        "salve",
        "buongiorno",
        "buonasera",
        "gentile",
        "caro",
        "cara",
    ],
    closings: &[
        "saluti",
        "cordiali saluti",
        "distinti saluti",
        "un saluto",
        "a presto",
        "grazie",
        "grazie mille",
    ],
    sentences: &["il mio indirizzo", "nuovo indirizzo", "fino", "sono via"],
    orders: &["ordini", "turno"],
    absences: &["risposta automatica"],
    begin: &["inizio ordini"],
    end: &["fine ordini"],
};
