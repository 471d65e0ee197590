//! Maps of areas: outlines that fit together, water, roads, forts and works; a part of the sheet
//! drawn larger.

pub(super) mod build;
mod legend;
mod sheet;
pub(super) mod signs;

pub(super) use build::build;

use serde::{Deserialize, Serialize};

use super::{MapSection, Svg, frame, place::Rect, svg::PAPER};
use crate::game::BorderKind;

/// What a map of areas has besides.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AreaSection {
    /// The sheet, and the part of it that is drawn larger.
    pub sheets: Vec<AreaSheet>,
    /// Where title and legend stand: left, top, width.
    pub column: [i64; 3],
    /// Fills with the names of terrains.
    pub fills: Vec<(String, String)>,
    /// What signs mean, those that the map has.
    pub signs: Vec<(AreaSign, String)>,
}

/// A sheet of a map of areas. Points are those of the sheet.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AreaSheet {
    /// Its name; empty for the first one.
    pub name: String,
    /// Its upper left corner in the picture.
    pub at: [i64; 2],
    /// Outlines of areas and waters.
    pub outlines: Vec<AreaOutline>,
    /// Borders with lines of their own.
    pub borders: Vec<AreaBorder>,
    /// Roads.
    pub roads: Vec<[[i64; 2]; 2]>,
    /// The part that another sheet has.
    pub elsewhere: Option<[i64; 4]>,
    /// Who stands in that part: points with the positions of sides.
    pub dots: Vec<([i64; 2], usize)>,
    /// What stands in its spaces, in their order.
    pub signs: Vec<Vec<AreaSign>>,
    /// Its spaces, waters' names and stacks.
    pub map: MapSection,
}

/// The outline of an area.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AreaOutline {
    /// Its points.
    pub points: Vec<[i64; 2]>,
    /// Its fill, `#rrggbb`.
    pub fill: String,
    /// True if it is water.
    pub water: bool,
}

/// A border with a line of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AreaBorder {
    /// What it is.
    pub kind: BorderKind,
    /// Its points.
    pub points: Vec<[i64; 2]>,
}

/// A sign in a space. Holders are positions in the list of sides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AreaSign {
    /// A fort: its level, who holds it.
    Fort(i64, Option<usize>),
    /// Field works, and whose they are; strong ones.
    Works(Option<usize>, bool),
    /// Victory points, and who has had them.
    Points(i64, Option<usize>),
    /// A town.
    Town,
    /// A box beside the map's areas.
    Depot,
    /// A stretch of road, by its name.
    Stretch(String),
}

/// A map of areas as SVG.
pub(super) fn svg(map: &MapSection, areas: &AreaSection) -> String {
    let mut svg = Svg::new(map.width, map.height);
    let paper = format!(r#"fill="{PAPER}""#);
    svg.rect([0, 0], [map.width, map.height], 0, &paper);
    for drawn in &areas.sheets {
        sheet::ground(&mut svg, drawn);
    }
    svg.ground_ends();
    for drawn in &areas.sheets {
        sheet::above(&mut svg, drawn, None);
    }
    legend::column(&mut svg, map, areas);
    frame::border(&mut svg, [map.width, map.height]);
    svg.finish()
}

/// A part of one of the sheets, in points of that sheet.
pub(super) fn part(svg: &mut Svg, areas: &AreaSection, number: usize, seen: &Rect) {
    if let Some(drawn) = areas.sheets.get(number) {
        let drawn = drawn.alone();
        sheet::ground(svg, &drawn);
        sheet::above(svg, &drawn, Some(seen));
    }
}

/// The ground of the first sheet, which is all of the map.
pub(super) fn ground_of(svg: &mut Svg, areas: &AreaSection) {
    if let Some(first) = areas.sheets.first() {
        sheet::ground(svg, &first.alone());
    }
}

impl AreaSheet {
    /// The sheet by itself, at the corner of the picture.
    fn alone(&self) -> Self {
        Self {
            at: [0, 0],
            name: String::new(),
            ..self.clone()
        }
    }
}
