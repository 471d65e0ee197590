//! Words as a receipt shows them.

use crate::{
    campaign::model::understanding::Understanding,
    dispatch::{LineReading, ReceiptLine, Words},
    game::Lang,
    orders::{self, Command, Diagnostic, Grammar, Order, OrderLine, Vocabulary},
    rules::Remark,
    value::{Fields, Value},
};

/// Every line as a receipt shows it: an order or answer as it is printed, with the remarks of the
/// checks; or the fault of the line.
#[must_use]
pub fn explained(
    understood: &Understanding,
    words: &Words,
    grammar: &Grammar,
    vocabulary: &Vocabulary,
) -> Vec<ReceiptLine> {
    let printer = LinePrinter {
        understood,
        words,
        grammar,
        vocabulary,
        lang: words.lang(),
    };
    let (mut orders, mut answers) = (0.., 0..);
    let lines = understood.reading.lines.iter().enumerate();
    let lines = lines.map(|(place, (number, line))| {
        let reading = match line {
            OrderLine::Order(order) => {
                let position = orders.next().unwrap_or_default();
                let is_guessed = understood.reading.guessed.contains(&place);
                printer.order(position, (*number, order), is_guessed)
            }
            OrderLine::Command(command @ Command::Answer { .. }) => {
                let position = answers.next().unwrap_or_default();
                printer.answer(position, command)
            }
            OrderLine::Command(command) => LineReading::Understood {
                printed: printer.command(command),
                remarks: Vec::new(),
            },
            OrderLine::Wrong(wrong) => printer.wrong(wrong),
        };
        ReceiptLine {
            number: *number,
            reading,
        }
    });
    lines.collect()
}

/// Prints the lines of a mail for its writer.
struct LinePrinter<'a> {
    understood: &'a Understanding,
    words: &'a Words,
    grammar: &'a Grammar,
    vocabulary: &'a Vocabulary,
    lang: Lang,
}

impl LinePrinter<'_> {
    /// The order at a position among those of the mail.
    fn order(
        &self,
        position: usize,
        (line, order): (usize, &Order),
        is_guessed: bool,
    ) -> LineReading {
        let remarks = of_position(&self.understood.remarks, position);
        if let Some(refused) = self.refused(&order.text, &remarks) {
            return refused;
        }
        if self.understood.is_refused(position) {
            return self.wrong(&Diagnostic {
                line,
                text: order.text.clone(),
                span: (0, order.text.chars().count()),
                reason: "block_of_wrong".to_owned(),
                args: Fields::new(),
                suggestions: Vec::new(),
            });
        }
        let indent = if order.block.is_some() { "  " } else { "" };
        let printed = orders::print(self.grammar, self.vocabulary, order, self.lang);
        let mut said: Vec<String> = remarks.iter().map(|it| self.said(it)).collect();
        if is_guessed {
            said.insert(0, orders::guessed(self.grammar, self.lang));
        }
        LineReading::Understood {
            printed: format!("{indent}{printed}"),
            remarks: said,
        }
    }

    /// The answer at a position among those of the mail.
    fn answer(&self, position: usize, answer: &Command) -> LineReading {
        let remarks = of_position(&self.understood.answer_remarks, position);
        let printed = self.command(answer);
        let refused = self.refused(&printed, &remarks);
        refused.unwrap_or_else(|| LineReading::Understood {
            printed,
            remarks: remarks.iter().map(|it| self.said(it)).collect(),
        })
    }

    /// A line that the checks refuse, with all their reasons and then their notes; none if they
    /// don't.
    fn refused(&self, text: &str, remarks: &[&Remark]) -> Option<LineReading> {
        let (problems, notes): (Vec<&Remark>, Vec<&Remark>) =
            remarks.iter().partition(|it| it.problem);
        let span = about(&problems.first()?.args, text, self.vocabulary);
        let reasons = problems.iter().chain(&notes);
        let reasons: Vec<String> = reasons.map(|remark| self.said(remark)).collect();
        Some(LineReading::Wrong {
            shown: orders::refusal(text, span, &reasons),
        })
    }

    fn wrong(&self, wrong: &Diagnostic) -> LineReading {
        LineReading::Wrong {
            shown: orders::explain(self.grammar, wrong, self.lang),
        }
    }

    fn command(&self, command: &Command) -> String {
        orders::print_command(self.grammar, self.vocabulary, command, self.lang)
    }

    fn said(&self, remark: &Remark) -> String {
        let said = self.words.remark(&remark.key, &remark.args);
        said.unwrap_or_else(|_| remark.key.clone())
    }
}

/// The remarks on the order or answer at a position.
fn of_position(remarks: &[Remark], position: usize) -> Vec<&Remark> {
    remarks.iter().filter(|it| it.order == position).collect()
}

/// Where a line first names a piece or space that a remark is about; one from a list only if it
/// names no other.
fn about(args: &Fields, line: &str, vocabulary: &Vocabulary) -> Option<(usize, usize)> {
    let find = |thing: &Value| {
        let id = thing.get("piece").or_else(|| thing.get("space"))?;
        vocabulary.find_in(line, id.as_text()?)
    };
    let single = args.values().filter_map(find).min();
    let listed = args.values().filter_map(Value::as_list).flatten();
    single.or_else(|| listed.filter_map(find).min())
}
