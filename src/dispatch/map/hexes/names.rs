//! The names of places on a sheet.

use super::{
    super::{
        MapSection, metrics,
        place::{Board, Ink, Item, Rect},
        svg::{Style, Svg},
    },
    At, HALF, HexPlace, HexSection, STEP, centre,
    detail::{LARGEST, is_large, number_place, number_size, tile_place},
    sheet::{corner, extent},
    shows,
};
use crate::game::Relief;

/// The cost of a name that covers numbers, counters, houses, other names. Leaving the sheet is
/// dearer than any of them.
const KEEP: i64 = 30;

const COUNTER: i64 = 20;

const HOUSES: i64 = 6;

const NAME: i64 = 12;

/// The style of a name beside a hex: larger than the numbers of hexes, where they are large too.
fn name_style(relief: Relief, number: i64) -> Style<'static> {
    let town = relief == Relief::City;
    // On paper, where numbers are small, a town is found at first sight.
    let [of_town, of_others] = match number {
        LARGEST => [36, 24],
        _ => [(number + 8).max(24), (number + 2).max(18)],
    };
    Style {
        size: if town { of_town } else { of_others },
        bold: town,
        italic: false,
        anchor: "middle",
        halo: true,
        ..Style::default()
    }
}

/// Names go above everything.
pub(super) fn names(svg: &mut Svg, map: &MapSection, hexes: &HexSection, seen: &[At; 2]) {
    let number = number_size(map, hexes.flat, seen[1]);
    let places: Vec<_> = shown_places(hexes, seen).collect();
    for (place, label) in places
        .iter()
        .zip(free_names(map, hexes, seen, (&places, number)))
    {
        let style = name_style(place.relief, number);
        let at = [label.x + label.w / 2, label.y + style.size * 4 / 5 + 2];
        svg.text(at, &place.name, style);
    }
}

/// The names of a small map, where most hexes have a counter: each in the lower corner of its own
/// hex, between the numbers of those below.
pub(super) fn own_names(svg: &mut Svg, hexes: &HexSection, number: i64) {
    for place in &hexes.places {
        let style = name_style(place.relief, number);
        let style = Style {
            size: if style.bold { number + 2 } else { number + 1 },
            ..style
        };
        svg.text(own_spot(hexes.flat, place.at), &place.name, style);
    }
}

/// Where a name stands in the lower corner of its hex.
fn own_spot(flat: bool, at: At) -> [i64; 2] {
    let [x, y] = centre(flat, at);
    let corner = if flat { HALF } else { 2 * STEP / 3 };
    [x, y + corner + 3]
}

fn shown_places<'h>(hexes: &'h HexSection, seen: &[At; 2]) -> impl Iterator<Item = &'h HexPlace> {
    let places = hexes.places.iter();
    places.filter(move |place| shows(seen, place.at))
}

/// Where the names of places stand: beside their hexes, between the numbers of two rows, off
/// counters and the houses of other places.
fn free_names(
    map: &MapSection,
    hexes: &HexSection,
    seen: &[At; 2],
    (places, number): (&[&HexPlace], i64),
) -> Vec<Rect> {
    let flat = hexes.flat;
    let large = is_large(map, number);
    // The middle of what the numbers above and below leave free.
    let middle = |at: At| {
        let [x, y] = centre(flat, at);
        [x, y + 5]
    };
    let numbers = hexes.labels.iter().filter(|(at, _)| shows(seen, *at));
    let numbers = numbers.map(|(at, _)| (number_place(centre(flat, *at), number), KEEP));
    let stacks = (map.ghosts.iter().chain(&map.stacks))
        .filter_map(|stack| hexes.spots.get(stack.space))
        .filter(|at| shows(seen, **at))
        .map(|at| (tile_place(centre(flat, *at), large), COUNTER));
    let houses = places.iter().map(|place| {
        let [x, y] = middle(place.at);
        (Rect::round(x, y, HALF, HALF), HOUSES)
    });
    let [[x, y], [w, h]] = [corner(flat, seen[0]), extent(flat, seen[1])];
    let board = Board {
        page: Rect { x, y, w, h }.grown(-2),
        fixed: numbers.chain(stacks).chain(houses).collect(),
        spaces: places.iter().map(|place| middle(place.at)).collect(),
        ink: Ink::of(0, 0, &[]),
    };
    let items: Vec<Item> = (places.iter())
        .map(|place| {
            let style = name_style(place.relief, number);
            let wide = metrics::width(&place.name, style.size, style.bold);
            Item {
                at: middle(place.at),
                // With the paper round its letters.
                size: [wide + 4, style.size + 4],
                gap: HALF - 6,
                steps: 4,
                weight: NAME,
                ink: 0,
                shy: true,
            }
        })
        .collect();
    board.place(&items)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_on_a_small_map_is_nearest_to_its_own_hex() {
        for flat in [false, true] {
            for at in [[0, 0], [3, 5], [4, 8]] {
                let [x, y] = own_spot(flat, at);
                // The middle of its letters.
                let spot = [x, y - 5];
                let far = |at: At| {
                    let [x, y] = centre(flat, at);
                    (x - spot[0]).pow(2) + (y - spot[1]).pow(2)
                };
                let all = (0..10).flat_map(|line| (0..20).map(move |half| [line, half]));
                let others = all.filter(|it| (it[0] + it[1]) % 2 == (at[0] + at[1]) % 2);
                let nearer: Vec<At> = others.filter(|it| far(*it) < far(at)).collect();
                assert_eq!(nearer, Vec::<At>::new(), "{at:?}");
            }
        }
    }
}
