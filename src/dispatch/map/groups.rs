//! Plates for groups: the visible stacks of one side close together, with their strength, where a
//! map is drawn from afar.

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
    /// Its known strength; none where something lies face down.
    strength: Option<i64>,
    /// True if it is leaders alone.
    leaders_alone: bool,
}

/// Draws a plate for each group: the visible stacks of one side no further apart than `near`, with
/// their strength; dashed where all of it may have gone, a star for leaders alone. No plate lies on
/// another, nor on anything `taken`, if there is room for it on the page. `at`: the places of the
/// spaces' stacks. Returns the places that are taken now.
pub(super) fn draw(
    svg: &mut Svg,
    map: &MapSection,
    at: impl Fn(&MapStack) -> Option<[i64; 2]>,
    (page, mut taken): (Rect, Vec<Rect>),
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
        let leaders_alone = stack.units.is_empty() && stack.hidden == 0 && !stack.more;
        match groups.iter_mut().find(joins) {
            Some(group) => {
                group.strength = group.strength.zip(strength).map(|(a, b)| a + b);
                group.leaders_alone &= leaders_alone;
            }
            None => groups.push(GroupPlate {
                at,
                side: stack.side,
                then,
                strength,
                leaders_alone,
            }),
        }
    }
    let places: Vec<Rect> = (groups.iter())
        .map(|group| {
            let place = group.place(&taken, page, size);
            taken.push(place);
            place
        })
        .collect();
    for (group, place) in groups.iter().zip(&places) {
        group.lead(svg, map, *place, size);
    }
    for (group, place) in groups.iter().zip(&places) {
        group.draw(svg, map, *place, size);
    }
    taken
}

impl GroupPlate {
    /// Its figure; leaders, and what has no strength by its nature, have none.
    fn words(&self) -> String {
        match self.strength {
            None => "?".to_owned(),
            Some(0) => String::new(),
            Some(sum) => sum.to_string(),
        }
    }

    /// Where it stands, or as near to it as there is room.
    fn place(&self, taken: &[Rect], page: Rect, size: i64) -> Rect {
        let figure = metrics::width(&self.words(), size, true);
        let wide = figure.max(size / 2) + size * 9 / 16;
        let high = size * 21 / 16;
        let [x, y] = self.at;
        let mut aside: Vec<[i64; 2]> = (-3..=3)
            .flat_map(|down| (-2..=2).map(move |across| [across, down]))
            .collect();
        // The nearest first; of equals those below.
        aside.sort_by_key(|[across, down]| {
            let (across, down) = (across * wide, down * high);
            (across * across + down * down, -down, across)
        });
        let places = aside.into_iter().map(|[across, down]| {
            let place = Rect::round(x + across * (wide + 1), y + down * (high + 1), wide, high);
            place.within(page)
        });
        let covered = |place: &Rect| -> i64 { taken.iter().map(|it| it.shared(place)).sum() };
        places.min_by_key(covered).unwrap_or_default()
    }

    fn colour<'m>(&self, map: &'m MapSection) -> &'m str {
        (map.sides.get(self.side)).map_or("", |side| colour(&side.colour))
    }

    /// Draws a line to where it stands, if there was no room for it there.
    fn lead(&self, svg: &mut Svg, map: &MapSection, place: Rect, size: i64) {
        if place
            .grown(size / 4)
            .shared(&Rect::round(self.at[0], self.at[1], 2, 2))
            > 0
        {
            return;
        }
        let line = (size / 8).max(2);
        let edge = line_colour(self.colour(map));
        let from = place.nearest(self.at);
        svg.line(
            from,
            self.at,
            &format!(r#"stroke="{edge}" stroke-width="{line}""#),
        );
    }

    fn draw(&self, svg: &mut Svg, map: &MapSection, place: Rect, size: i64) {
        svg.note_side(self.side);
        let side = self.colour(map);
        let (fill, dashes) = if self.then {
            svg.note("ghost");
            ("#fffdf6", r#" stroke-dasharray="5 3""#)
        } else {
            (side, "")
        };
        let edge = if self.then { line_colour(side) } else { INK };
        let line = (size / 8).max(2);
        let paint = format!(r#"fill="{fill}" stroke="{edge}" stroke-width="{line}"{dashes}"#);
        svg.rect([place.x, place.y], [place.w, place.h], size / 5, &paint);
        let middle = [place.x + place.w / 2, place.y + place.h / 2];
        if self.leaders_alone {
            svg.note("star");
            return star(svg, middle, size, contrast(fill));
        }
        svg.note(if self.strength.is_some() {
            "group"
        } else {
            "unknown"
        });
        let style = Style {
            size,
            bold: true,
            fill: contrast(fill),
            anchor: "middle",
            ..Style::default()
        };
        let middle = [middle[0], middle[1] + size * 3 / 8];
        svg.text(middle, &self.words(), style);
    }
}

/// A star, so high.
pub(super) fn star(svg: &mut Svg, [x, y]: [i64; 2], high: i64, fill: &str) {
    // Ten points, in hundredths of the height.
    let points = [
        [0, -50],
        [12, -16],
        [48, -15],
        [19, 6],
        [29, 40],
        [0, 20],
        [-29, 40],
        [-19, 6],
        [-48, -15],
        [-12, -16],
    ];
    let points = points.map(|[dx, dy]| {
        // Halves of points, so that a small one is no heap.
        format!("{} {}", x * 2 + dx * high / 50, y * 2 + dy * high / 50)
    });
    svg.open(r#"transform="scale(0.5)""#);
    svg.path(
        &format!("M{}Z", points.join("L")),
        &format!(r#"fill="{fill}""#),
    );
    svg.close();
}

/// The strength of a stack, if all of it is known. Leaders have none.
pub(super) fn strength(stack: &MapStack) -> Option<i64> {
    let units = stack.units.iter().map(|unit| unit.strength);
    let sum: Option<i64> = units.sum();
    sum.filter(|_| stack.hidden == 0 && !stack.more)
}

#[cfg(test)]
mod tests {
    use super::{
        super::{Counter, MapSide},
        *,
    };

    const PAGE: Rect = Rect {
        x: 0,
        y: 0,
        w: 200,
        h: 200,
    };

    fn unit(strength: i64) -> Counter {
        Counter {
            name: String::new(),
            symbol: "infantry".to_owned(),
            strength: Some(strength),
            hits: 0,
            signs: Vec::new(),
            ..Counter::default()
        }
    }

    fn drawn(stacks: Vec<MapStack>, at: [i64; 2]) -> (String, Vec<Rect>) {
        let map = MapSection {
            sides: vec![MapSide::default(); 2],
            stacks,
            ..MapSection::default()
        };
        let mut svg = Svg::default();
        let taken = draw(&mut svg, &map, |_| Some(at), (PAGE, Vec::new()), [30, 14]);
        (svg.finish(), taken)
    }

    #[test]
    fn who_has_no_strength_shows_no_figure() {
        let leader = MapStack {
            leaders: vec![unit(0)],
            ..MapStack::default()
        };
        let train = MapStack {
            units: vec![unit(0)],
            ..MapStack::default()
        };
        for stack in [&leader, &train] {
            let (svg, _) = drawn(vec![stack.clone()], [100, 100]);
            assert!(!svg.contains(">0<"), "{svg}");
        }
        let with_troops = MapStack {
            units: vec![unit(7)],
            ..leader
        };
        assert!(drawn(vec![with_troops], [100, 100]).0.contains(">7<"));
    }

    #[test]
    fn plates_lie_beside_each_other_on_the_page() {
        let stacks = (0..2).flat_map(|side| {
            (0..4).map(move |turn| MapStack {
                side,
                units: vec![unit(12)],
                turn: (turn > 0).then_some(turn),
                ..MapStack::default()
            })
        });
        // Each is a group of its own: sides differ, or times of sighting.
        let (_, taken) = drawn(stacks.collect(), [199, 2]);
        for (number, place) in taken.iter().enumerate() {
            assert_eq!(place.shared(&PAGE), place.w * place.h, "{place:?}");
            assert!(taken[number + 1..].iter().all(|it| it.shared(place) == 0));
        }
    }
}
