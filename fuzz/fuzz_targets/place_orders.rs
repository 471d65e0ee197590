//! See `place_orders` in `src/lib.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| estafette_fuzz::place_orders(data));
