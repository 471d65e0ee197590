//! Mails into the inbox, letters out of the outboxes.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    path::Path,
};

use jiff::Timestamp;

use super::Letter;

/// A player's mail as bytes (RFC 5322). The same arguments give the same bytes.
pub fn mail_to(seat: &str, to: &str, words: &str, number: u32) -> Vec<u8> {
    let from = match seat {
        "french" | "sardinian" | "allied" => "Ada <ada@example.org>",
        "austrian" => "Bert <bert@example.org>",
        stranger if stranger.contains('@') => stranger,
        seat => &format!("<{seat}@example.org>"),
    };
    let words = words.replace('\n', "\r\n");
    format!(
        "From: {from}\r\nTo: <{to}>\r\nSubject: Re: orders\r\nDate: Sat, 21 Nov 2026 12:00:00 +0000\r\n\
         Message-ID: <{number}@players.example>\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\
         Content-Transfer-Encoding: 8bit\r\n\r\n{words}\r\n"
    )
    .into_bytes()
}

/// Puts a mail into a campaign's inbox under a fixed name, as if it had arrived at this time.
pub fn deposit(root: &Path, number: u32, time: Timestamp, bytes: &[u8]) {
    let new = root.join("inbox/new");
    fs::create_dir_all(&new).unwrap();
    let path = new.join(format!("{number:06}.test"));
    fs::write(&path, bytes).unwrap();
    File::options()
        .append(true)
        .open(&path)
        .unwrap()
        .set_modified(time.into())
        .unwrap();
}

/// All letters in the outbox of a recipient, in the order in which they were written.
pub fn letters(root: &Path, to: &str) -> Vec<Letter> {
    let Ok(folder) = fs::read_dir(root.join("outbox").join(to).join("new")) else {
        return Vec::new();
    };
    let files = folder.map(|file| file.unwrap().path());
    let mut letters: Vec<Letter> = files
        .map(|path| Letter::read(&fs::read(path).unwrap()))
        .collect();
    letters.sort_by_key(Letter::number);
    letters
}

/// Everything that a campaign has brought forth: the journal and the finished mails of all
/// outboxes, by path.
pub fn tree(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::from([(
        "journal.jsonl".to_owned(),
        fs::read(root.join("journal.jsonl")).unwrap(),
    )]);
    for outbox in fs::read_dir(root.join("outbox")).unwrap() {
        let outbox = outbox.unwrap();
        for file in fs::read_dir(outbox.path().join("new"))
            .into_iter()
            .flatten()
        {
            let file = file.unwrap();
            let name = format!(
                "{}/{}",
                outbox.file_name().display(),
                file.file_name().display()
            );
            files.insert(name, fs::read(file.path()).unwrap());
        }
    }
    files
}
