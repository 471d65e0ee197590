//! Writing SVG: a few helpers, so that every number is whole and every text is escaped.

use std::{collections::BTreeSet, fmt::Write as _};

/// Ink of lines and letters.
pub(super) const INK: &str = "#3b2f22";
/// The colour of paper.
pub(super) const PAPER: &str = "#f6efdd";

/// Ends the part that all pictures of a map share: it is drawn once for many of them.
pub(super) const GROUND_ENDS: &str = "<!-- ground -->\n";

/// Stands in a picture that has more colours than most.
pub(super) const MANY_COLOURS: &str = "<!-- many colours -->";

/// The things on a picture that need explaining, by names such as `wood` and `side 0`.
pub(super) type SignSet = BTreeSet<String>;

/// An SVG that grows.
#[derive(Clone, Debug, Default)]
pub(super) struct Svg {
    text: String,
    drawn: SignSet,
}

/// How a text is set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style<'a> {
    pub(super) size: i64,
    pub(super) bold: bool,
    pub(super) italic: bool,
    pub(super) fill: &'a str,
    /// `start`, `middle` or `end`.
    pub(super) anchor: &'a str,
    /// A border of paper round the letters, so that lines below don't disturb.
    pub(super) halo: bool,
}

impl Default for Style<'_> {
    fn default() -> Self {
        Self {
            size: 16,
            bold: false,
            italic: false,
            fill: INK,
            anchor: "start",
            halo: false,
        }
    }
}

impl Svg {
    /// Begins a picture with its opening tag.
    pub(super) fn new(width: i64, height: i64) -> Self {
        Self::sized([width, height], [width, height])
    }

    /// The opening tag of a picture that is laid out in another size than its own.
    pub(super) fn sized([width, height]: [i64; 2], [across, down]: [i64; 2]) -> Self {
        let mut svg = Self::default();
        svg.raw(&format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {across} {down}" font-family="DejaVu Sans, sans-serif" font-stretch="condensed">"#
        ));
        svg
    }

    /// The finished text.
    pub(super) fn finish(mut self) -> String {
        self.raw("</svg>");
        self.text
    }

    /// Notes that something has been drawn which a legend explains.
    pub(super) fn note(&mut self, what: &str) {
        if !self.drawn.contains(what) {
            self.drawn.insert(what.to_owned());
        }
    }

    /// Notes that something of a side has been drawn.
    pub(super) fn note_side(&mut self, side: usize) {
        self.note(&format!("side {side}"));
    }

    /// The signs drawn so far.
    pub(super) fn drawn(&self) -> &SignSet {
        &self.drawn
    }

    /// Takes what another one has, which has no opening tag.
    pub(super) fn take(&mut self, other: Self) {
        self.text.push_str(&other.text);
        self.drawn.extend(other.drawn);
    }

    /// Adds a line of SVG unchanged.
    pub(super) fn raw(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Marks what has been drawn so far as the map's ground.
    pub(super) fn ground_ends(&mut self) {
        self.text.push_str(GROUND_ENDS);
    }

    /// Opens a group.
    pub(super) fn open(&mut self, attributes: &str) {
        let _ = writeln!(self.text, "<g {attributes}>");
    }

    /// Closes a group.
    pub(super) fn close(&mut self) {
        self.raw("</g>");
    }

    /// A rectangle with rounded corners.
    pub(super) fn rect(&mut self, [x, y]: [i64; 2], [w, h]: [i64; 2], round: i64, paint: &str) {
        let _ = writeln!(
            self.text,
            r#"<rect x="{x}" y="{y}" width="{w}" height="{h}" rx="{round}" {paint}/>"#
        );
    }

    /// Draws a circle.
    pub(super) fn circle(&mut self, [x, y]: [i64; 2], radius: i64, paint: &str) {
        let _ = writeln!(
            self.text,
            r#"<circle cx="{x}" cy="{y}" r="{radius}" {paint}/>"#
        );
    }

    /// Draws a line.
    pub(super) fn line(&mut self, [ax, ay]: [i64; 2], [bx, by]: [i64; 2], paint: &str) {
        let _ = writeln!(
            self.text,
            r#"<line x1="{ax}" y1="{ay}" x2="{bx}" y2="{by}" {paint}/>"#
        );
    }

    /// Draws a path.
    pub(super) fn path(&mut self, d: &str, paint: &str) {
        let _ = writeln!(self.text, r#"<path d="{d}" {paint}/>"#);
    }

    /// A text with its baseline at a point.
    pub(super) fn text(&mut self, at: [i64; 2], text: &str, style: Style<'_>) {
        self.text_turned(at, text, style, "");
    }

    /// A text that ends in bold letters of another colour.
    pub(super) fn text_and(
        &mut self,
        at: [i64; 2],
        (text, end): (&str, &str),
        style: Style<'_>,
        fill: &str,
    ) {
        let end = escape(end);
        let end = format!(r#" <tspan font-weight="bold" fill="{fill}">{end}</tspan>"#);
        self.written(at, &(escape(text) + &end), style, "");
    }

    /// A text with a transformation.
    pub(super) fn text_turned(&mut self, at: [i64; 2], text: &str, style: Style<'_>, turn: &str) {
        self.written(at, &escape(text), style, turn);
    }

    fn written(&mut self, [x, y]: [i64; 2], words: &str, style: Style<'_>, turn: &str) {
        let weight = if style.bold {
            r#" font-weight="bold""#
        } else {
            ""
        };
        let slant = if style.italic {
            r#" font-style="italic""#
        } else {
            ""
        };
        let halo = if style.halo {
            format!(
                r#" stroke="{PAPER}" stroke-width="4" stroke-linejoin="round" paint-order="stroke""#
            )
        } else {
            String::new()
        };
        let turn = if turn.is_empty() {
            String::new()
        } else {
            format!(r#" transform="{turn}""#)
        };
        let _ = writeln!(
            self.text,
            r#"<text x="{x}" y="{y}" font-size="{}" text-anchor="{}" fill="{}"{weight}{slant}{halo}{turn}>{words}</text>"#,
            style.size, style.anchor, style.fill,
        );
    }
}

/// Text between tags; control characters, which XML forbids, go.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            control if control.is_control() => {}
            other => out.push(other),
        }
    }
    out
}

/// A colour from a game file, if it is one: `#rrggbb`. Anything else would let a file write into
/// the SVG.
pub(in crate::dispatch) fn colour(text: &str) -> &str {
    let digits = text.strip_prefix('#').unwrap_or_default();
    if digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        text
    } else {
        "#777777"
    }
}

/// Black or white, whichever is read better on a colour.
pub(in crate::dispatch) fn contrast(background: &str) -> &'static str {
    let digits = colour(background).get(1..).unwrap_or_default();
    let part = |at: usize| {
        let pair = digits.get(at..at + 2).unwrap_or("77");
        i64::from_str_radix(pair, 16).unwrap_or(0x77)
    };
    let light = part(0) * 299 + part(2) * 587 + part(4) * 114;
    if light > 150_000 {
        "#1a1a1a"
    } else {
        "#ffffff"
    }
}

/// A side's colour for lines and letters on paper: ink for one that is too light.
pub(in crate::dispatch) fn line_colour(text: &str) -> &str {
    let fill = colour(text);
    match contrast(fill) {
        "#ffffff" => fill,
        _ => INK,
    }
}

/// A colour on which white can be read: the given one, or as much darker as white needs for a
/// contrast of 4.5 to 1 (WCAG 2.2, 1.4.3).
pub(in crate::dispatch) fn dark_enough(background: &str) -> String {
    let digits = colour(background).get(1..).unwrap_or_default();
    let mut parts = [0, 2, 4].map(|at| {
        let pair = digits.get(at..at + 2).unwrap_or("77");
        i64::from_str_radix(pair, 16).unwrap_or(0x77)
    });
    // Squares for the curve of WCAG: whole numbers, and never darker than the curve has it.
    let light =
        |[red, green, blue]: [i64; 3]| 2126 * red * red + 7152 * green * green + 722 * blue * blue;
    while light(parts) > 10_000 * 255 * 255 * 18 / 100 {
        parts = parts.map(|part| part * 31 / 32);
    }
    let [red, green, blue] = parts;
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// A smooth line through points (Catmull-Rom as Bézier curves); closed for a lake.
pub(super) fn smooth(points: &[[i64; 2]], closed: bool) -> String {
    let n = points.len();
    let Some(first) = points.first() else {
        return String::new();
    };
    let at = |place: isize| -> [i64; 2] {
        let n = isize::try_from(n).unwrap_or(1).max(1);
        let place = if closed {
            place.rem_euclid(n)
        } else {
            place.clamp(0, n - 1)
        };
        usize::try_from(place)
            .ok()
            .and_then(|place| points.get(place))
            .copied()
            .unwrap_or(*first)
    };
    let mut d = format!("M{} {}", first[0], first[1]);
    let legs = isize::try_from(if closed { n } else { n.saturating_sub(1) }).unwrap_or(0);
    for leg in 0..legs {
        let [before, from, to, after] = [leg - 1, leg, leg + 1, leg + 2].map(at);
        let pull = |axis: usize| {
            (
                from[axis] + (to[axis] - before[axis]) / 6,
                to[axis] - (after[axis] - from[axis]) / 6,
            )
        };
        let ((ax, bx), (ay, by)) = (pull(0), pull(1));
        let _ = write!(d, "C{ax} {ay} {bx} {by} {} {}", to[0], to[1]);
    }
    if closed {
        d.push('Z');
    }
    d
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_can_not_break_out() {
        let mut svg = Svg::new(10, 10);
        svg.text([0, 0], "<script>&\u{1}", Style::default());
        assert!(svg.finish().contains("&lt;script&gt;&amp;<"));
        assert_eq!(colour(r#"red"/><x"#), "#777777");
        assert_eq!(colour("#12aBef"), "#12aBef");
    }

    #[test]
    fn letters_are_readable() {
        assert_eq!(contrast("#1f3f8f"), "#ffffff");
        assert_eq!(contrast("#f0e0a0"), "#1a1a1a");
    }

    #[test]
    fn white_is_read_on_every_heading() {
        let curve = |part: u8| {
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 {
                part / 12.92
            } else {
                ((part + 0.055) / 1.055).powf(2.4)
            }
        };
        let steps = [0_u8, 32, 64, 96, 125, 160, 192, 224, 255];
        for red in steps {
            for green in steps {
                for blue in steps {
                    let dark = dark_enough(&format!("#{red:02x}{green:02x}{blue:02x}"));
                    let part = |at: usize| {
                        curve(u8::from_str_radix(&dark[at..at + 2], 16).unwrap_or_default())
                    };
                    let light = 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
                    assert!(1.05 / (light + 0.05) >= 4.5, "{red} {green} {blue}: {dark}");
                }
            }
        }
        assert_eq!(dark_enough("#2746b8"), "#2746b8");
        assert_ne!(dark_enough("#ecc02c"), "#ecc02c");
    }

    #[test]
    fn smooth_lines_pass_their_points() {
        assert_eq!(
            smooth(&[[0, 0], [60, 0], [60, 60]], false),
            "M0 0C10 0 50 -10 60 0C70 10 60 50 60 60"
        );
        assert!(smooth(&[[0, 0], [9, 0], [9, 9]], true).ends_with('Z'));
        assert_eq!(smooth(&[], true), "");
    }
}
