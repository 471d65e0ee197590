//! Bots that play whole campaigns.

mod campaigns;
mod hexes;
