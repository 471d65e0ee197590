//! Phrases of mail programs and their users in Turkish.

use super::MailLanguage;

pub(super) const PHRASES: MailLanguage = MailLanguage {
    openers: &[],
    verbs: &["yazdı", "sunu yazdı", "sunları yazdı"],
    from_keys: &["kimden", "gonderen"],
    other_keys: &[
        "gonderilme",
        "gonderildi",
        "tarih",
        "kime",
        "bilgi",
        "konu",
        "gonderme tarihi",
    ],
    separators: &[
        "ozgun ileti",
        "orijinal mesaj",
        "iletilen mesaj",
        "yonlendirilmis ileti",
        "orijinal ileti",
        "yonlendirilen ileti",
        "iletilen ileti",
        "iletilmis mesaj",
    ],
    footers: &[],
    lists: &[],
    disclaimers: &[],
    greetings: &["merhaba", "selam", "sevgili", "iyi gunler"],
    closings: &[
        "saygılar",
        "saygılarımla",
        "tesekkurler",
        "selamlar",
        "sevgiler",
        "iyi gunler",
    ],
    sentences: &[],
    orders: &["emirler", "tur"],
    absences: &["otomatik yanıt"],
    begin: &[],
    end: &[],
};
