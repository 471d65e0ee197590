//! The limits of a scenario: what lies outside them is veiled.

use std::collections::BTreeSet;

use super::{
    super::svg::{INK, PAPER, Svg},
    AROUND, At, HexSection,
    curves::{outline, sides},
};
use crate::{dispatch::build::Builder, game::hex::HexMap};

/// The hexes outside the region in which the scenario is played, if it names one.
pub(super) fn outside(
    builder: &Builder<'_>,
    map: &HexMap,
    at: &impl Fn(usize) -> At,
) -> BTreeSet<At> {
    let (game, view) = (builder.briefing.game, builder.briefing.view);
    let scenario = view.scenario.as_ref().and_then(|id| game.scenarios.get(id));
    let key = builder.briefing.display.limits.as_ref();
    let region = scenario
        .zip(key)
        .and_then(|(scenario, key)| scenario.data.get(key)?.as_text())
        .and_then(|name| game.map.region(name));
    let Some(region) = region else {
        return BTreeSet::new();
    };
    let all = 0..map.grid().len();
    all.filter(|hex| !region.contains(*hex)).map(at).collect()
}

/// Veils the hexes outside the limits, as far as they are inside a picture, and draws the line
/// between, of this width.
pub(super) fn veil(svg: &mut Svg, hexes: &HexSection, inside: impl Fn(&At) -> bool, width: i64) {
    let drawn: Vec<At> = (hexes.outside.iter().copied())
        .filter(|at| inside(at))
        .collect();
    if drawn.is_empty() {
        return;
    }
    svg.note("limits");
    let d: String = drawn.iter().map(|at| outline(hexes.flat, *at)).collect();
    svg.path(&d, &paint_of_veil());
    let on_map = |at: &At| (0..2).all(|axis: usize| (0..hexes.size[axis]).contains(&at[axis]));
    let neighbours = |[line, half]: At| AROUND.map(|[l, h]| [line + l, half + h]);
    let limits: Vec<[At; 2]> = (drawn.iter())
        .flat_map(|at| neighbours(*at).map(|next| [*at, next]))
        .filter(|[_, next]| on_map(next) && !hexes.outside.contains(next))
        .collect();
    let paint = format!(r#"fill="none" stroke="{INK}" stroke-width="{width}""#);
    svg.path(&sides(hexes.flat, limits.iter()), &paint);
}

/// How the ground outside the limits is veiled.
pub(super) fn paint_of_veil() -> String {
    format!(r#"fill="{PAPER}" fill-opacity="0.7""#)
}
