//! The games that are shipped, each loaded once for all tests.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, OnceLock},
};

use estafette::{
    game::{EmbeddedFiles, Game, GameFiles, bot_scripts},
    simulate::BotGame,
};

/// A slot for each game: loading one holds up nobody who wants another.
type Slots = Mutex<BTreeMap<String, Arc<OnceLock<Arc<Game>>>>>;

/// A game that is shipped.
pub fn shipped_game(id: &str) -> Arc<Game> {
    static SLOTS: Slots = Mutex::new(BTreeMap::new());
    let slot = Arc::clone(SLOTS.lock().unwrap().entry(id.to_owned()).or_default());
    let game = slot.get_or_init(|| {
        let loaded = Game::load(&EmbeddedFiles, id);
        Arc::new(loaded.unwrap_or_else(|problems| panic!("{id}: {problems:#?}")))
    });
    Arc::clone(game)
}

/// A game that is shipped, with its bots.
pub fn shipped_with_bots(id: &str) -> BotGame {
    BotGame {
        game: shipped_game(id),
        bots: bot_scripts(&EmbeddedFiles, id).unwrap(),
        files: GameFiles::gather(&EmbeddedFiles, id).unwrap(),
    }
}
