//! Where names stand on a sheet of an atlas: beside pieces and centres, wholly inside the sheet.

use super::AtlasSheet;
use crate::dispatch::map::{
    metrics,
    place::Rect,
    svg::{INK, Style, Svg},
};

const WATER: &str = "#174866";
/// Half the room of a piece.
const PIECE: i64 = 24;
/// Half the room of a centre's disc.
const DISC: i64 = 11;
/// A name that would be hidden by more than this is left out.
const MOST: i64 = 1_500;

/// Draws all names that find room.
pub(super) fn draw(svg: &mut Svg, sheet: &AtlasSheet) {
    let [w, h] = sheet.size;
    let whole = Rect { x: 0, y: 0, w, h };
    let round = |at: &[i64; 2], half: i64| Rect::round(at[0], at[1], 2 * half, 2 * half);
    let pieces = sheet.pieces.iter().map(|piece| round(&piece.at, PIECE));
    let discs = sheet.centres.iter().map(|(at, _)| round(at, DISC));
    let mut taken: Vec<Rect> = pieces.chain(discs).collect();
    for label in &sheet.labels {
        let size = if label.water { 17 } else { 18 };
        let wide = metrics::width(&label.text, size, !label.water) + 4;
        let [x, y] = label.at;
        let high = size + 2;
        let below = PIECE + high / 2;
        let aside = PIECE + wide / 2;
        let spots = [
            [x, y],
            [x, y + below],
            [x, y - below],
            [x + aside, y],
            [x - aside, y],
            [x + aside, y + below],
            [x - aside, y + below],
            [x + aside, y - below],
            [x - aside, y - below],
        ];
        let places = spots.iter().zip(0..).map(|([x, y], step)| {
            let place = Rect::round(*x, *y, wide, high);
            let hidden: i64 = taken.iter().map(|other| other.shared(&place)).sum();
            let outside = place.w * place.h - place.shared(&whole);
            (hidden + outside * 30 + step * 4, place)
        });
        let best = places.min_by_key(|(cost, _)| *cost);
        let Some((_, place)) = best.filter(|(cost, _)| *cost < MOST) else {
            continue;
        };
        let style = Style {
            size,
            bold: !label.water,
            italic: label.water,
            fill: if label.water { WATER } else { INK },
            anchor: "middle",
            halo: true,
        };
        svg.text(
            [place.x + place.w / 2, place.y + size - 2],
            &label.text,
            style,
        );
        taken.push(place);
    }
}
