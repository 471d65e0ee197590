//! Phrases of mail programs and their users in Chinese, in both scripts.

use super::MailLanguage;

pub(super) const PHRASES: MailLanguage = MailLanguage {
    openers: &[],
    verbs: &["写道", "寫道"],
    from_keys: &["发件人", "寄件者", "寄件人"],
    other_keys: &[
        "发送时间",
        "發送時間",
        "寄件日期",
        "发送日期",
        "日期",
        "收件人",
        "收件者",
        "抄送",
        "副本",
        "主题",
        "主旨",
        "主題",
    ],
    separators: &[
        "原始邮件",
        "原始郵件",
        "转发的邮件",
        "轉寄的郵件",
        "已轉寄郵件",
        "邮件原件",
        "回复的原邮件",
    ],
    footers: &["发自我的", "從我的", "從 iphone 傳送", "发自 "],
    lists: &[],
    disclaimers: &[],
    greetings: &["你好", "您好"],
    closings: &["谢谢", "謝謝", "祝好"],
    sentences: &[],
    orders: &["命令", "回合"],
    absences: &["自动答复", "自動回覆"],
    begin: &[],
    end: &[],
};
