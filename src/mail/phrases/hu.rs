//! Phrases of mail programs and their users in Hungarian.

use super::MailLanguage;

pub(super) const PHRASES: MailLanguage = MailLanguage {
    openers: &[],
    verbs: &["irta", "ezt irta"],
    from_keys: &["felado"],
    other_keys: &[
        "elkuldve",
        "kuldve",
        "datum",
        "cimzett",
        "masolatot kap",
        "targy",
    ],
    separators: &[
        "eredeti uzenet",
        "tovabbitott uzenet",
        "tovabbitott level",
        "eredeti level",
        "tovabbitott level kezdete",
    ],
    footers: &["iphone-rol kuldve", "az en ", "kuldve ", "elkuldve "],
    lists: &["levelezolista"],
    disclaimers: &[],
    greetings: &["szia", "sziasztok", "hello", "kedves", "jo napot"],
    closings: &["udv", "udvozlettel", "koszonom", "koszi", "szia"],
    sentences: &[],
    orders: &["parancsok"],
    absences: &["automatikus valasz"],
    begin: &[],
    end: &[],
};
