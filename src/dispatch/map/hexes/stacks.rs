//! A stack of units in its hex.

use super::super::{
    MapSection, MapStack,
    plate::units_as_one,
    svg::{Style, Svg, colour, line_colour},
    tile::{THEN, TILE, Tile, flag},
};
use crate::mail::Screen;

/// A stack in the middle of its hex: one tile for all units, a flag if somebody commands there. On
/// a sheet of large numbers it stands between those of two rows.
pub(super) fn stack(
    svg: &mut Svg,
    map: &MapSection,
    stack: &MapStack,
    ([x, y], large): ([i64; 2], bool),
) {
    svg.note_side(stack.side);
    if stack.turn.is_some() {
        svg.note("ghost");
    }
    if !stack.leaders.is_empty() {
        svg.note("leader");
    }
    let side = map
        .sides
        .get(stack.side)
        .map_or("", |side| colour(&side.colour));
    let edge = line_colour(side);
    // Below the number of the hex.
    let (scale, down) = match map.screen {
        _ if large => ("0.97", 5),
        Screen::Wide => ("1.2", 6),
        Screen::Phone => ("1.38", 6),
    };
    svg.open(&format!(
        r#"transform="translate({x} {}) scale({scale})""#,
        y + down
    ));
    if let Some(mut tile) = tile(stack) {
        tile.low = large || !map.screen.is_wide();
        tile.beside = large;
        let corner = [-tile.width() / 2, -TILE[1] / 2];
        if stack.more || tile.count > 1 {
            let paint = format!(r##"fill="#e6dcc4" stroke="{edge}" stroke-width="1.5""##);
            svg.rect(
                [corner[0] + 3, corner[1] + 3],
                [tile.width(), TILE[1]],
                3,
                &paint,
            );
        }
        // A last sighting is white, in a dashed line.
        let seen_now = stack.turn.is_none();
        tile.draw(svg, corner, if seen_now { side } else { THEN });
        if !seen_now {
            let paint = r##"fill="none" stroke="#ffffff" stroke-width="3""##;
            svg.rect(corner, [tile.width(), TILE[1]], 3, paint);
            let paint =
                format!(r#"fill="none" stroke="{edge}" stroke-width="2.5" stroke-dasharray="5 3""#);
            svg.rect(corner, [tile.width(), TILE[1]], 3, &paint);
        }
    }
    if !stack.leaders.is_empty() {
        svg.open(if stack.units.is_empty() && stack.hidden == 0 {
            r#"transform="translate(-14 -14) scale(0.8)""#
        } else if large {
            r#"transform="translate(-35 -20) scale(0.6)""#
        } else {
            r#"transform="translate(-30 -2) scale(0.6)""#
        });
        flag(svg, [0, 0], side);
        svg.close();
    }
    if let Some(turn) = stack.turn {
        let style = Style {
            size: 11,
            bold: true,
            halo: true,
            anchor: "end",
            ..Style::default()
        };
        let line = if large { -7 } else { -11 };
        svg.text([26, line], &format!("T{turn}"), style);
    }
    svg.close();
}

/// The tile for the units of a stack, or for counters known only by number.
fn tile(stack: &MapStack) -> Option<Tile> {
    if stack.hidden > 0 && stack.units.is_empty() {
        return Some(Tile {
            symbol: "hidden".to_owned(),
            count: stack.hidden,
            narrow: true,
            ..Tile::default()
        });
    }
    let units = units_as_one(&stack.units)?;
    Some(Tile {
        strength: units.strength.filter(|_| stack.hidden == 0),
        count: units.count + stack.hidden,
        narrow: true,
        ..units
    })
}

#[cfg(test)]
mod tests {
    use super::{
        super::{
            HALF,
            detail::{LARGEST, number_place, tile_place},
        },
        *,
    };

    #[test]
    fn the_number_of_counters_hides_no_number_of_a_hex() {
        let tile = Tile {
            count: 12,
            narrow: true,
            ..Tile::default()
        };
        let badge = tile.badge([-TILE[0] / 2, -TILE[1] / 2], "12\u{d7}");
        // With half its edge; a tile is drawn a fifth larger, six points below the middle.
        let top = 6 * 10 + badge.y * 12 - 6;
        let mut free = 0;
        for number in 12..LARGEST {
            // Larger numbers are written above the counter.
            if tile_place([0, 0], false).shared(&number_place([0, 0], number)) == 0 {
                free += 1;
                assert!(top >= (number - 1 - HALF) * 10, "{number}: {top}");
            }
        }
        assert!(free > 0);
    }
}
