//! Phrases of mail programs and their users in Finnish.

use super::MailLanguage;

pub(super) const PHRASES: MailLanguage = MailLanguage {
    openers: &["ma", "ti", "ke", "to", "pe", "la", "su"],
    verbs: &["kirjoitti", "kirjoittaa"],
    from_keys: &["lahettaja"],
    other_keys: &["lahetetty", "paivamaara", "vastaanottaja", "kopio", "aihe"],
    separators: &[
        "alkuperainen viesti",
        "edelleenlahetetty viesti",
        "edelleen lahetetty viesti",
        "edelleenlahetetty viesti alkaa",
        "valitetty viesti",
    ],
    footers: &[
        "lahetetty iphonesta",
        "lahetetty ipadista",
        "lahetetty laitteesta ",
        "lahetetty samsung-",
        "lahetetty outlook",
        "lahetetty androidi",
        "lahetetty puhelimesta",
        "lahetetty xperia",
        "lahetetty windows",
        "virukseton.",
        "viruksia ei loytynyt",
        "hanki outlook ",
    ],
    lists: &["postituslista"],
    disclaimers: &["tama viesti ja sen liitteet"],
    greetings: &["hei", "moi", "terve", "hyvaa huomenta", "hyvaa paivaa"],
    closings: &[
        "terveisin",
        "terveiset",
        "ystavallisin terveisin",
        "parhain terveisin",
        "terv",
        "kiitos",
        "kiitoksia",
    ],
    sentences: &["osoitteeni", "uusi osoite", "olen"],
    orders: &["kaskyt", "vuoro", "siirrot"],
    absences: &["automaattinen vastaus", "poissa toimistosta"],
    begin: &["kaskyt alkavat"],
    end: &["kaskyt paattyvat"],
};
