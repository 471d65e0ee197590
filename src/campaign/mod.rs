//! The durable part: directory, journal, seats, clock, outbox.
