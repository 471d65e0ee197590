//! The games as they are shipped: data against the books, rule cases, guides.

mod agreement;
mod cases;
mod castiglione_map;
mod castiglione_orders;
mod castiglione_tables;
mod degrees;
mod diplomacy_borders;
mod diplomacy_lines;
mod diplomacy_phases;
mod guides;
mod guides_reference;
mod guides_seats;
mod guides_variants;
mod hex_mistakes;
mod languages;
mod legends;
mod loading;
mod mutants;
mod novara;
mod novara_figures;
mod printed;
mod risorgimento;
mod risorgimento_figures;
mod shipped;
mod theatres;
