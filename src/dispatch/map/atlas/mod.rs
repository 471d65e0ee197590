//! A map of areas as a page of an atlas: owned ground, centres, one piece in a space, what was
//! tried as arrows, and cramped parts drawn again, larger.

mod build;
mod chart;
mod legend;
mod names;
mod sheet;
mod strokes;

pub(super) use build::build;
pub use chart::{AtlasChart, ChartColumn};

use serde::{Deserialize, Serialize};

use super::{
    MapSection,
    areas::AreaOutline,
    svg::{INK, MANY_COLOURS, PAPER, Svg},
};
use crate::game::TriedStroke;

/// The additions of a page of an atlas.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AtlasSection {
    /// The page, and the parts of it that are drawn larger.
    pub sheets: Vec<AtlasSheet>,
    /// Signs of the page with their words.
    pub words: Vec<(String, String)>,
    /// The chart below it.
    #[serde(default)]
    pub chart: Option<AtlasChart>,
}

/// A sheet of an atlas. Points are those of the sheet.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AtlasSheet {
    /// Its name; empty for the page itself.
    pub name: String,
    /// Its upper left corner in the picture.
    pub at: [i64; 2],
    /// Width and height.
    pub size: [i64; 2],
    /// Its areas and waters, those of an owner in its tint.
    pub outlines: Vec<AreaOutline>,
    /// Names with their points.
    pub labels: Vec<AtlasLabel>,
    /// Centres, and the positions of the sides that own them.
    pub centres: Vec<([i64; 2], Option<usize>)>,
    /// Pieces as they stand now.
    pub pieces: Vec<AtlasPiece>,
    /// The attempts.
    pub tried: Vec<TriedMark>,
    /// The parts of it that other sheets have, with their letters.
    pub frames: Vec<([i64; 4], String)>,
}

/// The name of a space.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AtlasLabel {
    /// The name.
    pub text: String,
    /// The space's point.
    pub at: [i64; 2],
    /// True for a water.
    pub water: bool,
}

/// A piece.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AtlasPiece {
    /// The point where it stands.
    pub at: [i64; 2],
    /// Its side, a position in the list of sides.
    pub side: usize,
    /// True if it is a hull.
    pub hull: bool,
}

/// Something that was tried.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TriedMark {
    /// How it is drawn.
    pub stroke: TriedStroke,
    /// The side, a position in the list of sides.
    pub side: usize,
    /// The point where it began.
    pub from: [i64; 2],
    /// Where it led; none for what stays.
    pub to: Option<[i64; 2]>,
    /// Where a move bends: the place of those who carry it.
    pub over: Option<[i64; 2]>,
    /// For support, the supported move: from where to where, or the same point twice for a piece
    /// that stays.
    pub helps: Option<[[i64; 2]; 2]>,
    /// True if the piece was driven out.
    pub lost: bool,
}

impl AtlasSection {
    /// Returns true if something was tried that is drawn.
    pub(super) fn has_tried(&self) -> bool {
        self.sheets.iter().any(|sheet| !sheet.tried.is_empty())
    }

    /// The title of the picture with the attempts.
    pub(super) fn tried_title(&self) -> &str {
        self.word("tried")
    }

    fn word(&self, key: &str) -> &str {
        let known = self.words.iter().find(|(known, _)| known == key);
        known.map_or("", |(_, words)| words)
    }
}

/// The page as SVG, with or without the attempts.
pub(super) fn svg(map: &MapSection, page: &AtlasSection, tried: bool) -> String {
    // The chart is no part of what was tried.
    let chart = page.chart.as_ref();
    let chart_height = chart.map_or(0, AtlasChart::height);
    let height = map.height - if tried { chart_height } else { 0 };
    let mut svg = Svg::new(map.width, height);
    svg.raw(MANY_COLOURS);
    svg.rect(
        [0, 0],
        [map.width, height],
        0,
        &format!(r#"fill="{PAPER}""#),
    );
    for (number, sheet) in page.sheets.iter().enumerate() {
        let ([x, y], [w, h]) = (sheet.at, sheet.size);
        svg.raw(&format!(
            r#"<clipPath id="sheet{number}"><rect x="0" y="0" width="{w}" height="{h}"/></clipPath>"#
        ));
        svg.open(&format!(
            r#"transform="translate({x} {y})" clip-path="url(#sheet{number})""#
        ));
        sheet::draw(&mut svg, map, sheet, tried);
        svg.close();
        let paint = format!(r#"fill="none" stroke="{INK}" stroke-width="3""#);
        svg.rect(sheet.at, sheet.size, 0, &paint);
        sheet::heading(&mut svg, sheet);
    }
    legend::draw(&mut svg, map, page, tried);
    if let Some(chart) = chart.filter(|_| !tried) {
        chart.draw(&mut svg, map, height - chart_height);
    }
    svg.finish()
}

#[cfg(test)]
mod tests {
    use super::{super::MapSide, *};

    fn page(tried: &[TriedMark]) -> (MapSection, AtlasSection) {
        let side = |sign: &str, colour: &str| MapSide {
            name: format!("Side {sign}"),
            colour: colour.to_owned(),
            sign: sign.to_owned(),
        };
        let piece = |x: i64, side: usize, hull: bool| AtlasPiece {
            at: [x, 300],
            side,
            hull,
        };
        let label = |text: &str, x: i64| AtlasLabel {
            text: text.to_owned(),
            at: [x, 300],
            water: false,
        };
        let sheet = AtlasSheet {
            size: [900, 600],
            pieces: vec![piece(200, 0, false), piece(500, 1, true)],
            centres: vec![([240, 330], Some(0)), ([540, 330], None)],
            labels: vec![label("ALB", 200), label("BEL", 5), label("CAR", 500)],
            tried: tried.to_vec(),
            ..AtlasSheet::default()
        };
        let strokes = TriedStroke::ALL.map(|stroke| stroke.legend().to_owned());
        let words = strokes.into_iter().map(|key| (key.clone(), key));
        let map = MapSection {
            width: 900,
            height: 800,
            sides: vec![side("X", "#b4231a"), side("Y", "#ecc02c")],
            ..MapSection::default()
        };
        let page = AtlasSection {
            sheets: vec![sheet],
            words: words.collect(),
            chart: None,
        };
        (map, page)
    }

    fn mark(stroke: TriedStroke) -> TriedMark {
        TriedMark {
            stroke,
            side: 0,
            from: [200, 300],
            to: matches!(stroke, TriedStroke::Move | TriedStroke::Failed).then_some([500, 300]),
            over: None,
            helps: Some([[500, 300]; 2]),
            lost: false,
        }
    }

    /// The colour of bursts and crosses.
    const BURST: &str = "#ffd84d";

    #[test]
    fn what_was_tried_is_drawn_on_its_own_picture_only() {
        for stroke in TriedStroke::ALL {
            let (map, page) = page(&[mark(stroke)]);
            let word = stroke.legend().to_owned();
            let (with, without) = (svg(&map, &page, true), svg(&map, &page, false));
            assert!(with.contains(&word), "{word}");
            assert!(!without.contains(&word), "{word}");
            let others = TriedStroke::ALL
                .into_iter()
                .filter(|other| *other != stroke);
            for other in others {
                assert!(!with.contains(&format!("{}<", other.legend())), "{word}");
            }
            let failed = matches!(stroke, TriedStroke::Failed | TriedStroke::Broken);
            assert_eq!(with.contains(BURST), failed, "{word}");
        }
    }

    #[test]
    fn a_chart_stands_below_the_position_alone() {
        let column = |label: &str, parts: &[(usize, i64)]| ChartColumn {
            label: label.to_owned(),
            parts: parts.to_vec(),
        };
        let columns = vec![column("1901", &[(0, 3), (1, 3)]), column("1902", &[(0, 6)])];
        let (mut map, mut page) = page(&[mark(TriedStroke::Move)]);
        assert_eq!(AtlasChart::of(String::new(), columns[..1].to_vec()), None);
        page.chart = AtlasChart::of("Towns".to_owned(), columns);
        let chart = page.chart.as_ref().map_or(0, AtlasChart::height);
        map.height += chart;
        let (with, without) = (svg(&map, &page, true), svg(&map, &page, false));
        for text in [">Towns<", ">1901<", ">1902<", ">X 3<", ">Y 3<", ">X 6<"] {
            assert!(without.contains(text), "{text}");
            assert!(!with.contains(text), "{text}");
        }
        let high = |height: i64| format!(r#"height="{height}" viewBox"#);
        assert!(without.contains(&high(map.height)) && with.contains(&high(map.height - chart)));
    }

    #[test]
    fn a_piece_that_was_driven_out_is_crossed() {
        let count = |lost: bool| {
            let lost = TriedMark {
                lost,
                ..mark(TriedStroke::Hold)
            };
            let (map, page) = page(&[lost]);
            svg(&map, &page, true)
                .matches("#b4231a\" stroke-width=\"3\"")
                .count()
        };
        assert_eq!((count(false), count(true)), (0, 2));
    }

    #[test]
    fn a_carried_move_bends() {
        let carried = TriedMark {
            over: Some([350, 100]),
            ..mark(TriedStroke::Move)
        };
        let (map, page) = page(&[carried]);
        assert!(svg(&map, &page, true).contains("Q350 100"));
    }

    #[test]
    fn pieces_have_letters_and_names_stay_inside() {
        let (map, page) = page(&[]);
        let drawn = svg(&map, &page, false);
        for letter in [">X<", ">Y<", ">ALB<", ">CAR<"] {
            assert!(drawn.contains(letter), "{letter}");
        }
        // BEL has its point at the edge of the sheet, and stands beside it.
        let at = drawn
            .find(">BEL<")
            .and_then(|end| drawn.get(..end)?.rsplit("<text x=\"").next());
        let x: i64 = at
            .and_then(|text| text.split('"').next()?.parse().ok())
            .unwrap_or(-1);
        assert!(x > 15, "{x}");
    }
}
