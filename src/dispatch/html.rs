//! Letters as HTML for mail clients: a document by `templates/dispatch.html`, with the map's
//! pictures as `cid:map`, `cid:map-a` and so on; words alone by `templates/letter.html`.

use std::sync::LazyLock;

use minijinja::{Value, context};
use serde::Serialize;

use super::{
    document::Document,
    jinja::data,
    letters::{LetterText, PublicQuestion, in_public, templates},
    map::{self, DrawnPicture},
    phrases::Phrases,
    proof::Proof,
    shape::LetterShape,
};
use crate::{
    game::{Game, Lang},
    mail::LETTER_HEAD,
};

/// Marks the places of the proof's blocks and of the foot in the template. No text of a letter has
/// control characters.
const BLOCKS: char = '\u{1}';
const FOOT: char = '\u{2}';

/// A page whose proof is still missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    above: String,
    /// The text between the blocks of the proof and the foot; none if there is no place for blocks.
    between: Option<String>,
    below: String,
}

/// The document as an HTML page with these pictures of its map, between the two lines that identify
/// a letter: its head, and the same foot as in the text. `proven`: the page has a place for the
/// blocks of a [`Proof`].
///
/// The template is the host's own, and tests try it; should it fail anyhow, the page says so, and
/// the text part of the letter has everything.
#[must_use]
pub fn page(document: &Document, pictures: &[DrawnPicture], proven: bool) -> Page {
    of_document(document, pictures, proven, None)
}

/// The page of a letter with questions: as [`page`], as far as its text goes. `public`: everybody
/// knows that the reader is asked.
#[must_use]
pub fn question_page(
    document: &Document,
    pictures: &[DrawnPicture],
    proven: bool,
    public: Option<PublicQuestion>,
) -> Page {
    let known = in_public(document.lang, public);
    of_document(document, pictures, proven, Some(&known))
}

/// A letter of words alone, for a seat.
#[derive(Clone, Copy, Debug)]
pub struct LetterPage<'a> {
    /// The reader's language.
    pub lang: Lang,
    /// The game.
    pub game: &'a Game,
    /// The reader's seat.
    pub seat: &'a str,
    /// True if indented lines of the text are words with their meanings.
    pub explains: bool,
    /// True if the page has a place for the blocks of a [`Proof`].
    pub proven: bool,
}

impl LetterPage<'_> {
    /// The page of a letter: its words as its text has them, in their order.
    #[must_use]
    pub fn of(&self, letter: &LetterText) -> Page {
        let decl = &self.game.decl;
        let seat = decl.seat(self.seat);
        let side = seat.and_then(|seat| decl.side(seat.first_side()?));
        let colour = side.map_or("", |side| side.colour.as_str());
        let shape = LetterShape::of(&letter.text, self.explains);
        let mut title = shape.title.into_iter();
        let (first, rest) = (title.next(), title.collect::<Vec<_>>().join(" \u{b7} "));
        let name = seat.map_or_else(String::new, |seat| decl.seat_name(seat, self.lang));
        let page = context! {
            mark => LETTER_HEAD.trim_end_matches('='),
            proven => self.proven,
            blocks => BLOCKS,
            foot => FOOT,
            lang => self.lang.code(),
            colour => map::line_colour(colour),
            head => map::dark_enough(colour),
            subject => letter.subject.as_str(),
            bar => [first.unwrap_or_default(), rest, name],
            explains => self.explains,
            reference => Phrases::of(self.lang).get("reference"),
            parts => data(&shape.parts),
        };
        rendered(self.lang, "letter.html", page, self.proven)
    }
}

/// `question`: the remark on public questions, in a letter with questions.
fn of_document(
    document: &Document,
    pictures: &[DrawnPicture],
    proven: bool,
    question: Option<&str>,
) -> Page {
    let words = &Phrases::of(document.lang).words;
    let map = document.map.as_ref();
    let shown_in = |(it, _): &DrawnPicture| {
        let signs = ["colon", "semicolon"].map(|sign| words.get(sign).map_or("", String::as_str));
        let shown = words.get("map_alt").map_or("", String::as_str);
        // "Map of the situation : Title. "
        let before = shown.chars().count() + it.title.chars().count() + 5;
        let shows = map.map(|map| map::described(map, it, signs, before));
        context! { cid => it.cid.as_str(), title => it.title.as_str(), width => it.width, shows }
    };
    let pictures: Vec<_> = pictures.iter().map(shown_in).collect();
    let page = context! {
        w => words_of(document.lang),
        mark => LETTER_HEAD.trim_end_matches('='),
        proven,
        question,
        blocks => BLOCKS,
        foot => FOOT,
        lang => document.lang.code(),
        pictures,
        colour => map::line_colour(&document.heading.colour),
        head => map::dark_enough(&document.heading.colour),
        subject => document.subject.as_str(),
        heading => data(&document.heading),
        notices => data(&document.notices),
        ending => data(&document.ending),
        happened => data(&told(document)),
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
    rendered(document.lang, "dispatch.html", page, proven)
}

/// The host's words as templates have them, made once for all pages.
fn words_of(lang: Lang) -> Value {
    static ENGLISH: LazyLock<Value> = LazyLock::new(|| data(&Phrases::of(Lang::En).words));
    static FRENCH: LazyLock<Value> = LazyLock::new(|| data(&Phrases::of(Lang::Fr).words));
    match lang {
        Lang::En => ENGLISH.clone(),
        Lang::Fr => FRENCH.clone(),
    }
}

/// The events of a phase as a page shows them: their words, without what they are made from.
#[derive(Serialize)]
struct ShownGroup<'a> {
    turn: i64,
    title: &'a str,
    outcomes: &'a [String],
    events: Vec<ShownEvent<'a>>,
}

#[derive(Serialize)]
struct ShownEvent<'a> {
    text: &'a str,
}

fn told(document: &Document) -> Vec<ShownGroup<'_>> {
    let groups = document.happened.iter().map(|group| ShownGroup {
        turn: group.turn,
        title: &group.title,
        outcomes: &group.outcomes,
        events: (group.events.iter())
            .map(|event| ShownEvent { text: &event.text })
            .collect(),
    });
    groups.collect()
}

fn rendered(lang: Lang, template: &str, page: Value, proven: bool) -> Page {
    let rendered = templates(lang)
        .get_template(template)
        .and_then(|template| template.render(page));
    rendered.map_or_else(
        |_| Page::of(Phrases::of(lang).get("html_failed"), false),
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
