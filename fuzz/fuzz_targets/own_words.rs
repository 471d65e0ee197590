//! See `own_words` in `src/lib.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| estafette_fuzz::own_words(data));
