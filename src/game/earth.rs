//! Coordinates of maps of points, in thousandths of a degree: none beyond the poles, so that the
//! drawing can reckon with them.

use serde::{Deserialize, Deserializer, de::Error};

/// Reads a latitude.
pub(super) fn lat<'de, D: Deserializer<'de>>(from: D) -> Result<i64, D::Error> {
    within(i64::deserialize(from)?, "latitude", 90_000)
}

/// Reads a longitude.
pub(super) fn lon<'de, D: Deserializer<'de>>(from: D) -> Result<i64, D::Error> {
    within(i64::deserialize(from)?, "longitude", 180_000)
}

/// Points as `[lat, lon]`.
pub(super) fn points<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<[i64; 2]>, D::Error> {
    let points = Vec::<[i64; 2]>::deserialize(from)?;
    for [lat, lon] in &points {
        within(*lat, "latitude", 90_000)?;
        within(*lon, "longitude", 180_000)?;
    }
    Ok(points)
}

fn within<E: Error>(value: i64, what: &str, most: i64) -> Result<i64, E> {
    if (-most..=most).contains(&value) {
        return Ok(value);
    }
    Err(E::custom(format_args!(
        "{value} is no {what} in thousandths of a degree: they go from -{most} to {most}"
    )))
}
