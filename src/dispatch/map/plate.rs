//! Pieces on the map: a plate for each stack, with NATO symbols, strength and hits.

use super::{
    Counter, MapSection, MapStack, metrics,
    place::Rect,
    svg::{Style, Svg, colour, line_colour},
    tile::{THEN, TILE, Tile},
};
use crate::dispatch::forces::DECOY;

/// Height of the line with the signs of marks.
const SIGNS: i64 = 14;
/// Space between tiles and round them.
const EDGE: i64 = 3;
/// Height of the line with the name.
const CAPTION: i64 = 19;
/// How much wider than its counters a name may make a plate that has the letters of its side.
const WIDER: i64 = 30;
/// More units than these are drawn as one tile for each symbol.
const SINGLE: usize = 4;

/// A stack as it is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Plate {
    side: usize,
    colour: String,
    caption: String,
    tiles: Vec<Tile>,
    total: Option<i64>,
    more: bool,
    ghost: bool,
}

impl Plate {
    /// The plate of a stack.
    pub(super) fn of(map: &MapSection, stack: &MapStack) -> Self {
        let declared = map.sides.get(stack.side);
        let side = declared.map_or("", |side| &side.colour);
        let sign = declared.map_or("", |side| &side.sign);
        // Of many sides, what was seen last is told in few counters.
        let brief = !sign.is_empty() && stack.turn.is_some();
        let mut tiles = Vec::new();
        if !stack.leaders.is_empty() && (!brief || stack.units.is_empty()) {
            tiles.push(Tile {
                symbol: "headquarters".to_owned(),
                count: count(stack.leaders.len()),
                ..Tile::default()
            });
        }
        tiles.extend(units(&stack.units, if brief { 1 } else { SINGLE }));
        if stack.hidden > 0 {
            let symbol = "hidden".to_owned();
            tiles.push(Tile {
                symbol,
                count: stack.hidden,
                ..Tile::default()
            });
        }
        if stack.more {
            let symbol = "more".to_owned();
            tiles.push(Tile {
                symbol,
                count: 1,
                ..Tile::default()
            });
        }
        let strengths: Option<Vec<_>> = stack.units.iter().map(|unit| unit.strength).collect();
        let total = strengths.filter(|all| all.len() > 1 && !stack.more && stack.hidden == 0);
        let total = total.filter(|_| !brief || tiles.len() > 1);
        let mut plate = Self {
            side: stack.side,
            colour: colour(side).to_owned(),
            caption: signed(sign, stack),
            tiles,
            total: total.map(|all| all.iter().sum()),
            more: stack.more,
            ghost: stack.turn.is_some(),
        };
        // Among many sides, the owner says more than a name that would hide the neighbours.
        if !sign.is_empty() && plate.size()[0] > plate.row() + 2 * EDGE + WIDER {
            let words = [Some(sign.to_owned()), stack.seen_in()]
                .into_iter()
                .flatten();
            plate.caption = words.collect::<Vec<_>>().join(" ");
        }
        plate
    }

    /// Width and height of the plate.
    pub(super) fn size(&self) -> [i64; 2] {
        let caption = metrics::width(&self.caption, 14, true) + 10;
        let mut high = TILE[1] + 2 * EDGE;
        if !self.caption.is_empty() {
            high += CAPTION;
        }
        if self.tiles.iter().any(|tile| !tile.signs.is_empty()) {
            high += SIGNS;
        }
        [(self.row() + 2 * EDGE).max(caption), high]
    }

    /// Width of the tiles and the total.
    fn row(&self) -> i64 {
        let tiles: i64 = self.tiles.iter().map(|tile| tile.width() + EDGE).sum();
        let total = self
            .total
            .map_or(0, |total| metrics::width(&total.to_string(), 20, true) + 8);
        tiles - EDGE + total
    }

    /// How its edge is drawn: old sightings are dashed.
    fn dashes(&self) -> &'static str {
        if self.ghost {
            r#" stroke-dasharray="5 4""#
        } else {
            ""
        }
    }

    /// Draws the line to its space, if that is not close.
    pub(super) fn lead(&self, svg: &mut Svg, place: Rect, space: [i64; 2], gap: i64) {
        let near = place.nearest(space);
        let apart = (near[0] - space[0]).abs().max((near[1] - space[1]).abs());
        if apart > gap + 8 {
            let dashes = self.dashes();
            let side = line_colour(&self.colour);
            svg.line(
                near,
                space,
                &format!(r#"stroke="{side}" stroke-width="3"{dashes}"#),
            );
        }
    }

    /// Draws it in its place.
    pub(super) fn draw(&self, svg: &mut Svg, place: Rect) {
        let (side, edge) = (&self.colour, line_colour(&self.colour));
        let dashes = self.dashes();
        svg.note_side(self.side);
        if self.ghost {
            svg.note("ghost");
        }
        let (corner, size) = ([place.x, place.y], [place.w, place.h]);
        if self.more {
            let under = [corner[0] + 5, corner[1] + 5];
            svg.rect(
                under,
                size,
                5,
                &format!(r##"fill="#e6dcc4" stroke="{edge}" stroke-width="2""##),
            );
        }
        let paint = format!(r#"fill="{THEN}" stroke="{edge}" stroke-width="2.5"{dashes}"#);
        svg.rect(corner, size, 5, &paint);
        let mut y = place.y + EDGE;
        if !self.caption.is_empty() {
            let style = Style {
                size: 14,
                bold: true,
                anchor: "middle",
                ..Style::default()
            };
            svg.text([place.x + place.w / 2, y + 12], &self.caption, style);
            y += CAPTION - 1;
        }
        let mut x = place.x + (place.w - self.row()) / 2;
        for tile in &self.tiles {
            // A last sighting is white.
            tile.draw(svg, [x, y], if self.ghost { THEN } else { side });
            x += tile.width() + EDGE;
        }
        if let Some(total) = self.total.map(|total| total.to_string()) {
            let style = Style {
                size: 20,
                bold: true,
                fill: edge,
                ..Style::default()
            };
            svg.text([x + 3, y + 27], &total, style);
        }
    }
}

/// The caption of a stack behind the letters of its side, if it has any. Counters face down may
/// be another side's.
fn signed(sign: &str, stack: &MapStack) -> String {
    let caption = caption(stack);
    if sign.is_empty() || stack.leaders.is_empty() && stack.units.is_empty() {
        return caption;
    }
    format!("{sign} {caption}").trim_end().to_owned()
}

/// The name on a plate: the first leader's, else the first unit's; how many more of that sort there
/// are.
fn caption(stack: &MapStack) -> String {
    let units: Vec<_> = stack
        .units
        .iter()
        .filter(|unit| unit.symbol != "fort" && unit.symbol != DECOY)
        .collect();
    let leaders: Vec<_> = stack.leaders.iter().collect();
    let named = if leaders.is_empty() { &units } else { &leaders };
    let mut words: Vec<String> = stack.seen_in().into_iter().collect();
    if let Some(first) = named.first() {
        words.push(first.name.clone());
        if named.len() > 1 {
            words.push(format!("+{}", named.len() - 1));
        }
    }
    words.join(" ")
}

/// Tiles of units: one for each if there are at most `single`, else one for each symbol.
fn units(units: &[Counter], single: usize) -> Vec<Tile> {
    let mut tiles: Vec<Tile> = Vec::new();
    for unit in units {
        let same = tiles.iter_mut().find(|tile| {
            (units.len() > single || unit.symbol == DECOY) && tile.symbol == unit.symbol
        });
        if let Some(tile) = same {
            tile.count += 1;
            tile.hits += unit.hits;
            tile.strength = tile.strength.zip(unit.strength).map(|(a, b)| a + b);
            for sign in &unit.signs {
                if !tile.signs.contains(sign) {
                    tile.signs.push(sign.clone());
                }
            }
        } else {
            tiles.push(Tile {
                symbol: unit.symbol.clone(),
                strength: unit.strength,
                hits: unit.hits,
                signs: unit.signs.clone(),
                count: 1,
                ..Tile::default()
            });
        }
    }
    tiles
}

/// One tile for all units of a stack: the symbol of the strongest, the strength and hits of all.
/// Counters without strength count only if there are no others.
pub(super) fn units_as_one(units: &[Counter]) -> Option<Tile> {
    let real: Vec<&Counter> = units.iter().filter(|unit| unit.symbol != DECOY).collect();
    let counted = if real.is_empty() {
        units.iter().collect()
    } else {
        real
    };
    let strongest = counted.iter().rev().max_by_key(|unit| unit.strength)?;
    let mut signs: Vec<String> = Vec::new();
    for sign in counted.iter().flat_map(|unit| &unit.signs) {
        if !signs.contains(sign) {
            signs.push(sign.clone());
        }
    }
    let strengths: Option<Vec<i64>> = counted.iter().map(|unit| unit.strength).collect();
    Some(Tile {
        symbol: strongest.symbol.clone(),
        strength: strengths.map(|all| all.iter().sum()),
        hits: counted.iter().map(|unit| unit.hits).sum(),
        signs,
        count: count(units.len()),
        ..Tile::default()
    })
}

pub(super) fn count(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX / 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(name: &str, symbol: &str, strength: i64) -> Counter {
        Counter {
            name: name.to_owned(),
            symbol: symbol.to_owned(),
            strength: Some(strength),
            hits: 1,
            signs: Vec::new(),
            ..Counter::default()
        }
    }

    fn stack(units: Vec<Counter>) -> MapStack {
        MapStack {
            space: 0,
            side: 0,
            leaders: Vec::new(),
            units,
            ..MapStack::default()
        }
    }

    #[test]
    fn large_stacks_are_summed_by_symbol() {
        let units = ["A", "B", "C", "D"].map(|name| unit(name, "infantry", 3));
        let mut large = stack([&units[..], &[unit("E", "cavalry", 2)]].concat());
        let plate = Plate::of(&MapSection::default(), &large);
        assert_eq!(plate.tiles.len(), 2);
        assert_eq!(
            (
                plate.tiles[0].count,
                plate.tiles[0].strength,
                plate.tiles[0].hits
            ),
            (4, Some(12), 4)
        );
        assert_eq!(plate.total, Some(14));
        assert_eq!(plate.caption, "A +4");
        large.more = true;
        assert_eq!(Plate::of(&MapSection::default(), &large).total, None);
    }

    #[test]
    fn few_units_stand_by_themselves() {
        let plate = Plate::of(
            &MapSection::default(),
            &stack(vec![unit("A", "infantry", 3); 3]),
        );
        assert_eq!(plate.tiles.len(), 3);
    }

    #[test]
    fn of_many_sides_old_sightings_are_told_in_few_counters() {
        let side = |sign: &str| MapSection {
            sides: vec![super::super::MapSide {
                sign: sign.to_owned(),
                ..Default::default()
            }],
            ..MapSection::default()
        };
        let then = MapStack {
            turn: Some(11),
            since: Some(8),
            leaders: vec![unit("Ada", "headquarters", 0)],
            ..stack(vec![unit("A regiment of the line", "infantry", 3); 3])
        };
        let plate = Plate::of(&side("SP"), &then);
        assert_eq!((plate.tiles.len(), plate.total), (1, None));
        assert_eq!(
            (plate.tiles[0].count, plate.tiles[0].strength),
            (3, Some(9))
        );
        assert!(plate.caption.starts_with("SP T8-11"), "{}", plate.caption);
        assert_eq!(Plate::of(&side(""), &then).tiles.len(), 4);
    }
}
