//! TODO

pub mod joining;
pub mod moment;
pub mod standing;
pub mod told;
pub mod understand;
