//! Words as a receipt shows them.

use crate::{
    campaign::model::understanding::Understanding,
    dispatch::{LineReading, ReceiptLine, Words},
    orders::{self, Diagnostic, Grammar, OrderLine, Vocabulary},
    rules::Remark,
    value::{Fields, Value},
};

/// Every line as a receipt shows it: an order as it is printed, with the remarks of the checks; or
/// the fault of the line.
#[must_use]
pub fn explained(
    understood: &Understanding,
    words: &Words,
    grammar: &Grammar,
    vocabulary: &Vocabulary,
) -> Vec<ReceiptLine> {
    let lang = words.lang();
    let said = |remark: &Remark| {
        words
            .remark(&remark.key, &remark.args)
            .unwrap_or_else(|_| remark.key.clone())
    };
    let mut number_of_order = 0;
    let lines = understood.reading.lines.iter().map(|(number, line)| {
        let reading = match line {
            OrderLine::Order(order) => {
                let of_order = |remark: &&Remark| remark.order == number_of_order;
                let remarks: Vec<&Remark> = understood.remarks.iter().filter(of_order).collect();
                number_of_order += 1;
                let problems = remarks.iter().filter(|remark| remark.problem);
                let reasons: Vec<String> = problems.map(|remark| said(remark)).collect();
                if reasons.is_empty() && understood.is_refused(number_of_order - 1) {
                    let left_out = Diagnostic {
                        line: *number,
                        text: order.text.clone(),
                        span: (0, order.text.chars().count()),
                        reason: "block_of_wrong".to_owned(),
                        args: Fields::new(),
                        suggestions: Vec::new(),
                    };
                    LineReading::Wrong {
                        shown: orders::explain(grammar, &left_out, lang),
                    }
                } else if reasons.is_empty() {
                    let indent = if order.block.is_some() { "  " } else { "" };
                    let printed = orders::print(grammar, vocabulary, order, lang);
                    let mut said: Vec<String> = remarks.iter().map(|it| said(it)).collect();
                    if orders::is_guessed(grammar, vocabulary, order, lang) {
                        said.insert(0, orders::guessed(grammar, lang));
                    }
                    LineReading::Understood {
                        printed: format!("{indent}{printed}"),
                        remarks: said,
                    }
                } else {
                    let problem = remarks.iter().find(|remark| remark.problem);
                    let span =
                        problem.and_then(|remark| about(&remark.args, &order.text, vocabulary));
                    LineReading::Wrong {
                        shown: orders::refusal(&order.text, span, &reasons),
                    }
                }
            }
            OrderLine::Command(command) => LineReading::Understood {
                printed: orders::print_command(grammar, vocabulary, command, lang),
                remarks: Vec::new(),
            },
            OrderLine::Wrong(wrong) => LineReading::Wrong {
                shown: orders::explain(grammar, wrong, lang),
            },
        };
        ReceiptLine {
            number: *number,
            reading,
        }
    });
    lines.collect()
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
