//! Maps on paper: an SVG on a page, and a page as PDF, in vectors and with the embedded font.

mod glyphs;
mod page;

use std::io::Write as _;

use flate2::{Compression, write::ZlibEncoder};
use pdf_writer::{Content, Filter, Finish, Pdf, Rect, Ref, Settings};

pub use self::page::PageError;
use self::page::PdfPage;
use super::png::{PictureError, read};

/// Points of PDF in one of SVG: 72 in an inch, and 96.
const POINT: f32 = 72.0 / 96.0;
/// The compression level of pages, up to 9.
const LEVEL: u32 = 6;
/// Space that is left free along the edges of a page, in millimetres.
const MARGIN: i64 = 12;

/// Parts of a millimetre that a picture is placed by.
const PART: i64 = 10;

/// A page that a map is printed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Paper {
    /// 297 by 420 millimetres.
    A3,
    /// 210 by 297 millimetres.
    A4,
}

impl Paper {
    /// Its short and its long edge within the margins, in points of a screen: 96 in an inch.
    pub(super) fn room(self) -> [i64; 2] {
        self.edges().map(|edge| (edge - 2 * MARGIN) * 960 / 254)
    }

    /// Its short and its long edge in millimetres.
    const fn edges(self) -> [i64; 2] {
        match self {
            Self::A3 => [297, 420],
            Self::A4 => [210, 297],
        }
    }
}

/// A picture on a page, as large as possible, with the page turned to match. Anything beyond the
/// picture's edges is cut off.
pub(super) fn on_paper(svg: &str, paper: Paper) -> String {
    let [wide, high] = size_of(svg);
    let [short, long] = paper.edges();
    let page = if wide > high {
        [long, short]
    } else {
        [short, long]
    };
    let room = page.map(|edge| (edge - 2 * MARGIN) * PART);
    // As wide as the paper, or as high.
    let inner = if room[0] * high <= room[1] * wide {
        [room[0], room[0] * high / wide]
    } else {
        [room[1] * wide / high, room[1]]
    };
    let corner = [0, 1].map(|axis: usize| (page[axis] * PART - inner[axis]) / 2);
    let [[x, y], [inner_width, inner_height], [width, height]] =
        [corner, inner, page.map(|edge| edge * PART)];
    let (_, picture) = svg.split_once(" viewBox=").unwrap_or(("", svg));
    format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{}mm" height="{}mm" viewBox="0 0 {width} {height}">
<svg x="{x}" y="{y}" width="{inner_width}" height="{inner_height}" viewBox={picture}
</svg>
"#,
        page[0], page[1]
    )
}

/// The width and height of a picture, from its `viewBox`.
fn size_of(svg: &str) -> [i64; 2] {
    let size = svg.split_once(r#"viewBox="0 0 "#).map(|(_, rest)| rest);
    let size = size.and_then(|rest| rest.split_once('"'));
    let mut numbers = size.map_or("", |(size, _)| size).split(' ');
    let mut next = || numbers.next()?.parse::<i64>().ok();
    let size = next().zip(next());
    size.map_or([1, 1], |(width, height)| [width.max(1), height.max(1)])
}

/// An SVG as a PDF of one page: the same bytes for the same SVG, without a date or a random id.
///
/// # Errors
/// If the SVG can't be read, or has something that no map has: pictures, masks, filters, gradients.
pub fn pdf(svg: &str) -> Result<Vec<u8>, PictureError> {
    let tree = read(svg)?;
    let mut drawn = PdfPage::new(&tree, Pdf::with_settings(Settings { pretty: false }));
    let [catalog, pages, page, contents] = [(); 4].map(|()| drawn.next());
    let [width, height] = [tree.size().width(), tree.size().height()].map(|edge| edge * POINT);
    let mut content = Content::new();
    // A page is counted from below, a picture from above.
    content.transform([POINT, 0.0, 0.0, -POINT, 0.0, height]);
    drawn.group(&mut content, tree.root())?;
    packed(&mut drawn.pdf, contents, content);
    let (mut pdf, resources) = drawn.finish();
    pdf.catalog(catalog).pages(pages);
    pdf.pages(pages).kids([page]).count(1);
    let mut leaf = pdf.page(page);
    leaf.parent(pages).contents(contents);
    leaf.media_box(Rect::new(0.0, 0.0, width, height));
    leaf.pair(pdf_writer::Name(b"Resources"), resources);
    leaf.finish();
    Ok(pdf.finish())
}

/// Writes content as a packed stream.
fn packed(pdf: &mut Pdf, id: Ref, content: Content) {
    let bytes = deflated(&content.finish());
    pdf.stream(id, &bytes).filter(Filter::FlateDecode);
}

/// Bytes as zlib packs them.
fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut packer = ZlibEncoder::new(Vec::new(), Compression::new(LEVEL));
    // Memory takes all that is written.
    let _ = packer.write_all(bytes);
    packer.finish().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may panic")]
    use super::{super::svg::Svg, *};

    #[test]
    fn pages_are_turned_as_pictures_are() {
        for (size, page) in [([300, 200], [420, 297]), ([200, 300], [297, 420])] {
            let svg = on_paper(&Svg::new(size[0], size[1]).finish(), Paper::A3);
            assert!(svg.contains(&format!(r#"width="{}mm" height="{}mm""#, page[0], page[1])));
            let text = String::from_utf8_lossy(&pdf(&svg).unwrap()).into_owned();
            // Points of a PDF: 72 in an inch of 25.4 millimetres.
            let points = page.map(|edge| edge * 720 / 254);
            let media = text.split_once("/MediaBox[").unwrap().1;
            let media = media.split_once(']').unwrap().0;
            let edges: Vec<i64> = (media.split(' ').skip(2))
                .map(|edge| edge.split('.').next().unwrap().parse().unwrap())
                .collect();
            assert!(
                edges.iter().zip(points).all(|(a, b)| (a - b).abs() <= 1),
                "{media}"
            );
        }
    }

    #[test]
    fn a_picture_has_the_shape_of_its_place() {
        // Anything beyond its edges is then cut off there, not at the edge of the page.
        for size in [[300, 200], [200, 300], [100, 100]] {
            let svg = on_paper(&Svg::new(size[0], size[1]).finish(), Paper::A4);
            let inner = svg.split("<svg ").nth(2).unwrap();
            let edge = |name: &str| -> i64 {
                let number = inner.split_once(&format!(" {name}=\"")).unwrap().1;
                number.split_once('"').unwrap().0.parse().unwrap()
            };
            let [width, height] = ["width", "height"].map(edge);
            assert!((width * size[1] - height * size[0]).abs() <= 300, "{inner}");
        }
    }

    #[test]
    fn the_same_map_has_the_same_bytes() {
        let mut map = Svg::new(300, 200);
        map.rect([0, 0], [300, 200], 0, r##"fill="#123456" opacity="0.5""##);
        map.text(
            [20, 40],
            "Verona, 4136",
            super::super::svg::Style::default(),
        );
        let svg = on_paper(&map.finish(), Paper::A3);
        assert_eq!(pdf(&svg).unwrap(), pdf(&svg).unwrap());
    }

    #[test]
    fn what_a_page_can_not_show_is_an_error() {
        let svg = |inside: &str| {
            format!(
                r#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">{inside}</svg>"#
            )
        };
        let gradient = r##"<linearGradient id="g"><stop stop-color="red"/><stop offset="1"/></linearGradient><rect width="9" height="9" fill="url(#g)"/>"##;
        let blurred = r##"<filter id="f"><feGaussianBlur stdDeviation="1"/></filter><rect width="9" height="9" filter="url(#f)"/>"##;
        for shown in [gradient, blurred] {
            let refused = pdf(&svg(shown));
            assert!(matches!(refused, Err(PictureError::Pdf(_))), "{shown}");
        }
    }

    #[test]
    fn what_is_no_svg_is_an_error() {
        assert!(pdf("<html/>").is_err());
    }
}
