//! Facts, options, the turn.

use rhai::{
    Dynamic,
    plugin::{NativeCallContext, export_module},
};

#[export_module]
pub mod functions {
    use rhai::ImmutableString;

    use crate::rules::{
        convert::{from_dynamic, to_dynamic},
        stage::{ScriptResult, error, stage},
    };

    /// The value of a fact.
    #[rhai_fn(return_raw)]
    pub fn fact(ctx: NativeCallContext, name: &str) -> ScriptResult<Dynamic> {
        let stage = stage(&ctx)?;
        let declared = stage.game.decl.facts.get(name);
        let declared = declared.ok_or_else(|| {
            error(format!(
                "there is no fact `{name}`; game.yaml declares them"
            ))
        })?;
        let run = stage.run()?;
        // In a view a secret fact is missing; it then reads as its default.
        Ok(to_dynamic(
            run.world.facts.get(name).unwrap_or(&declared.default),
        ))
    }

    /// Sets a fact. When `turn` changes, the facts of the scope `turn` are their defaults again.
    #[rhai_fn(return_raw)]
    pub fn set_fact(ctx: NativeCallContext, name: &str, value: Dynamic) -> ScriptResult<()> {
        let stage = stage(&ctx)?;
        if !stage.game.decl.facts.contains_key(name) {
            return Err(error(format!(
                "there is no fact `{name}`; game.yaml declares them"
            )));
        }
        let value = from_dynamic(&value, &mut |_| Err("a piece (keep its id)".to_owned()))
            .map_err(|kind| error(format!("a fact can't hold {kind}")))?;
        let mut run = match name {
            "turn" => stage.run_to_change()?,
            _ => stage.run_to_show()?,
        };
        run.keep(&value).map_err(error)?;
        if name == "turn" && run.world.fact(name) != &value {
            run.world.turn_ends(&stage.game);
            run.remembered.clear();
        }
        run.world.set_fact(name, value);
        Ok(())
    }

    /// The number of the turn.
    #[rhai_fn(return_raw)]
    pub fn turn(ctx: NativeCallContext) -> ScriptResult<i64> {
        Ok(stage(&ctx)?.run()?.world.turn())
    }

    /// The phase that is running, as `name` or `name.argument`.
    #[rhai_fn(return_raw)]
    pub fn phase(ctx: NativeCallContext) -> ScriptResult<ImmutableString> {
        Ok(stage(&ctx)?.run()?.phase.as_str().into())
    }

    /// The scenario that is played, `""` where a case sets up a position without one.
    #[rhai_fn(return_raw)]
    pub fn scenario(ctx: NativeCallContext) -> ScriptResult<ImmutableString> {
        let stage = stage(&ctx)?;
        let run = stage.run()?;
        Ok(run.world.scenario.as_deref().unwrap_or_default().into())
    }

    /// The value under `data` in the scenario's file, or `()`.
    #[rhai_fn(return_raw)]
    pub fn scenario_data(ctx: NativeCallContext, name: &str) -> ScriptResult<Dynamic> {
        let stage = stage(&ctx)?;
        let run = stage.run()?;
        let played = run.world.scenario.as_deref();
        let found = played.and_then(|played| stage.data(played, name));
        Ok(found.unwrap_or(Dynamic::UNIT))
    }

    /// The value under one key of a map in `data` of the scenario's file, or `()`.
    #[rhai_fn(name = "scenario_data", return_raw)]
    pub fn scenario_data_of(
        ctx: NativeCallContext,
        name: &str,
        key: &str,
    ) -> ScriptResult<Dynamic> {
        let stage = stage(&ctx)?;
        let run = stage.run()?;
        let played = run.world.scenario.as_deref();
        let found = played.and_then(|played| stage.data_of(played, name, key));
        Ok(found.unwrap_or(Dynamic::UNIT))
    }

    /// The value of an option of the campaign.
    #[rhai_fn(return_raw)]
    pub fn option(ctx: NativeCallContext, name: &str) -> ScriptResult<ImmutableString> {
        let stage = stage(&ctx)?;
        let declared = stage.game.decl.options.get(name);
        let declared = declared.ok_or_else(|| {
            error(format!(
                "there is no option `{name}`; game.yaml declares them"
            ))
        })?;
        let run = stage.run()?;
        Ok(run
            .options
            .get(name)
            .unwrap_or(&declared.default)
            .as_str()
            .into())
    }
}
