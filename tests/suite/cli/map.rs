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
        Self::with(game, seats, &[])
    }

    fn with(game: &str, seats: [&str; 2], options: &[&str]) -> Self {
        let made = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        let [one, two] = seats.map(|seat| format!("{seat}={seat}@example.org"));
        let into = made.path("campaign");
        let into = into.to_str().unwrap();
        let words = ["new", game, "--into", into, "--seat", &one, "--seat", &two];
        let ran = estafette(&[&words[..], options].concat(), b"");
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

/// A box on a sheet: left, top, right, bottom.
type Bounds = [f64; 4];

/// The numbers of hexes on a sheet, and what must not cover them: names, and what counters are
/// made of.
fn numbers_and_others(svg: &str) -> (Vec<Bounds>, Vec<(String, Bounds)>) {
    let number = |line: &str, name: &str| -> f64 {
        let (_, rest) = line.split_once(&format!(" {name}=\"")).unwrap();
        rest.split_once('"').unwrap().0.parse().unwrap()
    };
    // Of each open group: where its origin is, how large it is, whether it is of a counter.
    let mut groups = vec![([0.0, 0.0], 1.0, false)];
    let (mut numbers, mut others) = (Vec::new(), Vec::new());
    let detail = svg.split_once(r#"clip-path="url(#detail0)""#).unwrap().1;
    for line in detail.lines() {
        let &([x, y], scale, of_counter) = groups.last().unwrap();
        if line.starts_with("<g") {
            let inner = |name: &str| -> Option<Vec<f64>> {
                let (_, rest) = line.split_once(&format!("{name}("))?;
                let words = rest.split_once(')').unwrap().0.split(' ');
                Some(words.map(|word| word.parse().unwrap()).collect())
            };
            let moved = inner("translate").unwrap_or_else(|| vec![0.0, 0.0]);
            let larger = inner("scale").map(|it| it[0]);
            let at = [x + scale * moved[0], y + scale * moved[1]];
            groups.push((
                at,
                scale * larger.unwrap_or(1.0),
                of_counter || larger.is_some(),
            ));
        } else if line.starts_with("</g>") {
            groups.pop();
            // The end of the sheet: what follows explains it.
            if groups.is_empty() {
                break;
            }
        }
        let placed = |it: Bounds| {
            [
                x + scale * it[0],
                y + scale * it[1],
                x + scale * it[2],
                y + scale * it[3],
            ]
        };
        if line.starts_with("<text") {
            let words = line.split_once('>').unwrap().1.split('<').next().unwrap();
            let [left, base, size] = ["x", "y", "font-size"].map(|name| number(line, name));
            let wide = 0.52 * size * words.chars().count() as f64;
            let left = match line.split_once("text-anchor=\"").unwrap().1.chars().next() {
                Some('m') => left - wide / 2.0,
                Some('e') => left - wide,
                _ => left,
            };
            let bounds = placed([left, base - 0.73 * size, left + wide, base]);
            let is_number = words.len() == 4 && words.bytes().all(|it| it.is_ascii_digit());
            if is_number && !of_counter {
                numbers.push(bounds);
            } else {
                others.push((words.to_owned(), bounds));
            }
        } else if line.starts_with("<rect") && of_counter {
            let [left, top, wide, high] = ["x", "y", "width", "height"].map(|it| number(line, it));
            let bounds = placed([left, top, left + wide, top + high]);
            others.push(("a counter".to_owned(), bounds));
        } else if line.starts_with("<circle") && of_counter {
            let [left, top, round] = ["cx", "cy", "r"].map(|it| number(line, it));
            let bounds = placed([left - round, top - round, left + round, top + round]);
            others.push(("hits".to_owned(), bounds));
        }
    }
    (numbers, others)
}

#[test]
fn nothing_covers_the_numbers_on_a_page() {
    let made = Made::of("novara", ["austrian", "sardinian"]);
    let svg = made.svg(&["--sheet", "a3"]);
    let (numbers, others) = numbers_and_others(&svg);
    assert_eq!(numbers.len(), 63 * 55);
    let has = |words: &str| others.iter().any(|(known, _)| known == words);
    assert!(has("Garlasco") && has("a counter"));
    for (words, [left, top, right, bottom]) in &others {
        let covered = numbers.iter().find(|number| {
            left.max(number[0]) < right.min(number[2]) && top.max(number[1]) < bottom.min(number[3])
        });
        assert_eq!(covered, None, "{words}: {left} {top} {right} {bottom}");
    }
    // Names are no smaller than numbers.
    let name = svg.split(">Garlasco<").next().unwrap();
    let name = name.rsplit("<text").next().unwrap();
    assert!(name.contains("font-size=\"24\""), "{name}");
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

/// Ten sheets below each other would be narrower than a telephone.
#[test]
fn more_sheets_than_a_picture_holds_are_the_whole_map() {
    let seats = ["allied", "austrian"];
    let made = Made::with("risorgimento", seats, &["--scenario", "solferino"]);
    let png = made.drawn("map.png", &["--seat", "allied"]);
    let [wide, high] = [16, 20].map(|at| u32::from_be_bytes(png[at..at + 4].try_into().unwrap()));
    assert_eq!(wide, 1488);
    assert!(high < wide, "{high}");
    // As SVG the sheets stay as large as they are laid out.
    assert!(made.svg(&["--seat", "allied"]).contains(r#"id="whole""#));
}
