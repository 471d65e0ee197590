//! What mail programs of many languages write over a mail that is answered, and below one's own
//! words, and what looks alike and is an order.

use estafette::mail::{Fate, MailLimits, words_of};

/// Lines over a quotation, as programs write them in many languages. `/` parts lines.
const ATTRIBUTIONS: &[&str] = &[
    // Gmail
    "On Mon, Mar 3, 2025 at 9:58 AM Ada North <war+spring.red.abc@example.org> wrote:",
    "Le lun. 3 mars 2025 à 09:58, Ada North <ada@example.org> a écrit :",
    "пн, 3 мар. 2025 г. в 09:58, Ada North <ada@example.org>:",
    "пн, 3 мар. 2025 г. в 09:58, Ada North <ada@example.org> пишет:",
    "pon., 3 mar 2025 o 09:58 Ada North <ada@example.org> napisał(a):",
    "po 3. 3. 2025 v 9:58 odesílatel Ada North <ada@example.org> napsal:",
    "Em seg., 3 de mar. de 2025 às 09:58, Ada North <ada@example.org> escreveu:",
    "Ada North <ada@example.org> escreveu (segunda, 3/03/2025 à(s) 09:58):",
    "ma 3. maalisk. 2025 klo 9.58 Ada North (ada@example.org) kirjoitti:",
    "Ada North <ada@example.org> ezt írta (időpont: 2025. márc. 3., H, 9:58):",
    "Ada North <ada@example.org>, 3 Mar 2025 Pzt, 09:58 tarihinde şunu yazdı:",
    "Στις Δευ 3 Μαρ 2025 στις 9:58 π.μ., ο χρήστης Ada North <ada@example.org> έγραψε:",
    "lun., 3 mar. 2025, 09:58 Ada North <ada@example.org> a scris:",
    "пн, 3 бер. 2025 р. о 09:58 Ada North <ada@example.org> пише:",
    "На пн, 3.03.2025 г. в 9:58 Ada North <ada@example.org> написа:",
    "pon, 3. ožu 2025. u 09:58 Ada North <ada@example.org> napisao je:",
    "pon., 3. mar. 2025 ob 09:58 je oseba Ada North <ada@example.org> napisala:",
    "po 3. 3. 2025 o 9:58 Ada North <ada@example.org> napísal(a):",
    "2025-03-03, pr, 09:58 Ada North <ada@example.org> rašė:",
    "pirmd., 2025. g. 3. marts, plkst. 09:58 — lietotājs Ada North (<ada@example.org>) rakstīja:",
    "Kuupäev E, 3. märts 2025 kell 09:58 kirjutas Ada North <ada@example.org>:",
    "2025年3月3日(月) 9:58 Ada North <ada@example.org>:",
    "Ada North <ada@example.org> 于2025年3月3日周一 09:58写道：",
    "Ada North <ada@example.org> 於 2025年3月3日 週一 上午9:58寫道：",
    "2025년 3월 3일 (월) 오전 9:58, Ada North <ada@example.org>님이 작성:",
    "\u{202b}בתאריך יום ב׳, 3 במרץ 2025 ב-9:58 מאת \u{202a}Ada North\u{202c}\u{200f} <\u{202a}ada@example.org\u{202c}\u{200f}>:\u{202c}",
    "في الاثنين، 3 مارس 2025 في 9:58 ص تمت كتابة ما يلي بواسطة Ada North <ada@example.org>:",
    "Vào Th 2, 3 thg 3, 2025 vào lúc 09:58 Ada North <ada@example.org> đã viết:",
    "Pada tanggal Sen, 3 Mar 2025 pukul 09.58 Ada North <ada@example.org> menulis:",
    "El dl., 3 de març 2025, 9:58, Ada North <ada@example.org> va escriure:",
    "ada@example.org igorleak hau idatzi du (2025 mar. 3, al. (09:58)):",
    "Þann mán., 3. mar. 2025 kl. 09:58 skrifaði Ada North <ada@example.org>:",
    // Broken by the program
    "On Mon, Mar 3, 2025 at 9:58 AM Ada North/<war+spring.red.abc@example.org> wrote:",
    "pon., 3 mar 2025 o 09:58 Ada North <ada@example.org>/napisał(a):",
    "2025-03-03, pr, 09:58 Ada North/<ada@example.org> rašė:",
    "Kuupäev E, 3. märts 2025 kell 09:58 kirjutas Ada North/<ada@example.org>:",
    "Dne pondělí 3. března 2025 v 9:58/Ada North <ada@example.org>:",
    // No verb, no colon
    "3 March 2025 09:58 Ada North <ada@example.org>",
    "Ada North <ada@example.org> 3 March 2025 09:58",
    "Ada North <ada@example.org>, 03.03.2025 09:58",
    "Mon, 3 Mar 2025 09:58:12 +0100 Ada North <ada@example.org>",
    "2025-03-03T09:58:12Z Ada North <ada@example.org>",
    "2025/03/03 9:58, Ada North <ada@example.org>",
    "03/03/25 09:58 - Ada North (ada@example.org)",
    "3. března 2025, Ada North <ada@example.org>:",
    "Ada North [mailto:ada@example.org] 3 mars 2025 09:58",
    "Mar 3, 2025 - Ada North <ada@example.org>",
    "Mon, Mar 3 at 9:58 AM Ada North <ada@example.org>:",
    // Apple Mail
    "3 мар. 2025 г., в 09:58, Ada North <ada@example.org> написал(а):",
    "Wiadomość napisana przez Ada North <ada@example.org> w dniu 3 mar 2025, o godz. 09:58:",
    "Ada North <ada@example.org> kirjoitti 3.3.2025 kello 9.58:",
    "3. 3. 2025 v 9:58, Ada North <ada@example.org>:",
    "No dia 03/03/2025, às 09:58, Ada North <ada@example.org> escreveu:",
    // Thunderbird, and others that write the address bare
    "Dne 3. 3. 2025 v 9:58 ada@example.org napsal(a):",
    "03.03.2025 09:58, ada@example.org пишет:",
    "W dniu 3.03.2025 o 09:58, ada@example.org pisze:",
    "ada@example.org kirjoitti 3.3.2025 klo 9.58:",
    "ada@example.org 2025-03-03 09:58 rašė:",
    "Понедельник, 3 марта 2025, 9:58 +03:00 от Ada North <ada@example.org>:",
    "03.03.2025, 09:58, \"Ada North\" <ada@example.org>:",
    "---------- Původní e-mail ----------/Od: Ada North <ada@example.org>/Komu: bert@example.org/Datum: 3. 3. 2025 9:58:12",
    // Outlook's blocks
    "От: Ada North <ada@example.org>/Отправлено: 3 марта 2025 г. 9:58/Кому: Bert <bert@example.org>/Тема: Re: [spring] turn 3",
    "Od: Ada North/Wysłano: poniedziałek, 3 marca 2025 09:58/Do: Bert/Temat: Re: [spring] turn 3",
    "Od: Ada North/Odesláno: pondělí 3. března 2025 9:58/Komu: Bert/Předmět: Re: [spring] turn 3",
    "De: Ada North/Enviado: segunda-feira, 3 de março de 2025 09:58/Para: Bert/Assunto: Re: [spring] turn 3",
    "Lähettäjä: Ada North/Lähetetty: maanantai 3. maaliskuuta 2025 9.58/Vastaanottaja: Bert/Aihe: Re: [spring] turn 3",
    "Feladó: Ada North/Elküldve: 2025. március 3., hétfő 9:58/Címzett: Bert/Tárgy: Re: [spring] turn 3",
    "Kimden: Ada North/Gönderildi: 3 Mart 2025 Pazartesi 09:58/Kime: Bert/Konu: Re: [spring] turn 3",
    "发件人: Ada North/发送时间: 2025年3月3日 9:58/收件人: Bert/主题: Re: [spring] turn 3",
    "差出人: Ada North/送信日時: 2025年3月3日 9:58/宛先: Bert/件名: Re: [spring] turn 3",
    "보낸 사람: Ada North <ada@example.org>/보낸 날짜: 2025년 3월 3일 월요일 오전 9:58/받는 사람: Bert/제목: Re: [spring] turn 3",
    "Pošiljatelj: Ada North <ada@example.org>/Poslano: 3. ožujka 2025. 9:58/Prima: Bert/Predmet: Re: [spring] turn 3",
    "Siuntėjas: Ada North <ada@example.org>/Išsiųsta: 2025 m. kovo 3 d., 09:58/Kam: Bert/Tema: Re: [spring] turn 3",
];

const OWN: &str = "MOVE Guyeux, Rusca: - Gavardo\nLOSSES SPREAD";

fn taken(text: &str) -> String {
    words_of(text, &MailLimits::default()).text
}

#[test]
fn orders_above_an_unmarked_letter_are_all_that_counts() {
    let mut wrong = Vec::new();
    for attribution in ATTRIBUTIONS {
        let attribution = attribution.replace('/', "\n");
        let attribution = if attribution.contains("2025\n03") || attribution.contains("03\n03") {
            attribution.replace('\n', "/")
        } else {
            attribution
        };
        for (above, below) in [("\n\n", "\n\n"), ("\n\n", "\n"), ("\n", "\n\n")] {
            let text = format!("{OWN}{above}{attribution}{below}MOVE old\nLOSSES CONCENTRATE\n");
            if taken(&text) != OWN {
                wrong.push((text.clone(), taken(&text)));
                break;
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {}: {wrong:#?}",
        wrong.len(),
        ATTRIBUTIONS.len()
    );
}

#[test]
fn orders_below_a_marked_letter_count() {
    let mut wrong = Vec::new();
    for attribution in ATTRIBUTIONS {
        // A block of header lines has no marked quotation below it.
        if attribution.split('/').count() > 3 {
            continue;
        }
        let lines = attribution.replace('/', "\n");
        let lines = if lines.contains("2025\n03") || lines.contains("03\n03") {
            (*attribution).to_owned()
        } else {
            lines
        };
        let text = format!("{lines}\n> MOVE old\n> LOSSES CONCENTRATE\n\n{OWN}\n");
        if taken(&text) != OWN {
            wrong.push((text.clone(), taken(&text)));
        }
    }
    assert!(wrong.is_empty(), "{}: {wrong:#?}", wrong.len());
}

#[test]
fn orders_with_dates_names_and_addresses_are_no_attributions() {
    for order in [
        "ADDRESS ada@new.example.org",
        "ADDRESS Ada North <ada@new.example.org>",
        "MOVE Ada: Lonato # as Bert <bert@example.org> wrote on 3 March 2025 at 10:12",
        "PURSUE NEVER # 2025-03-03 09:58 ada@example.org",
        "MOVE Augereau, 3rd of March: Lonato - Castiglione 12:30",
        "IF TURN >= 3: MOVE Ada: Lonato",
        "RETREAT AFTER 1 IF RATIO < 0.7",
        "On 3 March 2025 I move Ada to Lonato",
        "Write to me at ada@example.org until 3 March, please",
        "My address is Ada North <ada@example.org> until the end of March",
        "From: Lonato",
        "BREAK HUS5 ALWAYS BY 2",
        "1. retreat to Rivoli",
        "1849-03-23 was the day of Novara",
        "TURN 3 March 1849, 10:00",
    ] {
        let text = format!("{order}\n{OWN}");
        assert_eq!(taken(&text), text, "{order}");
        let text = format!("{OWN}\n\n{order}\n\nPURSUE NEVER");
        assert_eq!(taken(&text), text, "{order}");
    }
}

#[test]
fn footers_of_telephones_are_left_out_in_any_language() {
    for footer in [
        "Отправлено с iPhone",
        "Отправлено из мобильной Почты Mail.ru",
        "Wysłane z iPhone'a",
        "Wysłano z telefonu Samsung Galaxy",
        "Odesláno z iPhonu",
        "Odesláno z mobilního telefonu Samsung",
        "Lähetetty iPhonesta",
        "Lähetetty Outlook for Androidista",
        "Enviado do meu iPhone",
        "Enviado a partir do Outlook para iOS",
        "Az iPhone készülékemről küldve",
        "iPhone'umdan gönderildi",
        "Trimis de pe iPhone-ul meu",
        "Stuurt frå min Android",
        "Надіслано з iPhone",
    ] {
        let words = words_of(&format!("{OWN}\n\n{footer}\n"), &MailLimits::default());
        assert_eq!(
            (words.text.as_str(), words.count(Fate::Footer)),
            (OWN, 1),
            "{footer}"
        );
    }
    let own = "Sorry, I write from my iPhone, on the train";
    assert_eq!(taken(own), own);
}
