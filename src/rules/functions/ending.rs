//! The end of a campaign.

use rhai::{
    Dynamic,
    plugin::{NativeCallContext, export_module},
};

#[export_module]
pub mod functions {
    use crate::{
        ids::WinnerId,
        rules::{
            convert::text_of,
            stage::{ScriptResult, error, stage},
        },
        world::Ending,
    };

    /// Ends the campaign: the winning side or party, or `()` for a draw, and the level of the
    /// victory.
    #[rhai_fn(return_raw)]
    pub fn victory(ctx: NativeCallContext, winner: Dynamic, level: &str) -> ScriptResult<()> {
        let stage = stage(&ctx)?;
        let decl = &stage.game.decl;
        let is_party = |name: &str| decl.parties.iter().any(|party| party.id == *name);
        let side = match text_of(&winner) {
            Some(name) if decl.side(&name).is_some() || is_party(&name) => {
                Some(WinnerId::from(name))
            }
            Some(name) => {
                return Err(error(format!("there is no side or party `{name}`")));
            }
            None => None,
        };
        let mut texts = stage.game.text.values();
        stage.strictly(
            || texts.all(|text| text.levels.contains_key(level)),
            || format!("there is no text for the level of victory `{level}`"),
        )?;
        stage.run()?.world.ended = Some(Ending {
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
