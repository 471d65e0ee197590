//! Dice: vectors, statistics, sources, lost secrets.

mod lost_master;
mod modes;
mod relay;
mod statistics;
mod values;
mod vectors;
