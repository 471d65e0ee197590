//! SVG to PNG with the embedded font and nothing of the machine's own.

use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use png::{ColorType, DeflateCompression, Encoder, EncodingError, Filter};
use resvg::{
    tiny_skia::{Color, IntSize, Pixmap, PremultipliedColorU8, Transform},
    usvg::{Options, Tree, fontdb::Database},
};
use thiserror::Error;

use super::{
    palette::{FEW, MANY, indexed},
    pdf::PageError,
    svg::{GROUND_ENDS, MANY_COLOURS},
};

/// Why a picture could not be made.
#[derive(Debug, Error)]
pub enum PictureError {
    /// The SVG can't be read.
    #[error("the SVG of the map can't be read: {0}")]
    Svg(#[from] resvg::usvg::Error),
    /// The picture has no size, or far too large a one.
    #[error("a picture of {0} x {1} points can't be made")]
    Size(u32, u32),
    /// The picture could not be packed.
    #[error("the picture can't be packed as PNG: {0}")]
    Png(#[from] EncodingError),
    /// The page could not be made.
    #[error("the map can't be made a PDF: {0}")]
    Pdf(#[from] PageError),
}

/// The widest picture, in points: twice as wide as a letter shows it.
const WIDEST: u32 = 1488;
/// The compression level of pictures, up to 9. Level 8 takes four times as long to save a
/// fiftieth.
const LEVEL: u8 = 6;
/// The highest picture: twice as high as a sheet of paper. A map of one long column would fill all
/// memory.
const HIGHEST: u32 = 4500;
/// The most points of any picture: a highest one, three times as wide and as high.
const MOST_POINTS: u64 = 9 * WIDEST as u64 * HIGHEST as u64;

/// DejaVu Sans Condensed, all that pictures are lettered in.
const FONT_FILES: [&[u8]; 3] = [
    include_bytes!("../../../assets/fonts/DejaVuSansCondensed.ttf"),
    include_bytes!("../../../assets/fonts/DejaVuSansCondensed-Bold.ttf"),
    include_bytes!("../../../assets/fonts/DejaVuSansCondensed-Oblique.ttf"),
];

/// The fonts, loaded once.
static FONTS: LazyLock<Arc<Database>> = LazyLock::new(|| {
    let mut fonts = Database::new();
    for file in FONT_FILES {
        fonts.load_font_data(file.to_vec());
    }
    Arc::new(fonts)
});

/// The ground that was last drawn, with its source: the pictures of a campaign share it.
static GROUND: Mutex<Option<Arc<Ground>>> = Mutex::new(None);

struct Ground {
    svg: String,
    picture: Pixmap,
}

/// Draws an SVG as PNG.
///
/// # Errors
/// If the SVG can't be read or the picture can't be made.
pub fn png(svg: &str) -> Result<Vec<u8>, PictureError> {
    let parts = svg.split_once(GROUND_ENDS).zip(svg.lines().next());
    let Some(((ground, above), tag)) = parts else {
        return Ok(encode(&drawn(svg)?, colours(svg))?);
    };
    let mut picture = drawn_ground(ground)?.picture.clone();
    paint(&read(&format!("{tag}\n{above}"))?, &mut picture);
    Ok(encode(&picture, colours(svg))?)
}

/// The ground of a picture, drawn now or for the previous one. Things are painted one after the
/// other, so whatever is above the ground looks the same as if drawn with it.
fn drawn_ground(svg: &str) -> Result<Arc<Ground>, PictureError> {
    let last = || GROUND.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(ground) = last().as_ref().filter(|ground| ground.svg == svg) {
        return Ok(Arc::clone(ground));
    }
    let ground = Arc::new(Ground {
        svg: svg.to_owned(),
        picture: drawn(&format!("{svg}</svg>"))?,
    });
    *last() = Some(Arc::clone(&ground));
    Ok(ground)
}

/// Draws an SVG as PNG, `times` as wide as in a letter.
///
/// # Errors
/// As [`png()`]; also if the picture would be larger than all pictures may be.
pub fn png_times(svg: &str, times: u32) -> Result<Vec<u8>, PictureError> {
    Ok(encode(&drawn_times(svg, times)?, colours(svg))?)
}

/// Draws an SVG on white.
fn drawn(svg: &str) -> Result<Pixmap, PictureError> {
    drawn_times(svg, 1)
}

fn drawn_times(svg: &str, times: u32) -> Result<Pixmap, PictureError> {
    let tree = read(svg)?;
    let size = tree.size().to_int_size();
    let too_large = || PictureError::Size(size.width(), size.height());
    let fitted = fit(size).and_then(|fitted| times_as_large(fitted, times));
    let fitted = fitted.ok_or_else(too_large)?;
    let mut picture = Pixmap::new(fitted.width(), fitted.height()).ok_or_else(too_large)?;
    picture.fill(Color::WHITE);
    paint(&tree, &mut picture);
    Ok(picture)
}

pub(super) fn read(svg: &str) -> Result<Tree, PictureError> {
    let options = Options {
        font_family: "DejaVu Sans".to_owned(),
        fontdb: Arc::clone(&FONTS),
        ..Options::default()
    };
    Ok(Tree::from_str(svg, &options)?)
}

/// Paints over the picture, at its full size.
fn paint(tree: &Tree, picture: &mut Pixmap) {
    let (across, down) = (
        picture.width() as f32 / tree.size().width(),
        picture.height() as f32 / tree.size().height(),
    );
    let scale = Transform::from_scale(across, down);
    resvg::render(tree, scale, &mut picture.as_mut());
}

/// A size times a number; none if there isn't enough memory.
fn times_as_large(size: IntSize, times: u32) -> Option<IntSize> {
    let [width, height] = [size.width(), size.height()].map(|edge| edge.checked_mul(times));
    let larger = IntSize::from_wh(width?, height?)?;
    let points = u64::from(larger.width()) * u64::from(larger.height());
    (points <= MOST_POINTS).then_some(larger)
}

/// The size of a picture that is neither too wide nor too high; none if nothing would be left of
/// it.
fn fit(size: IntSize) -> Option<IntSize> {
    let narrow = if size.width() > WIDEST {
        size.scale_to_width(WIDEST)?
    } else {
        size
    };
    if narrow.height() > HIGHEST {
        return narrow.scale_to_height(HIGHEST);
    }
    Some(narrow)
}

/// Returns true if an SVG is so high that its picture is narrower than others.
///
/// # Errors
/// If the SVG can't be read.
pub fn is_too_high(svg: &str) -> Result<bool, PictureError> {
    let size = read(svg)?.size().to_int_size();
    Ok(fit(size).is_none_or(|fitted| fitted.width() < size.width().min(WIDEST)))
}

/// The most colours that a picture may have.
fn colours(svg: &str) -> usize {
    if svg.contains(MANY_COLOURS) {
        MANY
    } else {
        FEW
    }
}

/// The file of a picture on paper: it is opaque, and a palette is enough. Areas of one colour pack
/// best without filters.
fn encode(picture: &Pixmap, most: usize) -> Result<Vec<u8>, EncodingError> {
    let colour = |point: PremultipliedColorU8| [point.red(), point.green(), point.blue()];
    let indexed = indexed(picture.pixels(), colour, most);
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, picture.width(), picture.height());
    encoder.set_color(ColorType::Indexed);
    encoder.set_palette(indexed.palette);
    encoder.set_filter(Filter::NoFilter);
    encoder.set_deflate_compression(DeflateCompression::Level(LEVEL));
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&indexed.points)?;
    writer.finish()?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may panic")]
    use super::*;

    #[test]
    fn text_is_drawn_with_the_embedded_font() {
        let with = |text: &str| {
            let svg = format!(
                r#"<svg xmlns="http://www.w3.org/2000/svg" width="60" height="30" font-family="DejaVu Sans"><text x="2" y="20">{text}</text></svg>"#
            );
            png(&svg).unwrap()
        };
        assert_eq!(&with("")[1..4], b"PNG");
        assert_ne!(with("è"), with(""));
    }

    #[test]
    fn pictures_are_no_larger_than_paper() {
        let size = |width: u32, height: u32| {
            let fitted = fit(IntSize::from_wh(width, height).unwrap());
            fitted.map(|size| (size.width(), size.height()))
        };
        assert_eq!(size(1200, 900), Some((1200, 900)));
        let is_high = |size: &str| {
            is_too_high(&format!(
                r#"<svg xmlns="http://www.w3.org/2000/svg" {size}><rect width="9" height="9"/></svg>"#
            ))
        };
        assert!(!is_high(r#"width="2976" height="8000""#).unwrap());
        assert!(is_high(r#"width="744" height="5000""#).unwrap());
        assert_eq!(size(2976, 2000), Some((1488, 1000)));
        assert_eq!(size(100, 9000), Some((50, 4500)));
        assert_eq!(size(6000, 36_000), Some((750, 4500)));
    }

    #[test]
    fn larger_pictures_have_a_limit_too() {
        let size = |width, height| IntSize::from_wh(width, height).unwrap();
        assert_eq!(
            times_as_large(size(1488, 4500), 3),
            Some(size(4464, 13_500))
        );
        assert_eq!(times_as_large(size(1488, 4500), 4), None);
        assert_eq!(times_as_large(size(1488, 4500), u32::MAX), None);
    }

    #[test]
    fn a_ground_that_is_drawn_once_gives_the_same_points() {
        let svg = |ground: &str, above: &str| {
            format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"90\" height=\"70\">\n\
                 <path d=\"M3 3l70 60\" stroke=\"{ground}\" stroke-width=\"9\"/>\n{GROUND_ENDS}\
                 <circle cx=\"40\" cy=\"33\" r=\"20\" fill=\"{above}\" fill-opacity=\"0.6\"/></svg>"
            )
        };
        for (ground, above) in [("red", "blue"), ("red", "green"), ("teal", "green")] {
            let svg = svg(ground, above);
            let whole = encode(&drawn(&svg).unwrap(), FEW).unwrap();
            assert_eq!(png(&svg).unwrap(), whole, "{ground} {above}");
        }
        assert!(png(&format!("<html/>{GROUND_ENDS}")).is_err());
    }

    #[test]
    fn what_is_no_svg_is_an_error() {
        assert!(png("<html/>").is_err());
    }
}
