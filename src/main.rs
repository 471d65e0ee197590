//! Estafette.
fn main() {}
