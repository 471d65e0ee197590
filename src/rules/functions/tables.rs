//! Tables: rows by total, columns by value, plain numbers by name, modifiers by id.

use rhai::{
    Dynamic, Map,
    plugin::{NativeCallContext, export_module},
};

use crate::{
    game::{Column, Game, Row, Table},
    rules::stage::{ScriptResult, error},
};

fn named<'a>(game: &'a Game, name: &str) -> ScriptResult<&'a Table> {
    game.tables
        .get(name)
        .ok_or_else(|| error(format!("there is no table `{name}`")))
}

fn within(min: Option<i64>, max: Option<i64>, value: i64) -> bool {
    min.is_none_or(|min| min <= value) && max.is_none_or(|max| value <= max)
}

fn row<'a>(table: &'a Table, name: &str, total: i64) -> ScriptResult<&'a Row> {
    let found = table
        .rows
        .iter()
        .find(|row| within(row.min, row.max, total));
    found.ok_or_else(|| error(format!("the table `{name}` has no row for {total}")))
}

fn column_of<'a>(table: &'a Table, name: &str, value: i64) -> ScriptResult<(usize, &'a Column)> {
    let found = table
        .columns
        .iter()
        .enumerate()
        .find(|(_, column)| within(column.min, column.max, value));
    found.ok_or_else(|| error(format!("the table `{name}` has no column for {value}")))
}

#[export_module]
pub mod functions {
    use rhai::{Array, ImmutableString};

    use crate::rules::{convert::to_dynamic, stage::stage};

    /// A number (or list) of a table by its name under `values`.
    #[rhai_fn(return_raw)]
    pub fn value(ctx: NativeCallContext, table: &str, name: &str) -> ScriptResult<Dynamic> {
        let stage = stage(&ctx)?;
        let found = named(&stage.game, table)?.values.get(name);
        found
            .map(to_dynamic)
            .ok_or_else(|| error(format!("the table `{table}` has no value `{name}`")))
    }

    /// The results of the row for a total, one for each column.
    #[rhai_fn(name = "lookup", return_raw)]
    pub fn lookup_row(ctx: NativeCallContext, table: &str, total: i64) -> ScriptResult<Array> {
        let stage = stage(&ctx)?;
        Ok(row(named(&stage.game, table)?, table, total)?
            .result
            .iter()
            .map(to_dynamic)
            .collect())
    }

    /// The result of the row for a total, in the column for a value.
    #[rhai_fn(name = "lookup", return_raw)]
    pub fn lookup_cell(
        ctx: NativeCallContext,
        table: &str,
        total: i64,
        column: i64,
    ) -> ScriptResult<Dynamic> {
        let stage = stage(&ctx)?;
        let found = named(&stage.game, table)?;
        let (index, heading) = column_of(found, table, column)?;
        let cell = row(found, table, total)?.result.get(index);
        cell.map(to_dynamic).ok_or_else(|| {
            error(format!(
                "the table `{table}` has no result under `{}`",
                heading.id
            ))
        })
    }

    /// The heading of the column for a value.
    #[rhai_fn(return_raw)]
    pub fn column(
        ctx: NativeCallContext,
        table: &str,
        value: i64,
    ) -> ScriptResult<ImmutableString> {
        let stage = stage(&ctx)?;
        Ok(column_of(named(&stage.game, table)?, table, value)?
            .1
            .id
            .as_str()
            .into())
    }

    /// A modifier of a table as a reason: `#{id, add}`.
    #[rhai_fn(return_raw)]
    pub fn reason(ctx: NativeCallContext, table: &str, id: &str) -> ScriptResult<Map> {
        let stage = stage(&ctx)?;
        let found = named(&stage.game, table)?
            .modifiers
            .iter()
            .find(|modifier| modifier.id == id);
        found
            .map(|modifier| {
                Map::from_iter([
                    ("id".into(), modifier.id.as_str().into()),
                    ("add".into(), to_dynamic(&modifier.add)),
                ])
            })
            .ok_or_else(|| error(format!("the table `{table}` has no modifier `{id}`")))
    }
}
