//! The functions that scripts may call, one file a subject.
//!
//! Each is documented where it stands; `estafette check --definitions` writes them out for editors.

mod areas;
mod chance;
mod choices;
mod dice;
mod ending;
mod facts;
mod hexes;
mod knowledge;
mod lists;
mod map;
mod news;
mod paths;
mod pieces;
mod prices;
pub(super) mod printing;
mod properties;
mod settle;
mod sight;
mod tables;
mod ways;

use std::rc::Rc;

use rhai::{Engine, Module, exported_module};

use super::stage::{PieceHandle, Stage};
use crate::game::Area;

pub(super) use choices::{answer_map, order_map};
pub(super) use news::heard_fields;
pub(super) use settle::ReadFormulas;

/// Adds all host functions to an engine.
pub(super) fn register(engine: &mut Engine, stage: &Rc<Stage>) {
    engine.register_type_with_name::<PieceHandle>("Piece");
    engine.register_type_with_name::<Area>("Area");
    engine.register_type_with_name::<areas::Field>("Field");
    engine.register_type_with_name::<settle::Settlement>("Settlement");
    properties::register(engine, stage);
    // One module for all: a call is looked up in every module until it is found.
    let mut all = Module::new();
    for module in [
        exported_module!(pieces::functions),
        exported_module!(properties::functions),
        exported_module!(lists::functions),
        exported_module!(map::functions),
        exported_module!(hexes::functions),
        exported_module!(sight::functions),
        exported_module!(areas::functions),
        exported_module!(paths::functions),
        exported_module!(facts::functions),
        exported_module!(knowledge::functions),
        exported_module!(news::functions),
        exported_module!(choices::functions),
        exported_module!(dice::functions),
        exported_module!(tables::functions),
        exported_module!(ending::functions),
        exported_module!(chance::functions),
        exported_module!(settle::functions),
    ] {
        all.combine_flatten(module);
    }
    printing::register(&mut all);
    engine.register_global_module(all.into());
}
