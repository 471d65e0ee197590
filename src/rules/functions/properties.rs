//! What pieces are: the properties and attributes that scripts read and set.

use std::{cell::Cell, rc::Rc};

use rhai::{
    Dynamic, Engine,
    plugin::{NativeCallContext, export_module},
};

use crate::{
    game::Game,
    rules::{
        convert::{from_dynamic, to_dynamic},
        stage::{PieceHandle, Run, ScriptResult, Stage, error, stage},
    },
    value::Value,
    world::Piece,
};

/// The properties of a piece that are text and no attributes.
const TEXT_PROPERTIES: [&str; 6] = ["id", "name", "side", "kind", "formation", "at"];

/// Gives each property a getter of its own, and each attribute a setter. Without one Rhai makes up
/// an error about it before it asks the indexer, which takes longer than all the rest; the indexer
/// stays for what has none, with an error that helps.
pub(super) fn register(engine: &mut Engine, stage: &Rc<Stage>) {
    for name in TEXT_PROPERTIES {
        let stage = Rc::clone(stage);
        engine.register_get(name, move |piece: &mut PieceHandle| {
            let run = stage.run()?;
            property(&stage.game, run.piece(piece).map_err(error)?, name)
        });
    }
    for (name, declared) in &stage.game.decl.attributes {
        let (getter, getter_name) = (Rc::clone(stage), name.clone());
        let (last, default) = (Cell::default(), to_dynamic(&declared.default));
        let (setter, setter_name) = (Rc::clone(stage), name.clone());
        engine.register_get_set(
            name.clone(),
            move |piece: &mut PieceHandle| {
                let run = getter.run()?;
                let piece = run.piece(piece).map_err(error)?;
                let known = piece.attributes.get_where(&last, &getter_name);
                Ok(known.map_or_else(|| default.clone(), to_dynamic))
            },
            move |piece: &mut PieceHandle, value: Dynamic| {
                let value = attribute_value(&setter.game, &setter_name, &value)?;
                set_attribute(&mut *setter.run_to_show()?, piece, &setter_name, &value)
            },
        );
    }
}

/// A property of a piece that is text and no attribute.
pub(super) fn text_property<'a>(piece: &'a Piece, name: &str) -> Option<&'a str> {
    Some(match name {
        "id" => &piece.id,
        "name" => &piece.name,
        "side" => &piece.side,
        "kind" => &piece.kind,
        "formation" => piece.formation.as_deref().unwrap_or_default(),
        "at" => piece.at.as_deref().unwrap_or_default(),
        _ => return None,
    })
}

/// An attribute of a piece, its default where a view does not know it.
pub(super) fn attribute<'a>(
    game: &'a Game,
    piece: &'a Piece,
    name: &str,
) -> ScriptResult<&'a Value> {
    let default = || game.decl.attributes.get(name).map(|it| &it.default);
    piece.attributes.get(name).or_else(default).ok_or_else(|| {
        error(format!(
            "pieces have no attribute `{name}`; game.yaml declares them"
        ))
    })
}

/// A property of a piece as a script sees it.
pub(super) fn property(game: &Game, piece: &Piece, name: &str) -> ScriptResult<Dynamic> {
    match text_property(piece, name) {
        Some(text) => Ok(text.into()),
        None => attribute(game, piece, name).map(to_dynamic),
    }
}

/// A script's value for an attribute, if it is allowed: its type must be that of the default.
pub(super) fn attribute_value(game: &Game, name: &str, value: &Dynamic) -> ScriptResult<Value> {
    let declared = game.decl.attributes.get(name).ok_or_else(|| {
        error(format!(
            "`{name}` of a piece can't be set; game.yaml declares what can"
        ))
    })?;
    let value = from_dynamic(value, &mut |_| Err("a piece".to_owned()))
        .map_err(|kind| error(format!("an attribute can't hold {kind}")))?;
    if std::mem::discriminant(&value) == std::mem::discriminant(&declared.default) {
        return Ok(value);
    }
    Err(error(format!(
        "`{name}` must be of the type of its default, {:?}",
        declared.default
    )))
}

/// Sets an attribute of a piece to a value that may be kept.
pub(super) fn set_attribute(
    run: &mut Run,
    handle: &PieceHandle,
    name: &str,
    value: &Value,
) -> ScriptResult<()> {
    run.keep(value).map_err(error)?;
    if run.piece(handle).map_err(error)?.attributes.get(name) == Some(value) {
        return Ok(());
    }
    let piece = run.piece_mut(handle).map_err(error)?;
    piece.attributes.set(name, value.clone());
    Ok(())
}

#[export_module]
#[allow(
    clippy::unwrap_used,
    reason = "in the code that the macro writes for arguments whose type Rhai has checked"
)]
pub mod functions {
    /// A property of a piece: `id`, `name`, `side`, `formation`, `kind`, `at` (its place, `""` when
    /// it is not in play), or one of the attributes that game.yaml declares.
    #[rhai_fn(index_get, return_raw)]
    pub fn get_property(
        ctx: NativeCallContext,
        piece: &mut PieceHandle,
        name: &str,
    ) -> ScriptResult<Dynamic> {
        let stage = stage(&ctx)?;
        let run = stage.run()?;
        property(&stage.game, run.piece(piece).map_err(error)?, name)
    }

    /// Sets an attribute of a piece; its type is that of its default.
    #[rhai_fn(index_set, return_raw)]
    pub fn set_property(
        ctx: NativeCallContext,
        piece: &mut PieceHandle,
        name: &str,
        value: Dynamic,
    ) -> ScriptResult<()> {
        let stage = stage(&ctx)?;
        let value = attribute_value(&stage.game, name, &value)?;
        let mut run = stage.run_to_show()?;
        set_attribute(&mut run, piece, name, &value)
    }
}
