//! What mail programs and their users write in Polish.

use super::MailLanguage;

pub(super) const PHRASES: MailLanguage = MailLanguage {
    openers: &["w dniu", "dnia", "w", "dn."],
    verbs: &[
        "napisał",
        "napisała",
        "napisał(a)",
        "napisal(a)",
        "napisal",
        "napisala",
        "pisze",
    ],
    from_keys: &["od", "nadawca"],
    other_keys: &[
        "wysłano", "wysłane", "data", "do", "dw", "udw", "temat", "odbiorca", "kopia",
    ],
    separators: &[
        "wiadomosc oryginalna",
        "oryginalna wiadomosc",
        "wiadomosc przekazana",
        "przekazana wiadomosc",
        "tresc przekazanej wiadomosci",
        "poczatek przekazywanej wiadomosci",
        "dostarczona wiadomosc",
    ],
    footers: &[
        "wysłane z ",
        "wysłano z ",
        "wysłane za pomoca ",
        "pobierz outlook",
        "pobierz aplikacje outlook",
        "wolne od wirusow",
        "wolny od wirusow",
    ],
    lists: &["lista dyskusyjna", "wypisac sie"],
    disclaimers: &["ta wiadomosc i wszelkie załaczniki", "niniejsza wiadomosc"],
    greetings: &[
        "czesc",
        "witam",
        "witaj",
        "dzien dobry",
        "dobry wieczor",
        "hej",
        "drogi",
        "droga",
        "siema",
    ],
    closings: &[
        "pozdrawiam",
        "pozdrowienia",
        "z powazaniem",
        "dziekuje",
        "dzieki",
        "z wyrazami szacunku",
        "serdecznie pozdrawiam",
        "do usłyszenia",
        "na razie",
    ],
    absences: &[
        "automatyczna odpowiedz",
        "odpowiedz automatyczna",
        "poza biurem",
    ],
    begin: &["poczatek rozkazow"],
    end: &["koniec rozkazow"],
};
