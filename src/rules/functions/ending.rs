//! The end of a campaign.

use rhai::{
    Array, Dynamic,
    plugin::{NativeCallContext, export_module},
};

use crate::{
    ids::WinnerId,
    rules::{
        convert::text_of,
        stage::{ScriptResult, Stage, error},
    },
    world::Winners,
};

/// The winners that a script names: a side or a party, a list of seats, or nobody.
fn winners(stage: &Stage, named: &Dynamic) -> ScriptResult<Winners> {
    if let Some(seats) = named.read_lock::<Array>() {
        let seats = seats.iter().map(|seat| {
            let seat = stage.seat(&text_of(seat).unwrap_or_default())?;
            Ok(WinnerId::from(seat.as_str()))
        });
        return seats.collect::<ScriptResult<_>>().map(Winners::Seats);
    }
    let decl = &stage.game.decl;
    match text_of(named) {
        Some(name) if decl.is_owner(&name) => Ok(Winners::One(WinnerId::from(name))),
        Some(name) => Err(error(format!("there is no side or party `{name}`"))),
        None => Ok(Winners::Nobody),
    }
}

#[export_module]
pub mod functions {
    use crate::{rules::stage::stage, world::Ending};

    /// Ends the campaign: the winning side or party, a list of seats that win each for itself, or
    /// `()` for a draw; and the level of the victory.
    #[rhai_fn(return_raw)]
    pub fn victory(ctx: NativeCallContext, winner: Dynamic, level: &str) -> ScriptResult<()> {
        let stage = stage(&ctx)?;
        let side = winners(&stage, &winner)?;
        let mut texts = stage.game.text.values();
        stage.strictly(
            || texts.all(|text| text.levels.contains_key(level)),
            || format!("there is no text for the level of victory `{level}`"),
        )?;
        stage.run_to_change()?.world.ended = Some(Ending {
            side,
            level: level.to_owned(),
        });
        Ok(())
    }

    /// Returns true if the campaign has ended.
    #[rhai_fn(return_raw)]
    pub fn ended(ctx: NativeCallContext) -> ScriptResult<bool> {
        Ok(stage(&ctx)?.run()?.world.ended.is_some())
    }
}
