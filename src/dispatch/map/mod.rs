//! The map as a picture, drawn from the document alone.
//!
//! Invariant: whole numbers, one order of things, an embedded font: the same document gives the
//! same bytes.

pub mod areas;
pub(super) mod build;
mod frame;
mod geometry;
pub mod hexes;
mod layout;
mod metrics;
mod palette;
mod place;
mod plate;
mod png;
mod project;
mod relief;
mod roads;
mod section;
mod svg;
mod water;

pub use png::{PictureError, png};
pub use section::{Counter, Legend, MapRoad, MapSection, MapSide, MapSpace, MapStack, MapWater};

use layout::{Boxes, Layout, gap, label};
use relief::Heights;
use svg::{Style, Svg};
pub(super) use svg::{colour, dark_enough};

/// The map as SVG.
#[must_use]
pub fn svg(map: &MapSection) -> String {
    if let Some(hexes) = &map.hexes {
        return hexes::svg(map, hexes);
    }
    if let Some(areas) = &map.areas {
        return areas::svg(map, areas);
    }
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
    for (space, plate, place) in &layout.plates {
        plate.lead(&mut svg, *place, [space.x, space.y], gap(space));
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
    for (_, plate, place) in layout.plates.iter().rev() {
        plate.draw(&mut svg, *place);
    }
    frame::legend(&mut svg, map, boxes.legend, boxes.spacing);
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
    roads::roads(svg, map);
    svg.ground_ends();
    roads::bridges(svg, map);
    if let Some(heights) = &heights {
        relief::peaks(svg, map, heights, &layout.taken);
    }
    for (water, place) in &layout.small_lakes {
        water::beside_name(svg, water, *place);
    }
}
