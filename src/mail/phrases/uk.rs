//! Phrases of mail programs and their users in Ukrainian.

use super::MailLanguage;

pub(super) const PHRASES: MailLanguage = MailLanguage {
    openers: &[],
    verbs: &["пише", "писав", "писала", "написав", "написала"],
    from_keys: &["від", "від кого"],
    other_keys: &["надіслано", "дата", "кому", "копія", "тема"],
    separators: &[
        "оригінальне повідомлення",
        "переслане повідомлення",
        "переслании лист",
        "початок пересланого повідомлення",
        "вихідне повідомлення",
    ],
    footers: &["надіслано з ", "відправлено з "],
    lists: &[],
    disclaimers: &[],
    greetings: &["привіт", "вітаю", "добрии день", "добрии вечір"],
    closings: &["з повагою", "дякую", "буваи", "до зустрічі"],
    sentences: &[],
    orders: &["накази", "хід"],
    absences: &["автоматична відповідь"],
    begin: &[],
    end: &[],
};
