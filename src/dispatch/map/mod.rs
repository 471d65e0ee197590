//! The map as a picture, drawn from the document alone.
//!
//! Invariant: whole numbers, one order of things, an embedded font: the same document gives the same bytes.

mod frame;
mod ground;
mod metrics;
mod place;
mod plate;
mod png;
mod project;
pub(super) mod section;
mod svg;

pub use png::{PictureError, png};
pub use section::{
    Counter, Legend, MapRoad, MapSection, MapSide, MapSpace, MapStack, MapWater,
};

use place::{Board, Ink, Item, Rect};
use plate::Plate;
use svg::{Style, Svg};

use crate::dispatch::Relief;

/// Free space between the frame and the boxes of title and legend.
const CORNER: i64 = 24;

/// The map as SVG.
#[must_use]
pub fn svg(map: &MapSection) -> String {
    let boxes = Boxes::of(map);
    let layout = Layout::of(map, &boxes);
    let mut svg = Svg::new(boxes.width, map.height);
    ground::land(&mut svg, &MapSection { width: boxes.width, ..map.clone() }, &layout.taken());
    ground::roads(&mut svg, map);
    ground::water_names(&mut svg, map, &layout.taken());
    for space in &map.spaces {
        frame::space(&mut svg, map, space);
    }
    for (space, place) in map.spaces.iter().zip(&layout.labels) {
        let style = Style { halo: true, anchor: "middle", ..label(space) };
        svg.text([place.x + place.w / 2, place.y + place.h - 5], &space.name, style);
    }
    // Old sightings lie below what is seen now.
    for (number, plate, place) in layout.plates.iter().rev() {
        if let Some(space) = map.spaces.get(*number) {
            plate.draw(&mut svg, *place, [space.x, space.y], gap(space));
        }
    }
    frame::legend(&mut svg, map, boxes.legend);
    frame::title(&mut svg, map, boxes.title);
    for (edge, width) in [(6, 4), (13, 1)] {
        let size = [boxes.width - 2 * edge, map.height - 2 * edge];
        let paint = format!(r#"fill="none" stroke="{}" stroke-width="{width}""#, svg::INK);
        svg.rect([edge, edge], size, 0, &paint);
    }
    svg.finish()
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
            .map(|space| Rect::round(space.x, space.y, 120, 90))
            .collect();
        let legend = corner(map, frame::legend_size(map), &spots, &[]);
        let title = corner(map, frame::title_size(map), &spots, legend.as_slice());
        if let (Some(legend), Some(title)) = (legend, title) {
            return Self { width: map.width, title, legend };
        }
        let ([lw, lh], [tw, th]) = (frame::legend_size(map), frame::title_size(map));
        let strip = lw.max(tw);
        let x = map.width + CORNER / 2;
        Self {
            width: map.width + strip + 2 * CORNER,
            title: Rect { x: x + (strip - tw) / 2, y: 2 * CORNER, w: tw, h: th },
            legend: Rect { x: x + (strip - lw) / 2, y: th + 3 * CORNER, w: lw, h: lh },
        }
    }
}

/// The first corner where a box covers no space and no other box.
fn corner(map: &MapSection, [w, h]: [i64; 2], spots: &[Rect], boxes: &[Rect]) -> Option<Rect> {
    let (right, low) = (map.width - CORNER - w, map.height - CORNER - h);
    let corners = [[CORNER, CORNER], [right, CORNER], [CORNER, low], [right, low]];
    let places = corners.map(|[x, y]| Rect { x, y, w, h });
    places.into_iter().find(|place| {
        let wide = place.grown(CORNER / 2);
        spots.iter().chain(boxes).all(|spot| wide.shared(spot) == 0)
    })
}

/// Where everything stands that needs a place of its own.
struct Layout {
    labels: Vec<Rect>,
    /// The space's position, the plate, its place.
    plates: Vec<(usize, Plate, Rect)>,
    boxes: [Rect; 2],
}

impl Layout {
    fn of(map: &MapSection, boxes: &Boxes) -> Self {
        let mut fixed = vec![(boxes.title, 6), (boxes.legend, 6)];
        fixed.extend(map.spaces.iter().map(|space| {
            let size = 2 * gap(space) - 4;
            (Rect::round(space.x, space.y, size, size), 5)
        }));
        fixed.extend(map.roads.iter().filter(|road| road.bridge || road.broken).filter_map(|road| {
            let [x, y] = road.crossing?;
            Some((Rect::round(x, y, 24, 24), if road.broken { 3 } else { 1 }))
        }));
        let frame = Rect { x: 0, y: 0, w: boxes.width, h: map.height }.grown(-18);
        let board = Board::new(frame, fixed, ink(map, boxes.width));
        let mut items: Vec<Item> = map.spaces.iter().map(label_item).collect();
        let plates: Vec<_> = (map.stacks.iter().chain(&map.ghosts))
            .filter_map(|stack| {
                let space = map.spaces.get(stack.space)?;
                let plate = Plate::of(map, stack);
                items.push(Item {
                    at: [space.x, space.y],
                    size: plate.size(),
                    gap: gap(space) + 3,
                    steps: 9,
                    weight: if stack.turn.is_some() { 2 } else { 4 },
                });
                Some((stack.space, plate))
            })
            .collect();
        let mut places = board.place(&items);
        let of_plates = places.split_off(map.spaces.len().min(places.len()));
        Self {
            labels: places,
            plates: (plates.into_iter().zip(of_plates))
                .map(|((space, plate), place)| (space, plate, place))
                .collect(),
            boxes: [boxes.title, boxes.legend],
        }
    }

    /// All places that are taken.
    fn taken(&self) -> Vec<Rect> {
        let plates = self.plates.iter().map(|(_, _, place)| *place);
        self.labels.iter().copied().chain(plates).chain(self.boxes).collect()
    }
}

/// Lines that should not be covered: roads, and rivers less so.
fn ink(map: &MapSection, width: i64) -> Ink {
    let mut lines = Vec::new();
    for road in &map.roads {
        if let (Some(a), Some(b)) = (map.spaces.get(road.a), map.spaces.get(road.b)) {
            lines.push(([a.x, a.y], [b.x, b.y], 34));
        }
    }
    for water in &map.waters {
        for ends in water.points.windows(2) {
            if let &[a, b] = ends {
                lines.push((a, b, 6));
            }
        }
    }
    Ink::of(width, map.height, &lines)
}

/// How far from a space's point labels and plates begin.
fn gap(space: &MapSpace) -> i64 {
    if space.siege { 28 } else { frame::radius(space) + 3 }
}

fn label(space: &MapSpace) -> Style<'static> {
    match space.relief {
        Relief::City => Style { size: 19, bold: true, ..Style::default() },
        Relief::Plain | Relief::Mountain => Style { size: 16, ..Style::default() },
    }
}

fn label_item(space: &MapSpace) -> Item {
    let style = label(space);
    let wide = metrics::width(&space.name, style.size, style.bold);
    Item {
        at: [space.x, space.y],
        size: [wide + 2, style.size + 2],
        gap: gap(space),
        steps: 2,
        weight: 3,
    }
}
