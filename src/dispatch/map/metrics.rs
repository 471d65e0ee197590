//! How wide a text is in the embedded font, so that labels can be placed before anything is drawn.

use unicode_normalization::UnicodeNormalization;

/// Advance widths of the letters from space to tilde in thousandths of the size: DejaVu Sans
/// Condensed.
const REGULAR: [u16; 95] = [
    286, 360, 414, 754, 572, 855, 702, 247, 351, 351, 450, 754, 286, 325, 286, 303, //
    572, 572, 572, 572, 572, 572, 572, 572, 572, 572, 303, 303, 754, 754, 754, 478, //
    900, 615, 617, 628, 693, 568, 518, 697, 677, 265, 265, 590, 501, 776, 673, 708, //
    542, 708, 625, 571, 549, 659, 615, 890, 616, 549, 616, 351, 303, 351, 754, 450, //
    450, 551, 571, 495, 571, 554, 316, 571, 570, 250, 250, 521, 250, 876, 570, 550, //
    571, 571, 370, 469, 353, 570, 532, 736, 532, 532, 472, 572, 303, 572, 754,
];
/// Widths of the characters in bold.
const BOLD: [u16; 95] = [
    313, 410, 469, 754, 626, 901, 785, 275, 411, 411, 470, 754, 342, 374, 342, 329, //
    626, 626, 626, 626, 626, 626, 626, 626, 626, 626, 360, 360, 754, 754, 754, 522, //
    900, 696, 686, 660, 747, 615, 615, 738, 753, 334, 334, 697, 573, 896, 753, 765, //
    659, 765, 693, 648, 614, 730, 696, 993, 694, 651, 652, 411, 329, 411, 754, 450, //
    450, 607, 644, 533, 644, 610, 391, 644, 641, 308, 308, 598, 308, 938, 641, 618, //
    644, 644, 444, 536, 430, 641, 586, 831, 580, 586, 523, 641, 329, 641, 754,
];
/// The width assumed for a letter outside the tables.
const OTHER: u16 = 600;

/// The width of a text in points, rounded up. Accents don't count.
pub(super) fn width(text: &str, size: i64, bold: bool) -> i64 {
    let table = if bold { &BOLD } else { &REGULAR };
    let advance = |letter: char| {
        let place = u32::from(letter).checked_sub(32);
        let place = place.and_then(|place| usize::try_from(place).ok());
        let known = place.and_then(|place| table.get(place)).copied();
        known.unwrap_or(if ('\u{300}'..'\u{370}').contains(&letter) {
            0
        } else {
            OTHER
        })
    };
    let sum: i64 = text.nfd().map(|letter| i64::from(advance(letter))).sum();
    (sum * size + 999) / 1000
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accents_have_no_width() {
        assert_eq!(width("Ålo", 20, false), width("Alo", 20, false));
        assert!(width("Ford", 20, true) > width("Ford", 20, false));
    }
}
