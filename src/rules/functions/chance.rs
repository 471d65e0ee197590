//! Chance: what a bot's mind is made up with. Rules have dice.

use rhai::plugin::{NativeCallContext, export_module};

#[export_module]
pub mod functions {
    use crate::rules::stage::{ScriptResult, error, stage};

    /// For bots only: a number from 0 to `n` - 1, each as likely as any other. It comes from the
    /// seed of the simulation and is no die of the game.
    #[rhai_fn(return_raw)]
    pub fn chance(ctx: NativeCallContext, n: i64) -> ScriptResult<i64> {
        let stage = stage(&ctx)?;
        let mut words = stage.chance.borrow_mut();
        let words = words
            .as_mut()
            .ok_or_else(|| error("chance() is for bots; rules have dice"))?;
        let n = u32::try_from(n).ok().filter(|n| *n > 0).ok_or_else(|| {
            error(format!(
                "chance({n}): give the number of results, 1 or more"
            ))
        })?;
        Ok(i64::from(words.uniform(n)))
    }
}
