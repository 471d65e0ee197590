//! A chart below a page of an atlas: what each side has had, turn by turn.

use serde::{Deserialize, Serialize};

use super::sheet::bold;
use crate::dispatch::map::{
    MapSection,
    svg::{INK, Style, Svg, colour, contrast},
};

/// Room for the title.
const HEAD: i64 = 44;
/// Height of a full column.
const FULL: i64 = 300;
/// Room below the columns.
const FOOT: i64 = 44;
/// The width of the widest column.
const WIDEST: i64 = 120;
/// The gap between two columns.
const GAP: i64 = 12;
/// A part of a column that is lower has no number.
const LOWEST: i64 = 15;
/// The most columns: the last ones are drawn.
const MOST: usize = 40;

/// A column for each turn, in parts for sides.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AtlasChart {
    /// The title.
    pub title: String,
    /// Its columns, the last one the present.
    pub columns: Vec<ChartColumn>,
}

/// A column.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChartColumn {
    /// The label below it.
    pub label: String,
    /// The sides' shares, by their positions in the list of sides.
    pub parts: Vec<(usize, i64)>,
}

impl AtlasChart {
    /// The last columns that there is room for; none if there are fewer than two.
    pub(super) fn of(title: String, mut columns: Vec<ChartColumn>) -> Option<Self> {
        columns.drain(..columns.len().saturating_sub(MOST));
        (columns.len() > 1).then_some(Self { title, columns })
    }

    /// How high it is.
    pub(super) fn height(&self) -> i64 {
        HEAD + FULL + FOOT
    }

    /// Draws it with its upper edge here.
    pub(super) fn draw(&self, svg: &mut Svg, map: &MapSection, top: i64) {
        let title = Style {
            size: 22,
            bold: true,
            ..Style::default()
        };
        svg.text([20, top + 26], &self.title, title);
        let count = i64::try_from(self.columns.len()).unwrap_or(1).max(1);
        let wide = ((map.width - 40) / count).min(WIDEST);
        let sum = |column: &ChartColumn| column.parts.iter().map(|(_, part)| part).sum::<i64>();
        let most = self.columns.iter().map(sum).max().unwrap_or(0).max(1);
        let base = top + HEAD + FULL;
        for (column, number) in self.columns.iter().zip(0..) {
            let x = 20 + number * wide;
            let mut below = 0;
            for (side, part) in &column.parts {
                let (low, high) = (below * FULL / most, (below + part) * FULL / most);
                below += part;
                let Some(side) = map.sides.get(*side).filter(|_| high > low) else {
                    continue;
                };
                let fill = colour(&side.colour);
                let paint = format!(r#"fill="{fill}" stroke="{INK}" stroke-width="1.5""#);
                svg.rect([x, base - high], [wide - GAP, high - low], 0, &paint);
                if high - low >= LOWEST {
                    let middle = [x + (wide - GAP) / 2, base - (high + low) / 2 + 5];
                    let text = if wide > 60 {
                        format!("{} {part}", side.sign)
                    } else {
                        part.to_string()
                    };
                    svg.text(middle, &text, bold(14, contrast(fill)));
                }
            }
            let label = Style {
                anchor: "middle",
                ..Style::default()
            };
            svg.text([x + (wide - GAP) / 2, base + 24], &column.label, label);
        }
    }
}
