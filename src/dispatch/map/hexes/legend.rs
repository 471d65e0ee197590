//! The legend of a hex map: for what is drawn, and nothing else.

use super::{
    super::{
        MapSection, frame, groups, metrics,
        svg::{INK, SignSet, Style, Svg, colour},
        tile::{self, THEN, TILE, Tile, flag},
    },
    HexSection, arrows, centre, counters,
    features::{CREST, ROAD_CORE, STYLES, WATER, lozenges, pens, planks, road_name, way},
    ground::{ground, tint},
    heights,
    limits::paint_of_veil,
};
use crate::game::{ArrowStyle, Relief, hex::Stroke};

/// Height of a line of the legend, width of a sample.
pub(super) const ROW: i64 = 30;

const SAMPLE: i64 = 44;

/// A legend entry: the kind of its sample, and its words.
pub(super) type LegendEntry = (String, String);

/// The legend's entries: one for everything drawn.
pub(super) fn legend_entries(
    map: &MapSection,
    hexes: &HexSection,
    drawn: &SignSet,
) -> Vec<LegendEntry> {
    let words = &map.legend;
    let named = |sort: &str, list: &[(String, String)]| -> Vec<LegendEntry> {
        let entries = list.iter();
        entries
            .map(|(it, name)| (format!("{sort} {it}"), name.clone()))
            .collect()
    };
    let sides = map.sides.iter().enumerate();
    let sides = sides.map(|(number, side)| (format!("side {number}"), side.name.clone()));
    let mut all: Vec<LegendEntry> = sides.chain(hexes.legend.iter().cloned()).collect();
    all.extend(named("unit", &words.symbols));
    for (kind, words) in [
        ("supply", &words.supply),
        ("leader", &words.leader),
        ("hidden", &words.hidden),
        ("group", &words.group),
        ("unknown", &words.unknown),
        ("star", &words.star),
        ("ghost", &words.ghost),
    ] {
        all.push((kind.to_owned(), words.clone()));
    }
    all.extend(named("sign", &map.signs));
    all.retain(|(kind, words)| drawn.contains(kind) && !words.is_empty());
    all
}

/// The rows of the legend: as many entries in each as fit.
pub(super) fn legend_rows(
    map: &MapSection,
    hexes: &HexSection,
    drawn: &SignSet,
    width: i64,
) -> Vec<Vec<LegendEntry>> {
    let all = legend_entries(map, hexes, drawn);
    let (mut rows, mut used) = (vec![Vec::new()], 0);
    let lines = all.into_iter().flat_map(|entry| entry_lines(entry, width));
    for entry in lines {
        let wide = entry_width(&entry.1);
        if used > 0 && used + wide > width {
            rows.push(Vec::new());
            used = 0;
        }
        used += wide;
        if let Some(row) = rows.last_mut() {
            row.push(entry);
        }
    }
    rows
}

/// An entry in lines that fit; those below the first one have no sample.
pub(super) fn entry_lines((kind, words): LegendEntry, width: i64) -> Vec<LegendEntry> {
    let mut lines = vec![(kind, String::new())];
    for word in words.split(' ') {
        let Some((_, line)) = lines.last_mut() else {
            continue;
        };
        if !line.is_empty() && entry_width(&format!("{line} {word}")) > width {
            lines.push((String::new(), word.to_owned()));
        } else {
            let space = if line.is_empty() { "" } else { " " };
            line.push_str(&format!("{space}{word}"));
        }
    }
    lines
}

fn entry_width(words: &str) -> i64 {
    SAMPLE + metrics::width(words, 17, false) + 22
}

/// The rows of the legend, this many times as large as in a letter.
pub(super) fn legend_at(
    svg: &mut Svg,
    map: &MapSection,
    rows: &[Vec<LegendEntry>],
    [x, y]: [i64; 2],
    times: &str,
) {
    svg.open(&format!(r#"transform="translate({x} {y}) scale({times})""#));
    for (row, line) in rows.iter().zip(0..) {
        let mut x = 0;
        for entry in row {
            sample(svg, map, [x, line * ROW], entry);
            x += entry_width(&entry.1);
        }
    }
    svg.close();
}

/// A sample with its words; the corner is the top left one.
fn sample(svg: &mut Svg, map: &MapSection, [x, y]: [i64; 2], (kind, words): &LegendEntry) {
    let middle = [x + SAMPLE / 2 - 4, y + 11];
    let side = kind
        .strip_prefix("side ")
        .and_then(|number| number.parse().ok());
    match side.and_then(|number: usize| map.sides.get(number)) {
        Some(side) => {
            let paint = format!(r#"fill="{}" stroke="{INK}""#, colour(&side.colour));
            svg.rect([middle[0] - 15, middle[1] - 10], [30, 20], 3, &paint);
        }
        None if kind.is_empty() => {}
        None => {
            let heights = map.hexes.as_ref().and_then(|hexes| hexes.heights.first());
            let lowest = heights.map_or(0, |(level, _)| *level);
            let faces = map.hexes.as_ref().is_some_and(|hexes| hexes.faces);
            picture(svg, middle, kind, (lowest, faces));
        }
    }
    let style = Style {
        size: 17,
        ..Style::default()
    };
    svg.text([x + SAMPLE, y + 17], words, style);
}

/// A sample of the legend round a point.
fn picture(svg: &mut Svg, [x, y]: [i64; 2], kind: &str, (lowest, faces): (i64, bool)) {
    let stroke = match kind {
        "river" => Some(Stroke::River),
        "canal" => Some(Stroke::Canal),
        "stream" => Some(Stroke::Stream),
        "slope" => Some(Stroke::Slope),
        _ => None,
    };
    let line = format!("M{} {y}h32", x - 16);
    if let Some(stroke) = stroke {
        pens(stroke).iter().for_each(|pen| svg.path(&line, pen));
        return;
    }
    if let Some(relief) = Relief::ALL.iter().find(|relief| relief.name() == kind) {
        let paint = format!(
            r##"fill="{}" stroke="#b9a981" stroke-width="1""##,
            tint(*relief)
        );
        svg.rect([x - 16, y - 11], [32, 22], 0, &paint);
        svg.open(&format!(
            r#"transform="translate({x} {}) scale(0.36)""#,
            y - 3
        ));
        let [cx, cy] = centre(false, [0, 0]);
        svg.open(&format!(r#"transform="translate({} {})""#, -cx, -cy));
        ground(svg, false, *relief, &[[0, 0]]);
        svg.close();
        svg.close();
        return;
    }
    match kind.split_once(' ') {
        Some(("height", level)) => {
            let above = level.parse().unwrap_or(0) - lowest;
            let paint = format!(r##"fill="{}" stroke="#a8895a""##, heights::tint(above));
            svg.rect([x - 16, y - 10], [32, 20], 0, &paint);
            let style = Style {
                size: 12,
                bold: true,
                anchor: "middle",
                ..Style::default()
            };
            svg.text([x, y + 5], level, style);
        }
        Some(("arrow", name)) => {
            let style = ArrowStyle::ALL.iter().find(|style| style.name() == name);
            let ends = [[x - 40, y], [x + 36, y]];
            let style = style.copied().unwrap_or(ArrowStyle::Move);
            arrows::one(svg, style, &ends, "#777777");
        }
        None if kind == "hidden" => small(svg, [x, y], |svg| {
            let tile = Tile {
                symbol: "hidden".to_owned(),
                count: 1,
                ..Tile::default()
            };
            tile.draw(svg, [-18, -19], "#777777");
        }),
        Some(("unit", symbol)) => tile::symbol(svg, [x - 12, y - 8], symbol),
        Some(("sign", sign)) => tile::sign_box(svg, [x - 6, y - 7], sign),
        _ => match kind {
            "road" | "track" | "main" | "rail" => {
                let style = STYLES.iter().find(|style| road_name(**style) == kind);
                way(svg, style.copied().unwrap_or_default(), &line);
            }
            "crest" => {
                let paint = format!(r##"fill="{CREST}" stroke="#fff3df""##);
                svg.path(&lozenges([x - 18, y], [x + 14, y]), &paint);
            }
            "steep" | "sharp" => heights::slope_sample(svg, [x, y], kind == "sharp"),
            "facing" | "bar" | "figures" | "badge" | "hits" => {
                counters::sample(svg, [x, y], kind, "#777777");
            }
            "bridge" => planks(svg, &line, ROAD_CORE),
            "ford" => {
                svg.path(
                    &line,
                    &format!(r#"fill="none" stroke="{WATER}" stroke-width="16""#),
                );
                svg.path(
                    &line,
                    r##"fill="none" stroke="#ffffff" stroke-width="12" stroke-dasharray="4 3""##,
                );
            }
            "radius" => svg.path(
                &format!("M{} {y}l6 -10h14l6 10l-6 10h-14z", x - 13),
                &format!(r#"fill="none" stroke="{INK}" stroke-width="3" stroke-dasharray="6 3""#),
            ),
            "group" | "unknown" | "star" => {
                let paint = format!(r##"fill="#777777" stroke="{INK}" stroke-width="2""##);
                svg.rect([x - 15, y - 10], [30, 20], 3, &paint);
                let style = Style {
                    size: 15,
                    bold: true,
                    fill: "#ffffff",
                    anchor: "middle",
                    ..Style::default()
                };
                match kind {
                    "group" => svg.text([x, y + 6], "9", style),
                    "unknown" => svg.text([x, y + 6], "?", style),
                    _ => groups::star(svg, [x, y], 14, "#ffffff"),
                }
            }
            "limits" => {
                svg.rect([x - 16, y - 10], [32, 20], 0, r##"fill="#a8895a""##);
                svg.rect([x - 16, y - 10], [32, 20], 0, &paint_of_veil());
                svg.line(
                    [x - 16, y - 10],
                    [x - 16, y + 10],
                    &format!(r#"stroke="{INK}" stroke-width="2""#),
                );
            }
            "supply" => frame::star_in(svg, [x, y], "#777777"),
            "leader" if faces => counters::sample(svg, [x, y], kind, "#777777"),
            "leader" => small(svg, [x, y], |svg| flag(svg, [-18, -19], "#777777")),
            _ => small(svg, [x, y], |svg| {
                let paint = format!(
                    r#"fill="{THEN}" stroke="{INK}" stroke-width="2.5" stroke-dasharray="5 3""#
                );
                svg.rect([-18, -19], TILE, 3, &paint);
            }),
        },
    }
}

/// Draws round a point at the size of a sample.
fn small(svg: &mut Svg, [x, y]: [i64; 2], draw: impl FnOnce(&mut Svg)) {
    svg.open(&format!(r#"transform="translate({x} {y}) scale(0.65)""#));
    draw(svg);
    svg.close();
}
