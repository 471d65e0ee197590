//! The games that are shipped, each loaded once for all tests.

use std::{
    collections::BTreeMap,
    sync::{Arc, LazyLock, Mutex, OnceLock},
};

use estafette::{
    game::{EmbeddedFiles, Game, GameFiles, bot_scripts},
    simulate::BotGame,
};

/// A place for each game: who asks for one waits only for those who load the same.
type Places = Mutex<BTreeMap<String, Arc<OnceLock<Arc<Game>>>>>;

/// A game that is shipped.
pub fn shipped_game(id: &str) -> Arc<Game> {
    static PLACES: LazyLock<Places> = LazyLock::new(Places::default);
    let place = Arc::clone(PLACES.lock().unwrap().entry(id.to_owned()).or_default());
    let game = place.get_or_init(|| {
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
