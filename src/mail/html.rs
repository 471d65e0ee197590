//! HTML mails as text: block quotes become `> ` lines, every paragraph its own line, no decoration.

use html2text::{
    Handle, RcDom,
    config::{self, Config},
    render::TextDecorator,
};

use super::{html_parts, mail_words::WordsProblem, read::MailLimits};

/// The width of text: wider than any order, so that no line is broken, but no wider, because rulers
/// are drawn in full width.
const WIDTH: usize = 1000;

/// The text of an HTML page.
///
/// # Errors
/// [`Problem::HtmlTooComplex`] when it has more tags, or nests them more deeply, than the limits
/// allow: the parser's time can grow with the square of the number of tags, and the renderer
/// descends recursively.
pub(super) fn to_text(html: &str, limits: &MailLimits) -> Result<String, WordsProblem> {
    let tags = html.bytes().filter(|byte| *byte == b'<').count();
    if html.len() > limits.html_bytes || tags > limits.html_tags {
        return Err(WordsProblem::HtmlTooComplex);
    }
    let render = |config: Config<QuotationMarker>| {
        let dom = config.parse_html(html.as_bytes()).ok()?;
        if !is_modest(&dom, limits) {
            return None;
        }
        html_parts::mark(&dom.document, &config);
        if !is_modest(&dom, limits) {
            return None;
        }
        let tree = config.dom_to_render_tree(&dom).ok()?;
        config.render_to_string(tree, WIDTH).ok()
    };
    let config = config::with_decorator(QuotationMarker)
        .raw_mode(true)
        .allow_width_overflow()
        .unicode_strikeout(false)
        .link_footnotes(false);
    render(config).ok_or(WordsProblem::HtmlTooComplex)
}

/// Returns true if the page is neither too deep nor full of full-width rulers.
fn is_modest(dom: &RcDom, limits: &MailLimits) -> bool {
    const MOST_RULERS: usize = 200;
    let mut rulers = 0;
    let mut open: Vec<(Handle, usize)> = vec![(dom.document.clone(), 0)];
    while let Some((node, depth)) = open.pop() {
        rulers += usize::from(node.element_name().is_some_and(|name| name == "hr"));
        if depth > limits.html_depth || rulers > MOST_RULERS {
            return false;
        }
        open.extend(
            node.children
                .borrow()
                .iter()
                .map(|child| (child.clone(), depth + 1)),
        );
    }
    true
}

/// Marks quotations and nothing else: bold words, or numbers that a phone took for links, stay as
/// written.
#[derive(Clone, Debug)]
struct QuotationMarker;

impl TextDecorator for QuotationMarker {
    type Annotation = ();

    fn decorate_link_start(&mut self, _: &str) -> (String, ()) {
        Default::default()
    }

    fn decorate_link_end(&mut self) -> String {
        String::new()
    }

    fn decorate_em_start(&self) -> (String, ()) {
        Default::default()
    }

    fn decorate_em_end(&self) -> String {
        String::new()
    }

    fn decorate_strong_start(&self) -> (String, ()) {
        Default::default()
    }

    fn decorate_strong_end(&self) -> String {
        String::new()
    }

    fn decorate_strikeout_start(&self) -> (String, ()) {
        Default::default()
    }

    fn decorate_strikeout_end(&self) -> String {
        String::new()
    }

    fn decorate_code_start(&self) -> (String, ()) {
        Default::default()
    }

    fn decorate_code_end(&self) -> String {
        String::new()
    }

    fn decorate_preformat_first(&self) {}

    fn decorate_preformat_cont(&self) {}

    fn decorate_image(&mut self, _: &str, _: &str) -> (String, ()) {
        Default::default()
    }

    fn decorate_superscript_start(&self) -> (String, ()) {
        Default::default()
    }

    fn decorate_superscript_end(&self) -> String {
        String::new()
    }

    fn header_prefix(&self, _: usize) -> String {
        String::new()
    }

    fn quote_prefix(&self) -> String {
        "> ".to_owned()
    }

    fn unordered_item_prefix(&self) -> String {
        String::new()
    }

    fn ordered_item_prefix(&self, number: i64) -> String {
        format!("{number}. ")
    }

    fn make_subblock_decorator(&self) -> Self {
        Self
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may panic")]

    use super::*;

    fn text(html: &str) -> String {
        to_text(html, &MailLimits::default()).unwrap()
    }

    #[test]
    fn blocks_are_lines_and_quotes_are_marked() {
        let html = "<div>MOVE Alpha 0412</div><div>HOLD Beta<br>REST</div><blockquote><div>old order</div></blockquote>";
        let lines: Vec<String> = text(html)
            .lines()
            .map(|line| line.trim_end().to_owned())
            .filter(|line| !line.is_empty())
            .collect();
        assert_eq!(
            lines,
            ["MOVE Alpha 0412", "HOLD Beta", "REST", "> old order"]
        );
    }

    #[test]
    fn nothing_is_added_to_links_bold_words_and_superscripts() {
        let html =
            "<p>MOVE <b>3<sup>e</sup></b> <a href=\"tel:04120413\">0412-0413</a> <s>x</s></p>";
        assert_eq!(text(html).trim_end(), "MOVE 3e 0412-0413 x");
    }

    /// The lines with text.
    fn lines(html: &str) -> Vec<String> {
        let lines = text(html);
        let lines = lines.lines().map(|line| line.trim().to_owned());
        lines.filter(|line| !line.is_empty()).collect()
    }

    #[test]
    fn boxes_of_mail_programs_are_quotations() {
        for page in [
            r#"<div>HOLD</div><div class="yahoo_quoted">Ada napisal<div>old</div></div>"#,
            r#"<div>HOLD</div><div class="gmail_quote gmail_quote_container">Ada napisal<div>old</div></div>"#,
            r#"<div>HOLD</div><div><div id="appendonsend"></div><hr><div id="divRplyFwdMsg">Ada napisal</div><div>old</div></div>"#,
            r#"<div>HOLD</div><hr id="zwchr"><div>Ada napisal</div><div>old</div>"#,
            r#"<div>HOLD</div><div class="moz-cite-prefix">Ada napisal</div><blockquote>old</blockquote>"#,
            r#"<div>HOLD</div><div id="x_divRplyFwdMsg">Ada napisal</div><div>old</div>"#,
        ] {
            let lines = lines(page);
            assert_eq!(lines.first().map(String::as_str), Some("HOLD"), "{page}");
            assert!(lines.len() > 1, "{page}");
            assert!(
                lines.iter().skip(1).all(|line| line.starts_with('>')),
                "{lines:#?}"
            );
        }
    }

    #[test]
    fn answers_between_quotations_stay() {
        let page = r#"<div class="gmail_quote"><div class="gmail_attr">On 3 May Ada wrote:</div>
            <blockquote>one</blockquote><div>HOLD</div><blockquote>two</blockquote></div>"#;
        assert_eq!(
            lines(page),
            ["> On 3 May Ada wrote:", "> one", "HOLD", "> two"]
        );
    }

    #[test]
    fn signatures_stand_behind_their_sign() {
        for name in [
            "class=\"gmail_signature\"",
            "id=Signature",
            "class=moz-signature",
        ] {
            let page = format!("<p>HOLD</p><div {name}>Ada</div>");
            assert_eq!(lines(&page), ["HOLD", "--", "Ada"], "{name}");
        }
    }

    #[test]
    fn what_nobody_sees_is_no_text() {
        let page = r#"<title>t</title><style>s</style><p>HOLD</p><div style="color:red; Display : none !important">a</div>
            <span style="font-size:0px">b</span><p hidden>c</p><p style="mso-hide:all">d</p><p class="preheader">e</p>
            <p style="font-size:0.9em">REST</p>"#;
        assert_eq!(lines(page), ["HOLD", "REST"]);
        let inside =
            lines("<p>HOLD</p><html><head><title>t</title></head><body>REST</body></html>");
        assert_eq!(inside, ["HOLD", "REST"]);
    }

    #[test]
    fn bombs_are_refused() {
        let limits = MailLimits::default();
        let deep = "<div><b>".repeat(2_000);
        assert_eq!(to_text(&deep, &limits), Err(WordsProblem::HtmlTooComplex));
        assert_eq!(
            to_text(&"<hr>".repeat(2_000), &limits),
            Err(WordsProblem::HtmlTooComplex)
        );
        assert_eq!(
            to_text(&"<p>x</p>".repeat(limits.html_tags), &limits),
            Err(WordsProblem::HtmlTooComplex)
        );
        assert_eq!(
            to_text(&"x".repeat(limits.html_bytes + 1), &limits),
            Err(WordsProblem::HtmlTooComplex)
        );
    }
}
