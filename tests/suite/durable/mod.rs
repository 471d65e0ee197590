//! Whatever happens to disk and process, nothing acknowledged is lost and the same inputs give the
//! same bytes.

mod bad_input;
mod crash;
mod damage;
mod first_form;
mod full_disk;
mod left_behind;
mod processes;
mod replay;
mod upgrades;
mod versions;
