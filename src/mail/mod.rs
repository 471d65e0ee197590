//! Bytes to messages and back: transports, the player's own words, who sent it.
