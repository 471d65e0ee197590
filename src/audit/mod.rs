//! Replay and compare.
