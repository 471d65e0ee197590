//! Maps that keep the order of their files.

/// A map that keeps the order in which it was filled. Its hasher is quick and the same in every
/// process: keys come from a game's own files, and nothing ever depends on the order of hashes.
pub type IndexMap<K, V> = indexmap::IndexMap<K, V, foldhash::fast::FixedState>;
