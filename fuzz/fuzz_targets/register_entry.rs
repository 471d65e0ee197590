//! See `register_entry` in `src/lib.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| estafette_fuzz::register_entry(data));
