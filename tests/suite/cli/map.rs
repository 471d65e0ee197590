//! `estafette map`: whole, in part, on paper, of any moment.

use std::{fs, path::PathBuf};

use mail_parser::{MessageParser, MimeHeaders};

use crate::support::program::{Ran, estafette};

/// A campaign that has just been made.
struct Made {
    folder: tempfile::TempDir,
}

impl Made {
    fn of(game: &str, seats: [&str; 2]) -> Self {
        let made = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        let [one, two] = seats.map(|seat| format!("{seat}={seat}@example.org"));
        let into = made.path("campaign");
        let into = into.to_str().unwrap();
        let ran = estafette(
            &["new", game, "--into", into, "--seat", &one, "--seat", &two],
            b"",
        );
        assert_eq!(ran.code, 0, "{ran:?}");
        made
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn ran(&self, file: &str, options: &[&str]) -> Ran {
        let (campaign, file) = (self.path("campaign"), self.path(file));
        let words = [
            "map",
            campaign.to_str().unwrap(),
            "--out",
            file.to_str().unwrap(),
        ];
        estafette(&[&words[..], options].concat(), b"")
    }

    fn drawn(&self, file: &str, options: &[&str]) -> Vec<u8> {
        let ran = self.ran(file, options);
        assert_eq!(ran.code, 0, "{options:?}: {ran:?}");
        fs::read(self.path(file)).unwrap()
    }

    /// The PDF that the letters of a new campaign bring to a seat.
    fn opening_page(&self, seat: &str) -> Vec<u8> {
        let letters = self.path("campaign/outbox").join(seat).join("new");
        let mut pages = Vec::new();
        for letter in fs::read_dir(letters).unwrap() {
            let bytes = fs::read(letter.unwrap().path()).unwrap();
            let letter = MessageParser::default().parse(&bytes).unwrap();
            let files = letter.attachments().filter(|part| {
                let name = part.attachment_name().unwrap_or_default();
                name.ends_with("-a3.pdf")
            });
            pages.extend(files.map(|part| part.contents().to_vec()));
        }
        assert_eq!(pages.len(), 1, "{seat}");
        pages.remove(0)
    }

    fn svg(&self, options: &[&str]) -> String {
        String::from_utf8(self.drawn("map.svg", options)).unwrap()
    }
}

/// The opening brings the ground on a page, and nothing that stands on it.
#[test]
fn openings_bring_the_whole_map_to_print() {
    for (game, seats) in [
        ("novara", ["austrian", "sardinian"]),
        ("castiglione", ["austrian", "french"]),
    ] {
        let made = Made::of(game, seats);
        for seat in seats {
            let page = made.opening_page(seat);
            assert!(page.starts_with(b"%PDF-"), "{game}, {seat}");
            let with_pieces = made.drawn("map.pdf", &[]);
            assert!(page.len() < with_pieces.len(), "{game}, {seat}");
        }
    }
}

#[test]
fn a_map_of_hexes_is_one_page_with_every_number() {
    let made = Made::of("novara", ["austrian", "sardinian"]);
    let pdf = made.drawn("map.pdf", &["--sheet", "a3", "--seat", "austrian"]);
    assert!(pdf.starts_with(b"%PDF-"));
    assert!(pdf.len() < 400_000, "{} bytes", pdf.len());
    let again = made.drawn("again.pdf", &["--sheet", "a3", "--seat", "austrian"]);
    assert!(pdf == again, "the same map has other bytes");
    let svg = made.svg(&["--sheet", "a3", "--seat", "austrian"]);
    assert!(svg.contains(r#"width="420mm" height="297mm""#));
    for hex in (1..=63).flat_map(|column| (1..=55).map(move |row| format!("{column:02}{row:02}"))) {
        assert!(svg.contains(&format!(">{hex}<")), "{hex}");
    }
    // Larger than on the sheets of a letter, for a page has far more hexes, and beside each other.
    let number = svg.split(">3929<").next().unwrap();
    let number = number.rsplit("<text").next().unwrap();
    assert!(number.contains("font-size=\"20\""), "{number}");
    assert!(!svg.contains(r#"id="whole""#));
}

#[test]
fn a_map_of_places_is_one_page_too() {
    let made = Made::of("castiglione", ["austrian", "french"]);
    let pdf = made.drawn("map.pdf", &["--seat", "french"]);
    assert!(pdf.starts_with(b"%PDF-"));
    let a4 = made.svg(&["--sheet", "a4"]);
    assert!(
        a4.contains(r#"width="297mm" height="210mm""#),
        "{}",
        &a4[..200]
    );
    let ran = made.ran("map.png", &["--window", "verona-mantua"]);
    assert_eq!(ran.code, 2, "{ran:?}");
}

#[test]
fn a_window_shows_its_hexes_alone() {
    let made = Made::of("novara", ["austrian", "sardinian"]);
    let svg = made.svg(&["--window", "4636-3929"]);
    for (hex, shown) in [
        ("3929", true),
        ("4636", true),
        ("4232", true),
        ("4637", false),
    ] {
        assert_eq!(svg.contains(&format!(">{hex}<")), shown, "{hex}");
    }
    for wrong in ["3929", "3929-9999"] {
        let ran = made.ran("map.svg", &["--window", wrong]);
        assert_eq!(ran.code, 2, "{ran:?}");
    }
    let wide = |times: &str| {
        let png = made.drawn("map.png", &["--window", "3929-4636", "--scale", times]);
        u32::from_be_bytes(png[16..20].try_into().unwrap())
    };
    assert_eq!(2 * wide("1"), wide("2"));
    assert_eq!(made.ran("map.png", &["--scale", "4"]).code, 2);
}

#[test]
fn a_map_shows_the_moment_that_is_asked_for() {
    let made = Made::of("novara", ["austrian", "sardinian"]);
    let now = made.svg(&["--record", "1"]);
    assert_eq!(now, made.svg(&[]));
    assert_eq!(now, made.svg(&["--record", "999999"]));
}
