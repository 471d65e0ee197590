//! Maps of areas: outlines that fit together, water, roads, forts and works; a part of the sheet
//! drawn larger.

pub(super) mod build;
pub(super) mod legend;
mod paper;
mod sheet;
pub(super) mod signs;

pub(super) use build::build;
pub(super) use paper::page;

use serde::{Deserialize, Serialize};

use super::{
    MapSection, Svg, frame,
    place::Rect,
    plate::Plate,
    svg::{PAPER, SignSet},
};
use crate::game::BorderKind;

/// The additions of a map of areas.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AreaSection {
    /// The sheet, and the part of it that is drawn larger.
    pub sheets: Vec<AreaSheet>,
    /// Where title and legend stand: left, top, width.
    pub column: [i64; 3],
    /// Fills with the names of terrains.
    pub fills: Vec<(String, String)>,
    /// The meanings of the signs that the map has.
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
    /// Borders between grounds of different height, from point to point so that the higher one is
    /// on the right.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub slopes: Vec<[[i64; 2]; 2]>,
    /// Roads.
    pub roads: Vec<[[i64; 2]; 2]>,
    /// The part that another sheet has.
    pub elsewhere: Option<[i64; 4]>,
    /// Who stands in that part: points with the positions of sides.
    pub dots: Vec<([i64; 2], usize)>,
    /// The signs in its spaces, in their order.
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
    /// The kind of border.
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
    /// Field works with their owner; true for strong ones.
    Works(Option<usize>, bool),
    /// Victory points, and their last holder.
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
        svg.open(&moved(drawn.at));
        sheet::ground(&mut svg, drawn, &drawn.whole());
        svg.close();
    }
    svg.ground_ends();
    for drawn in &areas.sheets {
        svg.open(&moved(drawn.at));
        sheet::above(&mut svg, drawn, None);
        svg.close();
        sheet::edge(&mut svg, drawn);
    }
    legend::column(&mut svg, map, areas);
    frame::border(&mut svg, [map.width, map.height]);
    svg.finish()
}

/// Attributes of a group whose origin is a point.
fn moved([x, y]: [i64; 2]) -> String {
    format!(r#"transform="translate({x} {y})""#)
}

/// A part of one of the sheets, in points of that sheet.
pub(super) fn part(svg: &mut Svg, areas: &AreaSection, number: usize, seen: &Rect) {
    if let Some(drawn) = areas.sheets.get(number) {
        // Lines along the cut lie beyond the frame.
        sheet::ground(svg, drawn, &seen.grown(20));
        sheet::above(svg, drawn, Some(seen));
    }
}

/// The ground of the first sheet, which is all of the map; another sheet has no part of it here.
pub(super) fn ground_of(svg: &mut Svg, areas: &AreaSection) {
    if let Some(first) = areas.sheets.first() {
        let alone = AreaSheet {
            elsewhere: None,
            // From afar, strokes would just be grey.
            slopes: Vec::new(),
            ..first.clone()
        };
        sheet::ground(svg, &alone, &first.whole());
    }
}

impl AreaSection {
    /// Everything that the whole picture shows, wherever names and plates find room.
    fn drawn(&self) -> SignSet {
        let mut dry = Svg::default();
        for sheet in &self.sheets {
            sheet::note_ground(&mut dry, sheet, &sheet.whole());
            sheet::dots(&mut dry, sheet);
            if sheet.map.spaces.iter().any(|space| space.value.is_some()) {
                dry.note("value");
            }
            for found in &sheet.signs {
                signs::draw(&mut dry, &sheet.map.sides, [0, 0], found);
            }
            for stack in sheet.map.stacks.iter().chain(&sheet.map.ghosts) {
                Plate::of(&sheet.map, stack).draw(&mut dry, Rect::default());
            }
        }
        dry.drawn().clone()
    }

    /// The meanings of the signs that are drawn.
    pub(super) fn signs_drawn<'a>(
        &'a self,
        drawn: &SignSet,
    ) -> impl Iterator<Item = &'a (AreaSign, String)> {
        let signs = self.signs.iter();
        signs.filter(|(sign, _)| drawn.contains(sign.sort()))
    }
}

impl AreaSheet {
    /// All of the sheet.
    fn whole(&self) -> Rect {
        let [w, h] = self.size();
        Rect { x: 0, y: 0, w, h }
    }
}

impl AreaSign {
    /// The sign's name for a legend.
    fn sort(&self) -> &'static str {
        match self {
            AreaSign::Fort(..) => "fort",
            AreaSign::Works(_, false) => "works",
            AreaSign::Works(_, true) => "works_strong",
            AreaSign::Points(..) => "points",
            AreaSign::Town => "town",
            AreaSign::Depot => "depot",
            AreaSign::Stretch(_) => "stretch",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{Counter, MapSide, MapSpace, MapStack},
        *,
    };

    fn map() -> (MapSection, AreaSection) {
        let sides = ["Red", "Blue", "Green"].map(|name| MapSide {
            name: name.to_owned(),
            colour: "#b4231a".to_owned(),
            sign: name.to_uppercase(),
        });
        let unit = Counter {
            name: "A regiment with a very long name".to_owned(),
            symbol: "infantry".to_owned(),
            strength: Some(7),
            hits: 0,
            signs: Vec::new(),
            ..Counter::default()
        };
        let spaces = [[300, 300], [600, 300]].map(|[x, y]| MapSpace {
            name: format!("Mill {x}"),
            x,
            y,
            value: Some(4),
            ..MapSpace::default()
        });
        let part = MapSection {
            width: 1600,
            height: 800,
            sides: sides.to_vec(),
            spaces: spaces.to_vec(),
            stacks: vec![MapStack {
                units: vec![unit],
                ..MapStack::default()
            }],
            ..MapSection::default()
        };
        let signs = vec![vec![AreaSign::Fort(2, Some(1))], vec![AreaSign::Town]];
        let sorts = [AreaSign::Fort(1, None), AreaSign::Town, AreaSign::Depot];
        let areas = AreaSection {
            sheets: vec![AreaSheet {
                signs,
                map: part.clone(),
                ..AreaSheet::default()
            }],
            column: [1620, 20, 380],
            signs: sorts
                .map(|sign| (sign.clone(), sign.sort().to_owned()))
                .to_vec(),
            ..AreaSection::default()
        };
        (part, areas)
    }

    #[test]
    fn a_legend_has_what_is_on_the_map_and_nothing_else() {
        let (map, areas) = map();
        let svg = svg(&map, &areas);
        for word in [">Red<", ">Blue<", ">fort<", ">town<"] {
            assert!(svg.contains(word), "{word}");
        }
        for word in [">Green<", ">depot<"] {
            assert!(!svg.contains(word), "{word}");
        }
    }

    #[test]
    fn the_letters_of_a_side_stand_for_a_name_that_is_too_long() {
        let (map, areas) = map();
        let svg = svg(&map, &areas);
        assert!(!svg.contains("very long name"));
        assert!(svg.contains(">Mill 300 <tspan"), "a value behind the name");
    }

    #[test]
    fn what_the_edge_of_a_part_would_cut_is_left_out() {
        let (_, areas) = map();
        let drawn = |x: i64| {
            let mut svg = Svg::default();
            let (y, w, h) = (200, 200, 200);
            part(&mut svg, &areas, 0, &Rect { x, y, w, h });
            svg.drawn().contains("fort")
        };
        assert!(drawn(200));
        assert!(!drawn(295) && !drawn(105));
    }
}
