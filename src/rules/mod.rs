//! The Rhai host: sandbox, the functions scripts may call, suspension.
