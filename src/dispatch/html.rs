//! The document as HTML for mail clients: `templates/dispatch.html`, the map's pictures
//! as `cid:map`, `cid:map-a` and so on.

use minijinja::context;

use super::{
    document::Document, jinja::data, letters::templates, map, phrases::Phrases, proof::Proof,
};
use crate::mail::LETTER_HEAD;

/// Marks the places of the proof's blocks and of the foot in the template. No text of a letter has
/// control characters.
const BLOCKS: char = '\u{1}';
const FOOT: char = '\u{2}';

/// A page whose proof is still missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    above: String,
    /// Between the blocks of the proof and the foot; none where there is no place for blocks.
    between: Option<String>,
    below: String,
}

/// The document as an HTML page, with or without its pictures, between the two lines that identify
/// a letter: its head, and the same foot as in the text. `proven`: the page has a place for the
/// blocks of a [`Proof`].
///
/// The template is the host's own, and tests try it; should it fail anyhow, the page says so, and
/// the text part of the letter has everything.
#[must_use]
pub fn page(document: &Document, picture: bool, proven: bool) -> Page {
    let words = &Phrases::of(document.lang).words;
    let pictures = if picture {
        map::pictures(&document.map)
    } else {
        Vec::new()
    };
    let pictures: Vec<_> = (pictures.into_iter())
        .map(|it| context! { cid => it.cid, title => it.title, width => it.width })
        .collect();
    let page = context! {
        w => data(words),
        mark => LETTER_HEAD.trim_end_matches('='),
        proven,
        blocks => BLOCKS,
        foot => FOOT,
        lang => document.lang.code(),
        pictures,
        colour => map::colour(&document.heading.colour),
        head => map::dark_enough(&document.heading.colour),
        subject => document.subject.as_str(),
        heading => data(&document.heading),
        notices => data(&document.notices),
        ending => data(&document.ending),
        happened => data(&document.happened),
        asked => data(&document.asked),
        forces => data(&document.forces),
        allies => data(&document.allies),
        enemy => data(&document.enemy),
        facts => data(&document.facts),
        control => data(&document.control),
        boxes => data(&document.boxes),
        standing => data(&document.standing),
        standing_of_others => data(&document.standing_of_others),
        asks => data(&document.asks),
        template => data(&document.template),
        dice => data(&document.dice),
    };
    let rendered = templates(document.lang)
        .get_template("dispatch.html")
        .and_then(|template| template.render(page));
    rendered.map_or_else(
        |_| Page::of(Phrases::of(document.lang).get("html_failed"), false),
        |text| Page::of(&text, proven),
    )
}

impl Page {
    fn of(rendered: &str, proven: bool) -> Self {
        // Both stand behind everything that comes from the document.
        let (words, below) = rendered.rsplit_once(FOOT).unwrap_or((rendered, ""));
        let parted = if proven {
            words.rsplit_once(BLOCKS)
        } else {
            None
        };
        let (above, between) = parted.map_or((words, None), |(above, between)| {
            (above, Some(between.to_owned()))
        });
        Self {
            above: above.to_owned(),
            between,
            below: below.to_owned(),
        }
    }

    /// The page with its proof. The blocks need a page that was made for them.
    #[must_use]
    pub fn with(&self, proof: &Proof) -> String {
        let Self {
            above,
            between,
            below,
        } = self;
        let foot = proof.foot_in_page();
        match between {
            Some(between) => {
                format!("{above}{}{between}{foot}{below}", proof.blocks_in_page())
            }
            None => format!("{above}{foot}{below}"),
        }
    }
}
