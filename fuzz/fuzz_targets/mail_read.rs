//! See `mail_read` in `src/lib.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| estafette_fuzz::mail_read(data));
