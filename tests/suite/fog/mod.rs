//! Fog, proved: change what a seat can't know, and every byte that it is sent stays the same.

mod allies;
mod areas;
mod castiglione;
mod castiglione_secrets;
mod novara;
mod novara_secrets;
mod risorgimento;
mod set_up;
pub mod table;
mod times;
mod toulon;

/// How many random campaigns are played with each set of options: `FOG_SEEDS`, or so many.
fn seeds(otherwise: u64) -> u64 {
    let wanted = std::env::var("FOG_SEEDS").ok();
    wanted.map_or(otherwise, |seeds| {
        seeds.parse().expect("FOG_SEEDS is a number")
    })
}
