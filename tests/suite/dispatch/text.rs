//! Dispatches as players read them.

use std::sync::Arc;

use crate::dispatch::fixture::{
    asked_orders, asked_question, display, document, events, game, world,
};
use estafette::{
    dispatch::{Briefing, DiceText, Document, Proof, Request, body, map_pictures, map_svg, page},
    game::Lang,
    ids::SeatId,
    value::Fields,
    world::World,
};
use jiff::tz::TimeZone;
use unicode_width::UnicodeWidthStr;

fn all() -> impl Iterator<Item = Document> {
    let kinds = [
        asked_orders(),
        asked_question(),
        Request::Waiting { deadline: None },
        Request::Over,
    ];
    kinds.into_iter().flat_map(|asked| {
        Lang::ALL.into_iter().flat_map(move |lang| {
            let asked = asked.clone();
            ["french", "austrian"].map(move |seat| document("lonato", seat, lang, asked.clone()).0)
        })
    })
}

#[test]
fn the_whole_text_in_english() {
    let (document, faults) = document("lonato", "french", Lang::En, asked_orders());
    assert_eq!(faults, []);
    insta::assert_snapshot!(body(&document));
}

#[test]
fn the_whole_text_in_french() {
    let (document, faults) = document("lonato", "austrian", Lang::Fr, asked_question());
    assert_eq!(faults, []);
    insta::assert_snapshot!(body(&document));
}

#[test]
fn lines_fit_in_a_mail() {
    for document in all() {
        for line in body(&document).lines() {
            assert!(line.width() <= 72, "{line}");
            assert_eq!(line.trim_end(), line);
        }
    }
}

#[test]
fn results_print_with_their_reasons() {
    let (document, _) = document("lonato", "french", Lang::En, asked_orders());
    let combat = &document.happened[2];
    assert_eq!(combat.title, "Combat at Castiglione");
    assert_eq!(
        combat.events[0].text,
        "Round 1, French: 6 = 2 rolled, +2 Bonaparte, +1 marched to the guns, +1 cavalry (9.3), odds 3:2."
    );
    assert_eq!(combat.events[0].args, events()[2].args);
}

#[test]
fn the_template_can_be_quoted_back() {
    let (document, _) = document("lonato", "french", Lang::En, asked_orders());
    for line in &document.template {
        assert!(body(&document).contains(&format!("\n# {line}\n")));
    }
}

/// What one looks up stands last and small, on the page and in the text.
#[test]
fn reference_is_last() {
    for document in all() {
        let page = page(&document, &map_pictures(&document), true).with(&Proof {
            entries: "sd1 x 1 note".to_owned(),
            ..Proof::default()
        });
        let (news, reference) = page.split_once("<div class=\"reference\"").unwrap();
        assert_eq!(
            reference.matches("<h2").count(),
            1,
            "nothing stands below it"
        );
        let template = document.template.first().expect("a template");
        for looked_up in [template.as_str(), "sd1 x 1 note"] {
            assert!(!news.contains(&format!("{looked_up}\n")), "{looked_up}");
            assert!(reference.contains(looked_up), "{looked_up}");
        }
        assert!(reference.contains("font-size:11px"));
        let text = body(&document);
        let (_, below) = text.rsplit_once("\n-- ").unwrap();
        assert!(below.contains(&format!("# {template}\n")), "{below}");
    }
}

#[test]
fn keys_stand_below_the_body_and_not_in_it() {
    let (document, _) = document("lonato", "french", Lang::En, asked_orders());
    let bound = body(&document);
    let proof = Proof {
        private: "sd1-private x\nend-private\n".to_owned(),
        entries: "sd1 x 1 dice\nhead 00\n".to_owned(),
        foot: "footer".to_owned(),
    };
    let whole = proof.below(&bound);
    let rest = whole.strip_prefix(&bound).unwrap();
    assert_eq!(
        rest,
        "\nsd1-private x\nend-private\n\nsd1 x 1 dice\nhead 00\n\nfooter\n"
    );
    let page = page(&document, &map_pictures(&document), true).with(&proof);
    assert!(page.contains(">\nsd1-private x\nend-private\n\nsd1 x 1 dice\nhead 00\n</pre>"));
    assert!(page.contains(">\nfooter\n</div>"));
}

#[test]
fn documents_are_data() {
    for document in all() {
        let json = serde_json::to_string(&document).unwrap();
        let read: Document = serde_json::from_str(&json).unwrap();
        assert_eq!(read, document);
        assert_eq!(map_svg(&read), map_svg(&document));
    }
}

#[test]
fn pages_take_nothing_from_outside_and_let_nothing_in() {
    let (mut document, _) = document("lonato", "french", Lang::En, asked_orders());
    document
        .notices
        .push("<script>alert(1)</script>".to_owned());
    document.heading.title = "\"><img src=x>".to_owned();
    let page = page(&document, &map_pictures(&document), false).with(&Proof::default());
    assert!(page.contains("&lt;script&gt;"));
    assert!(!page.contains("<script") && !page.contains("<img src=x"));
    assert_eq!(
        page.matches("src=").count(),
        page.matches(r#"src="cid:map"#).count() + page.matches("img src=x&gt;").count()
    );
    assert!(!page.contains("http://") && !page.contains("https://") && !page.contains("url("));
}

/// A game whose text lacks an event still gets its dispatch out, and the umpire is told.
#[test]
fn a_missing_text_is_a_fault_and_no_panic() {
    let mut game = game();
    let broken = "{{ units | no_such_filter }}".to_owned();
    let text = Arc::make_mut(game.text.get_mut(&Lang::En).unwrap());
    text.events.shift_remove("combat.hits");
    text.events.insert("supply.attrition".into(), broken);
    let (document, faults) = built(&game, &world(&game, "lonato"), "french");
    let keys: Vec<_> = faults.iter().map(|fault| fault.key.as_str()).collect();
    assert_eq!(keys, ["supply.attrition", "combat.hits"]);
    let text = &document.happened[2].events[2].text;
    assert!(
        text.starts_with("combat.hits: hits 2, side austrian"),
        "{text}"
    );
}

fn built(
    game: &estafette::game::Game,
    world: &World,
    seat: &str,
) -> (Document, Vec<estafette::dispatch::WordsError>) {
    let (display, view) = (display(), world.seen_by(game, seat));
    Document::build(&Briefing {
        game,
        display: &display,
        campaign: "test",
        title: "Test",
        seat: &SeatId::from(seat),
        lang: Lang::En,
        screen: Default::default(),
        view: &view,
        phase: "supply",
        events: &events(),
        asked: asked_orders(),
        zone: &TimeZone::UTC,
        standing: &[],
        asks: &[],
        template: &[],
        dice: DiceText::default(),
        notices: &[],
    })
}

/// What a seat can't know changes no byte of what it gets.
#[test]
fn hidden_things_change_nothing() {
    let game = game();
    let before = world(&game, "lonato");
    let mut after = before.clone();
    // Below the top counters of their stacks, or an attribute that is not shown.
    after.put("gummer", &"trento".into());
    after.put("spiegel", &"eliminated_elsewhere".into());
    for (piece, attribute, value) in [("nicoletti", "hits", 3), ("wurmser", "hits", 2)] {
        after
            .piece_mut(piece)
            .unwrap()
            .attributes
            .insert(attribute.into(), value.into());
    }
    after
        .piece_mut("liptay")
        .unwrap()
        .attributes
        .insert("supplied".into(), false.into());
    after
        .piece_mut("liptay")
        .unwrap()
        .attributes
        .insert("moved".into(), true.into());
    after.set_fact("step", 7.into());
    let bytes = |world: &World| {
        let (document, _) = built(&game, world, "french");
        (
            serde_json::to_string(&document).unwrap(),
            body(&document),
            page(&document, &map_pictures(&document), false).with(&Proof::default()),
            map_svg(&document),
        )
    };
    assert_ne!(before.digest(), after.digest());
    assert_eq!(bytes(&before), bytes(&after));
    // The test would notice: what can be seen does change the bytes.
    after
        .piece_mut("joubert")
        .unwrap()
        .attributes
        .insert("hits".into(), 2.into());
    assert_ne!(bytes(&before), bytes(&after));
}

#[test]
fn questions_say_what_happens_otherwise() {
    let (document, faults) = document("lonato", "french", Lang::En, asked_question());
    assert_eq!(faults, []);
    let question = &document.asked.questions[0];
    assert_eq!(
        question.text,
        "Round 1 at Lonato is over: 12 SP against 17. Fight on or retreat?"
    );
    assert_eq!(question.otherwise, "FIGHT");
    assert!(body(&document).contains("Otherwise: FIGHT"));
    assert_eq!(
        document.asked.deadline,
        "Tuesday 24 November 2026, 20:00 (Europe/Rome)"
    );
}

#[test]
fn counters_face_down_are_counted() {
    let game = game();
    let mut world = world(&game, "lonato");
    let known = world.knowledge_mut(&"french".into());
    known.sightings.clear();
    known.spaces.clear();
    known.spaces.insert(
        "goito".into(),
        Fields::from([("hidden".to_owned(), 5.into())]),
    );
    let (document, _) = built(&game, &world, "french");
    assert_eq!(document.enemy.seen.len(), 1);
    assert_eq!(
        (
            document.enemy.seen[0].place.as_str(),
            document.enemy.seen[0].hidden
        ),
        ("Goito", 5)
    );
    assert!(body(&document).contains("Goito  5 face down"));
    let map = document.map.unwrap();
    let stack = map.stacks.iter().find(|stack| stack.hidden == 5).unwrap();
    assert_eq!(map.sides[stack.side].name, "Austrians");
}
