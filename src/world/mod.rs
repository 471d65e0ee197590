//! Pieces and facts in play, sightings, views.
