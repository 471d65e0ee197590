//! An SVG's tree as the content of a PDF page (ISO 32000, 8). What our maps are made of: paths,
//! letters, plain colours, opacity, clips. Anything else is an error, never left out.

use pdf_writer::{
    Content, Finish, Name, Pdf, Rect, Ref, Str,
    types::{LineCapStyle, LineJoinStyle},
};
use resvg::{
    tiny_skia::{PathSegment, Transform},
    usvg::{
        ClipPath, Color, Fill, FillRule, Group, LineCap, LineJoin, Node, Opacity, Paint,
        PaintOrder, Path, Stroke, Text, Tree, layout::Span,
    },
};

use thiserror::Error;

use super::glyphs::Glyphs;

/// The part of a picture that a page can't show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PageError {
    /// The picture has a mask or a filter.
    #[error("it has a mask or a filter")]
    Mask,
    /// The picture includes one made of points.
    #[error("it has a picture")]
    Picture,
    /// The picture has a gradient or a pattern.
    #[error("it has a gradient or a pattern")]
    Paint,
    /// A letter is not in its font.
    #[error("a letter is not in its font")]
    Letter,
    /// A clip is more than outlines.
    #[error("a clip is more than outlines")]
    Clip,
    /// A clip has no size.
    #[error("a clip has no size")]
    ClipSize,
}

/// How far a letter may stand beside its line, in thousandths of its size, and still belong to it.
const LEVEL: f32 = 0.5;

/// A page while it is drawn, and what its content refers to.
pub(super) struct PdfPage<'t> {
    pub(super) pdf: Pdf,
    last: i32,
    resources: Ref,
    glyphs: Glyphs<'t>,
    /// Opacities of strokes and of areas, in use.
    opacities: Vec<[Opacity; 2]>,
    /// Groups that are drawn apart, for they are seen through as one.
    layers: Vec<Ref>,
}

impl<'t> PdfPage<'t> {
    pub(super) fn new(tree: &'t Tree, pdf: Pdf) -> Self {
        let mut page = Self {
            pdf,
            last: 0,
            resources: Ref::new(1),
            glyphs: Glyphs::new(tree),
            opacities: Vec::new(),
            layers: Vec::new(),
        };
        page.resources = page.next();
        page
    }

    /// A new number for an object.
    pub(super) fn next(&mut self) -> Ref {
        self.last += 1;
        Ref::new(self.last)
    }

    /// Writes what the content refers to; returns the document and the reference to the content.
    pub(super) fn finish(self) -> (Pdf, Ref) {
        let Self {
            mut pdf,
            mut last,
            resources,
            glyphs,
            opacities,
            layers,
        } = self;
        let mut next = || {
            last += 1;
            Ref::new(last)
        };
        let fonts = glyphs.write(&mut pdf, &mut next);
        let mut listed = pdf
            .indirect(resources)
            .start::<pdf_writer::writers::Resources<'_>>();
        let mut dictionary = listed.fonts();
        for (number, font) in fonts.into_iter().enumerate() {
            dictionary.pair(Name(name('F', number).as_bytes()), font);
        }
        dictionary.finish();
        let mut dictionary = listed.x_objects();
        for (number, layer) in layers.into_iter().enumerate() {
            dictionary.pair(Name(name('L', number).as_bytes()), layer);
        }
        dictionary.finish();
        let mut dictionary = listed.ext_g_states();
        for (number, [stroke, fill]) in opacities.into_iter().enumerate() {
            let name = name('O', number);
            let mut state = dictionary.insert(Name(name.as_bytes())).dict();
            state.pair(Name(b"CA"), stroke.get());
            state.pair(Name(b"ca"), fill.get());
        }
        dictionary.finish();
        listed.finish();
        (pdf, resources)
    }

    /// Draws a group.
    pub(super) fn group(&mut self, content: &mut Content, group: &Group) -> Result<(), PageError> {
        if group.mask().is_some() || !group.filters().is_empty() {
            return Err(PageError::Mask);
        }
        content.save_state();
        content.transform(matrix(group.transform()));
        if let Some(clip) = group.clip_path() {
            clipped(content, clip)?;
        }
        if group.opacity() == Opacity::ONE {
            self.nodes(content, group)?;
        } else {
            self.layer(content, group)?;
        }
        content.restore_state();
        Ok(())
    }

    fn nodes(&mut self, content: &mut Content, group: &Group) -> Result<(), PageError> {
        for node in group.children() {
            match node {
                Node::Group(group) => self.group(content, group)?,
                Node::Path(path) => self.path(content, path)?,
                Node::Text(text) => self.text(content, text)?,
                Node::Image(_) => return Err(PageError::Picture),
            }
        }
        Ok(())
    }

    /// A group that is seen through as one.
    fn layer(&mut self, content: &mut Content, group: &Group) -> Result<(), PageError> {
        let mut apart = Content::new();
        self.nodes(&mut apart, group)?;
        let id = self.next();
        let bounds = group.layer_bounding_box();
        let bytes = super::deflated(&apart.finish());
        let mut layer = self.pdf.form_xobject(id, &bytes);
        layer.filter(pdf_writer::Filter::FlateDecode);
        layer.bbox(Rect::new(
            bounds.left(),
            bounds.top(),
            bounds.right(),
            bounds.bottom(),
        ));
        layer.pair(Name(b"Resources"), self.resources);
        layer.group().transparency();
        layer.finish();
        self.opacity(content, [group.opacity(); 2]);
        content.x_object(Name(name('L', self.layers.len()).as_bytes()));
        self.layers.push(id);
        Ok(())
    }

    fn opacity(&mut self, content: &mut Content, wanted: [Opacity; 2]) {
        let known = self.opacities.iter().position(|known| *known == wanted);
        let number = known.unwrap_or_else(|| {
            self.opacities.push(wanted);
            self.opacities.len() - 1
        });
        content.set_parameters(Name(name('O', number).as_bytes()));
    }

    fn path(&mut self, content: &mut Content, path: &Path) -> Result<(), PageError> {
        if !path.is_visible() {
            return Ok(());
        }
        let fill = path.fill().map(plain_fill).transpose()?;
        let stroke = path.stroke().map(plain_stroke).transpose()?;
        let shown = [
            stroke.map_or(Opacity::ONE, |(_, stroke)| stroke.opacity()),
            fill.map_or(Opacity::ONE, |(_, fill)| fill.opacity()),
        ];
        let is_plain = shown == [Opacity::ONE; 2];
        if !is_plain {
            content.save_state();
            self.opacity(content, shown);
        }
        let filled = |content: &mut Content| {
            if let Some((colour, fill)) = fill {
                let [red, green, blue] = rgb(colour);
                content.set_fill_rgb(red, green, blue);
                steps(content, path.data().segments());
                match fill.rule() {
                    FillRule::NonZero => content.fill_nonzero(),
                    FillRule::EvenOdd => content.fill_even_odd(),
                };
            }
        };
        let lined = |content: &mut Content| {
            if let Some((colour, stroke)) = stroke {
                pen(content, colour, stroke);
                steps(content, path.data().segments());
                content.stroke();
            }
        };
        let is_filled_first = path.paint_order() == PaintOrder::FillAndStroke;
        // Where nothing is seen through the line, both are painted in one go: the path is long.
        if is_filled_first
            && shown[0] == Opacity::ONE
            && let (Some((colour, fill)), Some((edge, stroke))) = (fill, stroke)
        {
            let [red, green, blue] = rgb(colour);
            content.set_fill_rgb(red, green, blue);
            pen(content, edge, stroke);
            steps(content, path.data().segments());
            match fill.rule() {
                FillRule::NonZero => content.fill_nonzero_and_stroke(),
                FillRule::EvenOdd => content.fill_even_odd_and_stroke(),
            };
        } else if is_filled_first {
            filled(content);
            lined(content);
        } else {
            lined(content);
            filled(content);
        }
        if !is_plain {
            content.restore_state();
        }
        Ok(())
    }

    fn text(&mut self, content: &mut Content, text: &Text) -> Result<(), PageError> {
        if !text.layouted().iter().all(is_plain) {
            return self.group(content, text.flattened());
        }
        for span in text.layouted().iter().filter(|span| span.visible) {
            let Some((colour, fill)) = span.fill.as_ref().map(plain_fill).transpose()? else {
                continue;
            };
            content.save_state();
            if fill.opacity() != Opacity::ONE {
                self.opacity(content, [fill.opacity(); 2]);
            }
            let [red, green, blue] = rgb(colour);
            content.set_fill_rgb(red, green, blue);
            content.begin_text();
            self.letters(content, span)?;
            content.end_text();
            content.restore_state();
        }
        Ok(())
    }

    /// The letters of a span: those that stand on one line in one go, moved together or apart.
    fn letters(&mut self, content: &mut Content, span: &Span) -> Result<(), PageError> {
        let mut run: Option<LetterRun> = None;
        for glyph in &span.positioned_glyphs {
            let unknown = PageError::Letter;
            let place = self.glyphs.place(glyph).ok_or(unknown)?;
            let units = glyph.outline_transform();
            // From units of the font to the size of its letters.
            let [along, across] = [(units.sx, units.ky), (units.kx, units.sy)];
            let scale = glyph.font_size() / along.0.hypot(along.1);
            let at = Transform::from_row(
                along.0 * scale,
                along.1 * scale,
                across.0 * scale,
                across.1 * scale,
                units.tx,
                units.ty,
            );
            let space = run
                .as_ref()
                .and_then(|run| run.space_before(place.font, at));
            match (&mut run, space) {
                (Some(run), Some(space)) => run.push(place.code, place.width, space),
                _ => {
                    if let Some(run) = run.take() {
                        run.show(content);
                    }
                    run = Some(LetterRun::new(place.font, at, place.code, place.width));
                }
            }
        }
        if let Some(run) = run {
            run.show(content);
        }
        Ok(())
    }
}

/// Letters of one font on one line.
struct LetterRun {
    font: usize,
    at: Transform,
    /// Where the pen is behind the last letter, in thousandths from the start.
    pen: f32,
    /// How far each letter is moved on before it is shown, in thousandths, and its code.
    letters: Vec<(f32, u8)>,
}

impl LetterRun {
    fn new(font: usize, at: Transform, code: u8, width: f32) -> Self {
        Self {
            font,
            at,
            pen: width,
            letters: vec![(0.0, code)],
        }
    }

    /// The distance of a letter behind the pen; none if it is not of this run.
    fn space_before(&self, font: usize, at: Transform) -> Option<f32> {
        let same = [self.at, at].map(|it| [it.sx, it.ky, it.kx, it.sy]);
        if font != self.font || same[0] != same[1] {
            return None;
        }
        let moved = self.at.invert()?.pre_concat(at);
        let [along, across] = [moved.tx, moved.ty].map(|it| it * 1000.0);
        (across.abs() < LEVEL).then_some((along - self.pen).round())
    }

    fn push(&mut self, code: u8, width: f32, space: f32) {
        self.letters.push((space, code));
        self.pen += space + width;
    }

    fn show(self, content: &mut Content) {
        content.set_font(Name(name('F', self.font).as_bytes()), 1.0);
        content.set_text_matrix(matrix(self.at));
        let mut positioned = content.show_positioned();
        let mut items = positioned.items();
        for part in self.letters.chunk_by(|_, next| next.0 == 0.0) {
            if let Some((space, _)) = part.first().filter(|(space, _)| *space != 0.0) {
                items.adjust(-space);
            }
            let codes: Vec<u8> = part.iter().map(|(_, code)| *code).collect();
            items.show(Str(&codes));
        }
    }
}

/// Returns true if letters are filled and nothing else.
fn is_plain(span: &Span) -> bool {
    let lines = [&span.underline, &span.overline, &span.line_through];
    span.stroke.is_none() && lines.iter().all(|line| line.is_none())
}

fn plain_fill(fill: &Fill) -> Result<(Color, &Fill), PageError> {
    Ok((plain(fill.paint())?, fill))
}

fn plain_stroke(stroke: &Stroke) -> Result<(Color, &Stroke), PageError> {
    Ok((plain(stroke.paint())?, stroke))
}

fn plain(paint: &Paint) -> Result<Color, PageError> {
    match paint {
        Paint::Color(colour) => Ok(*colour),
        _ => Err(PageError::Paint),
    }
}

fn rgb(colour: Color) -> [f32; 3] {
    [colour.red, colour.green, colour.blue].map(|it| thousandths(f32::from(it) / 255.0))
}

fn pen(content: &mut Content, colour: Color, stroke: &Stroke) {
    let [red, green, blue] = rgb(colour);
    content.set_stroke_rgb(red, green, blue);
    content.set_line_width(thousandths(stroke.width().get()));
    content.set_line_cap(match stroke.linecap() {
        LineCap::Butt => LineCapStyle::ButtCap,
        LineCap::Round => LineCapStyle::RoundCap,
        LineCap::Square => LineCapStyle::ProjectingSquareCap,
    });
    content.set_line_join(match stroke.linejoin() {
        LineJoin::Miter | LineJoin::MiterClip => LineJoinStyle::MiterJoin,
        LineJoin::Round => LineJoinStyle::RoundJoin,
        LineJoin::Bevel => LineJoinStyle::BevelJoin,
    });
    content.set_miter_limit(stroke.miterlimit().get());
    let dashes = stroke.dasharray().unwrap_or_default();
    content.set_dash_pattern(dashes.iter().copied(), stroke.dashoffset());
}

/// Lets only what is inside be drawn from here on.
fn clipped(content: &mut Content, clip: &ClipPath) -> Result<(), PageError> {
    if let Some(outer) = clip.clip_path() {
        clipped(content, outer)?;
    }
    for node in clip.root().children() {
        let Node::Path(path) = node else {
            return Err(PageError::Clip);
        };
        let turned = path.data().clone().transform(clip.transform());
        let data = turned.ok_or(PageError::ClipSize)?;
        steps(content, data.segments());
    }
    content.clip_nonzero().end_path();
    Ok(())
}

fn steps(content: &mut Content, segments: impl Iterator<Item = PathSegment>) {
    let mut at = [0.0; 2];
    for segment in segments {
        match segment {
            PathSegment::MoveTo(to) => {
                at = [to.x, to.y];
                content.move_to(hundredths(to.x), hundredths(to.y));
            }
            PathSegment::LineTo(to) => {
                at = [to.x, to.y];
                content.line_to(hundredths(to.x), hundredths(to.y));
            }
            PathSegment::QuadTo(control, to) => {
                let towards = |end: [f32; 2]| {
                    [
                        (end[0] + 2.0 * control.x) / 3.0,
                        (end[1] + 2.0 * control.y) / 3.0,
                    ]
                };
                curve(content, [towards(at), towards([to.x, to.y]), [to.x, to.y]]);
                at = [to.x, to.y];
            }
            PathSegment::CubicTo(one, two, to) => {
                curve(content, [[one.x, one.y], [two.x, two.y], [to.x, to.y]]);
                at = [to.x, to.y];
            }
            PathSegment::Close => {
                content.close_path();
            }
        }
    }
}

fn curve(content: &mut Content, points: [[f32; 2]; 3]) {
    let [[ax, ay], [bx, by], [x, y]] = points.map(|point| point.map(hundredths));
    content.cubic_to(ax, ay, bx, by, x, y);
}

fn hundredths(number: f32) -> f32 {
    (number * 100.0).round() / 100.0
}

fn thousandths(number: f32) -> f32 {
    (number * 1000.0).round() / 1000.0
}

const fn matrix(it: Transform) -> [f32; 6] {
    [it.sx, it.ky, it.kx, it.sy, it.tx, it.ty]
}

/// The name of a thing in the content.
fn name(kind: char, number: usize) -> String {
    format!("{kind}{number}")
}
