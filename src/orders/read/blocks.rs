//! Blocks: the orders that stand in one, what opens and ends it, and guards that stand on one line.

use super::{ElseOwner, Reader, leads};
use crate::{
    orders::{
        Command, Diagnostic, Order, OrderLine, diagnose::Scene, grammar::Verb, token::LineToken,
    },
    value::{Fields, Value},
};

/// The block in which lines stand.
#[derive(Clone)]
pub(super) enum OrderBlock {
    /// None.
    None,
    /// One of this kind, opened by the order of this line.
    Of { kind: String, line: usize },
    /// One whose opening order was not understood.
    Wrong,
    /// Whatever an order needs: lines stand alone.
    Any,
}

impl Reader<'_> {
    /// `IF ... THEN order ELSE order END` on one line, as the lines that it stands for; END is left
    /// out.
    pub(super) fn clauses<'t>(&self, part: &'t [LineToken]) -> Vec<&'t [LineToken]> {
        let keyword = |id: &str, at| self.grammar.keywords.matches(id, part, at);
        let guard = self.grammar.keywords.guard(part, 0);
        if guard.is_none() && keyword("ELSE", 0).is_none() {
            return vec![part];
        }
        let ends = |at: &usize| keyword("END", *at).is_some_and(|length| at + length == part.len());
        let end = (1..part.len()).find(ends).unwrap_or(part.len());
        let mut starts = vec![0];
        starts.extend((1..end).filter(|at| keyword("ELSE", *at).is_some()));
        let stops = starts.iter().skip(1).copied().chain([end]);
        let clauses = starts.iter().zip(stops);
        clauses
            .filter_map(|(start, stop)| part.get(*start..stop))
            .collect()
    }

    /// `END` closes the block that is open, else the guarded order before it.
    pub(super) fn end(&mut self, scene: &Scene<'_>) {
        let nothing = matches!(self.guarded, ElseOwner::Nothing);
        let guarded = std::mem::replace(&mut self.guarded, ElseOwner::Nothing);
        if matches!(self.block, OrderBlock::None) && nothing {
            return self.push_wrong(scene.wrong("end_alone", Fields::new(), (0, 1)));
        }
        if !matches!(guarded, ElseOwner::Guard(_) | ElseOwner::Wrong) {
            self.block = OrderBlock::None;
        }
        self.lines
            .push((scene.line, OrderLine::Command(Command::End)));
    }

    /// Puts an order that was read into the block that is open, or opens or closes one.
    pub(super) fn in_block(
        &mut self,
        scene: &Scene<'_>,
        read: Result<Order, Diagnostic>,
    ) -> Result<Order, Diagnostic> {
        let mut order = match read {
            Ok(order) => order,
            Err(wrong) => {
                if opens_block(scene) {
                    self.block = OrderBlock::Wrong;
                }
                return Err(wrong);
            }
        };
        let verb = self.grammar.verbs.get(&order.verb);
        let Some(verb) = verb.filter(|_| !matches!(self.block, OrderBlock::Any)) else {
            return Ok(order);
        };
        if let Some(kind) = &verb.opens {
            let (kind, line) = (kind.clone(), scene.line);
            self.block = OrderBlock::Of { kind, line };
        } else if verb.within.is_empty() {
            if !verb.standing {
                self.block = OrderBlock::None;
            }
        } else {
            order.block = Some(self.place_of(scene, verb)?);
        }
        Ok(order)
    }

    /// The line of the block that is open, for an order that stands in blocks only.
    pub(super) fn place_of(&self, scene: &Scene<'_>, verb: &Verb) -> Result<usize, Diagnostic> {
        let reason = match &self.block {
            OrderBlock::Of { kind, line } if verb.within.contains(kind) => return Ok(*line),
            OrderBlock::Wrong => "block_of_wrong",
            _ => "outside_block",
        };
        let openers = self.grammar.verbs.values();
        let openers = openers.filter(|opener| {
            let kind = opener.opens.as_ref();
            kind.is_some_and(|kind| verb.within.contains(kind))
        });
        let words = openers.flat_map(|opener| &opener.forms).filter_map(|form| {
            let lead = form.lead.as_deref()?;
            let shown = self.grammar.keywords.shown(lead, self.expect.lang);
            Some(shown.to_owned())
        });
        let mut words: Vec<String> = words.collect();
        words.dedup();
        let words = words.into_iter().map(Into::into).collect();
        let args = Fields::from([("openers".to_owned(), Value::List(words))]);
        Err(scene.wrong(reason, args, (0, 1)))
    }
}

/// Returns true if a line begins as an order that opens a block.
fn opens_block(scene: &Scene<'_>) -> bool {
    let mut verbs = scene.grammar.verbs.values();
    verbs.any(|verb| verb.opens.is_some() && verb.forms.iter().any(|form| leads(scene, form, 0)))
}
