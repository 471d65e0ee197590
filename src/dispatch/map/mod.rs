//! The map as a picture, drawn from the document alone.
//!
//! Invariant: the same document gives the same bytes. So there are only whole numbers, a fixed
//! order, and an embedded font.

pub mod areas;
pub mod atlas;
pub(super) mod build;
mod compass;
mod described;
mod entries;
mod frame;
mod geometry;
mod groups;
mod head;
pub mod hexes;
mod lake;
mod layout;
mod legend;
mod metrics;
mod palette;
mod parts;
mod pdf;
mod place;
mod plate;
mod png;
mod project;
mod rect;
mod relief;
mod roads;
mod section;
mod shore;
mod svg;
mod tile;
mod water;

pub use described::described;
pub use pdf::{Paper, pdf};
pub use png::{PictureError, is_too_high, png, png_times};
pub use section::{
    Counter, CounterBar, Legend, MapRoad, MapSection, MapSide, MapSpace, MapStack, MapWater,
};

use layout::{Boxes, Layout, gap, is_whole};
use place::Rect;
use plate::Plate;
use relief::Heights;
use svg::{SignSet, Svg};
pub(super) use svg::{dark_enough, line_colour};

use crate::mail::Screen;

/// The map as SVG.
#[must_use]
pub fn svg(map: &MapSection) -> String {
    if let Some(hexes) = &map.hexes {
        return hexes::svg(map, hexes);
    }
    if let Some(page) = &map.atlas {
        return atlas::svg(map, page, false);
    }
    if let Some(areas) = &map.areas {
        return areas::svg(map, areas);
    }
    let drawn = drawn(map);
    let boxes = Boxes::of(map, &drawn);
    let layout = Layout::of(map, &boxes);
    let mut svg = Svg::new(boxes.width, map.height);
    let paper = format!(r#"fill="{}""#, svg::PAPER);
    svg.rect([0, 0], [boxes.width, map.height], 0, &paper);
    let heights = Heights::of(map);
    land(&mut svg, map, heights.as_ref());
    if boxes.width > map.width {
        frame::strip(&mut svg, [map.width, boxes.width], map.height);
    }
    svg.ground_ends();
    marks(&mut svg, map, heights.as_ref(), &layout);
    things(&mut svg, map, &layout, None);
    legend::legend(&mut svg, map, &drawn, (boxes.legend, boxes.spacing));
    frame::title(&mut svg, map, boxes.title);
    frame::border(&mut svg, [boxes.width, map.height]);
    svg.finish()
}

/// The map on a page to print, as SVG: a map of areas is laid out anew, for its names are many.
#[must_use]
pub fn page(map: &MapSection, paper: Paper) -> String {
    // Paper is no telephone, whatever screen the reader has.
    let map = &MapSection {
        screen: Screen::Wide,
        ..map.clone()
    };
    let drawn = match &map.areas {
        Some(areas) if map.hexes.is_none() && map.atlas.is_none() => {
            areas::page(map, areas, paper.room())
        }
        _ => svg(map),
    };
    pdf::on_paper(&drawn, paper)
}

/// A picture of a letter's map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapPicture {
    /// The name that a page refers to it by.
    pub cid: String,
    /// The title inside the picture.
    pub title: String,
    /// How wide a letter shows it, in points.
    pub width: i64,
    /// Which sheet it is; none if it is the whole map.
    sheet: Option<usize>,
    /// The part of a map of hexes that it shows.
    window: Option<[hexes::At; 2]>,
}

/// A picture of a letter's map, with its SVG.
pub type DrawnPicture = (MapPicture, String);

/// The pictures of a map in a letter that may weigh `room` bytes: the sheets that it has room for,
/// and then the overview, as wide as its reader's screen; only the whole if it is no larger than a
/// sheet.
fn pictures(map: &MapSection, room: i64) -> Vec<MapPicture> {
    let titles = [&*map.title, &*map.subtitle, &*map.viewer].into_iter();
    let titles = titles.filter(|title| !title.is_empty());
    let whole = MapPicture {
        cid: "map".to_owned(),
        title: titles.collect::<Vec<_>>().join(", "),
        width: map.screen.width(),
        sheet: None,
        window: None,
    };
    let sheet = |number: usize, name: String, width: i64| {
        let letter = hexes::letter(number);
        MapPicture {
            cid: format!("map-{}", letter.to_lowercase()),
            title: format!("{letter} {name}"),
            width,
            sheet: Some(number),
            window: None,
        }
    };
    let parted = map.hexes.iter().filter(|hexes| hexes.is_part());
    let sheets = parted.flat_map(|hexes| {
        let shown = hexes::sheets_in_letter(map, hexes, room);
        shown.into_iter().enumerate().map(|(number, seen)| {
            let width = hexes::sheet_width(map, hexes.flat, &seen);
            MapPicture {
                window: Some(seen),
                ..sheet(number, hexes::sheet_name(hexes, &seen), width)
            }
        })
    });
    let parts = parts_of(map).into_iter().enumerate();
    let parts = parts.map(|(number, part)| {
        let name = parts::name(map, &part);
        sheet(number, name, map.screen.width())
    });
    let tried = map.atlas.iter().filter(|page| page.has_tried());
    let tried = tried.map(|page| MapPicture {
        cid: "map-tried".to_owned(),
        title: format!("{}, {}", whole.title, page.tried_title()),
        ..whole.clone()
    });
    let tried = tried.map(|picture| MapPicture {
        sheet: Some(0),
        ..picture
    });
    let tried: Vec<_> = tried.collect();
    sheets.chain(parts).chain(tried).chain([whole]).collect()
}

/// The parts of a map of points or areas.
fn parts_of(map: &MapSection) -> Vec<parts::Part> {
    match (&map.hexes, &map.atlas) {
        (Some(_), _) | (_, Some(_)) => Vec::new(),
        (None, None) => parts::parts(map),
    }
}

/// The pictures of a letter as SVG, in their order. The last one explains the signs of all of them.
#[must_use]
pub fn picture_svgs(map: &MapSection, room: i64) -> Vec<DrawnPicture> {
    let parts = parts_of(map);
    let all = pictures(map, room);
    let windows: Vec<_> = all.iter().filter_map(|picture| picture.window).collect();
    let mut on_sheets = SignSet::new();
    let mut as_svg = |picture: MapPicture| {
        let sheet = match &map.hexes {
            Some(hexes) => (picture.sheet.zip(picture.window))
                .map(|(number, seen)| hexes::sheet_drawn(map, hexes, number, &seen)),
            None => (picture.sheet)
                .and_then(|number| Some(parts::part_drawn(map, number, parts.get(number)?))),
        };
        if let Some(page) = &map.atlas {
            let svg = atlas::svg(map, page, picture.sheet.is_some());
            return (picture, svg);
        }
        let svg = match (sheet, &map.hexes) {
            (Some(sheet), _) => {
                on_sheets.extend(sheet.drawn().iter().cloned());
                sheet.finish()
            }
            (None, Some(hexes)) if hexes.is_part() => {
                let shown = hexes::HexSection {
                    windows: windows.clone(),
                    ..hexes.clone()
                };
                hexes::overview_drawn(map, &shown, &on_sheets).finish()
            }
            (None, None) if !parts.is_empty() => {
                parts::overview_drawn(map, &parts, &on_sheets).finish()
            }
            (None, _) => svg(map),
        };
        (picture, svg)
    };
    all.into_iter().map(&mut as_svg).collect()
}

/// Everything that a map of points shows, wherever names and plates find room.
fn drawn(map: &MapSection) -> SignSet {
    let mut dry = Svg::default();
    roads::bridges(&mut dry, map);
    for space in &map.spaces {
        frame::space(&mut dry, map, space);
    }
    for stack in map.stacks.iter().chain(&map.ghosts) {
        Plate::of(map, stack).draw(&mut dry, Rect::default());
    }
    dry.drawn().clone()
}

/// Mountains, waters, roads, and the things on them.
fn ground(svg: &mut Svg, map: &MapSection, layout: &Layout<'_>) {
    let heights = Heights::of(map);
    land(svg, map, heights.as_ref());
    marks(svg, map, heights.as_ref(), layout);
}

fn land(svg: &mut Svg, map: &MapSection, heights: Option<&Heights>) {
    if let Some(heights) = heights {
        relief::tints(svg, heights);
    }
    water::waters(svg, map);
    roads::roads(svg, map);
}

/// Bridges, peaks, the names of small lakes.
fn marks(svg: &mut Svg, map: &MapSection, heights: Option<&Heights>, layout: &Layout<'_>) {
    roads::bridges(svg, map);
    if let Some(heights) = heights {
        relief::peaks(svg, map, heights, &layout.taken);
    }
    for (water, place) in &layout.small_lakes {
        water::beside_name(svg, water, *place);
    }
}

/// Spaces with their contents, and names: all of them, or those that are fully in sight.
fn things(svg: &mut Svg, map: &MapSection, layout: &Layout<'_>, seen: Option<&Rect>) {
    let waters = layout.names.iter();
    for name in waters.filter(|name| name.covers().iter().all(|it| is_whole(seen, it))) {
        name.draw(svg);
    }
    for space in &map.spaces {
        frame::space(svg, map, space);
    }
    let plates = || {
        let plates = layout.plates.iter();
        plates.filter(|(_, _, place)| is_whole(seen, place))
    };
    for (space, plate, place) in plates() {
        plate.lead(svg, *place, [space.x, space.y], gap(space));
    }
    layout::names(svg, map, layout, seen);
    // Old sightings lie below present ones.
    for (_, plate, place) in plates().rev() {
        plate.draw(svg, *place);
    }
}
