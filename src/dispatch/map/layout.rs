//! Where title, legend, names and plates stand.

use super::{
    MapSection, MapSpace, MapStack, MapWater, frame,
    legend::{self, Spacing, VALUE},
    metrics,
    place::{Board, Ink, Item, Rect},
    plate::Plate,
    roads,
    svg::{SignSet, Style, Svg},
    water::{self, Name},
};
use crate::dispatch::Relief;

/// Free space between the frame and the boxes of title and legend.
const CORNER: i64 = 24;
/// A name with a larger part than this covered can't be read.
const READ: i64 = 5;

/// Where title and legend stand, how the legend is set, and how wide the picture is.
pub(super) struct Boxes {
    pub(super) width: i64,
    pub(super) title: Rect,
    pub(super) legend: Rect,
    pub(super) spacing: Spacing,
}

impl Boxes {
    /// Free corners if there are any, else a strip on the right.
    pub(super) fn of(map: &MapSection, drawn: &SignSet) -> Self {
        let spots: Vec<_> = (map.spaces.iter())
            .map(|space| Rect::round(space.x, space.y, 120, 66))
            .collect();
        let size = frame::title_size(map);
        for spacing in [Spacing::Wide, Spacing::Tight] {
            let legend = corner(map, legend::legend_size(map, drawn, spacing), &spots, &[]);
            let title = corner(map, size, &spots, legend.as_slice());
            if let (Some(legend), Some(title)) = (legend, title) {
                return Self {
                    width: map.width,
                    title,
                    legend,
                    spacing,
                };
            }
        }
        let spacing = Spacing::Wide;
        let ([lw, lh], [tw, th]) = (legend::legend_size(map, drawn, spacing), size);
        let strip = lw.max(tw);
        let x = map.width + CORNER / 2;
        Self {
            width: map.width + strip + 2 * CORNER,
            title: Rect {
                x: x + (strip - tw) / 2,
                y: 2 * CORNER,
                w: tw,
                h: th,
            },
            legend: Rect {
                x: x + (strip - lw) / 2,
                y: th + 3 * CORNER,
                w: lw,
                h: lh,
            },
            spacing,
        }
    }
}

/// The first corner where a box covers no space and no other box.
fn corner(map: &MapSection, [w, h]: [i64; 2], spots: &[Rect], boxes: &[Rect]) -> Option<Rect> {
    let (right, low) = (map.width - CORNER - w, map.height - CORNER - h);
    let corners = [
        [CORNER, CORNER],
        [right, CORNER],
        [CORNER, low],
        [right, low],
    ];
    let places = corners.map(|[x, y]| Rect { x, y, w, h });
    places.into_iter().find(|place| {
        let wide = place.grown(CORNER / 2);
        spots.iter().chain(boxes).all(|spot| wide.shared(spot) == 0)
    })
}

/// Where everything stands that needs a place of its own.
pub(super) struct Layout<'a> {
    /// Names of spaces, in their order.
    pub(super) labels: Vec<Rect>,
    /// Names of lakes that are too small to hold them.
    pub(super) small_lakes: Vec<(&'a MapWater, Rect)>,
    /// Plates with their spaces.
    pub(super) plates: Vec<(&'a MapSpace, Plate, Rect)>,
    /// Names of rivers and larger lakes.
    pub(super) names: Vec<Name>,
    /// All places that are taken.
    pub(super) taken: Vec<Rect>,
}

impl<'a> Layout<'a> {
    /// The layout of a map without title and legend.
    pub(super) fn alone(map: &'a MapSection) -> Self {
        let nowhere = Rect {
            x: -900,
            y: -900,
            w: 1,
            h: 1,
        };
        let boxes = Boxes {
            width: map.width,
            title: nowhere,
            legend: nowhere,
            spacing: Spacing::Tight,
        };
        Self::of(map, &boxes)
    }

    /// Finds places: first for spaces' names and plates together, then for the names of waters
    /// between them.
    pub(super) fn of(map: &'a MapSection, boxes: &Boxes) -> Self {
        let lakes = map.waters.iter().filter(|water| water.lake);
        let (large, small): (Vec<_>, Vec<_>) = lakes.partition(|lake| water::holds_its_name(lake));
        let plates: Vec<_> = (map.stacks.iter().chain(&map.ghosts))
            .filter_map(|stack| Some((stack, map.spaces.get(stack.space)?, Plate::of(map, stack))))
            .collect();
        let mut items: Vec<_> = map.spaces.iter().map(label_item).collect();
        items.extend(small.iter().map(|lake| lake_item(lake)));
        items.extend(
            plates
                .iter()
                .map(|(stack, space, plate)| plate_item(stack, space, plate)),
        );

        let mut places = board(map, boxes).place(&items).into_iter();
        let labels: Vec<_> = places.by_ref().take(map.spaces.len()).collect();
        let small_lakes: Vec<_> = small.into_iter().zip(places.by_ref()).collect();
        let plates: Vec<_> = (plates.into_iter().zip(places))
            .map(|((_, space, plate), place)| (space, plate, place))
            .collect();
        let mut layout = Self {
            labels,
            small_lakes,
            plates,
            names: Vec::new(),
            taken: Vec::new(),
        };
        layout.taken = layout.covered(map, boxes);
        layout.names = water_names(map, &large, &layout.taken);
        layout
            .taken
            .extend(layout.names.iter().flat_map(Name::covers));
        layout
    }

    fn covered(&self, map: &MapSection, boxes: &Boxes) -> Vec<Rect> {
        let spaces = map.spaces.iter();
        let spaces =
            spaces.map(|space| Rect::round(space.x, space.y, 2 * gap(space), 2 * gap(space)));
        let lakes = self.small_lakes.iter().map(|(_, place)| *place);
        let plates = self.plates.iter().map(|(_, _, place)| *place);
        let boxes = [boxes.title, boxes.legend];
        self.labels
            .iter()
            .copied()
            .chain(boxes)
            .chain(lakes)
            .chain(plates)
            .chain(spaces)
            .collect()
    }
}

/// Names of large lakes, in what room the plates leave them, and of rivers.
fn water_names(map: &MapSection, large: &[&MapWater], taken: &[Rect]) -> Vec<Name> {
    let lakes = large
        .iter()
        .filter_map(|lake| water::lake_name(lake, taken).or_else(|| water::lake_name(lake, &[])));
    let rivers = map.waters.iter().filter(|water| !water.lake);
    let rivers = rivers.filter_map(|river| water::river_name(map, river, taken));
    lakes.chain(rivers).collect()
}

/// The board with all that is on it before anything is placed.
fn board(map: &MapSection, boxes: &Boxes) -> Board {
    // A strip beside the map is for title and legend alone.
    let page = Rect {
        x: 0,
        y: 0,
        w: map.width,
        h: map.height,
    };
    Board {
        page: page.grown(-18),
        fixed: fixed(map, boxes),
        spaces: map.spaces.iter().map(|space| [space.x, space.y]).collect(),
        ink: ink(map, boxes.width),
    }
}

/// Everything on the map before anything is placed, with its weight.
fn fixed(map: &MapSection, boxes: &Boxes) -> Vec<(Rect, i64)> {
    let mut fixed = vec![(boxes.title, 6), (boxes.legend, 6)];
    fixed.extend(map.spaces.iter().map(|space| {
        let size = 2 * gap(space) - 4;
        (Rect::round(space.x, space.y, size, size), 5)
    }));
    let bridges = map.roads.iter().filter(|road| road.bridge || road.broken);
    fixed.extend(bridges.filter_map(|road| {
        let (a, b) = map.spaces.get(road.a).zip(map.spaces.get(road.b))?;
        let [x, y] = roads::bridge_at(a, b, road);
        Some((Rect::round(x, y, 24, 24), if road.broken { 3 } else { 1 }))
    }));
    fixed
}

/// Lines that should not be covered: roads, and rivers less so.
fn ink(map: &MapSection, width: i64) -> Ink {
    let mut lines = Vec::new();
    for road in &map.roads {
        if let (Some(a), Some(b)) = (map.spaces.get(road.a), map.spaces.get(road.b)) {
            lines.push(([a.x, a.y], [b.x, b.y], 10));
        }
    }
    for water in &map.waters {
        for ends in water.points.windows(2) {
            if let &[a, b] = ends {
                lines.push((a, b, 2));
            }
        }
    }
    Ink::of(width, map.height, &lines)
}

/// Returns true if the edge of the visible part does not cut a place.
pub(super) fn is_whole(seen: Option<&Rect>, place: &Rect) -> bool {
    seen.is_none_or(|seen| seen.shared(place) == place.w * place.h)
}

/// How far from a space's point labels and plates begin.
pub(super) fn gap(space: &MapSpace) -> i64 {
    if space.siege {
        28
    } else {
        frame::radius(space) + 3
    }
}

/// How the name of a space is set.
fn label(space: &MapSpace) -> Style<'static> {
    match space.relief {
        Relief::City => Style {
            size: 19,
            bold: true,
            ..Style::default()
        },
        _ => Style {
            size: 16,
            ..Style::default()
        },
    }
}

/// Writes the names of all spaces where there is room for them, or of those that are seen whole:
/// towns first. What nobody could read between others is left out.
pub(super) fn names(svg: &mut Svg, map: &MapSection, layout: &Layout<'_>, seen: Option<&Rect>) {
    let labels = || map.spaces.iter().zip(&layout.labels);
    let towns = labels().filter(|(space, _)| space.relief == Relief::City);
    let others = labels().filter(|(space, _)| space.relief != Relief::City);
    let mut taken: Vec<Rect> = layout.plates.iter().map(|(_, _, place)| *place).collect();
    for (space, place) in towns.chain(others) {
        let covered: i64 = taken.iter().map(|it| it.shared(place)).sum();
        if !is_whole(seen, place) || covered * READ > place.w * place.h {
            continue;
        }
        taken.push(*place);
        let style = Style {
            halo: true,
            ..label(space)
        };
        let at = [place.x + 1, place.y + place.h - 5];
        match space.value {
            Some(value) => {
                svg.note("value");
                svg.text_and(at, (&space.name, &value.to_string()), style, VALUE);
            }
            None => svg.text(at, &space.name, style),
        }
    }
}

/// How wide a space's name with its value is.
fn label_width(space: &MapSpace) -> i64 {
    let style = label(space);
    let value = space.value.map_or(0, |value| {
        metrics::width(&format!(" {value}"), style.size, true)
    });
    metrics::width(&space.name, style.size, style.bold) + value
}

fn label_item(space: &MapSpace) -> Item {
    let style = label(space);
    let wide = label_width(space);
    Item {
        at: [space.x, space.y],
        size: [wide + 2, style.size + 2],
        gap: gap(space),
        steps: 2,
        weight: 3,
        ink: 2,
        shy: true,
    }
}

fn lake_item(lake: &MapWater) -> Item {
    let (at, size) = water::beside(lake);
    Item {
        at,
        size,
        gap: 16,
        steps: 4,
        weight: 2,
        ink: 3,
        shy: false,
    }
}

fn plate_item(stack: &MapStack, space: &MapSpace, plate: &Plate) -> Item {
    Item {
        at: [space.x, space.y],
        size: plate.size(),
        gap: gap(space) + 3,
        steps: 9,
        weight: if stack.turn.is_some() { 2 } else { 4 },
        ink: 1,
        shy: false,
    }
}
