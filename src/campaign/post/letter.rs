//! A letter that goes out, and its pictures.
//!
//! Drawing costs far more than everything else in a letter. So the journal binds a letter with the
//! source of each picture (SVG) in the picture's place: the source says all that the picture shows,
//! and replaying a campaign makes it again at no cost. A player has only the PNG, so the register
//! binds its digest. The journal notes that digest like an input: doing the work again takes it
//! from there, and draws only a letter that lies in an outbox, is to be sent, or is compared byte
//! for byte.

use std::{borrow::Cow, collections::VecDeque, sync::Arc};

use super::cores::on_all_cores;
use crate::{
    campaign::model::{events::LetterRecord, recipient::Recipient, work_error::WorkError},
    dice,
    digest::Digest,
    dispatch,
    mail::{self, Image, ImageKind, Outgoing},
};

/// A picture of a letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The name that the HTML refers to it by.
    pub cid: String,
    /// The name under which a reader may save it.
    pub file_name: String,
    /// The source from which it is drawn.
    pub svg: String,
    kind: ImageKind,
    file: PictureFile,
}

/// The file that a reader gets, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
enum PictureFile {
    /// It has not been drawn yet.
    Undrawn,
    /// The bytes, drawn.
    Drawn(Arc<[u8]>),
    /// Its digest: it was drawn when the letter was first written.
    OnRecord(Digest),
}

impl Picture {
    /// A picture that has not been drawn.
    #[must_use]
    pub fn new(cid: &str, file_name: String, svg: String) -> Self {
        Self {
            cid: cid.to_owned(),
            file_name,
            svg,
            kind: ImageKind::Shown,
            file: PictureFile::Undrawn,
        }
    }

    /// A page to print that has not been drawn.
    #[must_use]
    pub fn page(file_name: String, svg: String) -> Self {
        Self {
            kind: ImageKind::Printed,
            ..Self::new("page", file_name, svg)
        }
    }

    #[cfg(test)]
    pub(super) fn drawn_as(cid: &str, file_name: &str, png: &[u8]) -> Self {
        Self {
            file: PictureFile::Drawn(png.into()),
            ..Self::new(cid, file_name.to_owned(), String::new())
        }
    }

    /// The digest of its file, which the register binds. None until it has been drawn.
    #[must_use]
    pub fn digest(&self) -> Option<Digest> {
        match &self.file {
            PictureFile::Undrawn => None,
            PictureFile::Drawn(png) => Some(dice::hash_bytes(png)),
            PictureFile::OnRecord(digest) => Some(*digest),
        }
    }

    fn draw(&self) -> Result<Arc<[u8]>, WorkError> {
        if let PictureFile::Drawn(file) = &self.file {
            return Ok(Arc::clone(file));
        }
        let file = match self.kind {
            ImageKind::Shown => dispatch::map_png(&self.svg),
            ImageKind::Printed => dispatch::map_pdf(&self.svg),
        };
        file.map(Arc::from)
            .map_err(|error| WorkError::Picture(error.to_string()))
    }

    fn with(&self, bytes: Vec<u8>) -> Image {
        Image {
            cid: self.cid.clone(),
            bytes,
            file_name: self.file_name.clone(),
            kind: self.kind,
        }
    }

    fn source(&self) -> Image {
        self.with(self.svg.clone().into_bytes())
    }
}

/// Finds the digests of pictures: takes those on record from there, in their order, and draws the
/// others on all cores. Returns the digests.
///
/// # Errors
/// The first picture that can't be drawn.
pub(super) fn draw(
    pictures: Vec<&mut Picture>,
    on_record: &mut VecDeque<Digest>,
) -> Result<Vec<Digest>, WorkError> {
    let mut missing = Vec::new();
    let mut digests: Vec<Option<Digest>> = Vec::new();
    for picture in pictures {
        let known = on_record.pop_front();
        digests.push(known);
        match known {
            Some(digest) => picture.file = PictureFile::OnRecord(digest),
            None => missing.push(picture),
        }
    }
    let undrawn: Vec<&Picture> = missing.iter().map(|picture| &**picture).collect();
    let drawn = on_all_cores(undrawn, |picture| picture.draw())?;
    let mut made = Vec::new();
    for (picture, png) in missing.into_iter().zip(drawn) {
        made.push(dice::hash_bytes(&png));
        picture.file = PictureFile::Drawn(png);
    }
    let mut made = made.into_iter();
    Ok(digests
        .into_iter()
        .filter_map(|known| known.or_else(|| made.next()))
        .collect())
}

/// A letter that has been written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    /// The recipient.
    pub to: Recipient,
    /// Its Message-ID, the same each time it is made.
    pub message_id: String,
    /// True if it is kept and not sent, because the address has been given up or a bot reads it.
    pub aside: bool,
    /// The digest of its sheet, if the register binds it.
    pub bound: Option<Digest>,
    /// The text above the proof; empty if it has none.
    pub words: String,
    /// The mail without its pictures.
    mail: Outgoing,
    pictures: Vec<Picture>,
    /// The bytes of the mail with the source of each picture in its place.
    undrawn: Vec<u8>,
}

/// A letter as it is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LetterBytes<'l> {
    /// Its bytes, the pictures drawn.
    pub bytes: Cow<'l, [u8]>,
    /// True if its pictures have the digests on record.
    pub as_recorded: bool,
}

impl Letter {
    /// The letter that this mail makes with these pictures.
    ///
    /// # Errors
    /// If an address can't stand in a mail.
    pub(crate) fn new(
        to: Recipient,
        mut mail: Outgoing,
        pictures: Vec<Picture>,
    ) -> Result<Self, WorkError> {
        mail.images = pictures.iter().map(Picture::source).collect();
        let undrawn = mail::render_surely(&mut mail).map_err(|source| WorkError::Mail {
            to: to.to_string(),
            source,
        })?;
        mail.images = Vec::new();
        Ok(Self {
            to,
            message_id: mail.message_id.clone(),
            aside: false,
            bound: None,
            words: String::new(),
            mail,
            pictures,
            undrawn,
        })
    }

    /// Its subject.
    #[must_use]
    pub fn subject(&self) -> &str {
        &self.mail.subject
    }

    /// Its record in the journal.
    #[must_use]
    pub fn written(&self) -> LetterRecord {
        LetterRecord {
            to: self.to.clone(),
            message_id: self.message_id.clone(),
            digest: self.digest(),
            bound: self.bound,
        }
    }

    /// The digest that binds it in the journal.
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::of(&self.undrawn)
    }

    /// The mail as it is sent, with its pictures drawn.
    ///
    /// # Errors
    /// If a picture can't be drawn.
    pub fn sent(&self) -> Result<LetterBytes<'_>, WorkError> {
        if self.pictures.is_empty() {
            return Ok(LetterBytes {
                bytes: Cow::Borrowed(&self.undrawn),
                as_recorded: true,
            });
        }
        let (mut images, mut as_recorded) = (Vec::new(), true);
        for picture in &self.pictures {
            let png = picture.draw()?;
            if let PictureFile::OnRecord(digest) = &picture.file {
                as_recorded &= dice::hash_bytes(&png) == *digest;
            }
            images.push(picture.with(png.to_vec()));
        }
        let drawn = Outgoing {
            images,
            ..self.mail.clone()
        };
        let bytes = mail::render(&drawn).map_err(|source| WorkError::Mail {
            to: self.to.to_string(),
            source,
        })?;
        Ok(LetterBytes {
            bytes: Cow::Owned(bytes),
            as_recorded,
        })
    }

    /// The bytes of the mail as it is sent.
    ///
    /// # Errors
    /// If a picture can't be drawn.
    pub fn bytes(&self) -> Result<Cow<'_, [u8]>, WorkError> {
        self.sent().map(|sent| sent.bytes)
    }
}

/// Several letters as they are sent, in their order, drawn on all cores.
///
/// # Errors
/// The first letter whose pictures can't be drawn.
pub fn sent<'l>(letters: &[&'l Letter]) -> Result<Vec<LetterBytes<'l>>, WorkError> {
    on_all_cores(letters.to_vec(), |letter| letter.sent())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)] // tests may panic
mod tests {
    use super::*;
    use crate::mail::{AutoSubmitted, NamedAddress};

    fn letter(n: usize, colour: &str) -> Letter {
        let address = |email: &str| NamedAddress {
            name: None,
            email: email.into(),
        };
        let mail = Outgoing {
            campaign: "spring".into(),
            from: address("game@example.org"),
            to: address("ada@example.org"),
            reply_to: None,
            subject: "Turn 1".into(),
            message_id: format!("spring.red.{n}.a@example.org"),
            date: "2026-11-21T20:00:00Z".parse().unwrap(),
            in_reply_to: Some("no id".into()),
            references: Vec::new(),
            auto_submitted: AutoSubmitted::Generated,
            text: "Nothing new.\n".into(),
            html: None,
            images: Vec::new(),
            attachments: Vec::new(),
        };
        let svg = format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9" fill="{colour}"/></svg>"#
        );
        let picture = Picture::new("map", "map.png".into(), svg);
        let pictures = if n == 0 { Vec::new() } else { vec![picture] };
        Letter::new(Recipient::Seat("red".into()), mail, pictures).unwrap()
    }

    #[test]
    fn the_digest_binds_what_a_picture_is_drawn_from() {
        let red = letter(1, "red");
        assert_eq!(red.digest(), letter(1, "red").digest());
        assert_ne!(red.digest(), letter(1, "blue").digest());
        let parts = mail::parts(&red.bytes().unwrap()).unwrap();
        assert_eq!(&parts.images[0][1..4], b"PNG");
        assert_eq!(
            *letter(0, "red").bytes().unwrap(),
            *letter(0, "red").undrawn
        );
        let mut broken = red;
        broken.pictures[0].svg = "<html/>".into();
        assert!(matches!(broken.bytes(), Err(WorkError::Picture(_))));
        assert!(sent(&[&letter(0, "red"), &broken]).is_err());
    }

    #[test]
    fn a_picture_is_drawn_once_or_taken_from_the_record() {
        let drawn = |on_record: &[Digest]| {
            let mut letter = letter(1, "red");
            let pictures = letter.pictures.iter_mut().collect();
            let digests = draw(pictures, &mut on_record.to_vec().into()).unwrap();
            (letter, digests)
        };
        let (first, digests) = drawn(&[]);
        let png = mail::parts(&first.bytes().unwrap())
            .unwrap()
            .images
            .remove(0);
        assert_eq!(digests, [dice::hash_bytes(&png)]);
        let (again, same) = drawn(&digests);
        assert_eq!(same, digests);
        assert_eq!(again.sent().unwrap(), first.sent().unwrap());
        // A false record is kept where nothing is drawn, and found where the letter is.
        let (forged, kept) = drawn(&[dice::hash("false")]);
        assert_eq!(kept, [dice::hash("false")]);
        assert!(!forged.sent().unwrap().as_recorded);
    }

    #[test]
    fn many_are_drawn_in_their_order() {
        let colours = ["red", "blue", "green", "white", "black"];
        let letters: Vec<Letter> = (0..5).map(|n| letter(n, colours[n])).collect();
        let wanted: Vec<&Letter> = letters.iter().collect();
        let drawn = sent(&wanted).unwrap();
        assert_eq!(drawn.len(), 5);
        for (letter, sent) in letters.iter().zip(drawn) {
            assert_eq!(letter.bytes().unwrap(), sent.bytes);
        }
        assert!(sent(&[]).unwrap().is_empty());
    }
}
