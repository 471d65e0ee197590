//! Fog, proved: change what a seat can't know, and every byte that it is sent stays the same.

mod castiglione;
mod castiglione_secrets;
mod novara;
mod novara_secrets;
mod table;
mod times;
