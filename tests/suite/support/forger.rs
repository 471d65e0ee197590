//! A forger who knows the protocol: whatever is changed in mails, the heads, links and feet are
//! made to fit again.
use std::{fs, path::Path};

use estafette::{
    campaign::post::sheet,
    dice::{Receipt, hash},
};
use serde_json::Value;
use tempfile::TempDir;

use super::Letter;

/// The entry with this number in the texts, from its first line to its last.
pub fn entry(texts: &[String], campaign: &str, n: usize) -> Option<String> {
    let text = texts.iter().find_map(|text| {
        let start = text.find(&format!("sd1 {campaign} {n} "))?;
        text.get(start..)
    })?;
    let head = text.find("\nhead ")?;
    Some(text[..head + 1 + "head ".len() + 64].to_owned())
}

/// Gives every entry the head that its lines have, and changes it wherever it is named.
pub fn mend(texts: &mut [String], campaign: &str) {
    for n in 1.. {
        let Some(entry) = entry(texts, campaign, n) else {
            return;
        };
        let (above, head) = entry.rsplit_once("head ").unwrap();
        let right = hash(above).to_string();
        for text in texts.iter_mut() {
            *text = text.replace(head, &right);
        }
    }
}

/// Changes the records of a journal, and gives all of them numbers, links and heads that fit.
pub fn journal(file: &Path, change: impl FnOnce(&mut Vec<Value>)) {
    let text = fs::read_to_string(file).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    let mut records: Vec<Value> = lines.collect();
    change(&mut records);
    let mut prev = "0".repeat(64);
    let mut lines = String::new();
    for (index, record) in records.iter_mut().enumerate() {
        let fields = record.as_object_mut().unwrap();
        fields.shift_remove("head");
        fields["n"] = (index + 1).into();
        fields["prev"] = prev.into();
        let above = record.to_string();
        let above = above.strip_suffix('}').unwrap();
        prev = hash(above).to_string();
        lines.push_str(&format!("{above},\"head\":\"{prev}\"}}\n"));
    }
    fs::write(file, lines).unwrap();
}

/// The roll with another last die.
pub fn other_die(roll: &str) -> String {
    let (line, die) = roll.rsplit_once(' ').unwrap();
    format!("{line} {}", if die == "1" { "2" } else { "1" })
}

/// Letters of the campaign `spring`, to be changed: whole mails as [`mail_of`] writes them, or
/// texts alone.
#[derive(Clone)]
pub struct Texts(pub Vec<String>);

impl Texts {
    /// Replaces a text wherever it stands; it must stand somewhere.
    #[track_caller]
    pub fn change(mut self, from: &str, to: &str) -> Self {
        assert!(self.0.iter().any(|text| text.contains(from)), "{from}");
        for text in &mut self.0 {
            *text = text.replace(from, to);
        }
        self
    }

    /// The first line that has all these words.
    #[track_caller]
    pub fn line(&self, words: &[&str]) -> String {
        let mut lines = self.0.iter().flat_map(|text| text.lines());
        let line = lines.find(|line| words.iter().all(|word| line.contains(word)));
        line.unwrap_or_else(|| panic!("no line with {words:?}"))
            .to_owned()
    }

    /// The entry with this number.
    pub fn entry(&self, n: usize) -> Option<String> {
        entry(&self.0, "spring", n)
    }

    /// The forger's work: all heads, links and feet are made to fit again.
    pub fn mended(mut self) -> Self {
        mend(&mut self.0, "spring");
        self
    }

    /// Gives every receipt the digest of the letter in which it stands now.
    pub fn with_receipts_mended(mut self) -> Self {
        for mail in &mut self.0 {
            let found = mail.lines().find_map(|line| line.parse::<Receipt>().ok());
            let Some(receipt) = found else { continue };
            let contents = estafette::mail::contents(mail.as_bytes()).unwrap();
            let sheet = sheet::of_contents(&"spring".parse().unwrap(), &contents);
            let right = Receipt {
                letter: Some(sheet.digest()),
                ..receipt.clone()
            };
            *mail = mail.replace(&receipt.to_string(), &right.to_string());
        }
        self
    }

    /// The texts alone, as somebody would paste them.
    pub fn bare(&self) -> Vec<String> {
        let bare = |mail: &String| estafette::mail::contents(mail.as_bytes()).unwrap().text;
        self.0.iter().map(bare).collect()
    }

    /// Writes them as mails of the host into a folder.
    pub fn folder(&self) -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (number, text) in self.0.iter().enumerate() {
            let mail = match text.starts_with("From: ") {
                true => text.clone(),
                false => letter_of("spring", text),
            };
            fs::write(folder.path().join(format!("{number:02}.eml")), mail).unwrap();
        }
        folder
    }
}

/// A letter written down so that a forger can change what he likes: the fields that people read,
/// text and page as they are, the files.
pub fn mail_of(letter: &Letter) -> String {
    let fields = [
        "From: ",
        "To: ",
        "Reply-To: ",
        "Subject: ",
        "Date: ",
        "Message-ID: ",
        "X-Estafette: ",
    ];
    let header = letter.header.replace("\r\n ", " ").replace("\r\n\t", " ");
    let of = |field: &str| {
        let line = header.lines().find(|line| line.starts_with(field));
        line.map(|line| format!("{line}\n"))
    };
    let mut mail: String = fields.iter().filter_map(|field| of(field)).collect();
    mail.push_str("MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=forged\n\n");
    let part = |kind: &str, encoding: &str, body: &str| {
        format!("Content-Type: {kind}\nContent-Transfer-Encoding: {encoding}\n\n{body}\n")
    };
    let text = part("text/plain; charset=utf-8", "8bit", &letter.text);
    match &letter.html {
        Some(page) => {
            let page = page.replace("\r\n", "\n");
            let page = part("text/html; charset=utf-8", "8bit", &page);
            mail.push_str(&format!(
                "--forged\nContent-Type: multipart/alternative; boundary=body\n\n--body\n{text}--body\n{page}--body--\n"
            ));
        }
        None => mail.push_str(&format!("--forged\n{text}")),
    }
    let page = letter.html.as_deref().unwrap_or_default();
    let mut shown = page.split("src=\"cid:").skip(1);
    for (name, bytes) in &letter.attached {
        let file = format!("Content-Disposition: attachment; filename=\"{name}\"");
        let part = match std::str::from_utf8(bytes) {
            Ok(entry) => {
                let kind = format!("text/plain; charset=utf-8\n{file}");
                part(&kind, "8bit", &entry.replace("\r\n", "\n"))
            }
            Err(_) => {
                let base64 = data_encoding::BASE64.encode(bytes);
                let id = shown.next().and_then(|rest| rest.split('"').next());
                let id = id.map_or_else(String::new, |id| format!("\nContent-ID: <{id}>"));
                part(&format!("image/png\n{file}{id}"), "base64", &base64)
            }
        };
        mail.push_str(&format!("--forged\n{part}"));
    }
    mail.push_str("--forged--\n");
    mail
}

/// A letter of the host with this text.
pub fn letter_of(campaign: &str, text: &str) -> String {
    format!(
        "From: The host <game@example.org>\nX-Estafette: {campaign}\nMIME-Version: 1.0\n\
         Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n{text}"
    )
}
