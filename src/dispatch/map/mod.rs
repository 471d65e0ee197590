//! The map as a picture, drawn from the document alone.
//!
//! Invariant: whole numbers, one order of things, an embedded font: the same document gives the same bytes.

mod frame;
mod geometry;
mod metrics;
mod place;
mod plate;
mod png;
mod project;
mod relief;
mod roads;
pub(super) mod section;
mod svg;
mod water;

pub use png::{PictureError, png};
pub use section::{Counter, Legend, MapRoad, MapSection, MapSide, MapSpace, MapStack, MapWater};

use place::{Board, Ink, Item, Rect};
use plate::Plate;
use relief::Heights;
use svg::{Style, Svg};
pub(super) use svg::{colour, contrast};
use water::Name;

use crate::dispatch::Relief;

/// Free space between the frame and the boxes of title and legend.
const CORNER: i64 = 24;

/// The map as SVG.
#[must_use]
pub fn svg(map: &MapSection) -> String {
    let boxes = Boxes::of(map);
    let layout = Layout::of(map, &boxes);
    let mut svg = Svg::new(boxes.width, map.height);
    land(&mut svg, map, &boxes, &layout);
    for name in &layout.names {
        name.draw(&mut svg);
    }
    for space in &map.spaces {
        frame::space(&mut svg, map, space);
    }
    for (space, place) in map.spaces.iter().zip(&layout.labels) {
        let style = Style {
            halo: true,
            anchor: "middle",
            ..label(space)
        };
        svg.text(
            [place.x + place.w / 2, place.y + place.h - 5],
            &space.name,
            style,
        );
    }
    // Old sightings lie below what is seen now.
    for (number, plate, place) in layout.plates.iter().rev() {
        if let Some(space) = map.spaces.get(*number) {
            plate.draw(&mut svg, *place, [space.x, space.y], gap(space));
        }
    }
    frame::legend(&mut svg, map, boxes.legend);
    frame::title(&mut svg, map, boxes.title);
    frame::border(&mut svg, [boxes.width, map.height]);
    svg.finish()
}

/// Paper, mountains, waters, roads.
fn land(svg: &mut Svg, map: &MapSection, boxes: &Boxes, layout: &Layout<'_>) {
    svg.rect(
        [0, 0],
        [boxes.width, map.height],
        0,
        &format!(r#"fill="{}""#, svg::PAPER),
    );
    let heights = Heights::of(map);
    if let Some(heights) = &heights {
        relief::tints(svg, heights);
    }
    water::waters(svg, map);
    if let Some(heights) = &heights {
        relief::peaks(svg, map, heights, &layout.taken);
    }
    roads::roads(svg, map);
    for (water, place) in &layout.small_lakes {
        water::beside_name(svg, water, *place);
    }
}

/// Where title and legend stand, and how wide the picture is.
struct Boxes {
    width: i64,
    title: Rect,
    legend: Rect,
}

impl Boxes {
    /// Free corners if there are any, else a strip on the right.
    fn of(map: &MapSection) -> Self {
        let spots: Vec<_> = (map.spaces.iter())
            .map(|space| Rect::round(space.x, space.y, 120, 66))
            .collect();
        let legend = corner(map, frame::legend_size(map), &spots, &[]);
        let title = corner(map, frame::title_size(map), &spots, legend.as_slice());
        if let (Some(legend), Some(title)) = (legend, title) {
            return Self {
                width: map.width,
                title,
                legend,
            };
        }
        let ([lw, lh], [tw, th]) = (frame::legend_size(map), frame::title_size(map));
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
struct Layout<'a> {
    /// Names of spaces, in their order.
    labels: Vec<Rect>,
    /// Names of lakes that are too small to hold them.
    small_lakes: Vec<(&'a MapWater, Rect)>,
    /// The space's position, the plate, its place.
    plates: Vec<(usize, Plate, Rect)>,
    /// Names of rivers and larger lakes.
    names: Vec<Name>,
    /// All places that are taken.
    taken: Vec<Rect>,
}

impl<'a> Layout<'a> {
    fn of(map: &'a MapSection, boxes: &Boxes) -> Self {
        let lakes = map.waters.iter().filter(|water| water.lake);
        let (held, small): (Vec<_>, Vec<_>) = lakes
            .map(|lake| (lake, water::lake_name(lake)))
            .partition(|(_, name)| name.is_some());
        let mut names: Vec<_> = held.into_iter().filter_map(|(_, name)| name).collect();
        let plates = (map.stacks.iter().chain(&map.ghosts)).filter_map(|stack| {
            let space = map.spaces.get(stack.space)?;
            Some((stack, space, Plate::of(map, stack)))
        });
        let plates: Vec<_> = plates.collect();

        let mut items: Vec<Item> = map.spaces.iter().map(label_item).collect();
        items.extend(small.iter().map(|(lake, _)| {
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
        }));
        items.extend(plates.iter().map(|(stack, space, plate)| Item {
            at: [space.x, space.y],
            size: plate.size(),
            gap: gap(space) + 3,
            steps: 9,
            weight: if stack.turn.is_some() { 2 } else { 4 },
            ink: 1,
            shy: false,
        }));

        let page = Rect {
            x: 0,
            y: 0,
            w: boxes.width,
            h: map.height,
        }
        .grown(-18);
        let board = Board {
            page,
            fixed: fixed(map, boxes, &names),
            spaces: map.spaces.iter().map(|space| [space.x, space.y]).collect(),
            ink: ink(map, boxes.width),
        };
        let mut places = board.place(&items).into_iter();
        let labels: Vec<_> = places.by_ref().take(map.spaces.len()).collect();
        let small_lakes: Vec<_> = small
            .into_iter()
            .map(|(lake, _)| lake)
            .zip(places.by_ref())
            .collect();
        let plates: Vec<_> = (plates.into_iter().zip(places))
            .map(|((stack, _, plate), place)| (stack.space, plate, place))
            .collect();

        let mut taken: Vec<_> = labels
            .iter()
            .copied()
            .chain([boxes.title, boxes.legend])
            .collect();
        taken.extend(small_lakes.iter().map(|(_, place)| *place));
        taken.extend(plates.iter().map(|(_, _, place)| *place));
        taken.extend(
            map.spaces
                .iter()
                .map(|space| Rect::round(space.x, space.y, 2 * gap(space), 2 * gap(space))),
        );
        let rivers = map.waters.iter().filter(|water| !water.lake);
        names.extend(rivers.filter_map(|river| water::river_name(map, river, &taken)));
        taken.extend(names.iter().flat_map(Name::covers));
        Self {
            labels,
            small_lakes,
            plates,
            names,
            taken,
        }
    }
}

/// What lies on the map before anything is placed, with its weight.
fn fixed(map: &MapSection, boxes: &Boxes, names: &[Name]) -> Vec<(Rect, i64)> {
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
    fixed.extend(names.iter().flat_map(Name::covers).map(|rect| (rect, 1)));
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

/// How far from a space's point labels and plates begin.
fn gap(space: &MapSpace) -> i64 {
    if space.siege {
        28
    } else {
        frame::radius(space) + 3
    }
}

fn label(space: &MapSpace) -> Style<'static> {
    match space.relief {
        Relief::City => Style {
            size: 19,
            bold: true,
            ..Style::default()
        },
        Relief::Plain | Relief::Mountain => Style {
            size: 16,
            ..Style::default()
        },
    }
}

fn label_item(space: &MapSpace) -> Item {
    let style = label(space);
    let wide = metrics::width(&space.name, style.size, style.bold);
    Item {
        at: [space.x, space.y],
        size: [wide + 2, style.size + 2],
        gap: gap(space),
        steps: 1,
        weight: 3,
        ink: 4,
        shy: true,
    }
}
