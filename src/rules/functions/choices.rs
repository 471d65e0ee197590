//! Choices: orders, standing orders, questions. They come from the player, else from standing
//! orders, else from the rules.

use rhai::{
    Array, Dynamic, ImmutableString, Map,
    plugin::{NativeCallContext, export_module},
};

use super::news::heard_fields;
use crate::{
    ids::SeatId,
    orders::{Order, Test},
    rules::{
        convert::{text_of, to_map},
        outcome::{JudgedAnswer, Question, Wait},
        stage::{Run, ScriptResult, Stage, error, stage},
    },
    value::{Fields, Value},
};

/// An order as a script sees it: its slots, with `verb`, `line`, `text` and the `seat` that gave
/// it.
pub(in crate::rules) fn order_map(order: &Order, seat: &str) -> Map {
    let mut map = to_map(&order.args);
    map.insert("verb".into(), order.verb.as_str().into());
    map.insert("line".into(), i64::try_from(order.line).unwrap_or(0).into());
    map.insert("text".into(), order.text.as_str().into());
    map.insert("seat".into(), seat.into());
    if let Some(guard) = &order.guard {
        let otherwise: Array = guard
            .otherwise
            .iter()
            .map(|order| order_map(order, seat).into())
            .collect();
        map.insert("condition".into(), test_map(&guard.test).into());
        map.insert("otherwise".into(), otherwise.into());
    }
    map
}

/// An answer as a check function sees it: its slots, with its `topic`, what the question is
/// `about`, and the `seat` that answers.
pub(in crate::rules) fn answer_map(answer: &JudgedAnswer<'_>, seat: &str) -> Map {
    let mut map = to_map(answer.args);
    map.insert("topic".into(), answer.topic.into());
    let about = answer.about.map(to_map).unwrap_or_default();
    map.insert("about".into(), about.into());
    map.insert("seat".into(), seat.into());
    map
}

/// The condition of a guard: `#{is, args}`, `#{not}`, `#{all}` or `#{any}`.
fn test_map(test: &Test) -> Map {
    let list = |tests: &[Test]| -> Dynamic {
        let tests: Array = tests.iter().map(|test| test_map(test).into()).collect();
        tests.into()
    };
    match test {
        Test::Is { condition, args } => Map::from_iter([
            ("is".into(), condition.as_str().into()),
            ("args".into(), to_map(args).into()),
        ]),
        Test::Not(test) => Map::from_iter([("not".into(), test_map(test).into())]),
        Test::All(tests) => Map::from_iter([("all".into(), list(tests))]),
        Test::Any(tests) => Map::from_iter([("any".into(), list(tests))]),
    }
}

/// Orders as maps. An order that opens a block holds those of the block as a list `orders`.
fn order_array<'a>(orders: impl IntoIterator<Item = &'a Order>, seat: &str) -> Array {
    let mut found: Vec<(usize, Map)> = Vec::new();
    for order in orders {
        let map = order_map(order, seat);
        let Some(block) = order.block else {
            found.push((order.line, map));
            continue;
        };
        let opener = found.iter_mut().rev().find(|(line, _)| *line == block);
        if let Some((_, opener)) = opener {
            let inner = opener.entry("orders".into()).or_insert(Array::new().into());
            if let Ok(mut inner) = inner.as_array_mut() {
                inner.push(map.into());
            }
        }
    }
    found.into_iter().map(|(_, map)| map.into()).collect()
}

/// The orders of seats for a phase, and of those invited to send some too; suspends the run unless
/// all that are wanted are in.
fn wanted(stage: &Stage, seats: &[SeatId], invited: &[SeatId], phase: &str) -> ScriptResult<Map> {
    if !stage.game.decl.phases.iter().any(|known| known.id == phase) {
        return Err(error(format!(
            "there is no phase `{phase}`; game.yaml lists them"
        )));
    }
    let run = stage.run()?;
    if run.world.viewer.is_some() {
        return Err(error("a check can't wait for orders"));
    }
    if seats
        .iter()
        .any(|seat| !run.decisions.orders.contains_key(seat))
    {
        drop(run);
        return Err(stage.suspend(Wait::Orders {
            seats: seats.to_vec(),
            invited: (invited.iter().filter(|seat| !seats.contains(seat)))
                .cloned()
                .collect(),
            phase: phase.to_owned(),
        }));
    }
    let of_phase = |order: &&Order| {
        let verb = stage.game.decl.orders.verbs.get(&order.verb);
        verb.is_some_and(|verb| verb.phases.iter().any(|known| known == phase))
    };
    let given = |seat: &SeatId| {
        let orders = run.decisions.orders.get(seat);
        orders.into_iter().flat_map(|it| it.iter()).filter(of_phase)
    };
    Ok(seats
        .iter()
        .chain(invited)
        .map(|seat| (seat.as_str().into(), order_array(given(seat), seat).into()))
        .collect())
}

/// The seats whose words a script asks for: one, several, or `"all"`. One that there is not has
/// written nothing, where that is not looked at.
fn writers(stage: &Stage, seats: &Dynamic) -> ScriptResult<Vec<ImmutableString>> {
    if let Ok(name) = seats.as_immutable_string_ref()
        && *name != "all"
    {
        if stage.strict.get() {
            stage.seat(&name)?;
        }
        return Ok(vec![ImmutableString::clone(&name)]);
    }
    let seats = super::news::audience(stage, seats)?;
    Ok(seats.iter().map(|seat| seat.as_str().into()).collect())
}

fn field(map: &Map, name: &str) -> Dynamic {
    map.get(name).cloned().unwrap_or(Dynamic::UNIT)
}

/// The keys of a question.
const QUESTION: [&str; 5] = ["seat", "topic", "about", "options", "otherwise"];

/// Builds the question that a script asks, in the names that the seat knows.
fn question(stage: &Stage, run: &Run, asked: &Map) -> ScriptResult<Question> {
    let seat = stage.seat(&text_of(&field(asked, "seat")).unwrap_or_default())?;
    let topic = text_of(&field(asked, "topic")).unwrap_or_default();
    if !stage.game.decl.orders.topics.contains_key(&topic) {
        return Err(error(format!(
            "there is no topic `{topic}`; game.yaml declares them under orders.topics"
        )));
    }
    let strange = asked.keys().find(|key| !QUESTION.contains(&key.as_str()));
    stage.strictly(
        || strange.is_none(),
        || {
            let key = strange.map_or("", |key| key.as_str());
            format!(
                "a question has no `{key}`; there are: {}",
                QUESTION.join(", ")
            )
        },
    )?;
    let hear = |value: Dynamic| -> ScriptResult<Value> {
        let wrapped = Map::from_iter([("value".into(), value)]);
        let fields = heard_fields(&stage.game, run, &wrapped, Some(&seat))
            .map_err(|kind| error(format!("a question can't carry {kind}")))?;
        Ok(fields.into_values().next().unwrap_or_default())
    };
    let about = match hear(field(asked, "about"))? {
        Value::Map(about) => about,
        Value::Null => Fields::new(),
        _ => return Err(error("`about` of a question is a map")),
    };
    let options = match hear(field(asked, "options"))? {
        Value::List(options) => options,
        Value::Null => Vec::new(),
        _ => return Err(error("`options` of a question is an array")),
    };
    let otherwise = hear(field(asked, "otherwise"))?;
    Ok(Question {
        seat,
        topic,
        about,
        options,
        otherwise,
    })
}

/// Questions that are put together make one wait: either everybody may know of it, or nobody but
/// the asked.
fn one_kind_of_wait(stage: &Stage, questions: &[Question]) -> ScriptResult<()> {
    let topics = questions.iter().map(|question| &question.topic);
    let (public, quiet): (Vec<_>, Vec<_>) =
        topics.partition(|topic| stage.game.decl.is_public(topic));
    match (public.first(), quiet.first()) {
        (Some(public), Some(quiet)) => Err(error(format!(
            "a question on `{public}`, of which everybody may know, and one on `{quiet}`, of which nobody may, can't be put \
             together: ask one after the other"
        ))),
        _ => Ok(()),
    }
}

/// Returns true if the seat wants to be asked and may still be.
fn to_be_asked(stage: &Stage, run: &Run, question: &Question) -> bool {
    let topics = &stage.game.decl.orders.topics;
    let is_asked = |topic: &String| topics.get(topic).is_some_and(|topic| topic.asked);
    let asked = is_asked(&question.topic);
    if asked {
        return run.decisions.wants(&question.seat, &question.topic, asked);
    }
    let wants = run.decisions.wants(&question.seat, &question.topic, asked);
    let earlier = &run.decisions.rounds[..run.rounds_used.min(run.decisions.rounds.len())];
    let used = earlier
        .iter()
        .filter(|round| {
            round
                .questions
                .iter()
                .any(|asked| asked.seat == question.seat)
        })
        .count();
    let left = run
        .decisions
        .questions_left
        .get(&question.seat)
        .copied()
        .unwrap_or(0);
    wants && used < left as usize
}

/// Puts questions together. The answers are the players', or what each question says under
/// `otherwise`.
fn ask_all(stage: &Stage, asked: &[Map]) -> ScriptResult<Array> {
    let mut run = stage.run_to_change()?;
    if run.world.viewer.is_some() {
        return Err(error("a check can't ask"));
    }
    let questions = asked
        .iter()
        .map(|asked| question(stage, &run, asked))
        .collect::<ScriptResult<Vec<_>>>()?;
    one_kind_of_wait(stage, &questions)?;
    let put: Vec<usize> = (0..questions.len())
        .filter(|index| to_be_asked(stage, &run, &questions[*index]))
        .collect();
    let mut answers: Array = asked
        .iter()
        .map(|asked| field(asked, "otherwise"))
        .collect();
    if put.is_empty() {
        return Ok(answers);
    }
    let number = run.rounds_used;
    let wanted: Vec<Question> = put.iter().map(|index| questions[*index].clone()).collect();
    let Some(round) = run.decisions.rounds.get(number) else {
        drop(run);
        return Err(stage.suspend(Wait::Questions { questions: wanted }));
    };
    if round.questions != wanted {
        return Err(error(format!(
            "the phase asks something else than it did before its answers came (question {}): the rules or the data \
             have changed, or the script is not deterministic",
            number + 1
        )));
    }
    for (index, answer) in put.iter().zip(&round.answers) {
        if let Some(answer) = answer {
            answers[*index] = to_map(answer).into();
        }
    }
    run.rounds_used += 1;
    if let Some(dice) = &mut run.dice {
        dice.answered(number);
    }
    Ok(answers)
}

/// Returns true if the condition of a guard holds in the world that is there. What decides it is
/// judged, and no more.
fn judge(ctx: &NativeCallContext, stage: &Stage, seat: &SeatId, test: &Map) -> ScriptResult<bool> {
    let tests = |name: &str| -> Option<Vec<Map>> {
        let list: Array = test.get(name)?.clone().try_cast()?;
        list.into_iter().map(Dynamic::try_cast).collect()
    };
    if let Some(tests) = tests("all") {
        return join(tests, true, |test| judge(ctx, stage, seat, test));
    }
    if let Some(tests) = tests("any") {
        return join(tests, false, |test| judge(ctx, stage, seat, test));
    }
    if let Some(test) = field(test, "not").try_cast::<Map>() {
        return Ok(!judge(ctx, stage, seat, &test)?);
    }
    let condition = text_of(&field(test, "is")).unwrap_or_default();
    let declared = stage.game.decl.orders.conditions.get(&condition);
    let call = &declared
        .ok_or_else(|| error(format!("there is no condition `{condition}`")))?
        .call;
    let mut args: Map = field(test, "args").try_cast().unwrap_or_default();
    args.insert("seat".into(), seat.as_str().into());
    ctx.call_fn(call, (args,))
}

/// Goes through tests while they come out as `wanted`.
fn join(
    tests: Vec<Map>,
    wanted: bool,
    mut judge: impl FnMut(&Map) -> ScriptResult<bool>,
) -> ScriptResult<bool> {
    for test in &tests {
        if judge(test)? != wanted {
            return Ok(!wanted);
        }
    }
    Ok(wanted)
}

#[export_module]
pub mod functions {
    use std::sync::Arc;

    /// The orders that a seat gives in a phase (its name before the dot), in the order written.
    /// Standing orders are not among them. Suspends the phase until they are in.
    #[rhai_fn(return_raw)]
    pub fn orders(ctx: NativeCallContext, seat: &str, phase: &str) -> ScriptResult<Array> {
        let stage = stage(&ctx)?;
        let mut found = wanted(&stage, &[stage.seat(seat)?], &[], phase)?;
        Ok(found
            .remove(seat)
            .and_then(|orders| orders.try_cast::<Array>())
            .unwrap_or_default())
    }

    /// The orders of several seats at once: a map from seat to its orders.
    #[rhai_fn(return_raw)]
    pub fn orders_each(ctx: NativeCallContext, seats: Dynamic, phase: &str) -> ScriptResult<Map> {
        let stage = stage(&ctx)?;
        let seats = super::super::news::audience(&stage, &seats)?;
        wanted(&stage, &seats, &[], phase)
    }

    /// The orders of several seats as one list, seat after seat; each order names its seat.
    #[rhai_fn(return_raw)]
    pub fn orders_all(ctx: NativeCallContext, seats: Dynamic, phase: &str) -> ScriptResult<Array> {
        let stage = stage(&ctx)?;
        let seats = super::super::news::audience(&stage, &seats)?;
        let mut given = wanted(&stage, &seats, &[], phase)?;
        let of_seat = |seat: &SeatId| given.remove(seat.as_str())?.try_cast::<Array>();
        Ok(seats.iter().filter_map(of_seat).flatten().collect())
    }

    /// The orders of several seats as one list, with those of invited seats that have sent some:
    /// nobody waits for theirs.
    #[rhai_fn(name = "orders_all", return_raw)]
    pub fn orders_all_invited(
        ctx: NativeCallContext,
        seats: Dynamic,
        phase: &str,
        invited: Dynamic,
    ) -> ScriptResult<Array> {
        let stage = stage(&ctx)?;
        let seats = super::super::news::audience(&stage, &seats)?;
        let invited = super::super::news::audience(&stage, &invited)?;
        let mut given = wanted(&stage, &seats, &invited, phase)?;
        let of_seat = |seat: &SeatId| given.remove(seat.as_str())?.try_cast::<Array>();
        let all = seats.iter().chain(&invited);
        Ok(all.filter_map(of_seat).flatten().collect())
    }

    /// As `orders_each`, with the orders of those invited who have sent some: nobody waits for
    /// theirs.
    #[rhai_fn(name = "orders_each", return_raw)]
    pub fn orders_each_invited(
        ctx: NativeCallContext,
        seats: Dynamic,
        phase: &str,
        invited: Dynamic,
    ) -> ScriptResult<Map> {
        let stage = stage(&ctx)?;
        let seats = super::super::news::audience(&stage, &seats)?;
        let invited = super::super::news::audience(&stage, &invited)?;
        wanted(&stage, &seats, &invited, phase)
    }

    /// What a seat has written under a verb, or several seats (`"all"`), seat after seat: the
    /// standing orders in force, or, for another verb, the orders that they sent last in this turn.
    /// Never suspends.
    #[rhai_fn(return_raw)]
    pub fn told(ctx: NativeCallContext, seats: Dynamic, verb: &str) -> ScriptResult<Array> {
        let stage = stage(&ctx)?;
        let declared = stage.game.decl.orders.verbs.get(verb);
        let declared = declared.ok_or_else(|| {
            error(format!(
                "there is no verb `{verb}`; game.yaml declares them"
            ))
        })?;
        let seats = super::writers(&stage, &seats)?;
        let run = stage.run()?;
        let decisions = &run.decisions;
        let of_verb = |order: &&Order| order.verb == verb || order.block.is_some();
        let told = seats.iter().flat_map(|seat| {
            let lines = if declared.standing {
                decisions.standing.get(seat.as_str()).map(Vec::as_slice)
            } else {
                decisions.latest.get(seat.as_str()).map(Arc::as_ref)
            };
            order_array(lines.unwrap_or_default().iter().filter(of_verb), seat)
        });
        Ok(told.collect())
    }

    /// Returns true if nothing had come from a seat, not even NOTHING, when the orders were closed
    /// for which it was last waited.
    #[rhai_fn(return_raw)]
    pub fn is_silent(ctx: NativeCallContext, seat: &str) -> ScriptResult<bool> {
        let stage = stage(&ctx)?;
        if stage.strict.get() {
            stage.seat(seat)?;
        }
        Ok(stage.run()?.decisions.silent.contains(seat))
    }

    /// Strikes out a standing order that has been used up. It is one of those that `told` gave.
    #[rhai_fn(return_raw)]
    pub fn spend(ctx: NativeCallContext, order: Map) -> ScriptResult<()> {
        let stage = stage(&ctx)?;
        let text_of = |name: &str| text_of(&field(&order, name)).unwrap_or_default();
        let line = field(&order, "line").as_int().unwrap_or_default();
        let seat = stage.seat(&text_of("seat"))?;
        let mut run = stage.run_to_change()?;
        let lines = run.decisions.standing.entry(seat).or_default();
        let used = lines.iter().position(|known| {
            known.verb == text_of("verb")
                && known.text == text_of("text")
                && i64::try_from(known.line) == Ok(line)
        });
        if let Some(used) = used {
            lines.remove(used);
        }
        Ok(())
    }

    /// The standing orders of a group that a seat has, or several seats (`"all"`), seat after seat,
    /// in the order written.
    #[rhai_fn(return_raw)]
    pub fn told_group(ctx: NativeCallContext, seats: Dynamic, group: &str) -> ScriptResult<Array> {
        let stage = stage(&ctx)?;
        let seats = super::writers(&stage, &seats)?;
        let run = stage.run()?;
        let verbs = &stage.game.decl.orders.verbs;
        let mut groups = verbs
            .iter()
            .map(|(name, verb)| verb.group.as_ref().unwrap_or(name));
        stage.strictly(
            || groups.any(|known| known == group),
            || format!("there is no group of standing orders `{group}`"),
        )?;
        let in_group = |order: &&Order| {
            let verb = stage.game.decl.orders.verbs.get_key_value(&order.verb);
            verb.is_some_and(|(name, verb)| verb.group.as_ref().unwrap_or(name) == group)
        };
        let told = seats.iter().flat_map(|seat| {
            let lines = run.decisions.standing.get(seat.as_str());
            order_array(lines.into_iter().flatten().filter(in_group), seat)
        });
        Ok(told.collect())
    }

    /// Returns true if the guard of an order holds, judged on its seat's view at this moment. An
    /// order without one holds.
    #[rhai_fn(return_raw)]
    pub fn holds(ctx: NativeCallContext, order: Map) -> ScriptResult<bool> {
        let stage = stage(&ctx)?;
        let Some(test) = field(&order, "condition").try_cast::<Map>() else {
            return Ok(true);
        };
        let seat = stage.seat(&order.get("seat").and_then(text_of).unwrap_or_default())?;
        crate::rules::look::on_view(&ctx, &stage, &seat, |ctx| judge(ctx, &stage, &seat, &test))
    }

    /// The orders to be carried out instead when the guard does not hold.
    pub fn alternatives(order: Map) -> Array {
        field(&order, "otherwise").try_cast().unwrap_or_default()
    }

    /// Asks a seat: `about` (a map for the words), `options` (an array, may be empty), `otherwise`
    /// (what the standing orders or the default say). The answer is a map with the slots of the
    /// topic's form, or `otherwise`. Suspends the phase if the seat wants to be asked on this topic
    /// and has letters with questions left in this turn. A topic with `public: true` in game.yaml
    /// makes a public wait: everybody is told who is asked, the answers are sealed like orders, and
    /// what is rolled after them comes from the next envelope (dice.md, 9). Of any other question
    /// nobody but the asked learns.
    #[rhai_fn(return_raw)]
    pub fn ask(
        ctx: NativeCallContext,
        seat: &str,
        topic: &str,
        question: Map,
    ) -> ScriptResult<Dynamic> {
        let stage = stage(&ctx)?;
        let mut question = question;
        question.insert("seat".into(), seat.into());
        question.insert("topic".into(), topic.into());
        Ok(ask_all(&stage, &[question])?.pop().unwrap_or(Dynamic::UNIT))
    }

    /// Asks several questions together, each a map as in `ask` with its `seat` and `topic`: an
    /// array of answers. Their topics are all public or all not.
    #[rhai_fn(return_raw)]
    pub fn ask_each(ctx: NativeCallContext, questions: Array) -> ScriptResult<Array> {
        let maps: Option<Vec<Map>> = questions
            .into_iter()
            .map(Dynamic::try_cast::<Map>)
            .collect();
        ask_all(
            &*stage(&ctx)?,
            &maps.ok_or_else(|| error("ask_each() takes an array of maps"))?,
        )
    }
}
