//! The numbers of columns and rows along the edges of a map to print.

use super::{
    super::{
        MapSection,
        svg::{Style, Svg},
    },
    At, EdgeLabel, HexSection, centre,
    detail::number_size,
    sheet::{corner, extent},
};

/// How wide the band is along each edge; none round a sheet without numbers there.
pub(super) fn band(map: &MapSection, hexes: &HexSection, seen: &[At; 2]) -> i64 {
    if hexes.edges.is_empty() {
        return 0;
    }
    size(map, hexes, seen) * 3 / 2
}

/// Numbers at the edges are as large as those of the hexes.
fn size(map: &MapSection, hexes: &HexSection, seen: &[At; 2]) -> i64 {
    number_size(map, hexes.flat, seen[1])
}

/// Draws them round a frame that has its corner at a point.
pub(super) fn draw(
    svg: &mut Svg,
    (map, hexes): (&MapSection, &HexSection),
    seen: &[At; 2],
    at: [i64; 2],
) {
    let size = size(map, hexes, seen);
    let style = Style {
        size,
        fill: "#5c4a2e",
        anchor: "middle",
        ..Style::default()
    };
    for label in &hexes.edges {
        let [x, y] = place(hexes.flat, seen, label, size);
        // The middle of figures is a third of their size above their foot.
        svg.text([at[0] + x, at[1] + y + size / 3], &label.label, style);
    }
}

/// Where the middle of a number stands, with the corner of the frame at the origin.
fn place(flat: bool, seen: &[At; 2], label: &EdgeLabel, size: i64) -> [i64; 2] {
    let (from, middle) = (corner(flat, seen[0]), centre(flat, label.at));
    let mut place = [middle[0] - from[0], middle[1] - from[1]];
    // Lines are columns on a map of flat tops, and their numbers stand above and below them.
    let axis = usize::from(flat == label.of_line);
    let beyond = size * 4 / 5;
    place[axis] = if label.end {
        extent(flat, seen[1])[axis] + beyond
    } else {
        -beyond
    };
    place
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_beyond_the_edge_at_their_hexes() {
        let seen = [[4, 10], [6, 12]];
        let label = |of_line, end| EdgeLabel {
            at: [5, 11],
            of_line,
            end,
            label: String::new(),
        };
        for flat in [false, true] {
            let [wide, high] = extent(flat, seen[1]);
            let [x, y] =
                [0, 1].map(|axis: usize| centre(flat, [5, 11])[axis] - corner(flat, seen[0])[axis]);
            let of = |of_line, end| place(flat, &seen, &label(of_line, end), 20);
            let (above, below) = ([x, -16], [x, high + 16]);
            let (left, right) = ([-16, y], [wide + 16, y]);
            let [line, along] = if flat {
                [[above, below], [left, right]]
            } else {
                [[left, right], [above, below]]
            };
            assert_eq!([of(true, false), of(true, true)], line, "{flat}");
            assert_eq!([of(false, false), of(false, true)], along, "{flat}");
        }
    }
}
