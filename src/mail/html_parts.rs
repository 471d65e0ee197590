//! Marks that mail programs set in their HTML: quotations in boxes of their own, signatures, and
//! hidden parts.

use html2text::{Element, Handle, config::Config, render::TextDecorator};

/// How to treat an element.
#[derive(Clone, Copy, PartialEq, Eq)]
enum HtmlPart {
    /// The element is shown as it is.
    Plain,
    /// The element is not shown, or is no text.
    Hidden,
    /// The element holds a quotation, unless there is a marked one in it, perhaps with answers in
    /// between.
    QuoteBox,
    /// The element holds a quotation.
    Quote,
    /// From here on, everything in the same box is a quotation.
    QuoteBelow,
    /// The element holds a signature.
    Signature,
}

/// Classes of boxes that hold a quotation with its attribution.
const QUOTE_BOXES: &[&str] = &["gmail_quote", "yahoo_quoted", "protonmail_quote"];
/// Classes and ids of elements that are a quotation, or its attribution.
const QUOTES: &[&str] = &[
    "moz-cite-prefix",
    "gmail_attr",
    "zmail_extra",
    "ymail_quote",
];
/// Ids that the copied mail follows.
const QUOTES_BELOW: &[&str] = &[
    "divrplyfwdmsg",
    "appendonsend",
    "zwchr",
    "mail-editor-reference-message-container",
];
/// Classes and ids of signatures.
const SIGNATURES: &[&str] = &[
    "gmail_signature",
    "moz-signature",
    "signature",
    "ms-outlook-mobile-signature",
    "protonmail_signature_block",
];

/// Puts quotations into `blockquote` elements and signatures behind `--`, and drops hidden parts.
/// The order of the elements stays the same. `config` parses the added elements.
pub(super) fn mark<D: TextDecorator>(document: &Handle, config: &Config<D>) {
    let mut open = vec![document.clone()];
    while let Some(node) = open.pop() {
        let children = std::mem::take(&mut *node.children.borrow_mut());
        let mut kept: Vec<Handle> = Vec::with_capacity(children.len());
        let mut below: Option<Handle> = None;
        for child in children {
            let part = match below {
                Some(_) => HtmlPart::Plain,
                None => part_of(&child),
            };
            let wrapped = match part {
                HtmlPart::Hidden => continue,
                HtmlPart::Plain => None,
                HtmlPart::Quote | HtmlPart::QuoteBelow => {
                    element(config, "<blockquote></blockquote>")
                }
                HtmlPart::QuoteBox if has_blockquote(&child) => None,
                HtmlPart::QuoteBox => element(config, "<blockquote></blockquote>"),
                HtmlPart::Signature => {
                    kept.extend(element(config, "<div>--</div>"));
                    None
                }
            };
            match (&below, wrapped) {
                (Some(quote), _) => quote.children.borrow_mut().push(child),
                (None, Some(quote)) => {
                    quote.children.borrow_mut().push(child);
                    kept.push(quote.clone());
                    if part == HtmlPart::QuoteBelow {
                        below = Some(quote);
                    }
                }
                (None, None) => {
                    open.push(child.clone());
                    kept.push(child);
                }
            }
        }
        *node.children.borrow_mut() = kept;
    }
}

/// The first element below the body of a small page.
fn element<D: TextDecorator>(config: &Config<D>, page: &str) -> Option<Handle> {
    let dom = config.parse_html(page.as_bytes()).ok()?;
    // <html>, its second child <body>, and the element.
    let found = dom.get_node_by_path(&[1, 2, 1])?;
    let body = dom.get_node_by_path(&[1, 2])?;
    body.children.borrow_mut().clear();
    Some(found)
}

fn has_blockquote(node: &Handle) -> bool {
    node.children.borrow().iter().any(|child| {
        child
            .element_name()
            .is_some_and(|name| name == "blockquote")
    })
}

fn part_of(node: &Handle) -> HtmlPart {
    let Element { attrs, name, .. } = &node.data else {
        return HtmlPart::Plain;
    };
    if matches!(
        &*name.local,
        "title" | "script" | "style" | "template" | "noscript"
    ) {
        return HtmlPart::Hidden;
    }
    let mut part = HtmlPart::Plain;
    for attribute in attrs.borrow().iter() {
        let value = attribute.value.to_ascii_lowercase();
        match &*attribute.name.local {
            "hidden" => return HtmlPart::Hidden,
            "style" if is_hidden(&value) => return HtmlPart::Hidden,
            "class" | "id" | "name" => {
                for word in value.split_ascii_whitespace() {
                    let found = part_named(word);
                    if part == HtmlPart::Plain {
                        part = found;
                    }
                }
            }
            _ => {}
        }
    }
    match (&*name.local, part) {
        // The marked quotations themselves are quotations already.
        ("blockquote", _) => HtmlPart::Plain,
        (_, part) => part,
    }
}

fn part_named(word: &str) -> HtmlPart {
    // Copies of a page in a page get a prefix: "x_divRplyFwdMsg".
    let word = word.trim_start_matches("x_");
    let parts = [
        (QUOTE_BOXES, HtmlPart::QuoteBox),
        (QUOTES, HtmlPart::Quote),
        (QUOTES_BELOW, HtmlPart::QuoteBelow),
        (SIGNATURES, HtmlPart::Signature),
        (&["preheader"][..], HtmlPart::Hidden),
    ];
    let found = parts.into_iter().find(|(words, _)| words.contains(&word));
    found.map_or(HtmlPart::Plain, |(_, part)| part)
}

/// Returns true for styles that hide: previews for the list of mails, and words meant for filters.
fn is_hidden(style: &str) -> bool {
    style.split(';').any(|rule| {
        let Some((name, value)) = rule.split_once(':') else {
            return false;
        };
        let value = value.trim().trim_end_matches("!important").trim_end();
        matches!(
            (name.trim(), value),
            ("display", "none")
                | ("visibility", "hidden")
                | ("mso-hide", "all")
                | ("font-size", "0" | "0px" | "0pt")
        )
    })
}
