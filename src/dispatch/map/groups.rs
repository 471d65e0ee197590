//! Plates for groups: what is seen of one side close together, with its strength, where a map is
//! drawn from afar.

use super::{
    MapSection, MapStack, metrics,
    place::Rect,
    svg::{INK, Style, Svg, colour, contrast, line_colour},
};

/// Stacks of one side that stand together.
struct GroupPlate {
    /// Where the first of them is.
    at: [i64; 2],
    side: usize,
    then: bool,
    strength: Option<i64>,
}

/// Draws a plate for each group: what is seen of one side no further apart than `near`, with its
/// strength; dashed where all of it may have gone. No plate lies on another. `at`: where the
/// stacks of a space stand. Gives the places of the plates.
pub(super) fn draw(
    svg: &mut Svg,
    map: &MapSection,
    at: impl Fn(&MapStack) -> Option<[i64; 2]>,
    [near, size]: [i64; 2],
) -> Vec<Rect> {
    let mut groups: Vec<GroupPlate> = Vec::new();
    for stack in map.stacks.iter().chain(&map.ghosts) {
        let Some(at) = at(stack) else { continue };
        let then = stack.turn.is_some();
        let joins = |group: &&mut GroupPlate| {
            let apart = [0, 1].map(|axis: usize| group.at[axis] - at[axis]);
            let square = apart[0] * apart[0] + apart[1] * apart[1];
            group.side == stack.side && group.then == then && square <= near * near
        };
        let strength = strength(stack);
        match groups.iter_mut().find(joins) {
            Some(group) => group.strength = group.strength.zip(strength).map(|(a, b)| a + b),
            None => groups.push(GroupPlate {
                at,
                side: stack.side,
                then,
                strength,
            }),
        }
    }
    let mut taken: Vec<Rect> = Vec::new();
    for group in groups {
        let place = group.place(&taken, size);
        group.draw(svg, map, place, size);
        taken.push(place);
    }
    taken
}

impl GroupPlate {
    fn words(&self) -> String {
        (self.strength).map_or_else(|| "?".to_owned(), |sum| sum.to_string())
    }

    /// Where it stands, or as near to it as there is room.
    fn place(&self, taken: &[Rect], size: i64) -> Rect {
        let wide = metrics::width(&self.words(), size, true) + size * 9 / 16;
        let high = size * 21 / 16;
        let [x, y] = self.at;
        let aside = [
            [0, 0],
            [0, high],
            [0, -high],
            [wide, 0],
            [-wide, 0],
            [wide, high],
            [-wide, -high],
        ];
        let places = aside.map(|[dx, dy]| Rect::round(x + dx, y + dy, wide, high));
        let covered = |place: &&Rect| -> i64 { taken.iter().map(|it| it.shared(place)).sum() };
        let best = places.iter().min_by_key(covered);
        best.copied().unwrap_or_default()
    }

    fn draw(&self, svg: &mut Svg, map: &MapSection, place: Rect, size: i64) {
        let side = (map.sides.get(self.side)).map_or("", |side| colour(&side.colour));
        let (fill, dashes) = if self.then {
            ("#fffdf6", r#" stroke-dasharray="5 3""#)
        } else {
            (side, "")
        };
        let edge = if self.then { line_colour(side) } else { INK };
        let line = (size / 8).max(2);
        let paint = format!(r#"fill="{fill}" stroke="{edge}" stroke-width="{line}"{dashes}"#);
        svg.rect([place.x, place.y], [place.w, place.h], size / 5, &paint);
        let style = Style {
            size,
            bold: true,
            fill: contrast(fill),
            anchor: "middle",
            ..Style::default()
        };
        let middle = [place.x + place.w / 2, place.y + place.h / 2 + size * 3 / 8];
        svg.text(middle, &self.words(), style);
    }
}

/// The strength of a stack, if all of it is known. Leaders have none.
pub(super) fn strength(stack: &MapStack) -> Option<i64> {
    let units = stack.units.iter().map(|unit| unit.strength);
    let sum: Option<i64> = units.sum();
    sum.filter(|_| stack.hidden == 0 && !stack.more)
}
