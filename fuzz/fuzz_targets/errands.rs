//! See `errands` in `src/lib.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| estafette_fuzz::errands(data));
