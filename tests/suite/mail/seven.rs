//! A game for seven over real servers.
#![cfg(unix)]

use std::path::Path;

use super::servers::{arrived, host, reply_to, swaks};
use crate::support::{
    Test,
    mailserver::{Servers, until},
};
use estafette::campaign::{durable, model::state::CurrentWait};

/// Four years of a game for seven by real servers, each seat with a mailbox of its own: every
/// season all orders arrive, every letter too, and the mails alone prove the game.
#[test]
fn seven_seats_play_four_years_by_real_servers() {
    const SEATS: [&str; 7] = [
        "austria", "england", "france", "germany", "italy", "russia", "turkey",
    ];
    let Some(servers) = Servers::start() else {
        return;
    };
    let test = Test::campaign("diplomacy")
        .scenario("classic")
        .seats(&SEATS)
        .questions(6)
        .settings_line("dispatches: news\n")
        .option("last_year", "1904")
        .begin();
    let root = test.root();
    let mut host = host(&servers, &root, servers.imap, servers.submission);
    host.serve();
    // Lines that are legal as long as the unit stands there; the rest hold. What is not legal is
    // told, and holds nobody up: the mail says NOTHING besides.
    let plans: [(&str, &[&str]); 7] = [
        (
            "austria",
            &[
                "A Bud - Ser; F Tri - Alb",
                "A Ser S F Alb - Gre; F Alb - Gre",
            ],
        ),
        (
            "england",
            &[
                "F Lon - NTH; F Edi - NWG; A Lvp - Yor",
                "F NTH C A Yor - Nwy; A Yor - Nwy",
            ],
        ),
        (
            "france",
            &[
                "A Par - Bur; F Bre - MAO; A Mar - Spa",
                "A Bur - Bel; F MAO - Por",
            ],
        ),
        (
            "germany",
            &[
                "F Kie - Den; A Ber - Kie; A Mun - Ruh",
                "A Kie - Hol; A Ruh S A Kie - Hol",
            ],
        ),
        (
            "italy",
            &[
                "F Nap - Ion; A Rom - Apu",
                "F Ion C A Apu - Tun; A Apu - Tun",
            ],
        ),
        (
            "russia",
            &[
                "F StP(sc) - Bot; F Sev - Bla; A Mos - Ukr",
                "F Bot - Swe; A Ukr - Rum",
            ],
        ),
        (
            "turkey",
            &["A Con - Bul; F Ank - Con", "A Bul H; A Smy - Arm"],
        ),
    ];
    let standing = "BUILD WAIVE\nDONT ASK RETREAT, WINTER\n";
    let turn_of = |root: &Path| {
        let (_, _, state) = durable::look(root).unwrap();
        (
            state.world.turn(),
            state.phase.clone(),
            state.waiting.clone(),
        )
    };
    let mut mails = 0;
    for season in 0..8 {
        let (turn, phase, _) = turn_of(&root);
        assert_eq!(turn, 1 + season / 2, "{phase}");
        for (seat, plan) in plans {
            let to = reply_to(&servers, seat);
            let orders = usize::try_from(season)
                .ok()
                .and_then(|season| plan.get(season))
                .map_or_else(|| "NOTHING".to_owned(), |orders| (*orders).to_owned());
            let words = if season == 0 {
                format!("{standing}{orders}")
            } else {
                orders
            };
            mails += 1;
            swaks(
                &servers,
                seat,
                &to,
                &words,
                &format!("{mails}@players.example"),
            );
        }
        until("the season is over", || {
            turn_of(&root).1 != phase || turn_of(&root).0 != turn
        });
        if season < 7 {
            // The dispatch of the next season, which is answered next.
            let season = ["Autumn", "Spring"][usize::from(season % 2 == 1)];
            for seat in SEATS {
                until("the next dispatch", || {
                    let letters = arrived(&servers, seat);
                    let newest = letters.iter().max_by_key(|letter| letter.number());
                    newest.is_some_and(|letter| letter.text.contains(&format!("- {season}\n")))
                });
            }
        }
    }
    until("the game is over", || {
        matches!(
            turn_of(&root).2,
            CurrentWait::Nothing | CurrentWait::Disclosure { .. }
        )
    });
    for seat in SEATS {
        until("the last dispatch", || {
            let letters = arrived(&servers, seat);
            letters
                .iter()
                .any(|letter| letter.text.contains("The campaign is over"))
        });
    }
    // Who held what at the end is what the orders of the first year took.
    let (_, _, state) = durable::look(&root).unwrap();
    let centres = state.world.fact("centres").clone();
    for (seat, owned) in [
        ("austria", 5),
        ("france", 6),
        ("germany", 5),
        ("england", 4),
    ] {
        assert_eq!(
            centres.get(seat).and_then(|it| it.as_int()),
            Some(owned),
            "{seat}"
        );
    }
    let (status, _) = host.end("TERM");
    assert!(status.success(), "{}", host.log());
    assert_eq!(servers.mails("game", "Processed").len(), mails);
    crate::support::is_sound(&test);
}
