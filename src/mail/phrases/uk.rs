//! What mail programs and their users write in Ukrainian.

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
    ],
    footers: &["надіслано з ", "відправлено з "],
    lists: &[],
    disclaimers: &[],
    greetings: &["привіт", "вітаю", "добрии день", "добрии вечір"],
    closings: &["з повагою", "дякую", "буваи", "до зустрічі"],
    sentences: &[],
    absences: &["автоматична відповідь"],
    begin: &[],
    end: &[],
};
