//! A map of areas on a page: laid out anew for it, so that its names are read without a glass.

use super::{
    AreaSection, AreaSheet,
    build::make_way,
    sheet::{above, edge, ground},
};
use crate::{
    dispatch::map::{
        MapSection, entries, frame, head,
        parts::{draw_entries, rows},
        svg::{PAPER, Svg},
    },
    mail::Screen,
};

/// How large the letters of areas' names are that are no towns, on the sheet and at least on paper.
const NAMES: [i64; 2] = [16, 11];
/// Space round sheets.
const EDGE: i64 = 20;
/// Sizes of the title and of the line below it.
const TITLE: [i64; 2] = [30, 18];
/// How much of the page's width the part that is drawn larger takes, in hundredths.
const LARGER: [i64; 2] = [70, 100];
/// How many times as large as in a letter the legend is, in hundredths.
const LEGEND: i64 = 133;

/// The map for a page of this size in points of the screen: title, sheets, legend.
pub(in crate::dispatch::map) fn page(
    map: &MapSection,
    areas: &AreaSection,
    [across, down]: [i64; 2],
) -> String {
    let Some(first) = areas.sheets.first() else {
        return super::svg(map, areas);
    };
    let inner = (across * NAMES[0] / NAMES[1]).min(first.map.width);
    let wide = inner + 2 * EDGE;
    let top = EDGE + TITLE[0] + TITLE[1] * 2 + 12;
    let drawn = areas.drawn();
    let legend = entries::entries(map, &drawn);
    let legend = rows(&legend, (inner * 100 / LEGEND, Screen::Wide));
    let row = entries::row_height(Screen::Wide) * LEGEND / 100;
    let lines = i64::try_from(legend.len()).unwrap_or(0);
    let below = lines * row + EDGE;
    let whole = AreaSheet {
        at: [EDGE, top],
        ..closer(first, [inner, first.map.width])
    };
    let mut y = top + whole.map.height + EDGE;
    let mut sheets = vec![whole];
    if let Some(part) = areas.sheets.get(1) {
        // As large as the page has room for.
        let room = wide * down / across - y - below - EDGE;
        let fits = room * part.map.width / part.map.height.max(1);
        let [least, most] = LARGER.map(|part| inner * part / 100);
        let part = closer(part, [fits.clamp(least, most), part.map.width]);
        let at = [(wide - part.map.width) / 2, y];
        y += part.map.height + EDGE;
        sheets.push(AreaSheet { at, ..part });
    }
    let high = y + below;
    let mut svg = Svg::new(wide, high);
    svg.rect([0, 0], [wide, high], 0, &format!(r#"fill="{PAPER}""#));
    let ten_km = map.ten_km * inner / first.map.width.max(1);
    let place = [EDGE + 4, EDGE - 4];
    head::title(&mut svg, map, place, (TITLE, inner - 8), ten_km);
    for sheet in &sheets {
        svg.open(&super::moved(sheet.at));
        ground(&mut svg, sheet, &sheet.whole());
        above(&mut svg, sheet, None);
        svg.close();
        edge(&mut svg, sheet);
    }
    let times = format!("{}.{:02}", LEGEND / 100, LEGEND % 100);
    svg.open(&format!(
        r#"transform="translate({EDGE} {y}) scale({times})""#
    ));
    draw_entries(&mut svg, map, &legend, ([0, 0], Screen::Wide));
    svg.close();
    frame::border(&mut svg, [wide, high]);
    svg.finish()
}

/// A sheet with everything moved closer together, while its letters and signs keep their size.
fn closer(sheet: &AreaSheet, [wide, before]: [i64; 2]) -> AreaSheet {
    let one = |number: i64| number * wide / before.max(1);
    let point = |at: &[i64; 2]| at.map(one);
    let points = |all: &[[i64; 2]]| all.iter().map(point).collect();
    let mut close = sheet.clone();
    for outline in &mut close.outlines {
        outline.points = points(&outline.points);
    }
    for border in &mut close.borders {
        border.points = points(&border.points);
    }
    for ends in close.slopes.iter_mut().chain(&mut close.roads) {
        *ends = ends.map(|end| point(&end));
    }
    close.elsewhere = close.elsewhere.map(|place| place.map(one));
    for (at, _) in &mut close.dots {
        *at = point(at);
    }
    let map = &mut close.map;
    (map.width, map.height) = (one(map.width), one(map.height));
    for space in &mut map.spaces {
        (space.x, space.y) = (one(space.x), one(space.y));
    }
    for water in &mut map.waters {
        water.points = points(&water.points);
    }
    make_way(&mut close);
    close
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may panic")]
    use super::*;
    use crate::dispatch::map::{MapSpace, MapWater};

    fn sheet(width: i64, name: &str) -> AreaSheet {
        let space = |x: i64, y: i64| MapSpace {
            name: format!("{name} {x}"),
            x,
            y,
            ..MapSpace::default()
        };
        AreaSheet {
            name: name.to_owned(),
            signs: vec![Vec::new(); 2],
            map: MapSection {
                width,
                height: width * 7 / 10,
                spaces: vec![space(300, 300), space(900, 600)],
                waters: vec![MapWater {
                    name: String::new(),
                    lake: false,
                    points: vec![[0, 0], [width, 0]],
                }],
                ..MapSection::default()
            },
            ..AreaSheet::default()
        }
    }

    #[test]
    fn names_are_read_on_every_page() {
        let map = MapSection {
            title: "Siege".to_owned(),
            width: 1600,
            height: 2000,
            ..MapSection::default()
        };
        let areas = AreaSection {
            sheets: vec![sheet(1600, "Hill"), sheet(1200, "Port")],
            ..AreaSection::default()
        };
        // A4 and A3, and the page that a picture of this shape fills.
        for [across, down] in [[702, 1031], [1031, 1496]] {
            let svg = page(&map, &areas, [across, down]);
            let size = svg.split_once(r#"viewBox="0 0 "#).unwrap().1;
            let size = size.split_once('"').unwrap().0;
            let (wide, high) = size.split_once(' ').unwrap();
            let [wide, high]: [i64; 2] = [wide, high].map(|edge| edge.parse().unwrap());
            // In hundredths of a point of the screen, with its frame.
            let named = NAMES[0] * 100 * (across * 1000 / wide).min(down * 1000 / high) / 1000;
            assert!(named >= NAMES[1] * 95, "{across}: {named}");
            for name in ["Hill", "Port"] {
                assert_eq!(svg.matches(&format!(">{name} ")).count(), 2, "{name}");
            }
        }
    }

    #[test]
    fn everything_lies_closer_and_nothing_is_lost() {
        let before = sheet(1600, "Hill");
        let close = closer(&before, [800, 1600]);
        assert_eq!([close.map.width, close.map.height], [800, 560]);
        let at: Vec<_> = close.map.spaces.iter().map(|it| [it.x, it.y]).collect();
        assert_eq!(at, [[150, 150], [450, 300]]);
        assert_eq!(close.map.waters[0].points, [[0, 0], [800, 0]]);
    }
}
