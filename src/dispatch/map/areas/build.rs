//! Takes a map of areas from the view.

use std::collections::BTreeMap;

use super::{AreaBorder, AreaOutline, AreaSection, AreaSheet, AreaSign, legend};
use crate::{
    dispatch::{
        Relief,
        build::Builder,
        map::{MapRoad, MapSection, MapSpace, MapStack, MapWater, project::cosine},
    },
    game::{Border, Drawing, Map, SheetEdges, Space, StateSign},
};

/// Width of the picture and of the first sheet.
const WIDTH: i64 = 1600;
/// Width of the part that is drawn larger.
const INSET: i64 = 1200;
/// Space round sheets.
const EDGE: i64 = 20;
/// How far the sign of a stretch of road stays from another one, across and down.
const ASIDE: i64 = 36;
const STRETCH: i64 = 24;
/// Fill of what has none.
const BARE: &str = "#e9e4c9";
const WATER: &str = "#a9cbe0";
/// Fraction of scales.
const FINE: i64 = 1_000_000;

/// From coordinates of a drawing to points of a sheet.
#[derive(Clone, Copy)]
pub(in crate::dispatch::map) struct Window {
    frame: SheetEdges,
    fine: i64,
    wide: i64,
    cosine: i64,
}

impl Window {
    pub(in crate::dispatch::map) fn of(drawing: &Drawing, frame: SheetEdges, wide: i64) -> Self {
        let middle = (drawing.frame.north + drawing.frame.south) / 2 / drawing.fine.max(1);
        Self {
            frame,
            fine: drawing.fine.max(1),
            wide,
            cosine: cosine(middle).max(1),
        }
    }

    /// Points for a number of parts of latitude.
    fn down(&self, parts: i64) -> i64 {
        let across = (self.frame.east - self.frame.west).max(1);
        parts * self.wide * FINE / (across * self.cosine)
    }

    pub(in crate::dispatch::map) fn point(&self, [lat, lon]: [i64; 2]) -> [i64; 2] {
        let across = (self.frame.east - self.frame.west).max(1);
        let x = (lon - self.frame.west) * self.wide / across;
        [x, self.down(self.frame.north - lat)]
    }

    pub(in crate::dispatch::map) fn size(&self) -> [i64; 2] {
        [self.wide, self.down(self.frame.north - self.frame.south)]
    }

    fn sign_at(&self, space: &Space) -> [i64; 2] {
        self.point([space.lat * self.fine, space.lon * self.fine])
    }
}

/// Takes a map of areas; sets the size of the whole picture.
pub(in crate::dispatch::map) fn build(
    builder: &Builder<'_>,
    drawing: &Drawing,
    section: &mut MapSection,
) -> AreaSection {
    let window = Window::of(drawing, drawing.frame, WIDTH);
    let inset = drawing.inset.as_ref();
    let within = |space: &Space| {
        let at = [space.lat * window.fine, space.lon * window.fine];
        inset.is_some_and(|inset| inset.frame.holds(at))
    };
    let mut main = sheet(builder, drawing, section, window, &|space| !within(space));
    let [_, high] = main.size();
    let mut areas = AreaSection::default();
    section.width = WIDTH;
    // Ten kilometres: 1000 / 11.1 thousandths of a degree.
    section.ten_km = window.down(window.fine * 10_000 / 111);
    if let Some(inset) = inset {
        let (a, b) = (inset.frame.north, inset.frame.west);
        let (c, d) = (inset.frame.south, inset.frame.east);
        let [[x, y], [right, low]] = [window.point([a, b]), window.point([c, d])];
        main.elsewhere = Some([x, y, right - x, low - y]);
        main.dots = dots(builder, section, window, &within);
        let larger = Window::of(drawing, inset.frame, INSET);
        let mut part = sheet(builder, drawing, section, larger, &within);
        part.name = crate::game::said(&inset.name, builder.briefing.lang).to_owned();
        part.at = [WIDTH - INSET - EDGE, high + EDGE];
        section.height = high + part.size()[1] + 2 * EDGE;
        areas.sheets = vec![main, part];
    } else {
        section.height = high;
        areas.sheets = vec![main];
    }
    areas.fills = fills(builder, drawing);
    areas.signs = legend::signs(builder, &areas.sheets);
    let left = if inset.is_some() { EDGE } else { WIDTH + EDGE };
    let wide = if inset.is_some() {
        WIDTH - INSET - 3 * EDGE
    } else {
        WIDTH - INSET
    };
    areas.column = [left, if inset.is_some() { high + EDGE } else { EDGE }, wide];
    if inset.is_none() {
        section.width += wide + 2 * EDGE;
    }
    let drawn = areas.drawn();
    let lowest = areas.column[1] + legend::height(section, &areas, &drawn) + EDGE;
    section.height = section.height.max(lowest);
    areas
}

impl AreaSheet {
    /// Width and height.
    pub(super) fn size(&self) -> [i64; 2] {
        [self.map.width, self.map.height]
    }
}

/// A sheet with the spaces that belong on it.
fn sheet(
    builder: &Builder<'_>,
    drawing: &Drawing,
    section: &MapSection,
    window: Window,
    belongs: &dyn Fn(&Space) -> bool,
) -> AreaSheet {
    let map = builder.briefing.game.map.map();
    let is_water = |space: &Space| drawing.water.contains(&space.terrain);
    let mut sheet = AreaSheet::default();
    let [wide, high] = window.size();
    (sheet.map.width, sheet.map.height) = (wide, high);
    sheet.map.sides = section.sides.clone();
    sheet.outlines = outlines(map, drawing, window);
    sheet.borders = borders(drawing, window);
    sheet.slopes = slopes(map, drawing, window);
    let mut places = vec![None; map.spaces.len()];
    let spaces = map.spaces.iter().zip(&section.spaces).enumerate();
    for (number, (space, known)) in spaces {
        if is_water(space) || !belongs(space) {
            continue;
        }
        if let Some(place) = places.get_mut(number) {
            *place = Some(sheet.map.spaces.len());
        }
        let signs = signs(builder, drawing, space);
        let [x, y] = window.sign_at(space);
        sheet.map.spaces.push(MapSpace {
            name: name(drawing, space, known),
            value: value(drawing, space),
            x,
            y,
            relief: if signs.is_empty() {
                Relief::Plain
            } else {
                Relief::City
            },
            ..known.clone()
        });
        sheet.signs.push(signs);
    }
    make_way(&mut sheet);
    waters(builder, drawing, window, &mut sheet);
    let number = |id: &str| builder.briefing.game.map.number(id);
    for road in &map.roads {
        let Some((a, b)) = number(&road.a).zip(number(&road.b)) else {
            continue;
        };
        let drawn = drawing.roads.as_ref().is_some_and(|roads| {
            let told = road.data.get(&roads.data).and_then(|value| value.as_text());
            told.is_some_and(|told| roads.are.iter().any(|known| known == told))
        });
        let (Some(from), Some(to)) = (map.spaces.get(a), map.spaces.get(b)) else {
            continue;
        };
        if !drawn {
            continue;
        }
        sheet.roads.push([window.sign_at(from), window.sign_at(to)]);
        let ends = places
            .get(a)
            .copied()
            .flatten()
            .zip(places.get(b).copied().flatten());
        if let Some((a, b)) = ends {
            let (bridge, broken, crossing) = (false, false, None);
            sheet.map.roads.push(MapRoad {
                a,
                b,
                bridge,
                broken,
                crossing,
            });
        }
    }
    let here = |stack: &MapStack| {
        let space = places.get(stack.space).copied().flatten()?;
        Some(MapStack {
            space,
            ..stack.clone()
        })
    };
    sheet.map.stacks = section.stacks.iter().filter_map(here).collect();
    for ghost in section.ghosts.iter().filter_map(here) {
        let ghosts = &mut sheet.map.ghosts;
        let known = ghosts.iter_mut();
        let mut same = known.filter(|it| (it.space, it.side) == (ghost.space, ghost.side));
        match same.next() {
            // They come turn by turn.
            Some(known) => {
                known.since = known.since.or(known.turn);
                known.turn = ghost.turn;
                known.leaders.extend(ghost.leaders);
                known.units.extend(ghost.units);
            }
            None => ghosts.push(ghost),
        }
    }
    sheet
}

/// Moves the sign of a stretch of road aside where it would hide another sign.
pub(super) fn make_way(sheet: &mut AreaSheet) {
    let is_stretch = |signs: &[AreaSign]| matches!(signs, [AreaSign::Stretch(_)]);
    let all = || sheet.map.spaces.iter().zip(&sheet.signs);
    let others: Vec<[i64; 2]> = all()
        .filter(|(_, signs)| !signs.is_empty() && !is_stretch(signs))
        .map(|(space, _)| [space.x, space.y])
        .collect();
    let stretches =
        (sheet.map.spaces.iter_mut().zip(&sheet.signs)).filter(|(_, signs)| is_stretch(signs));
    for (space, _) in stretches {
        let hidden = others
            .iter()
            .find(|[x, y]| (space.x - x).abs() < ASIDE && (space.y - y).abs() < STRETCH);
        if let Some([x, _]) = hidden {
            space.x = if space.x < *x { x - ASIDE } else { x + ASIDE };
        }
    }
}

/// The name of a space; a stretch of road has its sign.
fn name(drawing: &Drawing, space: &Space, known: &MapSpace) -> String {
    if drawing.stretches.contains(&space.terrain) {
        return String::new();
    }
    known.name.clone()
}

/// The worth of a space; a worthless one has no number.
fn value(drawing: &Drawing, space: &Space) -> Option<i64> {
    let value = space.data.get(drawing.value.as_ref()?)?.as_int();
    value.filter(|value| *value != 0)
}

pub(in crate::dispatch::map) fn outlines(
    map: &Map,
    drawing: &Drawing,
    window: Window,
) -> Vec<AreaOutline> {
    let known = |id: &str| map.spaces.iter().find(|space| *space.id == *id);
    let drawn = drawing.outlines.iter().filter_map(|(id, points)| {
        let space = known(id)?;
        let water = drawing.water.contains(&space.terrain);
        let own = drawing.colours.get(id.as_str());
        let fill = own.or_else(|| drawing.colours.get(&space.terrain));
        let bare = if water { WATER } else { BARE };
        Some(AreaOutline {
            points: points.iter().map(|point| window.point(*point)).collect(),
            fill: fill.map_or(bare, String::as_str).to_owned(),
            water,
        })
    });
    let mut drawn: Vec<_> = drawn.collect();
    // The coast lies above the land.
    drawn.sort_by_key(|outline| outline.water);
    drawn
}

/// Borders with lines of their own: the points that both outlines have.
fn borders(drawing: &Drawing, window: Window) -> Vec<AreaBorder> {
    let shared = |border: &Border| {
        let a = drawing.outlines.get(&border.a)?;
        let b = drawing.outlines.get(&border.b)?;
        let first = a.iter().position(|point| !b.contains(point)).unwrap_or(0);
        let turned = a.iter().skip(first).chain(a.iter().take(first));
        let points = turned.filter(|point| b.contains(point));
        Some(AreaBorder {
            kind: border.kind,
            points: points.map(|point| window.point(*point)).collect(),
        })
    };
    drawing.borders.iter().filter_map(shared).collect()
}

/// The ground on one side of a border: its height, and the points between which it lies on the
/// right.
type BorderGround = (usize, [[i64; 2]; 2]);

/// Borders between grounds of different height, the higher one on the right.
fn slopes(map: &Map, drawing: &Drawing, window: Window) -> Vec<[[i64; 2]; 2]> {
    let mut borders: BTreeMap<[[i64; 2]; 2], Vec<BorderGround>> = BTreeMap::new();
    for space in &map.spaces {
        let height = drawing.heights.iter().position(|it| *it == space.terrain);
        let outline = drawing.outlines.get(&space.id);
        let Some((height, outline)) = height.zip(outline) else {
            continue;
        };
        let points: Vec<_> = outline.iter().map(|point| window.point(*point)).collect();
        let next = || points.iter().zip(points.iter().cycle().skip(1));
        let turns: i64 = next().map(|(a, b)| a[0] * b[1] - b[0] * a[1]).sum();
        for (a, b) in next() {
            let on_right = if turns > 0 { [*a, *b] } else { [*b, *a] };
            let border = [*a.min(b), *a.max(b)];
            borders.entry(border).or_default().push((height, on_right));
        }
    }
    let slopes = borders.into_values().filter_map(|sides| match sides[..] {
        [(a, on_right), (b, _)] if a > b => Some(on_right),
        [(a, _), (b, on_right)] if a < b => Some(on_right),
        _ => None,
    });
    slopes.collect()
}

/// Names of waters, where their outlines lie on the sheet.
fn waters(builder: &Builder<'_>, drawing: &Drawing, window: Window, sheet: &mut AreaSheet) {
    let [wide, high] = window.size();
    for space in &builder.briefing.game.map.map().spaces {
        let Some(outline) = drawing.outlines.get(&space.id) else {
            continue;
        };
        if !drawing.water.contains(&space.terrain) {
            continue;
        }
        let points = outline.iter().map(|point| window.point(*point));
        let points: Vec<_> = points
            .map(|[x, y]| [x.clamp(0, wide), y.clamp(0, high)])
            .collect();
        sheet.map.waters.push(MapWater {
            name: space.name_in(builder.briefing.lang).to_owned(),
            lake: true,
            points,
        });
    }
}

/// The signs in a space.
fn signs(builder: &Builder<'_>, drawing: &Drawing, space: &Space) -> Vec<AreaSign> {
    let view = builder.briefing.view;
    if drawing.stretches.contains(&space.terrain) {
        let alias = space.aliases.first().unwrap_or(&space.name);
        return vec![AreaSign::Stretch(alias.clone())];
    }
    if !drawing.outlines.contains_key(&space.id) {
        return vec![AreaSign::Depot];
    }
    let text = |state: &Option<String>| {
        let name = state.as_ref()?;
        let value = view.space_state(&space.id, name).as_text()?;
        (!value.is_empty()).then(|| value.to_owned())
    };
    let mut found = Vec::new();
    if let Some(fort) = &drawing.fort
        && let Some(data) = space.data.get(&fort.data).and_then(|data| data.as_map())
        && let Some(level) = data.get(&fort.level).and_then(|level| level.as_int())
    {
        let first = || {
            data.get(fort.holder.as_ref()?)?
                .as_text()
                .map(str::to_owned)
        };
        let holder = text(&fort.state).or_else(first);
        found.push(AreaSign::Fort(level, side_of(builder, holder.as_deref())));
    } else if is_town(drawing, space) {
        found.push(AreaSign::Town);
    }
    let held = |sign: &StateSign| side_of(builder, text(&sign.holder).as_deref());
    if let Some(works) = &drawing.works {
        let data = || space.data.get(&works.data)?.as_text().map(str::to_owned);
        let kind = text(&works.state).or_else(data);
        if let Some(kind) = kind.filter(|kind| Some(kind) != works.gone.as_ref()) {
            let strong = works.strong.as_ref() == Some(&kind);
            found.push(AreaSign::Works(held(works), strong));
        }
    }
    if let Some(points) = &drawing.points
        && let Some(number) = space
            .data
            .get(&points.data)
            .and_then(|value| value.as_int())
    {
        found.push(AreaSign::Points(number, held(points)));
    }
    found
}

fn is_town(drawing: &Drawing, space: &Space) -> bool {
    let told = drawing.town.as_ref().and_then(|key| space.data.get(key));
    told.is_some_and(|town| town.as_bool() == Some(true))
}

/// The position of a side, or of the first side of a party.
pub(in crate::dispatch::map) fn side_of(builder: &Builder<'_>, id: Option<&str>) -> Option<usize> {
    let id = id?;
    let sides = &builder.briefing.game.decl.sides;
    let own = sides.iter().position(|side| *side.id == *id);
    let party = |side: &crate::game::Side| side.party.as_ref().is_some_and(|party| **party == *id);
    own.or_else(|| sides.iter().position(party))
}

/// Who stands in the part that another sheet has.
fn dots(
    builder: &Builder<'_>,
    section: &MapSection,
    window: Window,
    within: &dyn Fn(&Space) -> bool,
) -> Vec<([i64; 2], usize)> {
    let spaces = &builder.briefing.game.map.map().spaces;
    let mut met: Vec<usize> = Vec::new();
    let mut dots = Vec::new();
    for stack in &section.stacks {
        let Some(space) = spaces.get(stack.space).filter(|space| within(space)) else {
            continue;
        };
        let before = met.iter().filter(|number| **number == stack.space).count();
        met.push(stack.space);
        let [x, y] = window.sign_at(space);
        let aside = i64::try_from(before).unwrap_or(0) * 13;
        dots.push(([x + aside, y], stack.side));
    }
    dots
}

/// Fills of terrains with their names.
fn fills(builder: &Builder<'_>, drawing: &Drawing) -> Vec<(String, String)> {
    let terrains = &builder.briefing.game.map.map().terrains;
    let named = terrains.iter().filter_map(|terrain| {
        let fill = drawing.colours.get(terrain)?;
        Some((fill.clone(), builder.words.terrain(terrain).to_owned()))
    });
    named.collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may panic")]
    use super::*;

    #[test]
    fn the_higher_ground_lies_on_the_right_of_a_slope() {
        // A hill west of a plain, drawn in either direction, and another hill north of it.
        for turned in [false, true] {
            let mut hill = ["[100, 0]", "[100, 100]", "[0, 100]", "[0, 0]"];
            if turned {
                hill.reverse();
            }
            let file = format!(
                "terrains: [low, high]
spaces:
  - {{id: a, name: A, terrain: high, lat: 1, lon: 1, source: stated}}
  - {{id: b, name: B, terrain: low, lat: 1, lon: 1, source: stated}}
  - {{id: c, name: C, terrain: high, lat: 1, lon: 1, source: stated}}
roads: []
drawing:
  fine: 1
  frame: {{north: 200, south: 0, west: 0, east: 200}}
  heights: [low, high]
  outlines:
    a: [{}]
    b: [[100, 100], [100, 200], [0, 200], [0, 100]]
    c: [[200, 0], [200, 100], [100, 100], [100, 0]]
",
                hill.join(", ")
            );
            let map: Map = crate::yaml::from_str(&file).unwrap();
            let drawing = map.drawing.clone().unwrap();
            let window = Window::of(&drawing, drawing.frame, 200);
            // Going down the sheet, the west is on one's right.
            let [low, high] = [[0, 100], [100, 100]].map(|at| window.point(at));
            assert_eq!(slopes(&map, &drawing, window), [[high, low]], "{turned}");
        }
    }
}
