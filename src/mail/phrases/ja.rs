//! Phrases of mail programs and their users in Japanese.

use super::MailLanguage;

pub(super) const PHRASES: MailLanguage = MailLanguage {
    openers: &[],
    verbs: &["のメール", "書きました", "書き込みました"],
    from_keys: &["差出人", "送信者", "from"],
    other_keys: &["送信日時", "日時", "日付", "宛先", "cc", "件名"],
    separators: &[
        "元のメッセーシ",
        "転送されたメッセーシ",
        "転送メール",
        "元のメール",
        "オリシナルメッセーシ",
    ],
    footers: &["iphoneから送信", "私のiphoneから", "outlook for ios を入手"],
    lists: &[],
    disclaimers: &[],
    greetings: &["こんにちは", "こんはんは"],
    closings: &["よろしくお願いします", "敬具", "以上"],
    sentences: &[],
    orders: &["命令", "ターン"],
    absences: &["自動応答"],
    begin: &[],
    end: &[],
};
