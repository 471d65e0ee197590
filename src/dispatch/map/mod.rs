//! The map as a picture, drawn from the document alone.
//!
//! Invariant: the same document gives the same bytes. So there are only whole numbers, a fixed
//! order, and an embedded font.

pub mod areas;
pub(super) mod build;
mod frame;
mod geometry;
pub mod hexes;
mod layout;
mod metrics;
mod palette;
mod pdf;
mod place;
mod plate;
mod png;
mod project;
mod relief;
mod roads;
mod section;
mod svg;
mod water;

pub use pdf::{Paper, on_paper, pdf};
pub use png::{PictureError, png, png_times};
pub use section::{Counter, Legend, MapRoad, MapSection, MapSide, MapSpace, MapStack, MapWater};

use layout::{Boxes, Layout, gap};
use relief::Heights;
use svg::Svg;
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
    layout::names(&mut svg, map, &layout);
    // Old sightings lie below what is seen now.
    for (_, plate, place) in layout.plates.iter().rev() {
        plate.draw(&mut svg, *place);
    }
    frame::legend(&mut svg, map, boxes.legend, boxes.spacing);
    frame::title(&mut svg, map, boxes.title);
    frame::border(&mut svg, [boxes.width, map.height]);
    svg.finish()
}

/// One picture of a letter's map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapPicture {
    /// The name by which a page shows it.
    pub cid: String,
    /// What is on it, as the picture itself says.
    pub title: String,
    /// How wide a letter shows it, in points.
    pub width: i64,
    /// Which sheet it is; none if it is the whole map.
    sheet: Option<usize>,
}

/// How wide pictures are shown in a letter.
const LETTER: i64 = 744;

/// The pictures that a letter shows of a map: for hexes, the sheets that it has room for and then
/// the overview, as wide as a letter; for any other map, one.
#[must_use]
pub fn pictures(map: &MapSection) -> Vec<MapPicture> {
    let whole = MapPicture {
        cid: "map".to_owned(),
        title: [&*map.title, &*map.subtitle, &*map.viewer].join(", "),
        width: LETTER,
        sheet: None,
    };
    let parted = map.hexes.iter().filter(|hexes| hexes.is_part());
    let sheets = parted.flat_map(|hexes| {
        let shown = hexes.windows.iter().enumerate();
        (shown.take(hexes.sheets_in_letter())).map(|(number, seen)| {
            let letter = hexes::letter(number);
            MapPicture {
                cid: format!("map-{}", letter.to_lowercase()),
                title: format!("{letter} {}", hexes::sheet_name(hexes, seen)),
                width: hexes::sheet_size(hexes.flat, seen)[0],
                sheet: Some(number),
            }
        })
    });
    sheets.chain([whole]).collect()
}

/// One of the pictures of a letter as SVG.
#[must_use]
pub fn picture_svg(map: &MapSection, picture: &MapPicture) -> String {
    let Some(hexes) = map.hexes.as_ref().filter(|hexes| hexes.is_part()) else {
        return svg(map);
    };
    let sheet = (picture.sheet).and_then(|number| Some((number, hexes.windows.get(number)?)));
    match sheet {
        Some((number, seen)) => hexes::sheet_svg(map, hexes, number, seen),
        None => {
            let mut shown = hexes.clone();
            shown.windows.truncate(hexes.sheets_in_letter());
            hexes::overview_svg(map, &shown)
        }
    }
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
