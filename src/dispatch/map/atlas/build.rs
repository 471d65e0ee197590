//! Takes a page of an atlas from the view.

use super::{
    AtlasChart, AtlasLabel, AtlasPiece, AtlasSection, AtlasSheet, ChartColumn, TriedMark, legend,
    sheet::BAR,
};
use crate::{
    dispatch::{
        NewsItem,
        build::Builder,
        map::{
            MapSection,
            areas::build::{Window, outlines, side_of},
            svg::colour,
        },
    },
    game::{self, Atlas, Drawing, SheetEdges, Space, TriedEvents, TriedStroke},
    value::{Fields, Value},
    world::Piece,
};

/// Width of the picture.
const WIDTH: i64 = 1500;
/// Free space round sheets.
const EDGE: i64 = 20;
/// Room for the title and the sides.
const HEAD: i64 = 92;
/// How much of a side's colour a tint has that the game does not give, in hundredths.
const TINT: i64 = 38;
/// No part of a column of the chart counts for more: a script may say any number.
const MOST_OF_A_PART: i64 = 1_000_000;

/// The source of a page's sheets.
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
        chart: source.chart(),
    };
    let chart = section_of_page.chart.as_ref();
    section.width = WIDTH;
    section.height =
        low + legend::height(&section_of_page) + EDGE + chart.map_or(0, AtlasChart::height);
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

    /// The chart that a fact holds, column by column.
    fn chart(&self) -> Option<AtlasChart> {
        let declared = self.page.chart.as_ref()?;
        let told = self.builder.briefing.view.fact(&declared.fact);
        let sides = &self.builder.briefing.game.decl.sides;
        let columns = told.as_list()?.iter().filter_map(Value::as_map);
        let columns = columns.map(|column| {
            let part = |(number, id): (usize, &str)| {
                let part = column.get(id)?.as_int()?;
                Some((number, part.clamp(0, MOST_OF_A_PART)))
            };
            let ids = sides.iter().map(|side| side.id.as_str()).enumerate();
            let label = match column.get("label") {
                Some(Value::Int(number)) => number.to_string(),
                Some(Value::Text(text)) => text.to_string(),
                _ => String::new(),
            };
            ChartColumn {
                label,
                parts: ids.filter_map(part).collect(),
            }
        });
        let title = game::said(&declared.title, self.builder.briefing.lang);
        AtlasChart::of(title.to_owned(), columns.collect())
    }

    /// The attempts, in the order in which the reader has heard of them.
    fn tried(&self, window: Window) -> Vec<TriedMark> {
        let Some(declared) = &self.page.arrows else {
            return Vec::new();
        };
        let heard = self.builder.briefing.events;
        let mut marks = Vec::new();
        for news in heard {
            let from = self.told(&news.args, &declared.at, window);
            let stroke = declared.kinds.get(&news.key);
            if let Some((mark, from)) = stroke
                .and_then(|stroke| self.mark((declared, heard), news, *stroke, window))
                .zip(from)
            {
                marks.push(TriedMark { from, ..mark });
            } else if declared.lost.contains(&news.key)
                && let Some(from) = from
            {
                let mut known = marks.iter_mut().rev();
                match known.find(|mark: &&mut TriedMark| mark.from == from) {
                    Some(mark) => mark.lost = true,
                    None => marks.extend(self.side_told(news, declared).map(|side| TriedMark {
                        stroke: TriedStroke::Hold,
                        side,
                        from,
                        to: None,
                        over: None,
                        helps: None,
                        lost: true,
                    })),
                }
            }
        }
        marks
    }

    /// The mark of an event, from wherever.
    fn mark(
        &self,
        (declared, heard): (&TriedEvents, &[NewsItem]),
        news: &NewsItem,
        stroke: TriedStroke,
        window: Window,
    ) -> Option<TriedMark> {
        let at = |name: &str| self.told(&news.args, name, window);
        let moves = matches!(
            stroke,
            TriedStroke::Move | TriedStroke::Failed | TriedStroke::Retreat
        );
        let to = at(&declared.to);
        let carriers = || {
            let [own, goal] = [&declared.at, &declared.to].map(|name| space_told(&news.args, name));
            let carries = |other: &&NewsItem| {
                declared.kinds.get(&other.key) == Some(&TriedStroke::Convoy)
                    && space_told(&other.args, &declared.of) == own
                    && space_told(&other.args, &declared.to) == goal
                    && (other.turn, &other.phase) == (news.turn, &news.phase)
            };
            let points: Vec<_> = (heard.iter().filter(carries))
                .filter_map(|other| self.told(&other.args, &declared.at, window))
                .collect();
            let count = i64::try_from(points.len()).unwrap_or(1);
            let sum = |axis: usize| points.iter().map(|at| at[axis]).sum::<i64>();
            (!points.is_empty()).then(|| [sum(0) / count, sum(1) / count])
        };
        Some(TriedMark {
            stroke,
            side: self.side_told(news, declared)?,
            from: [0, 0],
            to: to.filter(|_| moves),
            over: moves.then(carriers).flatten(),
            helps: at(&declared.of).map(|helped| [helped, to.unwrap_or(helped)]),
            lost: false,
        })
    }

    /// The point of a space that an event names.
    fn told(&self, args: &Fields, name: &str, window: Window) -> Option<[i64; 2]> {
        let id = space_told(args, name)?;
        let space = self.spaces().iter().find(|space| *space.id == *id)?;
        Some(self.point(window, [space.lat, space.lon]))
    }

    fn side_told(&self, news: &NewsItem, declared: &TriedEvents) -> Option<usize> {
        side_of(self.builder, news.args.get(&declared.side)?.as_text())
    }
}

/// The id of a space that an event names.
fn space_told<'v>(args: &'v Fields, name: &str) -> Option<&'v str> {
    args.get(name)?.get("space")?.as_text()
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
