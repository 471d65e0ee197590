//! Bots that play whole campaigns.

mod bots;
mod campaigns;
mod hexes;
mod seven;
mod weight;
