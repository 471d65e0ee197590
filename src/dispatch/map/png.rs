//! SVG to PNG with the embedded font and nothing of the machine's own.

use std::sync::{Arc, LazyLock};

use png::{ColorType, DeflateCompression, Encoder, EncodingError, Filter};
use resvg::{
    tiny_skia::{Color, IntSize, Pixmap, Transform},
    usvg::{Options, Tree, fontdb::Database},
};
use thiserror::Error;

/// Why a picture could not be made.
#[derive(Debug, Error)]
pub enum PictureError {
    /// The SVG is not one.
    #[error("the SVG of the map can't be read: {0}")]
    Svg(#[from] resvg::usvg::Error),
    /// The picture has no size, or far too large a one.
    #[error("a picture of {0} x {1} points can't be made")]
    Size(u32, u32),
    /// The picture could not be packed.
    #[error("the picture can't be packed as PNG: {0}")]
    Png(#[from] EncodingError),
}

/// The widest picture, in points: sharp enough for print, small enough for a mail.
const WIDEST: u32 = 1500;
/// The highest picture: twice as high as a sheet of paper. A map of one long column would fill all memory.
const HIGHEST: u32 = 4500;

/// DejaVu Sans Condensed, loaded once.
static FONTS: LazyLock<Arc<Database>> = LazyLock::new(|| {
    let mut fonts = Database::new();
    fonts.load_font_data(include_bytes!("../../../assets/fonts/DejaVuSansCondensed.ttf").to_vec());
    fonts.load_font_data(
        include_bytes!("../../../assets/fonts/DejaVuSansCondensed-Bold.ttf").to_vec(),
    );
    fonts.load_font_data(
        include_bytes!("../../../assets/fonts/DejaVuSansCondensed-Oblique.ttf").to_vec(),
    );
    Arc::new(fonts)
});

/// Draws an SVG as PNG.
///
/// # Errors
/// If the SVG can't be read or the picture can't be made.
pub fn png(svg: &str) -> Result<Vec<u8>, PictureError> {
    let options = Options {
        font_family: "DejaVu Sans".to_owned(),
        fontdb: Arc::clone(&FONTS),
        ..Options::default()
    };
    let tree = Tree::from_str(svg, &options)?;
    let size = tree.size().to_int_size();
    let too_large = || PictureError::Size(size.width(), size.height());
    let fitted = fit(size).ok_or_else(too_large)?;
    let (width, height) = (fitted.width(), fitted.height());
    let mut picture = Pixmap::new(width, height).ok_or_else(too_large)?;
    let (across, down) = (
        width as f32 / tree.size().width(),
        height as f32 / tree.size().height(),
    );
    picture.fill(Color::WHITE);
    resvg::render(
        &tree,
        Transform::from_scale(across, down),
        &mut picture.as_mut(),
    );
    Ok(encode(&picture)?)
}

/// The size of a picture that is neither too wide nor too high; none if nothing would be left of it.
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

/// The file of a picture on paper: nothing shines through, so three bytes a point do. Areas of one colour pack best as they
/// are: a quarter smaller without filters than with them, and at this level in half the time for a fortieth more bytes.
fn encode(picture: &Pixmap) -> Result<Vec<u8>, EncodingError> {
    let points = picture.pixels().iter();
    let colours: Vec<u8> = points
        .flat_map(|point| [point.red(), point.green(), point.blue()])
        .collect();
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, picture.width(), picture.height());
    encoder.set_color(ColorType::Rgb);
    encoder.set_filter(Filter::NoFilter);
    encoder.set_deflate_compression(DeflateCompression::Level(3));
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&colours)?;
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
        assert_eq!(size(3000, 2000), Some((1500, 1000)));
        assert_eq!(size(100, 9000), Some((50, 4500)));
        assert_eq!(size(6000, 36_000), Some((750, 4500)));
    }

    #[test]
    fn what_is_no_svg_is_an_error() {
        assert!(png("<html/>").is_err());
    }
}
