//! The head of a picture: its title, date and scale, and where north is.

use super::{
    MapSection,
    compass::north_of,
    entries::{scale_bar, scale_width},
    frame, metrics,
    svg::{Style, Svg},
};

/// Height of the head of a sheet.
pub(super) const HEAD: i64 = 52;
/// Size of the plate with a sheet's letter, and where the words beside it begin.
const PLATE: i64 = 40;
const WORDS: i64 = 50;
/// Room for an arrow to the north.
const NORTH: i64 = 22;
/// The colour of secondary text.
const SOFT: &str = "#5c4a2e";

/// The head of a sheet.
pub(super) struct SheetHead<'a> {
    /// The letter by which the overview and the sheet name each other.
    pub(super) letter: &'a str,
    /// Places on the sheet, the first ones first.
    pub(super) name: &'a str,
    /// Its first and its last hex; empty on other maps.
    pub(super) ends: &'a str,
    /// How wide the sheet is, and how many points of it are ten kilometres.
    pub(super) wide: i64,
    pub(super) ten_km: i64,
    /// The size of the smaller letters.
    pub(super) small: i64,
}

impl SheetHead<'_> {
    /// Draws it with its upper left corner at a point.
    pub(super) fn draw(&self, svg: &mut Svg, map: &MapSection, [x, y]: [i64; 2]) {
        svg.rect([x, y], [PLATE, PLATE], 0, r##"fill="#b01818""##);
        let letter = Style {
            size: 28,
            bold: true,
            fill: "#ffffff",
            anchor: "middle",
            ..Style::default()
        };
        svg.text([x + PLATE / 2, y + 30], self.letter, letter);
        let taken = compass(svg, map, [x + self.wide - 2, y + 34], (self.ten_km, 140));
        let room = self.wide - WORDS - taken - 8;
        let fits = |words: &str, size: i64, bold| metrics::width(words, size, bold) <= room;
        // Names that there is no room for are left out, the last ones first.
        let mut name = self.name;
        while let Some((fewer, _)) = name.rsplit_once(", ") {
            if fits(name, 17, true) {
                break;
            }
            name = fewer;
        }
        let style = frame::fitted(name, [22, room], true);
        svg.text([x + WORDS, y + 19], name, style);
        let rows = [
            [self.ends, &map.subtitle, &map.viewer],
            [self.ends, &map.subtitle, ""],
            [&map.subtitle, "", ""],
        ];
        let mut rows = rows.map(|row| joined(&row)).into_iter().peekable();
        while let Some(row) = rows.next() {
            if rows.peek().is_some() && !fits(&row, self.small, false) {
                continue;
            }
            let style = Style {
                fill: SOFT,
                ..frame::fitted(&row, [self.small, room], false)
            };
            svg.text([x + WORDS, y + 38], &row, style);
            break;
        }
    }
}

/// The title of a whole map: two lines, and north and scale beside the second.
pub(super) fn title(
    svg: &mut Svg,
    map: &MapSection,
    [x, y]: [i64; 2],
    (sizes, wide): ([i64; 2], i64),
    ten_km: i64,
) {
    let big = frame::fitted(&map.title, [sizes[0], wide], true);
    svg.text([x, y + sizes[0]], &map.title, big);
    let line = y + sizes[0] + sizes[1] * 8 / 5;
    // On a telephone the title needs all of its line, and the scale stands lower.
    let (room, above) = if map.screen.is_wide() {
        (220, 12)
    } else {
        (120, 0)
    };
    let taken = compass(
        svg,
        map,
        [x + wide, y + sizes[0] + 25 - above],
        (ten_km, room),
    );
    let rows = [
        joined(&[&map.subtitle, &map.viewer]),
        joined(&[&map.subtitle]),
    ];
    let room = wide - taken - 8;
    let fits = |row: &&String| metrics::width(row, sizes[1], false) <= room;
    if let Some(row) = rows.iter().find(fits).or(rows.last()) {
        let style = Style {
            fill: SOFT,
            ..frame::fitted(row, [sizes[1], room], false)
        };
        svg.text([x, line], row, style);
    }
}

/// The title of a whole map in a column beside it, drawn from the origin; returns where it ends.
pub(super) fn column(svg: &mut Svg, map: &MapSection, wide: i64, ten_km: i64) -> i64 {
    let mut y = 0;
    for (words, size, bold) in [
        (&map.title, 26, true),
        (&map.subtitle, 17, false),
        (&map.viewer, 17, false),
    ] {
        for line in wrapped(words, [size, wide], bold) {
            y += size * 6 / 5;
            let style = Style {
                fill: if bold { Style::default().fill } else { SOFT },
                ..frame::fitted(&line, [size, wide], bold)
            };
            svg.text([0, y], &line, style);
        }
        y += 8;
    }
    // The numbers stand beyond the ends of the scale, and the arrow before it.
    let room = wide - NORTH - 60;
    y += 40;
    compass(svg, map, [wide, y], (ten_km, room));
    y + 24
}

/// Words in lines that fit, as far as no word is longer.
fn wrapped(words: &str, [size, wide]: [i64; 2], bold: bool) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words.split_whitespace() {
        let longer = lines.last().map(|line| format!("{line} {word}"));
        let longer = longer.filter(|line| metrics::width(line, size, bold) <= wide);
        match (lines.last_mut(), longer) {
            (Some(line), Some(longer)) => *line = longer,
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

fn joined(parts: &[&str]) -> String {
    let parts = parts.iter().filter(|part| !part.is_empty());
    parts.copied().collect::<Vec<_>>().join(" \u{b7} ")
}

/// North and scale, their right end at a point; says how much room they take. A telephone has the
/// scale alone.
fn compass(
    svg: &mut Svg,
    map: &MapSection,
    [right, y]: [i64; 2],
    (ten_km, room): (i64, i64),
) -> i64 {
    let scale = scale_width(ten_km, room);
    // The last number stands on the end of the bar, half of it beyond.
    scale_bar(svg, map, [right - scale + 14, y], (ten_km, room));
    if !map.screen.is_wide() {
        return scale;
    }
    north_of(svg, map, [right - scale - 10, y - 8]);
    scale + NORTH
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(wide: i64, ten_km: i64) -> String {
        let map = MapSection {
            subtitle: "Turn 4, 10 May".to_owned(),
            viewer: "As known to: Red".to_owned(),
            ..MapSection::default()
        };
        let head = SheetHead {
            letter: "A",
            name: "Ford, Mill on the water, Castle of the north",
            ends: "0101 \u{2013} 0909",
            wide,
            ten_km,
            small: 14,
        };
        let mut svg = Svg::default();
        head.draw(&mut svg, &map, [0, 0]);
        svg.finish()
    }

    #[test]
    fn every_sheet_has_its_date_its_scale_and_north() {
        for wide in [400, 530, 800] {
            let svg = drawn(wide, 660);
            for word in [">A<", "Ford", "Turn 4, 10 May", ">2<", ">N<"] {
                assert!(svg.contains(word), "{wide}, {word}: {svg}");
            }
        }
        // A map that says nothing of distances has no scale.
        assert!(!drawn(530, 0).contains(">2<"));
    }

    #[test]
    fn names_that_have_no_room_are_left_out_whole() {
        assert!(drawn(800, 660).contains(">Ford, Mill on the water, Castle of the north<"));
        assert!(drawn(400, 660).contains(">Ford<"));
    }
}
