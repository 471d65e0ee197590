//! The pictures of a hex map: sheets in detail, the overview, a page to print; title and legend.

use super::{
    super::{
        MapSection, frame,
        head::{self, HEAD, SheetHead},
        svg::{INK, PAPER, SignSet, Svg},
    },
    At, HALF, HexSection, STEP,
    detail::window,
    edges,
    legend::{LegendEntry, ROW, entry_lines, legend_at, legend_entries, legend_rows},
    overview, shows,
};
use crate::{game::Relief, mail::Screen};

/// How wide the column is where title and legend stand beside a map, in points of a letter.
const COLUMN: i64 = 172;

/// Space round everything.
const EDGE: i64 = 20;

/// The width of the widest sheet in a letter.
pub(super) const FULL: i64 = 1100;

/// Height of the title.
const TITLE: i64 = 92;

/// How large the legend of an overview is, in hundredths: its letters are 13 points high.
const READ: i64 = 76;

/// The size in points of a number of lines and half hexes.
pub(super) fn extent(flat: bool, [lines, halves]: At) -> [i64; 2] {
    let (across, along) = (lines * STEP + STEP / 3, (halves + 1) * HALF);
    if flat {
        [across, along]
    } else {
        [along, across]
    }
}

/// The letter by which the overview and a sheet name each other.
pub(in crate::dispatch::map) fn letter(number: usize) -> String {
    let letter = u8::try_from(number)
        .ok()
        .and_then(|it| b'A'.checked_add(it));
    letter.map(char::from).map(String::from).unwrap_or_default()
}

/// The map as SVG.
pub(in crate::dispatch::map) fn svg(map: &MapSection, hexes: &HexSection) -> String {
    if let [seen] = &*hexes.windows
        && hexes.alone
        && leaves_a_column(extent(hexes.flat, seen[1]))
    {
        return beside(map, hexes, seen);
    }
    let sizes: Vec<[i64; 2]> = (hexes.windows.iter())
        .map(|window| with_band(map, hexes, window))
        .collect();
    let width = sizes.iter().map(|size| size[0]).max().unwrap_or(0).max(720);
    let whole = extent(hexes.flat, hexes.size);
    // A map that is drawn whole in detail is not drawn again from afar.
    let is_part = hexes.is_part();
    let low = if is_part {
        whole[1] * width / whole[0].max(1)
    } else {
        0
    };
    let head = if is_part { HEAD } else { 0 };
    let details: i64 = sizes.iter().map(|size| head + size[1] + EDGE).sum();
    // A map that is larger than a letter is read from afar.
    let larger = (width / FULL).max(1);
    let top = TITLE * larger;
    let mut body = Svg::default();
    let mut y = top;
    for (number, (seen, size)) in hexes.windows.iter().zip(sizes).enumerate() {
        if is_part {
            head_of(&mut body, (map, hexes), (number, seen), [EDGE, y], width);
        }
        y += head;
        detail(&mut body, map, hexes, (number, seen), [EDGE, y]);
        y += size[1] + EDGE;
    }
    let mut far = Svg::default();
    if is_part {
        framed(&mut far, "whole", [0, 0], [width, low], |svg| {
            overview::draw(svg, map, hexes, [width, whole[0]]);
        });
    }
    let drawn = body.drawn().union(far.drawn()).cloned().collect();
    let legend = legend_rows(map, hexes, &drawn, width / larger);
    let legend_height = larger * (i64::try_from(legend.len()).unwrap_or(0) * ROW + ROW / 2);
    let frames = if is_part { 2 } else { 1 };
    let height = top + details + legend_height + low + frames * EDGE;
    let mut svg = Svg::new(width + 2 * EDGE, height);
    let paper = format!(r#"fill="{PAPER}""#);
    svg.rect([0, 0], [width + 2 * EDGE, height], 0, &paper);
    svg.open(&format!(r#"transform="scale({larger})""#));
    let title = ([32, 20], width / larger - 16);
    head::title(
        &mut svg,
        map,
        [EDGE + 8, 18],
        title,
        hexes.ten_km() / larger,
    );
    svg.close();
    svg.take(body);
    let below = y + larger * ROW / 2;
    legend_at(&mut svg, map, &legend, [EDGE, below], &larger.to_string());
    svg.open(&format!(
        r#"transform="translate({EDGE} {})""#,
        y + legend_height
    ));
    svg.take(far);
    svg.close();
    frame::border(&mut svg, [width + 2 * EDGE, height]);
    svg.finish()
}

/// Returns true if a printed map leaves more of a page free beside it than above and below it:
/// pages are about seven by five.
const fn leaves_a_column([width, height]: [i64; 2]) -> bool {
    width >= 2 * FULL && width > height && width * 5 <= height * 7
}

/// A map to print, with title and legend beside it, so that its hexes are as large as the page
/// allows.
fn beside(map: &MapSection, hexes: &HexSection, seen: &[At; 2]) -> String {
    let [width, height] = with_band(map, hexes, seen);
    let mut body = Svg::default();
    detail(&mut body, map, hexes, (0, seen), [EDGE, EDGE]);
    let times = (width / FULL - 1).max(1);
    let wide = width + 3 * EDGE + COLUMN * times;
    // Every entry has a line of its own.
    let entries = legend_entries(map, hexes, body.drawn());
    let lines = entries.into_iter().flat_map(|it| entry_lines(it, COLUMN));
    let legend: Vec<Vec<LegendEntry>> = lines.map(|line| vec![line]).collect();
    let mut column = Svg::default();
    let below = head::column(&mut column, map, COLUMN, hexes.ten_km() / times);
    legend_at(&mut column, map, &legend, [0, below], "1");
    let rows = i64::try_from(legend.len()).unwrap_or(0);
    let high = height.max((below + rows * ROW) * times) + 2 * EDGE;
    let mut svg = Svg::new(wide, high);
    let paper = format!(r#"fill="{PAPER}""#);
    svg.rect([0, 0], [wide, high], 0, &paper);
    svg.take(body);
    let left = width + 2 * EDGE;
    svg.open(&format!(
        r#"transform="translate({left} {EDGE}) scale({times})""#
    ));
    svg.take(column);
    svg.close();
    frame::border(&mut svg, [wide, high]);
    svg.finish()
}

/// A sheet, with its letter and name above it.
pub(in crate::dispatch::map) fn sheet_drawn(
    map: &MapSection,
    hexes: &HexSection,
    number: usize,
    seen: &[At; 2],
) -> Svg {
    let [width, height] = drawn_size(hexes.flat, seen);
    // A telephone shows it at two thirds, with three points of the file for two.
    let mut svg = Svg::new(width, height);
    let paper = format!(r#"fill="{PAPER}""#);
    svg.rect([0, 0], [width, height], 0, &paper);
    head_of(&mut svg, (map, hexes), (number, seen), [1, 4], width);
    detail(&mut svg, map, hexes, (number, seen), [1, HEAD]);
    svg
}

/// How wide a sheet that is a picture of its own is read.
pub(in crate::dispatch::map) fn sheet_width(map: &MapSection, flat: bool, seen: &[At; 2]) -> i64 {
    let [width, _] = drawn_size(flat, seen);
    match map.screen {
        Screen::Wide => width,
        Screen::Phone => width * 2 / 3,
    }
}

/// The size of a sheet in points of the map.
fn drawn_size(flat: bool, seen: &[At; 2]) -> [i64; 2] {
    let [width, height] = extent(flat, seen[1]);
    [width + 2, HEAD + height + 1]
}

/// The whole map from afar, with title and legend, which explains the sheets too.
pub(in crate::dispatch::map) fn overview_drawn(
    map: &MapSection,
    hexes: &HexSection,
    on_sheets: &SignSet,
) -> Svg {
    let whole = extent(hexes.flat, hexes.size);
    let (wide, edge) = match map.screen {
        Screen::Wide => (map.screen.width(), EDGE),
        Screen::Phone => (map.screen.width(), 2),
    };
    let inner = wide - 2 * edge;
    let low = whole[1] * inner / whole[0].max(1);
    let sizes = match map.screen {
        Screen::Wide => [26, 14],
        Screen::Phone => [20, 13],
    };
    let head = edge + sizes[0] + 2 * sizes[1] + 12;
    let mut body = Svg::default();
    framed(&mut body, "whole", [edge, head], [inner, low], |svg| {
        overview::draw(svg, map, hexes, [inner, whole[0]]);
    });
    let drawn = body.drawn().union(on_sheets).cloned().collect();
    let legend = legend_rows(map, hexes, &drawn, inner * 100 / READ);
    let rows = i64::try_from(legend.len()).unwrap_or(0);
    let top = head + low + ROW / 3;
    let height = top + rows * ROW * READ / 100 + EDGE.min(edge + 6);
    let mut svg = match map.screen {
        Screen::Wide => Svg::new(wide, height),
        Screen::Phone => Svg::sized([wide * 3 / 2, height * 3 / 2], [wide, height]),
    };
    let paper = format!(r#"fill="{PAPER}""#);
    svg.rect([0, 0], [wide, height], 0, &paper);
    let ten_km = hexes.ten_km() * inner / whole[0].max(1);
    head::title(&mut svg, map, [edge + 4, edge], (sizes, inner - 8), ten_km);
    svg.take(body);
    legend_at(&mut svg, map, &legend, [edge, top], &format!("0.{READ}"));
    if map.screen.is_wide() {
        frame::border(&mut svg, [wide, height]);
    }
    svg
}

/// The size of a sheet with the numbers at its edges.
fn with_band(map: &MapSection, hexes: &HexSection, seen: &[At; 2]) -> [i64; 2] {
    let band = edges::band(map, hexes, seen);
    extent(hexes.flat, seen[1]).map(|long| long + 2 * band)
}

/// A sheet in its frame, with the numbers at its edges; its corner at a point.
fn detail(
    svg: &mut Svg,
    map: &MapSection,
    hexes: &HexSection,
    (number, seen): (usize, &[At; 2]),
    at: [i64; 2],
) {
    let size = extent(hexes.flat, seen[1]);
    let band = edges::band(map, hexes, seen);
    let at = at.map(|from| from + band);
    edges::draw(svg, (map, hexes), seen, at);
    framed(svg, &format!("detail{number}"), at, size, |svg| {
        let [x, y] = corner(hexes.flat, seen[0]);
        svg.open(&format!(r#"transform="translate({} {})""#, -x, -y));
        window(svg, map, hexes, seen);
        svg.close();
    });
}

/// The name of a sheet (towns on it, else villages), and its first and last hex.
fn name_and_ends(hexes: &HexSection, window: &[At; 2]) -> [String; 2] {
    let named = |relief: Relief| {
        let places = hexes.places.iter().filter(move |it| it.relief == relief);
        places.filter(|it| shows(window, it.at))
    };
    let places = named(Relief::City).chain(named(Relief::Village)).take(2);
    let places: Vec<&str> = places.map(|place| place.name.as_str()).collect();
    let mut labels = hexes.labels.iter().filter(|(at, _)| shows(window, *at));
    let first = labels.next();
    let ends = [first, labels.next_back().or(first)];
    let ends = ends.map(|end| end.map_or("", |(_, label)| label));
    [places.join(", "), ends.join(" \u{2013} ")]
}

/// The name of a sheet with its hexes.
pub(in crate::dispatch::map) fn sheet_name(hexes: &HexSection, window: &[At; 2]) -> String {
    let [places, ends] = name_and_ends(hexes, window);
    if places.is_empty() {
        return ends;
    }
    format!("{places} \u{b7} {ends}")
}

/// The head of a sheet, with its corner at a point.
fn head_of(
    svg: &mut Svg,
    (map, hexes): (&MapSection, &HexSection),
    (number, seen): (usize, &[At; 2]),
    at: [i64; 2],
    wide: i64,
) {
    let [places, ends] = name_and_ends(hexes, seen);
    let (name, ends) = match places.as_str() {
        "" => (&*ends, ""),
        places => (places, &*ends),
    };
    let head = SheetHead {
        letter: &letter(number),
        name,
        ends,
        wide,
        ten_km: hexes.ten_km(),
        small: match map.screen {
            Screen::Wide => 14,
            Screen::Phone => 17,
        },
    };
    head.draw(svg, map, at);
}

/// Draws in a frame, and nothing outside it; the corner of the frame is the origin.
pub(in crate::dispatch::map) fn framed(
    svg: &mut Svg,
    id: &str,
    [x, y]: [i64; 2],
    [w, h]: [i64; 2],
    draw: impl FnOnce(&mut Svg),
) {
    svg.raw(&format!(
        r#"<clipPath id="{id}"><rect x="0" y="0" width="{w}" height="{h}"/></clipPath>"#
    ));
    svg.open(&format!(r#"transform="translate({x} {y})""#));
    svg.open(&format!(r#"clip-path="url(#{id})""#));
    draw(svg);
    svg.close();
    let paint = format!(r#"fill="none" stroke="{INK}" stroke-width="2""#);
    svg.rect([0, 0], [w, h], 0, &paint);
    svg.close();
}

/// The corner of the window in points of the map.
pub(super) fn corner(flat: bool, [line, half]: At) -> [i64; 2] {
    let (across, along) = (line * STEP, half * HALF);
    if flat {
        [across, along]
    } else {
        [along, across]
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{HexCrossing, HexLine, HexRadius, HexRoad},
        *,
    };
    use crate::game::hex::{RoadStyle, Stroke};

    #[test]
    fn a_map_that_is_drawn_whole_has_no_overview() {
        let section = |window| HexSection {
            size: [5, 9],
            windows: vec![[[0, 0], window]],
            ..HexSection::default()
        };
        let drawn = |window| svg(&MapSection::default(), &section(window));
        assert!(!drawn([5, 9]).contains(r#"id="whole""#));
        assert!(drawn([5, 7]).contains(r#"id="whole""#));
    }

    #[test]
    fn a_lying_map_has_its_title_beside_it() {
        assert!(leaves_a_column([4200, 3150]));
        // Too long for it, standing, or no larger than in a letter.
        for size in [[4200, 2000], [3000, 4000], [1100, 900]] {
            assert!(!leaves_a_column(size), "{size:?}");
        }
    }

    #[test]
    fn a_legend_has_what_is_on_the_sheet_and_nothing_else() {
        let line = |stroke, line: i64| HexLine {
            name: String::new(),
            stroke,
            sides: vec![[[line, 0], [line, 2]]],
        };
        let crossing = |stroke, line: i64| HexCrossing {
            stroke,
            side: [[line, 0], [line, 2]],
        };
        let named = [
            "wood", "wet", "river", "slope", "ford", "bridge", "road", "radius",
        ];
        let section = HexSection {
            size: [30, 9],
            alone: true,
            windows: vec![[[0, 0], [6, 9]]],
            terrain: vec![(Relief::Wood, vec![[2, 2]]), (Relief::Wet, vec![[20, 2]])],
            lines: vec![line(Stroke::River, 3), line(Stroke::Slope, 20)],
            crossings: vec![crossing(Stroke::Ford, 3), crossing(Stroke::Bridge, 7)],
            roads: vec![HexRoad {
                style: RoadStyle::Road,
                hexes: vec![[19, 3], [20, 4]],
            }],
            // Drawn as far as the edge cuts it, or not at all: no word of the sheet.
            radii: vec![HexRadius {
                at: [20, 2],
                side: 0,
                hexes: 2,
            }],
            legend: named
                .map(|kind| (kind.to_owned(), kind.to_owned()))
                .to_vec(),
            ..HexSection::default()
        };
        let svg = svg(&MapSection::default(), &section);
        for kind in named {
            let is_here = ["wood", "river", "ford"].contains(&kind);
            assert_eq!(svg.contains(&format!(">{kind}<")), is_here, "{kind}");
        }
    }
}
