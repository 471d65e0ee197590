//! Text to orders: the order language, names, diagnostics.
