//! Fates of small texts.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may panic")]

use super::fates;
use crate::mail::{mail_words::Fate, own_letter, phrases::fold};

/// The fates of a text, a letter a line: . taken, > quoted, a attribution, s signature, f footer, h
/// header block or forwarded, o outside of markers.
fn sketch(text: &str) -> String {
    let folded: Vec<String> = text.lines().map(fold).collect();
    let letter = |fate: &Fate| match fate {
        Fate::Taken => '.',
        Fate::Quoted => '>',
        Fate::Attribution => 'a',
        Fate::Signature => 's',
        Fate::Footer => 'f',
        Fate::ForwardedOrHeaderBlock => 'h',
        Fate::Courtesy => 'c',
        Fate::OwnLetter => 'l',
        Fate::OutsideMarkers => 'o',
    };
    fates(&folded, &["ada".to_owned(), "north".to_owned()])
        .iter()
        .map(letter)
        .collect()
}

#[test]
fn attributions_of_many_languages_cut_what_follows() {
    for attribution in [
        "On Mon, Mar 3, 2025 at 9:58 AM Ada <ada@example.org> wrote:",
        "Le lun. 3 mars 2025 à 09:58, Ada <ada@example.org> a écrit\u{202f}:",
        "Am 03.03.2025 um 09:58 schrieb Ada:",
        "El lun, 3 mar 2025 a las 9:58, Ada (<ada@example.org>) escribió:",
        "Il giorno lun 3 mar 2025 alle ore 09:58 Ada <ada@example.org> ha scritto:",
        "Op ma 3 mrt 2025 om 09:58 schreef Ada <ada@example.org>:",
        "Ada North <ada@example.org> wrote:",
    ] {
        assert_eq!(
            sketch(&format!("HOLD\n{attribution}\n\nMOVE old")),
            ".a>>",
            "{attribution}"
        );
        assert_eq!(
            sketch(&format!("{attribution}\n\n> MOVE old\nHOLD")),
            "a.>.",
            "{attribution}"
        );
    }
}

#[test]
fn an_attribution_may_be_broken_over_four_lines_and_not_five() {
    assert_eq!(
        sketch("HOLD\nOn Monday, 3 March\n2025, Ada\n<ada@example.org>\nwrote:\n> x"),
        ".aaaa>"
    );
    assert_eq!(
        sketch("On Monday,\n3 March\n2025,\nAda\nwrote:\n> x"),
        ".....>"
    );
}

#[test]
fn an_order_above_an_attribution_is_not_part_of_it() {
    assert_eq!(
        sketch("Le 3e corps attaque 0412\nOn Mon 3 March, Ada wrote:\n> x"),
        ".a>"
    );
    assert_eq!(
        sketch("On 0412 build fort 2\nOn Mon 3 March Ada\n<ada@example.org> wrote:\n> x"),
        ".aa>"
    );
}

#[test]
fn header_blocks_of_many_languages_cut_the_rest() {
    for block in [
        "From: Ada\nSent: Monday\nTo: Bert\nSubject: x",
        "De : Ada\nEnvoyé : lundi\nÀ : Bert\nObjet : x",
        "Von: Ada\nGesendet: Montag\nAn: Bert\nBetreff: x",
        "*From:* Ada\n*Date:* Monday\n*To:* Bert\n*Cc:* Cara",
        "Gesendet: Montag\nVon: Ada\nAn: Bert\nBetreff: x",
    ] {
        assert_eq!(
            sketch(&format!("HOLD\n{block}\n\nMOVE old")),
            ".hhhhhh",
            "{block}"
        );
    }
    assert_eq!(
        sketch("HOLD\n______________\nFrom: Ada\nSent: Monday\n\nMOVE old"),
        ".hhhhh"
    );
}

#[test]
fn two_lines_with_colons_are_no_header_block() {
    assert_eq!(sketch("From: Lonato\nTo: Salo\nHOLD"), "...");
    assert_eq!(sketch("To: Salo\nCc: x\nDate: y\nHOLD"), "....");
}

#[test]
fn titles_of_forwarded_mails_cut_the_rest() {
    for title in [
        "-----Original Message-----",
        "-------- Message d\u{2019}origine --------",
        "---------- Forwarded message ---------",
        "Begin forwarded message:",
        "Début du message réexpédié :",
        "-----Ursprüngliche Nachricht-----",
    ] {
        assert_eq!(
            sketch(&format!("HOLD\n{title}\nMOVE old")),
            ".hh",
            "{title}"
        );
    }
    assert_eq!(sketch("original message\nHOLD"), "..");
}

#[test]
fn a_signature_ends_at_the_next_quotation() {
    assert_eq!(sketch("HOLD\n--\nAda\nMOVE away\n> old\nREST"), ".sss>.");
    assert_eq!(sketch("HOLD\n---\nREST -- now"), "...");
}

#[test]
fn footers_drop_single_lines_and_lists_the_rest() {
    assert_eq!(
        sketch("Sent from my telephone\nHOLD\nEnvoyé de mon iPhone\n--------------\nREST"),
        "f.ff."
    );
    assert_eq!(
        sketch("HOLD\n_______________\nWar mailing list\nwar@example.org"),
        ".fff"
    );
}

#[test]
fn a_letter_of_ours_without_its_marks_is_no_order() {
    let digest = "ab".repeat(32);
    let letter = format!(
        "{}\nMOVE old\n\nregister 3 {digest}",
        own_letter::LETTER_HEAD
    );
    assert_eq!(sketch(&format!("HOLD\n{letter}\nREST")), ".llll.");
    assert_eq!(sketch(&format!("{letter}\n{letter}\nREST")), "llllllll.");
    assert_eq!(
        sketch("| MOVE old\n  3 | MOVE old\n    | REST\nHOLD"),
        ">>>."
    );
}

#[test]
fn only_marked_lines_count_where_there_are_marks() {
    assert_eq!(
        sketch("hello\nBEGIN ORDERS\nHOLD\nEND ORDERS\nbye"),
        "oo.oo"
    );
    assert_eq!(
        sketch("Début des ordres :\nHOLD\n> quoted\nFIN ORDRES"),
        "o.>o"
    );
    // Without an end, all that follows; marks in quotations are none.
    assert_eq!(sketch("hello\n-- begin orders --\nHOLD\nREST"), "oo..");
    assert_eq!(
        sketch("HOLD\n> BEGIN ORDERS\n> MOVE\n> END ORDERS\nREST"),
        ".>>>."
    );
    assert_eq!(sketch("HOLD\nEND ORDERS"), "..");
}

#[test]
fn attributions_need_a_verb_and_a_date_or_address() {
    for attribution in [
        "Ada North <ada@example.org> schrieb am Mo., 3. März 2025, 09:58:",
        "man. 3. mars 2025 kl. 09:58 skrev Ada <ada@example.org>:",
        "Den mån 3 mars 2025 kl 09:58 skrev Ada <ada@example.org>:",
        "Den 03/03/2025 kl. 09.58 skrev Ada:",
        "På mandag 3. mars 2025 kl. 09:58, skrev Ada:",
        "2025-03-03 9:58 GMT+01:00 Ada <ada@example.org>:",
        "---- On Mon, 03 Mar 2025 09:58:12 +0100 Ada <ada@example.org> wrote ---",
        "On 3 Mar 2025, 09:58 +0100, Ada <ada@example.org>, wrote:",
        "Ada wrote in\n <20250303@example.org>:",
        "Le 03/03/2025 à 09:58, Ada a écrit :",
        "El 3 mar 2025, a las 9:58, Ada <ada@example.org> escribió:",
    ] {
        let marks = "a".repeat(attribution.lines().count());
        assert_eq!(
            sketch(&format!("HOLD\n{attribution}\n\nMOVE old")),
            format!(".{marks}>>"),
            "{attribution}"
        );
    }
    assert_eq!(sketch("HOLD\nAda North writes:\n> old"), ".a>");
    assert_eq!(
        sketch("2013/10/21 Ada <ada@example.org>\n> old\nHOLD"),
        "a>."
    );
}

#[test]
fn orders_that_look_like_attributions_stay() {
    for order in [
        "Le 3e corps attaque 0412 à 9h",
        "On 0412 build fort 2:",
        "Ada writes: HOLD",
        "MOVE Ada: Lonato - Salo",
        "Den 3. brigade: HOLD",
        "IF TURN 3: MOVE Bert TO Salo",
        "1: RETREAT TO Rivoli",
        "10.30 Bert:",
    ] {
        assert_eq!(sketch(&format!("{order}\nREST")), "..", "{order}");
    }
}

#[test]
fn initials_mark_quotations_below_an_attribution_or_in_rows() {
    assert_eq!(
        sketch("Ada <ada@example.org> writes:\n\nAN> MOVE old\nHOLD"),
        "a.>."
    );
    assert_eq!(sketch("AN> one\nAN> two\nHOLD"), ">>.");
    assert_eq!(sketch("Ney> Rivoli\nHOLD"), "..");
    assert_eq!(sketch("Ada wrote:\n\n | MOVE old\n | REST\nHOLD"), "a.>>.");
}

#[test]
fn header_blocks_may_be_broken_and_small() {
    for block in [
        "From: Ada\nTo: Bert <bert@example.org>;\n<cara@example.org>\nSubject: x",
        "de : Ada\nenvoyé : 3 mars\nà : Bert\nobjet : x",
        "> Message du 03/03/25\n> De : Ada",
        "Från: Ada\nSkickat: den 3 mars\nTill: Bert\nÄmne: x",
        "Fra: Ada\nSendt: 3. mars\nTil: Bert\nEmne: x",
        "From : Ada\nTo : Bert\nDate : Mon, 3 Mar\nSubject : x",
    ] {
        let quoted = block.starts_with('>');
        let after = sketch(&format!("HOLD\n{block}\n\nMOVE old"));
        let count = block.lines().count();
        match quoted {
            true => assert!(after.starts_with(".>>"), "{block}: {after}"),
            false => assert_eq!(after, format!(".{}", "h".repeat(count + 2)), "{block}"),
        }
    }
    assert_eq!(
        sketch("HOLD\nMessage du 03/03/25 09:58\nDe : Ada\nA : Bert\nMOVE old"),
        ".hhhh"
    );
}

#[test]
fn courtesy_is_no_order_and_no_mistake() {
    for (text, fates) in [
        ("Hello Bert,\n\nHOLD\n\nBest regards,\nAda North", "c...cc"),
        ("Bonjour,\nHOLD\nCordialement\n\nA. North", "c.ccc"),
        ("Hej\nHOLD\nMvh Ada", "c.c"),
        ("HOLD\n-Ada", ".c"),
        ("HOLD\n\nAda\nOn 3 March Bert wrote:\n> old", "..ca>"),
        ("Ada\nHOLD", ".."),
        // The name of somebody else, an order below thanks, and a greeting that goes on are kept.
        ("HOLD\nThanks\nREST", ".c."),
        ("HOLD\nThanks\nBert", ".c."),
        ("Hello Bert here are my orders\nHOLD", ".."),
        ("HOLD\nHello,", ".."),
        ("Cara TO Salo", "."),
    ] {
        assert_eq!(sketch(text), fates, "{text}");
    }
}

#[test]
fn sentences_that_begin_like_footers_stay() {
    assert_eq!(
        sketch("Sent from my desk, which is much better\nHOLD"),
        ".."
    );
    assert_eq!(
        sketch("HOLD\nSent from my iPad\nEnvoyé de mon Galaxy S10"),
        ".ff"
    );
    assert_eq!(
        sketch("HOLD\n****DISCLAIMER****\n* Note: x\n\nREST"),
        ".ff.."
    );
    assert_eq!(
        sketch("HOLD\nCONFIDENTIALITY: this is\nfor you alone\n\nREST"),
        ".ff.."
    );
}

#[test]
fn a_signature_hides_no_copied_mail() {
    assert_eq!(
        sketch("HOLD\n--\nAda\nOn 3 March Ada wrote:\nBEGIN ORDERS\nMOVE old\nEND ORDERS"),
        ".ssa>>>"
    );
}

#[test]
fn marks_win_over_everything_of_the_player() {
    assert_eq!(
        sketch(
            "Hello,\n--\nAda\nBEGIN ORDERS\nSent from my desk\n--\nHOLD\nThanks\nEND ORDERS\nbye"
        ),
        "osso....os"
    );
    assert_eq!(
        sketch("BEGIN ORDERS\nHOLD\nEND ORDERS\nx\nBEGIN ORDERS\nREST"),
        "o.ooo."
    );
    // In a copied mail they are the marks of an old one, and a block without an end does not reach
    // into it.
    let copied = "-----Original Message-----\nBEGIN ORDERS\nMOVE old\nEND ORDERS";
    assert_eq!(sketch(&format!("HOLD\n{copied}")), ".hhhh");
    assert_eq!(sketch(&format!("BEGIN ORDERS\nHOLD\n{copied}")), "o.hhhh");
    // Below our own letter they stand for an answer at the bottom.
    let letter = format!(
        "{}\nMOVE old\nregister 3 {}",
        own_letter::LETTER_HEAD,
        "ab".repeat(32)
    );
    let bottom =
        format!("From: Ada\nTo: Bert\nSubject: x\n\n{letter}\nBEGIN ORDERS\nHOLD\nEND ORDERS");
    assert_eq!(sketch(&bottom), "hhholllo.o");
}

#[test]
fn header_lines_alone_have_marks_and_the_copy_below_has_none() {
    let headers = "> Od: Ada North\n> Do: Bert\n> Temat: turn 3";
    assert_eq!(sketch(&format!("HOLD\n{headers}\n\nMOVE old")), ".>>>hh");
    // Who answers at the bottom, and a quotation that has marks throughout.
    assert_eq!(sketch(&format!("{headers}\n\nHOLD")), ">>>..");
    assert_eq!(
        sketch(&format!("HOLD\n{headers}\n> MOVE old\n\nREST")),
        ".>>>>.."
    );
}

#[test]
fn a_frame_of_dashes_and_a_verb_are_an_attribution() {
    for line in [
        "---- Estafette wrote ----",
        "---- Estafette kirjoitti ----",
        "---- Estafette kirjoitti 24.11.2026 klo 21.04 ----",
        "---- Użytkownik Estafette napisał ----",
        "---- Пользователь Estafette написал ----",
        "---- Estafette escreveu ----",
        "--- Estafette napsal(a) ---",
        "Tuesday 24 November 2026, Estafette wrote",
        "Tuesday 24 November 2026, Estafette wrote:",
        "| From Estafette <games@example.org> | 24-11-2026 21:04 |",
    ] {
        assert_eq!(
            sketch(&format!("HOLD\n\n{line}\n\nMOVE old")),
            "..a>>",
            "{line}"
        );
        assert_eq!(sketch(&format!("HOLD\n{line}\nMOVE old")), ".a>", "{line}");
    }
    assert_eq!(
        sketch("HOLD\n\n24 ноября 2026 г., 21:04\nEstafette написал:\nMOVE old"),
        "..aa>"
    );
    let headers = "> Od: Estafette <games@example.org>\n> Datum: 24.11.2026 21:04";
    assert_eq!(
        sketch(&format!("HOLD\n______________\n{headers}\n\nMOVE old")),
        ".f>>hh"
    );
    for line in ["- HOLD --- Ada wrote", "--- HOLD ---", "3 March 2025"] {
        assert_eq!(sketch(&format!("{line}\nREST")), "..", "{line}");
    }
}

#[test]
fn sentences_with_a_date_and_an_address_swallow_no_orders() {
    for sentence in [
        "I am away until Tue, 24 Nov 2026 18:00, mail bert@example.org:",
        "From 24 Nov 2026 21:00 my address is Ada <ada@new.org>",
        "New address from 27 November 2026: Ada <ada@new.org>",
        "Je suis absent jusqu'au 24 nov. 2026 18:00, écrivez à bert@example.org :",
        "Meine Adresse ab 24.11.2026 18:00: Ada <ada@new.org>",
    ] {
        for text in [
            format!("{sentence}\nHOLD"),
            format!("HOLD\n{sentence}\nREST"),
            format!("HOLD\n\n{sentence}\n\nREST"),
        ] {
            assert_eq!(sketch(&text), ".".repeat(text.lines().count()), "{text}");
        }
    }
    // Date, name and address alone: a copy below the player's words, and else his signature of
    // sorts.
    let line = "Ada Lovelace <ada@example.org>, 24 Nov 2026";
    assert_eq!(sketch(&format!("HOLD\n{line}\nMOVE old")), ".a>");
    assert_eq!(sketch(&format!("{line}\nHOLD\nREST")), "...");
    assert_eq!(sketch(&format!("{line}\n> MOVE old\nHOLD")), "a>.");
}

#[test]
fn footers_of_more_languages_are_dropped() {
    for footer in [
        "Lähetetty Xperia-puhelimesta",
        "Lähetetty Windowsin Sähköpostista",
        "Viruksia ei löytynyt. www.avast.com",
        "Antes de imprimir, pense no meio ambiente.",
        "Odoslané z iPhonu",
        "<#DAB4FAD8-2DD7-40BB-A1B8-4E2AA1F9FDF2>",
    ] {
        assert_eq!(sketch(&format!("HOLD\n{footer}\nREST")), ".f.", "{footer}");
    }
}
