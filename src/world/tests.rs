//! Views are built by adding.
