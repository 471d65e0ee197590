//! Letters and pictures as players see them.

mod fixture;
mod french;
mod hexes;
mod letters;
mod outcomes;
mod pages;
mod picture;
mod siege;
mod text;
