//! A letter that goes out, and its pictures, which are drawn when somebody wants to see them.
//!
//! Drawing costs far more than everything else that a letter takes. So the journal binds a letter with the source of each
//! picture (SVG) in the picture's place: the source says all that the picture shows, and the replay of a campaign makes it
//! again at no cost. Pictures are drawn for letters that lie in an outbox, to be sent, or to be compared byte for byte.

use std::{borrow::Cow, num::NonZero, thread};

use super::{Digest, Recipient, engine::EngineError};
use crate::{
    dispatch,
    mail::{self, Image, Outgoing, WriteError},
};

/// A picture that has not been drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The name by which the HTML shows it.
    pub cid: String,
    /// The name under which a reader may save it.
    pub file_name: String,
    /// What it is drawn from.
    pub svg: String,
}

impl Picture {
    fn with(&self, bytes: Vec<u8>) -> Image {
        Image {
            cid: self.cid.clone(),
            bytes,
            file_name: self.file_name.clone(),
        }
    }

    fn source(&self) -> Image {
        self.with(self.svg.clone().into_bytes())
    }

    fn drawn(&self) -> Result<Image, EngineError> {
        let png = dispatch::map_png(&self.svg);
        let png = png.map_err(|error| EngineError::Picture(error.to_string()))?;
        Ok(self.with(png))
    }
}

/// A mail that goes out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    /// To whom.
    pub to: Recipient,
    /// Its Message-ID, the same whenever it is made.
    pub message_id: String,
    /// It is kept and not sent: the address has been given up.
    pub aside: bool,
    /// The mail without its pictures.
    mail: Outgoing,
    pictures: Vec<Picture>,
    /// The bytes of the mail with the source of each picture in its place.
    undrawn: Vec<u8>,
}

impl Letter {
    /// The letter of a mail with these pictures.
    ///
    /// # Errors
    /// If an address can't stand in a mail.
    pub(super) fn new(
        to: Recipient,
        mut mail: Outgoing,
        pictures: Vec<Picture>,
    ) -> Result<Self, EngineError> {
        let sources: Vec<Image> = pictures.iter().map(Picture::source).collect();
        // An id from a player's mail that can't stand in a header is left out: the letter must go.
        let undrawn = render(&mail, sources.clone()).or_else(|_| {
            (mail.in_reply_to, mail.references) = (None, Vec::new());
            render(&mail, sources)
        });
        let undrawn = undrawn.map_err(|source| EngineError::Mail {
            to: to.to_string(),
            source,
        })?;
        Ok(Self {
            to,
            message_id: mail.message_id.clone(),
            aside: false,
            mail,
            pictures,
            undrawn,
        })
    }

    /// By what the journal binds it.
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::of(&self.undrawn)
    }

    /// The bytes of the mail as it is sent, its pictures drawn.
    ///
    /// # Errors
    /// If a picture can't be drawn.
    pub fn bytes(&self) -> Result<Cow<'_, [u8]>, EngineError> {
        if self.pictures.is_empty() {
            return Ok(Cow::Borrowed(&self.undrawn));
        }
        let images = self.pictures.iter().map(Picture::drawn);
        let bytes = render(&self.mail, images.collect::<Result<_, _>>()?);
        bytes.map(Cow::Owned).map_err(|source| EngineError::Mail {
            to: self.to.to_string(),
            source,
        })
    }
}

fn render(mail: &Outgoing, images: Vec<Image>) -> Result<Vec<u8>, WriteError> {
    mail::render(&Outgoing {
        images,
        ..mail.clone()
    })
}

/// The bytes of several letters in their order, drawn on all cores.
///
/// # Errors
/// The first letter whose pictures can't be drawn.
pub fn drawn<'l>(letters: &[&'l Letter]) -> Result<Vec<Cow<'l, [u8]>>, EngineError> {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let share = letters.len().div_ceil(cores).max(1);
    let draw = |part: &[&'l Letter]| part.iter().map(|letter| letter.bytes()).collect();
    let parts: Vec<Result<Vec<_>, EngineError>> = thread::scope(|scope| {
        let mut parts = letters.chunks(share);
        let own = parts.next();
        let others: Vec<_> = parts.map(|part| scope.spawn(move || draw(part))).collect();
        let own = own.map(draw);
        let lost = || EngineError::Picture("a thread that draws has stopped".to_owned());
        let others = others
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|_| Err(lost())));
        own.into_iter().chain(others).collect()
    });
    let drawn: Vec<Vec<_>> = parts.into_iter().collect::<Result<_, _>>()?;
    Ok(drawn.into_iter().flatten().collect())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)] // tests may panic
mod tests {
    use super::*;
    use crate::mail::{Address, AutoSubmitted};

    fn letter(n: usize, colour: &str) -> Letter {
        let address = |email: &str| Address {
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
        let picture = Picture {
            cid: "map".into(),
            file_name: "map.png".into(),
            svg,
        };
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
        assert!(matches!(broken.bytes(), Err(EngineError::Picture(_))));
        assert!(drawn(&[&letter(0, "red"), &broken]).is_err());
    }

    #[test]
    fn many_are_drawn_in_their_order() {
        let colours = ["red", "blue", "green", "white", "black"];
        let letters: Vec<Letter> = (0..5).map(|n| letter(n, colours[n])).collect();
        let wanted: Vec<&Letter> = letters.iter().collect();
        let drawn = drawn(&wanted).unwrap();
        assert_eq!(drawn.len(), 5);
        for (letter, bytes) in letters.iter().zip(drawn) {
            assert_eq!(letter.bytes().unwrap(), bytes);
        }
        assert!(super::drawn(&[]).unwrap().is_empty());
    }
}
