//! Phrases of mail programs and their users in Romanian.

use super::MailLanguage;

pub(super) const PHRASES: MailLanguage = MailLanguage {
    openers: &["pe", "in"],
    verbs: &["a scris"],
    from_keys: &["de la"],
    other_keys: &["trimis", "data", "catre", "cc", "subiect"],
    separators: &[
        "mesaj original",
        "mesajul original",
        "mesaj redirectionat",
        "mesaj forwardat",
    ],
    footers: &["trimis de pe ", "trimis din "],
    lists: &[],
    disclaimers: &[],
    greetings: &["buna", "salut", "buna ziua", "draga", "stimate"],
    closings: &["cu stima", "multumesc", "salutari", "numai bine"],
    sentences: &[],
    orders: &["ordine", "tur"],
    absences: &["raspuns automat"],
    begin: &[],
    end: &[],
};
