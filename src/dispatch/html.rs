//! The document as HTML for mail clients: `templates/dispatch.html`, the map as `cid:map`.

use minijinja::context;

use super::{document::Document, jinja::data, letters::templates, map, phrases::Phrases};
use crate::mail::LETTER_HEAD;

/// The content id of the map's picture.
pub const MAP_CID: &str = "map";

/// The document as an HTML page, with or without the map's picture, between the two lines by which a letter is known again:
/// its head, and its foot as the text has it.
///
/// The template is the host's own and is tried by the tests; should it fail all the same, the page says so and the
/// text part of the mail has everything.
#[must_use]
pub fn html(document: &Document, picture: bool, foot: &str) -> String {
    let words = &Phrases::of(document.lang).words;
    let page = context! {
        w => data(words),
        mark => LETTER_HEAD.trim_end_matches('='),
        foot => foot.trim_end(),
        lang => document.lang.code(),
        cid => picture.then_some(MAP_CID),
        colour => map::colour(&document.heading.colour),
        on_colour => map::contrast(&document.heading.colour),
        subject => document.subject.as_str(),
        heading => data(&document.heading),
        notices => data(&document.notices),
        ending => data(&document.ending),
        happened => data(&document.happened),
        asked => data(&document.asked),
        forces => data(&document.forces),
        enemy => data(&document.enemy),
        facts => data(&document.facts),
        control => data(&document.control),
        boxes => data(&document.boxes),
        standing => data(&document.standing),
        asks => data(&document.asks),
        template => data(&document.template),
        dice => data(&document.dice),
    };
    let rendered = templates(document.lang)
        .get_template("dispatch.html")
        .and_then(|template| template.render(page));
    rendered.unwrap_or_else(|_| Phrases::of(document.lang).get("html_failed").to_owned())
}
