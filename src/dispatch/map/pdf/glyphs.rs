//! Letters of a PDF: each outline once, as a Type 3 font (ISO 32000, 9.6.4), so that thousands of
//! hex numbers are small and can be searched for.

use std::collections::HashMap;

use pdf_writer::{
    Content, Name, Pdf, Rect, Ref, Str,
    types::{SystemInfo, UnicodeCmap},
};
use resvg::usvg::{Tree, fontdb::ID, layout::PositionedGlyph};
use skrifa::{
    FontRef, GlyphId, MetadataProvider,
    instance::{LocationRef, Size},
    outline::{DrawSettings, OutlinePen},
};

use super::packed;

/// Glyphs that a font of this kind can have.
const MOST: usize = 256;
/// Glyph space of all fonts here, in units of text space.
const UNIT: f32 = 0.001;

/// The letters that a page uses, in the order in which they came.
pub(super) struct Glyphs<'t> {
    tree: &'t Tree,
    fonts: Vec<Vec<Glyph>>,
    known: HashMap<(ID, u32), Place>,
}

/// The place of a letter: the number of its font, and its code there.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) font: usize,
    pub(super) code: u8,
    /// The distance to the next letter, in thousandths.
    pub(super) width: f32,
}

struct Glyph {
    text: String,
    width: f32,
    outline: Outline,
}

impl<'t> Glyphs<'t> {
    pub(super) fn new(tree: &'t Tree) -> Self {
        Self {
            tree,
            fonts: Vec::new(),
            known: HashMap::new(),
        }
    }

    /// The place of a letter, a new one if the page did not have it yet.
    pub(super) fn place(&mut self, glyph: &PositionedGlyph) -> Option<Place> {
        let key = (glyph.font, glyph.id.0);
        if let Some(place) = self.known.get(&key) {
            return Some(*place);
        }
        let drawn = self.tree.fontdb().with_face_data(key.0, |data, index| {
            drawn(data, index, key.1, glyph.text.clone())
        })??;
        if self.fonts.last().is_none_or(|font| font.len() == MOST) {
            self.fonts.push(Vec::new());
        }
        let font = self.fonts.len() - 1;
        let glyphs = self.fonts.last_mut()?;
        let place = Place {
            font,
            code: u8::try_from(glyphs.len()).ok()?,
            width: drawn.width,
        };
        glyphs.push(drawn);
        self.known.insert(key, place);
        Some(place)
    }

    /// Writes the fonts; gives back where each is, in order.
    pub(super) fn write(self, pdf: &mut Pdf, next: &mut impl FnMut() -> Ref) -> Vec<Ref> {
        let fonts = self.fonts.iter();
        fonts.map(|font| write(font, pdf, next)).collect()
    }
}

/// The shape of a font's letter, in thousandths of its size.
fn drawn(data: &[u8], index: u32, id: u32, text: String) -> Option<Glyph> {
    let font = FontRef::from_index(data, index).ok()?;
    let id = GlyphId::new(id);
    let metrics = font.glyph_metrics(Size::unscaled(), LocationRef::default());
    let units = font.metrics(Size::unscaled(), LocationRef::default());
    let scale = 1.0 / (UNIT * f32::from(units.units_per_em));
    let mut outline = Outline::new(scale);
    if let Some(lines) = font.outline_glyphs().get(id) {
        let settings = DrawSettings::unhinted(Size::unscaled(), LocationRef::default());
        lines.draw(settings, &mut outline).ok()?;
    }
    Some(Glyph {
        text,
        width: (metrics.advance_width(id)? * scale).round(),
        outline,
    })
}

fn write(glyphs: &[Glyph], pdf: &mut Pdf, next: &mut impl FnMut() -> Ref) -> Ref {
    let [font, map] = [next(), next()];
    let system = SystemInfo {
        registry: Str(b"Adobe"),
        ordering: Str(b"UCS"),
        supplement: 0,
    };
    let mut unicode = UnicodeCmap::<u8>::new(Name(b"Letters"), system);
    let mut outlines = Vec::new();
    for (glyph, code) in glyphs.iter().zip(0_u8..=u8::MAX) {
        unicode.pair_with_multiple(code, glyph.text.chars());
        let outline = next();
        let mut content = Content::new();
        let [low, high] = glyph.outline.bounds;
        content.start_shape_glyph(glyph.width, low[0], low[1], high[0], high[1]);
        for step in &glyph.outline.steps {
            step.draw(&mut content);
        }
        content.fill_nonzero();
        packed(pdf, outline, content);
        outlines.push(outline);
    }
    pdf.stream(map, unicode.finish().as_slice());
    let names: Vec<String> = (0..glyphs.len()).map(|code| format!("g{code}")).collect();
    let names = || names.iter().map(|name| Name(name.as_bytes()));
    let mut type3 = pdf.type3_font(font);
    type3.bbox(Rect::new(0.0, 0.0, 0.0, 0.0));
    type3.matrix([UNIT, 0.0, 0.0, UNIT, 0.0, 0.0]);
    type3.char_procs().pairs(names().zip(outlines));
    type3
        .encoding_custom()
        .differences()
        .consecutive(0, names());
    let last = u8::try_from(glyphs.len().saturating_sub(1)).unwrap_or(u8::MAX);
    type3.first_char(0).last_char(last);
    type3.widths(glyphs.iter().map(|glyph| glyph.width));
    type3.to_unicode(map);
    type3.resources();
    font
}

/// A step of an outline.
enum OutlineStep {
    Move([f32; 2]),
    Line([f32; 2]),
    Curve([[f32; 2]; 3]),
    Close,
}

impl OutlineStep {
    fn draw(&self, content: &mut Content) {
        match *self {
            Self::Move([x, y]) => content.move_to(x, y),
            Self::Line([x, y]) => content.line_to(x, y),
            Self::Curve([[ax, ay], [bx, by], [x, y]]) => content.cubic_to(ax, ay, bx, by, x, y),
            Self::Close => content.close_path(),
        };
    }
}

/// The outline of a letter, in whole thousandths of its size.
struct Outline {
    scale: f32,
    steps: Vec<OutlineStep>,
    /// Its lower left and its upper right corner.
    bounds: [[f32; 2]; 2],
    at: [f32; 2],
}

impl Outline {
    const fn new(scale: f32) -> Self {
        Self {
            scale,
            steps: Vec::new(),
            bounds: [[0.0; 2]; 2],
            at: [0.0; 2],
        }
    }

    /// A point of a font.
    fn point(&mut self, x: f32, y: f32) -> [f32; 2] {
        let point = [x, y].map(|it| (it * self.scale).round());
        for axis in [0, 1] {
            self.bounds[0][axis] = self.bounds[0][axis].min(point[axis]);
            self.bounds[1][axis] = self.bounds[1][axis].max(point[axis]);
        }
        point
    }
}

impl OutlinePen for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        self.at = self.point(x, y);
        self.steps.push(OutlineStep::Move(self.at));
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.at = self.point(x, y);
        self.steps.push(OutlineStep::Line(self.at));
    }

    // PDF knows cubic curves alone: their control points lie two thirds of the way.
    fn quad_to(&mut self, cx0: f32, cy0: f32, x: f32, y: f32) {
        let [from, control, to] = [self.at, self.point(cx0, cy0), self.point(x, y)];
        let towards =
            |end: [f32; 2]| [0, 1].map(|axis| ((end[axis] + 2.0 * control[axis]) / 3.0).round());
        self.steps
            .push(OutlineStep::Curve([towards(from), towards(to), to]));
        self.at = to;
    }

    fn curve_to(&mut self, cx0: f32, cy0: f32, cx1: f32, cy1: f32, x: f32, y: f32) {
        let curve = [self.point(cx0, cy0), self.point(cx1, cy1), self.point(x, y)];
        self.steps.push(OutlineStep::Curve(curve));
        self.at = curve[2];
    }

    fn close(&mut self) {
        self.steps.push(OutlineStep::Close);
    }
}
