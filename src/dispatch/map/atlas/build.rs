//! Takes a page of an atlas from the view.

use super::{AtlasLabel, AtlasPiece, AtlasSection, AtlasSheet, TriedMark, legend};
use crate::{
    dispatch::{
        build::Builder,
        map::{
            MapSection,
            areas::build::{Window, outlines, side_of},
            svg::colour,
        },
    },
    game::{self, Atlas, Drawing, SheetEdges, Space, TriedStroke},
    value::{Fields, Value},
    world::Piece,
};

/// Width of the picture.
const WIDTH: i64 = 1500;
/// Free space round sheets.
const EDGE: i64 = 20;
/// Room for the title and the sides.
const HEAD: i64 = 92;
/// Height of the bar with an inset's name.
pub(super) const BAR: i64 = 30;
/// How much of a side's colour a tint has that the game does not give, in hundredths.
const TINT: i64 = 38;

/// What the sheets of a page are made from.
struct PageSource<'a, 'b> {
    builder: &'a Builder<'b>,
    drawing: &'a Drawing,
    page: &'a Atlas,
}

/// Takes a page of an atlas; sets the size of the whole picture.
pub(in crate::dispatch::map) fn build(
    builder: &Builder<'_>,
    (drawing, page): (&Drawing, &Atlas),
    section: &mut MapSection,
) -> AtlasSection {
    let source = PageSource {
        builder,
        drawing,
        page,
    };
    let main = Window::of(drawing, drawing.frame, WIDTH - 2 * EDGE);
    let mut first = source.sheet(drawing.frame, main, true);
    first.at = [EDGE, HEAD];
    let mut low = HEAD + first.size[1] + EDGE;
    let mut sheets = Vec::new();
    let count = i64::try_from(page.insets.len()).unwrap_or(1).max(1);
    let wide = (WIDTH - (count + 1) * EDGE) / count;
    let mut highest = 0;
    for (number, inset) in page.insets.iter().enumerate() {
        let window = Window::of(drawing, inset.frame, wide);
        let mut sheet = source.sheet(inset.frame, window, false);
        let letter = super::super::hexes::letter(number);
        let name = game::said(&inset.name, builder.briefing.lang);
        sheet.name = format!("{letter} {name}");
        let column = i64::try_from(number).unwrap_or(0);
        sheet.at = [EDGE + column * (wide + EDGE), low + BAR];
        highest = highest.max(sheet.size[1] + BAR);
        let [a, b] = [
            main.point([inset.frame.north, inset.frame.west]),
            main.point([inset.frame.south, inset.frame.east]),
        ];
        first
            .frames
            .push(([a[0], a[1], b[0] - a[0], b[1] - a[1]], letter));
        sheets.push(sheet);
    }
    if highest > 0 {
        low += highest + EDGE;
    }
    sheets.insert(0, first);
    let keys = [
        "tried",
        "driven_out",
        "atlas_square",
        "atlas_hull",
        "atlas_free",
        "atlas_held",
    ];
    let strokes = TriedStroke::ALL.map(|stroke| stroke.legend().to_owned());
    let keys = keys.map(str::to_owned).into_iter().chain(strokes);
    let words = keys.map(|key| {
        let words = builder.words.legend(&key);
        (key, words)
    });
    let section_of_page = AtlasSection {
        words: words.collect(),
        sheets,
    };
    section.width = WIDTH;
    section.height = low + legend::height(&section_of_page) + EDGE;
    section_of_page
}

impl PageSource<'_, '_> {
    fn spaces(&self) -> &[Space] {
        &self.builder.briefing.game.map.map().spaces
    }

    fn sheet(&self, frame: SheetEdges, window: Window, main: bool) -> AtlasSheet {
        let map = self.builder.briefing.game.map.map();
        let mut sheet = AtlasSheet {
            size: window.size(),
            outlines: outlines(map, self.drawing, window),
            ..AtlasSheet::default()
        };
        self.tint(&mut sheet, window);
        let seen = |at: [i64; 2]| frame.holds(at.map(|it| it * self.fine()));
        for space in self.spaces() {
            let water = self.drawing.water.contains(&space.terrain);
            if !seen([space.lat, space.lon]) {
                continue;
            }
            let name = space.name_in(self.builder.briefing.lang);
            let text = if main && !water {
                space.id.to_uppercase()
            } else {
                name.to_owned()
            };
            let at = self.point(window, [space.lat, space.lon]);
            sheet.labels.push(AtlasLabel { text, at, water });
            let city = self.page.city.as_ref();
            let city = city.and_then(|key| pair(space.data.get(key)?));
            if self.is_centre(space) {
                let at = city.unwrap_or([space.lat, space.lon]);
                let at = self.point(window, at);
                sheet.centres.push((at, self.owner(space)));
            }
        }
        for piece in self.builder.briefing.view.pieces.values() {
            sheet.pieces.extend(self.piece(piece, window, &seen));
        }
        sheet.tried = self.tried(window);
        sheet
    }

    fn fine(&self) -> i64 {
        self.drawing.fine.max(1)
    }

    /// A point in thousandths of a degree.
    fn point(&self, window: Window, at: [i64; 2]) -> [i64; 2] {
        window.point(at.map(|it| it * self.fine()))
    }

    fn is_centre(&self, space: &Space) -> bool {
        let told = self
            .page
            .centre
            .as_ref()
            .and_then(|key| space.data.get(key));
        told.and_then(Value::as_bool) == Some(true)
    }

    /// The side that owns a space.
    fn owner(&self, space: &Space) -> Option<usize> {
        let briefing = self.builder.briefing;
        let state = briefing.display.control.as_ref()?;
        let owner = briefing.view.space_state(&space.id, state);
        side_of(self.builder, owner.as_text())
    }

    /// Fills owned ground.
    fn tint(&self, sheet: &mut AtlasSheet, window: Window) {
        let sides = &self.builder.briefing.game.decl.sides;
        for space in self.spaces() {
            let side = self.owner(space).and_then(|side| sides.get(side));
            let outline = self.drawing.outlines.get(&space.id);
            let Some((side, outline)) = side.zip(outline) else {
                continue;
            };
            let water = self.drawing.water.contains(&space.terrain);
            let points: Vec<_> = outline.iter().map(|at| window.point(*at)).collect();
            let mut drawn = sheet.outlines.iter_mut();
            if let Some(drawn) = drawn.find(|it| it.points == points && it.water == water) {
                let own = self.page.tints.get(side.id.as_str());
                drawn.fill = own.map_or_else(|| mixed(&side.colour, &drawn.fill), Clone::clone);
            }
        }
    }

    fn piece(
        &self,
        piece: &Piece,
        window: Window,
        seen: &dyn Fn([i64; 2]) -> bool,
    ) -> Option<AtlasPiece> {
        let place = piece.at.as_ref().filter(|_| piece.ghost.is_none())?;
        let space = self.spaces().iter().find(|space| space.id == *place)?;
        let at = self.footing(space, |attribute| piece.get(attribute).as_text());
        if !seen(at) {
            return None;
        }
        Some(AtlasPiece {
            at: self.point(window, at),
            side: side_of(self.builder, Some(piece.side.as_str()))?,
            hull: self.page.hulls.contains(&piece.kind),
        })
    }

    /// Where a piece stands in a space.
    fn footing<'v>(&self, space: &Space, of: impl Fn(&str) -> Option<&'v str>) -> [i64; 2] {
        let stands = self.page.stands.as_ref();
        let part = stands.and_then(|stands| {
            let points = space.data.get(&stands.data)?.as_map()?;
            pair(points.get(of(&stands.attribute)?)?)
        });
        part.unwrap_or([space.lat, space.lon])
    }

    /// What was tried, in the order of the fact.
    fn tried(&self, window: Window) -> Vec<TriedMark> {
        let Some(declared) = &self.page.arrows else {
            return Vec::new();
        };
        let told = self.builder.briefing.view.fact(&declared.fact);
        let told: Vec<&Fields> = (told.as_list().unwrap_or_default().iter())
            .filter_map(Value::as_map)
            .collect();
        let text = |entry: &Fields, key: &str| {
            let value = entry.get(key).and_then(Value::as_text);
            value.filter(|value| !value.is_empty()).map(str::to_owned)
        };
        let at = |id: Option<String>| {
            let space = self
                .spaces()
                .iter()
                .find(|space| Some(&*space.id) == id.as_deref())?;
            Some(self.point(window, [space.lat, space.lon]))
        };
        let stroke = |entry: &Fields| {
            let result = text(entry, "result")?;
            declared.kinds.get(&result).copied()
        };
        let lost = |entry: &Fields| entry.get("lost").and_then(Value::as_bool) == Some(true);
        let carriers = |entry: &Fields| {
            let ends = |other: &&&Fields| {
                text(other, "helps") == text(entry, "of") && text(other, "to") == text(entry, "to")
            };
            let carries = |other: &&&Fields| stroke(other) == Some(TriedStroke::Convoy);
            let points: Vec<_> = (told.iter().filter(carries).filter(ends))
                .filter_map(|other| at(text(other, "of")))
                .collect();
            let count = i64::try_from(points.len()).unwrap_or(1);
            let sum = |axis: usize| points.iter().map(|at| at[axis]).sum::<i64>();
            (!points.is_empty()).then(|| [sum(0) / count, sum(1) / count])
        };
        let marks = told.iter().filter_map(|entry| {
            let stroke = stroke(entry)?;
            let helped = at(text(entry, "helps"));
            let moves = matches!(
                stroke,
                TriedStroke::Move | TriedStroke::Failed | TriedStroke::Retreat
            );
            let to = at(text(entry, "to"));
            Some(TriedMark {
                stroke,
                side: side_of(self.builder, text(entry, "side").as_deref())?,
                from: at(text(entry, "of"))?,
                to: to.filter(|_| moves),
                over: moves.then(|| carriers(entry)).flatten(),
                helps: helped.map(|helped| [helped, to.unwrap_or(helped)]),
                lost: lost(entry),
            })
        });
        marks.collect()
    }
}

/// A point of a file: two numbers.
fn pair(value: &Value) -> Option<[i64; 2]> {
    match value.as_list()? {
        [a, b] => Some([a.as_int()?, b.as_int()?]),
        _ => None,
    }
}

/// A colour with some of another.
fn mixed(own: &str, ground: &str) -> String {
    let part = |text: &str, at: usize| {
        let pair = colour(text).get(at..at + 2).unwrap_or("77").to_owned();
        i64::from_str_radix(&pair, 16).unwrap_or(0x77)
    };
    let parts = [1, 3, 5].map(|at| (part(own, at) * TINT + part(ground, at) * (100 - TINT)) / 100);
    let [red, green, blue] = parts;
    format!("#{red:02x}{green:02x}{blue:02x}")
}
