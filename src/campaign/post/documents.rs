//! The document of a seat, from which its letters and maps are made.

use std::sync::Arc;

use jiff::tz::TimeZone;

use super::{content::LetterContent, letter::Picture};
use crate::{
    campaign::{
        model::{
            context::Context,
            players,
            state::{CurrentWait, State},
            work_error::WorkError,
        },
        words::standing,
    },
    dispatch::{
        self, Briefing, DiceText, Document, DrawnPicture, LetterText, NewsItem, OthersStanding,
        Request, Words,
    },
    game::{Game, Lang},
    ids::SeatId,
    mail::Screen,
    orders::{self, Vocabulary},
    rules::{Decisions, Start},
    world::World,
};

/// What a seat's document is made from. The rules have said all that they are asked, so it can be
/// made on any core.
pub(super) struct SeatBriefing<'a> {
    game: &'a Game,
    words: &'a Words,
    campaign: &'a str,
    title: String,
    seat: &'a SeatId,
    screen: Screen,
    zone: &'a TimeZone,
    phase: &'a str,
    contents: Contents,
    standing: Vec<String>,
    standing_of_others: Vec<OthersStanding>,
    asks: Vec<String>,
    template: Vec<String>,
    /// Notices of the umpire or the host.
    pub notices: Vec<String>,
    /// Errors of the template functions whose proposals the document lacks.
    pub unproposed: Vec<String>,
}

impl SeatBriefing<'_> {
    /// Makes the document.
    pub(super) fn document(self) -> Document {
        let contents = self.contents;
        let briefing = Briefing {
            game: self.game,
            display: &self.game.decl.display,
            campaign: self.campaign,
            title: &self.title,
            seat: self.seat,
            lang: self.words.lang(),
            screen: self.screen,
            view: &contents.view,
            phase: self.phase,
            events: &contents.heard,
            asked: contents.asked,
            zone: self.zone,
            standing: &self.standing,
            asks: &self.asks,
            template: &self.template,
            dice: contents.dice,
            notices: &self.notices,
        };
        // The umpire has to mend a text that can't be printed; `check` finds it before a campaign
        // begins.
        let (document, _) = Document::of(&briefing, self.words, contents.has_map);
        Document {
            standing_of_others: self.standing_of_others,
            ..document
        }
    }
}

/// The briefing of a seat's document, with its map if its letter shows it. Everything in it comes
/// from the view.
pub(super) fn briefing<'a>(
    context: &'a Context,
    state: &'a State,
    seat: &'a SeatId,
    view: World,
    heard: Arc<Vec<NewsItem>>,
    asked: Request,
    dice: DiceText,
) -> Result<SeatBriefing<'a>, WorkError> {
    let contents = Contents {
        has_map: shows_map(context, &heard, &asked),
        view,
        heard,
        asked,
        dice,
    };
    briefing_of(context, state, seat, contents)
}

/// What a document is made from.
struct Contents {
    view: World,
    heard: Arc<Vec<NewsItem>>,
    asked: Request,
    dice: DiceText,
    has_map: bool,
}

/// Returns true if a letter carries its map: if this campaign's letters have maps, and this one has
/// something to say.
fn shows_map(context: &Context, heard: &[NewsItem], asked: &Request) -> bool {
    let wants_nothing = matches!(asked, Request::Waiting { .. } | Request::Invited { .. });
    context.settings.pictures && !(wants_nothing && heard.is_empty())
}

fn briefing_of<'a>(
    context: &'a Context,
    state: &'a State,
    seat: &'a SeatId,
    contents: Contents,
) -> Result<SeatBriefing<'a>, WorkError> {
    let (lang, view) = (players::lang(context, state, seat), &contents.view);
    let vocabulary = context.vocabulary(view, lang);
    let standing = standing::standing_lines(context, &state.decisions, seat, lang, &vocabulary);
    let asks = standing::asked_topics(context, &state.decisions, seat, lang);
    let (template, unproposed) =
        template(context, (seat, lang), view, &contents.asked, &vocabulary)?;
    let standing_of_others = if view.ended.is_some() {
        standing_of_others(context, state, seat, lang)
    } else {
        Vec::new()
    };
    Ok(SeatBriefing {
        game: &context.game,
        words: context.words(lang),
        campaign: context.settings.campaign.as_str(),
        title: context.title(lang),
        seat,
        screen: players::screen(context, state, seat),
        zone: players::zone(context, state, seat),
        phase: &state.phase,
        contents,
        standing,
        standing_of_others,
        asks,
        template,
        notices: Vec::new(),
        unproposed,
    })
}

/// The other seats' standing orders, which are no longer secret.
fn standing_of_others(
    context: &Context,
    state: &State,
    seat: &SeatId,
    lang: Lang,
) -> Vec<OthersStanding> {
    let words = context.words(lang);
    let seats = context.game.decl.seats.iter();
    let others = seats.filter(|other| other.id != *seat).map(|other| {
        let side = words.seat_name(&other.id);
        // They name the pieces of their own seat.
        let view = state.world.seen_by(&context.game, &other.id);
        let vocabulary = context.vocabulary(&view, lang);
        let decisions = &state.decisions;
        OthersStanding {
            title: words.say("standing_of", minijinja::context! { side }),
            lines: standing::standing_lines(context, decisions, &other.id, lang, &vocabulary),
        }
    });
    others.filter(|other| !other.lines.is_empty()).collect()
}

/// The document of a map: as a seat sees it, or the true world for the umpire.
///
/// # Errors
/// If a template function of the rules fails.
pub fn map_document(
    context: &Context,
    state: &State,
    seat: Option<&SeatId>,
) -> Result<Document, WorkError> {
    let umpire = SeatId::from("umpire");
    let view = seat.map_or_else(
        || state.world.clone(),
        |seat| state.world.seen_by(&context.game, seat),
    );
    let contents = Contents {
        view,
        heard: Arc::default(),
        asked: Request::Waiting { deadline: None },
        dice: DiceText::default(),
        has_map: true,
    };
    let briefing = briefing_of(context, state, seat.unwrap_or(&umpire), contents)?;
    Ok(briefing.document())
}

/// The document of those who look on: what a seat was last told of, and sees; or of what is public,
/// for a seat that the game does not have. Nobody is asked anything.
///
/// # Errors
/// If a text of the rules fails.
pub fn observed_document(
    context: &Context,
    state: &State,
    seat: &SeatId,
) -> Result<Document, WorkError> {
    let view = state.world.seen_by(&context.game, seat);
    let told = state.seats.get(seat).map(|entry| entry.told.clone());
    let asked = match state.world.ended {
        Some(_) => Request::Over,
        None => Request::Waiting { deadline: None },
    };
    let told = told.unwrap_or_default();
    let briefing = briefing(context, state, seat, view, told, asked, DiceText::default())?;
    Ok(briefing.document())
}

/// The questions to a seat at this moment.
pub(super) fn asked(context: &Context, state: &State, seat: &SeatId) -> Request {
    match &state.waiting {
        CurrentWait::Orders {
            seats,
            phase,
            deadline,
            ..
        } if seats.contains(seat) => Request::Orders {
            phases: vec![state.in_full(phase)],
            deadline: *deadline,
            only_standing: !context.grammar.takes_orders(phase),
            when_ready: context.settings.schedule.when_ready(),
        },
        CurrentWait::Orders {
            invited,
            phase,
            deadline,
            ..
        } if invited.contains(seat) => Request::Invited {
            phase: state.in_full(phase),
            deadline: *deadline,
        },
        CurrentWait::Orders { deadline, .. } => Request::Waiting {
            deadline: *deadline,
        },
        CurrentWait::Answers { .. }
        | CurrentWait::Dice { .. }
        | CurrentWait::Dispatch { .. }
        | CurrentWait::Repair { .. } => Request::Waiting { deadline: None },
        CurrentWait::Disclosure { .. } | CurrentWait::Nothing => Request::Over,
    }
}

/// The lines that the rules propose for the phase, in the seat's language, and the errors of the
/// template functions that failed: a dispatch goes out even without its proposals.
fn template(
    context: &Context,
    (seat, lang): (&SeatId, Lang),
    view: &World,
    asked: &Request,
    vocabulary: &Vocabulary,
) -> Result<(Vec<String>, Vec<String>), WorkError> {
    let phases = match asked {
        Request::Orders { phases, .. } => phases.as_slice(),
        Request::Invited { phase, .. } => std::slice::from_ref(phase),
        _ => return Ok((Vec::new(), Vec::new())),
    };
    let decisions = Decisions::default();
    let (mut lines, mut unproposed) = (Vec::new(), Vec::new());
    let start = Start {
        phase: phases.first().map(String::as_str).unwrap_or_default(),
        world: view,
        options: &context.settings.options,
        decisions: &decisions,
    };
    for function in orders::template_functions(&context.grammar, &context.game.decl, phases) {
        match context.program.template(seat, &start, function) {
            Ok(proposed) => lines.extend(proposed),
            Err(error) if error.of_machine => return Err(error.into()),
            Err(error) => unproposed.push(error.to_string()),
        }
    }
    let printed = orders::template(&context.grammar, vocabulary, &lines, lang);
    let printed = printed.iter();
    let printed = printed.map(|line| line.strip_prefix("# ").unwrap_or(line).to_owned());
    Ok((printed.collect(), unproposed))
}

/// The content of a letter with a seat's document: text, page, and map. `proven`: a proof follows
/// below.
pub(super) fn letter(mut briefing: SeatBriefing<'_>, proven: bool) -> LetterContent {
    let unproposed = std::mem::take(&mut briefing.unproposed);
    let document = briefing.document();
    let text = LetterText {
        subject: document.subject.clone(),
        text: dispatch::body(&document),
    };
    let drawn = dispatch::map_pictures(&document);
    LetterContent {
        page: Some(dispatch::page(&document, &drawn, proven)),
        pictures: attached(&document, drawn),
        unproposed,
        ..LetterContent::plain(text, None)
    }
}

/// Pictures of a document's map, with the names of their files.
pub(super) fn attached(document: &Document, drawn: Vec<DrawnPicture>) -> Vec<Picture> {
    let (campaign, turn) = (&document.heading.campaign, document.heading.turn);
    let pictures = drawn.into_iter().map(|(picture, svg)| {
        let sheet = picture.cid.trim_start_matches("map");
        let file_name = format!("{campaign}-turn-{turn}{sheet}.png");
        Picture::new(&picture.cid, file_name, svg)
    });
    pictures.collect()
}
