//! Title, sides and legend of a page of an atlas: for the things on it, and nothing else.

use std::collections::BTreeSet;

use super::{AtlasSection, sheet, strokes};
use crate::{
    dispatch::map::{
        MapSection, metrics,
        svg::{INK, Style, Svg, colour},
    },
    game::TriedStroke,
};

/// Height of a row.
const ROW: i64 = 56;
/// Columns of a row.
const COLUMNS: i64 = 4;
const SOFT: &str = "#5c4a2e";

/// How high the legend is, at its greatest.
pub(super) fn height(page: &AtlasSection) -> i64 {
    let count = i64::try_from(entries(page, true).len()).unwrap_or(0);
    (count + COLUMNS - 1) / COLUMNS * ROW
}

/// A thing that the legend explains.
#[derive(Clone, Copy, PartialEq, Eq)]
enum AtlasEntry {
    Square,
    Hull,
    Free,
    Held,
    Tried(TriedStroke),
    DrivenOut,
}

impl AtlasEntry {
    fn key(self) -> String {
        match self {
            Self::Square => "atlas_square".to_owned(),
            Self::Hull => "atlas_hull".to_owned(),
            Self::Free => "atlas_free".to_owned(),
            Self::Held => "atlas_held".to_owned(),
            Self::Tried(stroke) => stroke.legend().to_owned(),
            Self::DrivenOut => "driven_out".to_owned(),
        }
    }
}

fn entries(page: &AtlasSection, tried: bool) -> Vec<AtlasEntry> {
    let Some(first) = page.sheets.first() else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let has = |hull: bool| first.pieces.iter().any(|piece| piece.hull == hull);
    let owned = |owned: bool| first.centres.iter().any(|(_, it)| it.is_some() == owned);
    for (there, entry) in [
        (has(false), AtlasEntry::Square),
        (has(true), AtlasEntry::Hull),
        (owned(false), AtlasEntry::Free),
        (owned(true), AtlasEntry::Held),
    ] {
        found.extend(there.then_some(entry));
    }
    if tried {
        let strokes = TriedStroke::ALL.into_iter();
        let drawn = strokes.filter(|it| first.tried.iter().any(|mark| mark.stroke == *it));
        found.extend(drawn.map(AtlasEntry::Tried));
        let lost = first.tried.iter().any(|mark| mark.lost);
        found.extend(lost.then_some(AtlasEntry::DrivenOut));
    }
    found
}

/// Draws title, sides and legend.
pub(super) fn draw(svg: &mut Svg, map: &MapSection, page: &AtlasSection, tried: bool) {
    let title = Style {
        size: 30,
        bold: true,
        ..Style::default()
    };
    svg.text([20, 42], &map.title, title);
    let mut words = vec![map.subtitle.as_str(), map.viewer.as_str()];
    if tried {
        words.push(page.tried_title());
    }
    words.retain(|words| !words.is_empty());
    let soft = Style {
        size: 17,
        fill: SOFT,
        ..Style::default()
    };
    svg.text([20, 72], &words.join(" · "), soft);
    sides(svg, map, page);
    let low = page.sheets.iter().map(|sheet| sheet.at[1] + sheet.size[1]);
    let top = low.max().unwrap_or(0) + 34;
    let wide = (map.width - 40) / COLUMNS;
    for (entry, number) in entries(page, tried).into_iter().zip(0..) {
        let x = 20 + number % COLUMNS * wide;
        let y = top + number / COLUMNS * ROW;
        sign(svg, map, page, (entry, [x, y]));
        let key = entry.key();
        let text = page.word(&key);
        let style = Style {
            size: fitting(text, wide - 108),
            ..Style::default()
        };
        svg.text([x + 98, y + 6], text, style);
    }
}

/// The largest size that leaves room for a text.
fn fitting(text: &str, wide: i64) -> i64 {
    let fits = |size: &i64| metrics::width(text, *size, false) <= wide;
    (11..=17).rev().find(fits).unwrap_or(11)
}

/// The sides that are on the page, each on a piece of its own.
fn sides(svg: &mut Svg, map: &MapSection, page: &AtlasSection) {
    let pieces = page.sheets.iter().flat_map(|sheet| &sheet.pieces);
    let owners = page.sheets.iter().flat_map(|sheet| &sheet.centres);
    let known: BTreeSet<usize> = pieces
        .map(|piece| piece.side)
        .chain(owners.filter_map(|(_, owner)| *owner))
        .collect();
    let mut x = map.width - 20;
    for number in known.into_iter().rev() {
        let Some(side) = map.sides.get(number) else {
            continue;
        };
        x -= metrics::width(&side.name, 17, false) + 14;
        svg.text(
            [x, 42],
            &side.name,
            Style {
                size: 17,
                ..Style::default()
            },
        );
        x -= 28;
        sheet::piece(svg, &map.sides, [x, 36], (number, false));
        x -= 34;
    }
}

/// Draws what an entry explains.
fn sign(svg: &mut Svg, map: &MapSection, page: &AtlasSection, (entry, at): (AtlasEntry, [i64; 2])) {
    let [x, y] = at;
    let pieces = page.sheets.iter().flat_map(|sheet| &sheet.pieces);
    let side = pieces.map(|piece| piece.side).next().unwrap_or(0);
    let owners = page.sheets.iter().flat_map(|sheet| &sheet.centres);
    let owner = owners.filter_map(|(_, owner)| *owner).next();
    let fill = map.sides.get(side).map_or(INK, |side| colour(&side.colour));
    let middle = [x + 46, y];
    let ends = [[x - 14, y], [x + 108, y]];
    match entry {
        AtlasEntry::Square | AtlasEntry::Hull => {
            let hull = entry == AtlasEntry::Hull;
            sheet::piece(svg, &map.sides, middle, (side, hull));
        }
        AtlasEntry::Free => sheet::centre(svg, &map.sides, middle, None),
        AtlasEntry::Held => sheet::centre(svg, &map.sides, middle, owner),
        AtlasEntry::DrivenOut => strokes::cross(svg, middle, 8),
        AtlasEntry::Tried(stroke) => match stroke {
            TriedStroke::Move | TriedStroke::Failed | TriedStroke::Retreat => {
                strokes::arrow(svg, (stroke, fill), ends, None);
            }
            TriedStroke::Support | TriedStroke::Cut => {
                strokes::support(svg, (stroke, fill), ends[0], [ends[1]; 2]);
            }
            TriedStroke::Convoy | TriedStroke::Broken => strokes::ring(svg, stroke, middle),
            TriedStroke::Hold => strokes::bar(svg, [middle[0], middle[1] - 24]),
        },
    }
}
