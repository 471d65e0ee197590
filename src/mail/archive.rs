//! Mails that somebody has kept: mbox files, Maildirs, folders of `.eml` files, or one file, also
//! compressed. For audits: it decides nothing, and changes nothing.

use std::{
    fs::{self, File},
    io::{self, BufReader, Read},
    panic,
    path::{Path, PathBuf},
};

use flate2::read::GzDecoder;
use jiff::Timestamp;
use mail_parser::{HeaderName, Message, MimeHeaders, mailbox::mbox::MessageIterator};

use super::{
    MessageName,
    contents::{MailContents, contents_of},
    nesting::NestedMail,
};

/// A larger file is no mail of a game.
const LARGEST: u64 = 64 * 1024 * 1024;
/// How a compressed mail begins.
const GZIP: &[u8] = &[0x1f, 0x8b];
/// How deep folders may be nested; deeper ones are skipped.
const DEEPEST: usize = 16;
/// How deep mails may be attached to mails.
const MOST_NESTED: usize = 8;

/// A mail that was kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArchivedMail {
    /// Where it is: the path below what was read, with `#3` for the third mail of an mbox file.
    pub name: String,
    /// The campaign that our letters name: in the field `X-Estafette`, or in their Message-ID.
    pub campaign: Option<String>,
    /// When it was sent, as its header says.
    pub sent: Option<Timestamp>,
    /// When the reader's own server took it, as the newest `Received` line says.
    pub received: Option<Timestamp>,
    /// The text of the mail: plain, or made from HTML. Lines end with LF.
    pub text: String,
    /// Texts that are attached.
    pub attached: Vec<String>,
    /// The whole contents of a letter of ours: only for mails that name a campaign.
    pub contents: Option<MailContents>,
}

/// All mails that were found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Archive {
    /// In the order of their paths.
    pub mails: Vec<ArchivedMail>,
    /// Files that are no mails.
    pub passed_over: Vec<String>,
}

/// A file or folder that can't be read.
#[derive(Debug, thiserror::Error)]
#[error("{}: {source}. Name a folder of mails (a Maildir, .eml files), an mbox file, or one mail.", .path.display())]
pub struct ArchiveError {
    path: PathBuf,
    source: io::Error,
}

impl ArchiveError {
    fn at(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self { path, source }
    }
}

impl Archive {
    /// Reads all mails in a file or below a folder. A single file that is no mail is read as the
    /// text of one: pasted mails, or a register.
    ///
    /// # Errors
    /// When the file or a folder can't be read.
    pub fn read(path: &Path) -> Result<Self, ArchiveError> {
        Self::read_watched(path, &mut |_, _| {})
    }

    /// Like `read`, and reports how many files of how many have been read.
    ///
    /// # Errors
    /// As [`Archive::read`].
    pub fn read_watched(
        path: &Path,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<Self, ArchiveError> {
        let mut archive = Self::default();
        if fs::metadata(path).map_err(ArchiveError::at(path))?.is_dir() {
            let mut files = Vec::new();
            archive.folder(path, "", 0, &mut files)?;
            for (number, (path, name)) in files.iter().enumerate() {
                progress(number, files.len());
                archive.file(path, name)?;
            }
        } else {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            archive.file(path, &name)?;
            if archive.mails.is_empty() {
                archive.passed_over.clear();
                let bytes = fs::read(path).map_err(ArchiveError::at(path))?;
                archive.pasted(&name, &String::from_utf8_lossy(&bytes));
            }
        }
        Ok(archive)
    }

    /// Lists the files below a folder, each with its name.
    fn folder(
        &mut self,
        folder: &Path,
        name: &str,
        depth: usize,
        found: &mut Vec<(PathBuf, String)>,
    ) -> Result<(), ArchiveError> {
        let mut files: Vec<PathBuf> = fs::read_dir(folder)
            .and_then(|entries| {
                entries
                    .map(|entry| entry.map(|entry| entry.path()))
                    .collect()
            })
            .map_err(ArchiveError::at(folder))?;
        files.sort();
        let is_maildir = folder.join("cur").is_dir();
        for path in files {
            let own = path.file_name().unwrap_or_default().to_string_lossy();
            let name = format!("{name}{own}");
            let kind = fs::symlink_metadata(&path).map_err(ArchiveError::at(&path))?;
            if kind.is_file() {
                found.push((path, name));
            } else if kind.is_dir() && !(is_maildir && own == "tmp") {
                if depth < DEEPEST {
                    self.folder(&path, &format!("{name}/"), depth + 1, found)?;
                } else {
                    self.passed_over.push(name);
                }
            }
        }
        Ok(())
    }

    fn file(&mut self, path: &Path, name: &str) -> Result<(), ArchiveError> {
        let mut file = BufReader::new(File::open(path).map_err(ArchiveError::at(path))?);
        let mut start = Vec::new();
        let mut read = |start: &mut Vec<u8>, most| file.by_ref().take(most).read_to_end(start);
        read(&mut start, 5).map_err(ArchiveError::at(path))?;
        let before = self.mails.len();
        if start.starts_with(GZIP) {
            let mut mail = Vec::new();
            let decoder = GzDecoder::new(start.chain(file));
            // What is damaged is passed over, as what is no mail.
            let _ = decoder.take(LARGEST).read_to_end(&mut mail);
            self.mail(&mail, name);
        } else if start == b"From " {
            for (number, mail) in MessageIterator::new(start.chain(file)).enumerate() {
                let mail = mail.map_err(ArchiveError::at(path))?;
                self.mail(mail.contents(), &format!("{name}#{}", number + 1));
            }
        } else {
            read(&mut start, LARGEST).map_err(ArchiveError::at(path))?;
            self.mail(&start, name);
        }
        if self.mails.len() == before {
            match std::str::from_utf8(&start).ok().filter(has_entries) {
                Some(text) => self.pasted(name, text),
                None => self.passed_over.push(name.to_owned()),
            }
        }
        Ok(())
    }

    /// A text that is no mail: a register, or pasted mails.
    fn pasted(&mut self, name: &str, text: &str) {
        self.mails.push(ArchivedMail {
            name: name.to_owned(),
            text: lines_of(text),
            ..ArchivedMail::default()
        });
    }

    fn mail(&mut self, bytes: &[u8], name: &str) {
        // A bug in a library must not keep all other mails from being checked.
        let mails = panic::catch_unwind(|| {
            let mut mails = Vec::new();
            if let Some(message) = NestedMail::parse(bytes) {
                take(&message, name, 0, &mut mails);
            }
            mails
        });
        self.mails.extend(mails.unwrap_or_default());
    }
}

/// Returns true if a text has entries of a register: a bundle's `register.txt` among mails is
/// compared with them.
fn has_entries(text: &&str) -> bool {
    text.lines().any(|line| line.starts_with("sd1 "))
}

/// The mail and those that are attached to it.
fn take(message: &Message<'_>, name: &str, depth: usize, mails: &mut Vec<ArchivedMail>) {
    let is_mail = message.from().is_some() || message.message_id().is_some();
    if !is_mail || depth > MOST_NESTED {
        return;
    }
    let bodies = (0..message.text_body_count()).filter_map(|body| message.body_text(body));
    let texts = message.attachments().filter(|part| part.is_text());
    let campaign = campaign(message);
    mails.push(ArchivedMail {
        name: name.to_owned(),
        contents: campaign.as_ref().map(|_| contents_of(message)),
        campaign,
        sent: sent(message),
        received: received(message),
        text: bodies.map(|text| lines_of(&text)).collect(),
        attached: texts
            .filter(|part| part.attachment_name().is_some())
            .filter_map(|part| part.text_contents().map(lines_of))
            .collect(),
    });
    for (number, nested) in message
        .attachments()
        .filter_map(|part| part.message())
        .enumerate()
    {
        take(
            nested,
            &format!("{name}, mail {} in it", number + 1),
            depth + 1,
            mails,
        );
    }
}

/// The campaign that a letter of ours names, in its own field or, if that was removed, in its
/// Message-ID.
fn campaign(message: &Message<'_>) -> Option<String> {
    let field = message.header_raw(HeaderName::Other("X-Estafette".into()));
    let named = field.map(|field| field.trim().to_owned());
    named.filter(|name| !name.is_empty()).or_else(|| {
        let name = MessageName::parse(message.message_id()?)?;
        Some(name.campaign)
    })
}

fn sent(message: &Message<'_>) -> Option<Timestamp> {
    Timestamp::from_second(message.date()?.to_timestamp()).ok()
}

/// Each server writes its line above the earlier ones: the first is the reader's own server's, and
/// the sender may have written everything below. If the first one can't be read, no other replaces
/// it.
fn received(message: &Message<'_>) -> Option<Timestamp> {
    let newest = message.header_values(HeaderName::Received).next()?;
    let date = newest.as_received()?.date()?;
    Timestamp::from_second(date.to_timestamp()).ok()
}

fn lines_of(text: &str) -> String {
    text.replace("\r\n", "\n")
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)] // tests may panic
mod tests {
    use std::io::Write;

    use flate2::{Compression, write::GzEncoder};

    use super::*;

    const MAIL: &str = "From: a@example.org\r\nX-Estafette: spring\r\nContent-Type: text/plain\r\n\
                        Content-Transfer-Encoding: quoted-printable\r\n\r\nhead =\r\n1234\r\n";

    fn names(archive: &Archive) -> Vec<&str> {
        archive
            .mails
            .iter()
            .map(|mail| mail.name.as_str())
            .collect()
    }

    #[test]
    fn folders_maildirs_and_mbox_files_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for folder in ["box/cur", "box/new", "box/tmp"] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        fs::write(root.join("a.eml"), MAIL).unwrap();
        fs::write(root.join("note.txt"), "Note: no mail").unwrap();
        fs::write(root.join("register.txt"), "sd1 spring 1 note\nprev ...").unwrap();
        fs::write(root.join("box/cur/1:2,S"), MAIL).unwrap();
        fs::write(root.join("box/tmp/2"), MAIL).unwrap();
        let mbox = format!("From a\n{MAIL}\nFrom b\n{MAIL}");
        fs::write(root.join("kept.mbox"), mbox).unwrap();
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(MAIL.as_bytes()).unwrap();
        let compressed = encoder.finish().unwrap();
        fs::write(root.join("box/new/3,.gz"), &compressed).unwrap();
        fs::write(root.join("cut.gz"), &compressed[..12]).unwrap();
        let archive = Archive::read(root).unwrap();
        assert_eq!(
            names(&archive),
            [
                "a.eml",
                "box/cur/1:2,S",
                "box/new/3,.gz",
                "kept.mbox#1",
                "kept.mbox#2",
                "register.txt"
            ]
        );
        assert_eq!(archive.passed_over, ["cut.gz", "note.txt"]);
        assert_eq!(archive.mails[2].text, archive.mails[1].text);
        let first = &archive.mails[0];
        assert_eq!(first.campaign.as_deref(), Some("spring"));
        assert_eq!(first.text, "head 1234\n");
        let text = Archive::read(&root.join("note.txt")).unwrap();
        assert_eq!(text.mails[0].text, "Note: no mail");
        assert!(Archive::read(&root.join("nothing")).is_err());
    }

    #[test]
    fn the_line_of_the_readers_own_server_says_when_a_mail_came() {
        let came = |lines: &[&str]| {
            let file = tempfile::NamedTempFile::new().unwrap();
            let lines: String = lines.iter().map(|l| format!("Received: {l}\r\n")).collect();
            fs::write(file.path(), format!("{lines}{MAIL}")).unwrap();
            let archive = Archive::read(file.path()).unwrap();
            archive.mails[0].received.map(|time| time.to_string())
        };
        let own = "from relay.example.net by mx.example.org; Wed, 23 Aug 2023 15:16:00 +0000";
        let forged = "from host by relay.example.net; Wed, 23 Aug 2023 09:00:00 +0000";
        let right = Some("2023-08-23T15:16:00Z".to_owned());
        assert_eq!(came(&[own]), right);
        assert_eq!(came(&[own, forged]), right);
        assert_eq!(came(&["from a by b", forged]), None);
        assert_eq!(came(&["from a by b; yesterday", forged]), None);
        assert_eq!(came(&[]), None);
    }
}
