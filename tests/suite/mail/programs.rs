//! What the mail programs of twenty languages write over a mail that is answered and below one's
//! own words, program by program, with orders as players write them.

use estafette::mail::{Fate, MailLimits, words_of};

/// Above the mail that is answered. `|` parts lines.
const ATTRIBUTIONS: &[&str] = &[
    // Outlook's blocks
    "From: Estafette <game@example.org>|Sent: Saturday, November 21, 2026 1:02 PM|To: Bert <bert@example.org>|Subject: [spring] Turn 1",
    "*From:* Estafette <game@example.org> |*Sent:* 21 November 2026 13:02|*To:* Bert|*Subject:* [spring] Turn 1",
    "Von: Estafette <game@example.org>|Gesendet: Samstag, 21. November 2026 13:02|An: Bert|Betreff: [spring] Zug 1",
    "De : Estafette <game@example.org>|Envoyé : samedi 21 novembre 2026 13:02|À : Bert|Objet : [spring] Tour 1",
    "Da: Estafette <game@example.org>|Inviato: sabato 21 novembre 2026 13:02|A: Bert|Oggetto: [spring] Turno 1",
    "De: Estafette <game@example.org>|Enviado el: sábado, 21 de noviembre de 2026 13:02|Para: Bert|Asunto: [spring] Turno 1",
    "De: Estafette <game@example.org>|Enviada em: sábado, 21 de novembro de 2026 13:02|Para: Bert|Assunto: [spring] Turno 1",
    "Van: Estafette <game@example.org>|Verzonden: zaterdag 21 november 2026 13:02|Aan: Bert|Onderwerp: [spring] Beurt 1",
    "Från: Estafette <game@example.org>|Skickat: den 21 november 2026 13:02|Till: Bert|Ämne: [spring] Drag 1",
    "Fra: Estafette <game@example.org>|Sendt: lørdag den 21. november 2026 13:02|Til: Bert|Emne: [spring] Tur 1",
    "Fra: Estafette <game@example.org>|Sendt: lørdag 21. november 2026 13:02|Til: Bert|Emne: [spring] Trekk 1",
    "Lähettäjä: Estafette <game@example.org>|Lähetetty: lauantai 21. marraskuuta 2026 13.02|Vastaanottaja: Bert|Aihe: [spring] Vuoro 1",
    "От: Estafette|Отправлено: суббота, 21 ноября 2026 г. 13:02|Кому: Bert|Тема: [spring] Ход 1",
    "Від: Estafette|Надіслано: субота, 21 листопада 2026 р. 13:02|Кому: Bert|Тема: [spring] Хід 1",
    "Od: Estafette|Wysłane: sobota, 21 listopada 2026 13:02|Do: Bert|Temat: [spring] Tura 1",
    "Od: Estafette|Odesláno: sobota 21. listopadu 2026 13:02|Komu: Bert|Předmět: [spring] Tah 1",
    "Od: Estafette|Odoslané: sobota 21. novembra 2026 13:02|Komu: Bert|Predmet: [spring] Ťah 1",
    "De la: Estafette <game@example.org>|Trimis: sâmbătă, 21 noiembrie 2026 13:02|Către: Bert|Subiect: [spring] Tura 1",
    "Από: Estafette|Στάλθηκε: Σάββατο, 21 Νοεμβρίου 2026 1:02 μ.μ.|Προς: Bert|Θέμα: [spring] Γύρος 1",
    "Gönderen: Estafette|Gönderilme: 21 Kasım 2026 Cumartesi 13:02|Kime: Bert|Konu: [spring] Tur 1",
    "Feladó: Estafette|Küldve: 2026. november 21., szombat 13:02|Címzett: Bert|Tárgy: [spring] 1. kör",
    "من: Estafette <game@example.org>|تم الإرسال: السبت، 21 نوفمبر 2026 1:02 م|إلى: Bert|الموضوع: [spring] الدور 1",
    "差出人: Estafette <game@example.org>|送信日時: 2026年11月21日 13:02|宛先: Bert|件名: [spring] ターン 1",
    "发件人： Estafette <game@example.org>|发送时间： 2026年11月21日 13:02|收件人： Bert|主题： [spring] 回合 1",
    "寄件者: Estafette|寄件日期: 2026年11月21日 下午 01:02|收件者: Bert|主旨: [spring] 回合 1",
    "Изпратено: Estafette|Дата: 21 ноември 2026 г. 13:02|До: Bert|Относно: [spring] Ход 1",
    // Gmail
    "On Sat, 21 Nov 2026 at 13:02, Estafette (spring) <game+spring.austrian.abcdefgh@example.org>|wrote:",
    "On Sat, Nov 21, 2026, 1:02 PM Estafette <game@example.org> wrote:",
    "Am Sa., 21. Nov. 2026 um 13:02 Uhr schrieb Estafette <|game@example.org>:",
    "Le sam. 21 nov. 2026, 13:02, Estafette <game@example.org> a|écrit :",
    "El sáb, 21 nov 2026 a la(s) 1:02 p.m., Estafette (game@example.org)|escribió:",
    "Il giorno sab 21 nov 2026 alle ore 13:02 Estafette <game@example.org>|ha scritto:",
    "Op za 21 nov 2026 om 13:02 schreef Estafette <game@example.org>",
    "Den lör 21 nov. 2026 kl 13:02 skrev Estafette <game@example.org>:",
    "Den lør. 21. nov. 2026 kl. 13.02 skrev Estafette <game@example.org>:",
    "lør. 21. nov. 2026 kl. 13:02 skrev Estafette <game@example.org>:",
    "la 21. marrask. 2026 klo 13.02 Estafette (game@example.org) kirjoitti:",
    "сб, 21 нояб. 2026 г. в 13:02, Estafette <game@example.org>",
    "сб, 21 лист. 2026 р. о 13:02 Estafette <game@example.org> пише:",
    "sob., 21 lis 2026 o 13:02 Estafette <game@example.org>|napisał(a):",
    "so 21. 11. 2026 v 13:02 odesílatel Estafette <game@example.org>|napsal:",
    "sâm., 21 nov. 2026 la 13:02, Estafette <game@example.org> a scris:",
    "Στις Σάβ 21 Νοε 2026 στις 1:02 μ.μ., ο/η Estafette <game@example.org>|έγραψε:",
    "Estafette <game@example.org>, 21 Kas 2026 Cmt, 13:02 tarihinde|şunu yazdı:",
    "Estafette <game@example.org> ezt írta (időpont: 2026. nov. 21., Szo,|13:02):",
    "في السبت، 21 نوفمبر 2026 في 1:02 م تمت كتابة ما يلي بواسطة|Estafette <game@example.org>:",
    "2026年11月21日(土) 13:02 Estafette <game@example.org>",
    "Estafette <game@example.org> 于2026年11月21日周六|下午1:02写道：",
    "2026년 11월 21일 (토) 오후 1:02, Estafette <game@example.org>님이|작성:",
    // Apple Mail
    "On 21 Nov 2026, at 13:02, Estafette <game@example.org> wrote:",
    "Am 21.11.2026 um 13:02 schrieb Estafette <game@example.org>:",
    "Le 21 nov. 2026 à 13:02, Estafette <game@example.org> a écrit :",
    "El 21 nov 2026, a las 13:02, Estafette <game@example.org> escribió:",
    "Il giorno 21 nov 2026, alle ore 13:02, Estafette <game@example.org> ha scritto:",
    "Op 21 nov. 2026, om 13:02 heeft Estafette <game@example.org> het volgende geschreven:",
    "21 nov. 2026 kl. 13:02 skrev Estafette <game@example.org>:",
    "Den 21. nov. 2026 kl. 13.02 skrev Estafette <game@example.org>:",
    "21. nov. 2026 kl. 13:02 skrev Estafette <game@example.org>:",
    "Estafette <game@example.org> kirjoitti 21.11.2026 kello 13.02:",
    "21 нояб. 2026 г., в 13:02, Estafette <game@example.org> написал(а):",
    "Estafette <game@example.org> napisał w dniu 21.11.2026, o godz. 13:02:",
    "21. 11. 2026 v 13:02, Estafette <game@example.org>:",
    "Em 21 de nov. de 2026, à(s) 13:02, Estafette <game@example.org> escreveu:",
    "2026/11/21 13:02、Estafette <game@example.org>のメール:",
    "2026年11月21日 13:02，Estafette <game@example.org> 写道：",
    "21 Kas 2026 tarihinde 13:02 saatinde, Estafette <game@example.org> şunları yazdı:",
    "21 Νοε 2026, στις 1:02 μ.μ., ο χρήστης «Estafette <game@example.org>» έγραψε:",
    "Estafette <game@example.org> írta (2026. nov. 21. dátummal, 13:02 időpontban):",
    // Thunderbird
    "On 11/21/26 13:02, Estafette wrote:",
    "On 2026-11-21 13:02, Estafette wrote:",
    "Am 21.11.26 um 13:02 schrieb Estafette:",
    "Le 21/11/2026 à 13:02, Estafette a écrit :",
    "El 21/11/26 a las 13:02, Estafette escribió:",
    "Il 21/11/26 13:02, Estafette ha scritto:",
    "Op 21-11-2026 om 13:02 schreef Estafette:",
    "Den 2026-11-21 kl. 13:02, skrev Estafette:",
    "Den 21.11.2026 13.02, skrev Estafette:",
    "Estafette kirjoitti 21.11.2026 klo 13.02:",
    "21.11.2026 13:02, Estafette пишет:",
    "21.11.26 13:02, Estafette пише:",
    "W dniu 21.11.2026 o 13:02, Estafette pisze:",
    "Dne 21. 11. 26 v 13:02 Estafette napsal(a):",
    "Em 21/11/2026 13:02, Estafette escreveu:",
    "Às 13:02 de 21/11/2026, Estafette escreveu:",
    "2026. 11. 21. 13:02 keltezéssel, Estafette írta:",
    "La 21.11.2026 13:02, Estafette a scris:",
    "Στις 21/11/26 13:02, ο/η Estafette έγραψε:",
    "21.11.2026 13:02 tarihinde Estafette yazdı:",
    "On 2026/11/21 13:02, Estafette さんは書きました:",
    "在 2026/11/21 13:02, Estafette 写道:",
    // K-9 and mailers on the web
    "-------- Original Message --------|From: Estafette <game@example.org>|Sent: 21 November 2026 13:02:11 CET|To: bert@example.org|Subject: [spring] Turn 1",
    "Am 21. November 2026 13:02:11 MEZ schrieb Estafette <game@example.org>:",
    "On 21 November 2026 13:02:11 CET, Estafette <game@example.org> wrote:",
    "21 ноября 2026 г. 13:02:11 GMT+03:00, Estafette <game@example.org> пишет:",
    "Le 21 novembre 2026 13:02:11 GMT+01:00, Estafette <game@example.org> a écrit :",
    "------ Original Message ------|From \"Estafette\" <game@example.org>|To bert@example.org|Date 21/11/2026 13:02:11|Subject [spring] Turn 1",
    "------ Originalnachricht ------|Von \"Estafette\" <game@example.org>|An bert@example.org|Datum 21.11.2026 13:02:11|Betreff [spring] Zug 1",
    "Gesendet: Samstag, 21. November 2026 um 13:02 Uhr|Von: \"Estafette\" <game@example.org>|An: bert@example.org|Betreff: [spring] Zug 1",
    "Sent: Saturday, November 21, 2026 at 1:02 PM|From: \"Estafette\" <game@example.org>|To: bert@example.org|Subject: [spring] Turn 1",
    "Estafette <game@example.org> hat am 21.11.2026 13:02 CET geschrieben:",
    "Суббота, 21 ноября 2026, 13:02 +03:00 от Estafette <game@example.org>:",
    "21.11.2026, 13:02, \"Estafette\" <game@example.org>:",
    "Dnia 21 listopada 2026 13:02 Estafette <game@example.org> napisał(a):",
    "---------- Původní e-mail ----------|Od: Estafette <game@example.org>|Komu: bert@example.org|Datum: 21. 11. 2026 13:02:11|Předmět: [spring] Tah 1",
    "---- On Sat, 21 Nov 2026 13:02:11 +0100 Estafette <game@example.org> wrote ----",
    "---- El sáb, 21 nov 2026 13:02:11 +0100 Estafette <game@example.org> escribió ----",
    "------- Original Message -------|On Saturday, November 21st, 2026 at 1:02 PM, Estafette <game@example.org> wrote:",
    "Em sáb., 21 de nov. de 2026 às 13:02, Estafette|<game@example.org> escreveu:",
    "At 2026-11-21 13:02:11, \"Estafette\" <game@example.org> wrote:",
    "在 2026-11-21 13:02:11，\"Estafette\" <game@example.org> 写道：",
    "------------------ 原始邮件 ------------------|发件人: \"Estafette\" <game@example.org>;|发送时间: 2026年11月21日(星期六) 下午1:02|收件人: \"Bert\"<bert@example.org>;|主题: [spring] 回合 1",
    "Quoting Estafette <game@example.org>:",
    "Zitat von Estafette <game@example.org>:",
    "Citando Estafette <game@example.org>:",
    "Estafette <game@example.org> writes:",
    // No verb, no colon
    "21 Nov 2026 13:02|Estafette|<game@example.org>",
    "21.11.2026 klo 13.02|Estafette <game@example.org>",
    "Estafette <game@example.org>|21 листопада 2026 р., 13:02",
    "sobota 21 listopada 2026|Estafette <game@example.org>",
    "Sat 21 Nov 13:02 Estafette game@example.org",
    "21/11/2026, 13:02 — Estafette — game@example.org",
    "Estafette game@example.org, 21 Nov 2026",
    "2026-11-21 Estafette <game@example.org>",
    "Estafette • 21 Kasım 2026 13:02|game@example.org",
    "Sábado, 21 de novembro de 2026, 13:02, Estafette <game@example.org>",
    "zo 22 nov. 2026 09:15 Estafette <game@example.org>",
];

/// Below one's own words.
const FOOTERS: &[&str] = &[
    "Von meinem iPhone gesendet",
    "Envoyé de mon iPhone",
    "Envoyé à partir d'Orange Mail",
    "Enviado desde mi iPhone",
    "Enviado desde mi Samsung Galaxy",
    "Inviato da iPhone",
    "Inviato dal mio Galaxy",
    "Verstuurd vanaf mijn iPhone",
    "Verzonden met Outlook voor Android",
    "Skickat från min iPhone",
    "Sendt fra min iPhone",
    "Sendt fra min iPad",
    "Sendt fra Outlook for Android",
    "Lähetetty Samsung Galaxy -puhelimesta",
    "Στάλθηκε από το iPhone μου",
    "iPhoneから送信",
    "发自我的 iPhone",
    "從我的 iPhone 傳送",
    "أُرسلت من الـ iPhone",
    "تم الإرسال من هاتف Samsung Galaxy",
    "Изпратено от моя iPhone",
    "나의 iPhone에서 보냄",
    "Gesendet mit der GMX Mail App",
    "Gesendet von Outlook für Android",
    "Diese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet.",
    "Envoyé depuis mon appareil Android avec K-9 Mail. Veuillez excuser ma brièveté.",
    "Sent from my Android device with K-9 Mail. Please excuse my brevity.",
    "Enviado desde mi dispositivo Android con K-9 Mail.",
    "Wysłane z urządzenia Android za pomocą K-9 Mail.",
    "Отправлено с устройства Android с помощью K-9 Mail.",
    "Scarica Outlook per iOS",
    "Obtenir Outlook pour iOS",
    "Obtener Outlook para Android",
    "Holen Sie sich Outlook für iOS",
    "Hämta Outlook för Android",
    "Hent Outlook til Android",
    "Last ned Outlook for iOS",
    "Hanki Outlook Androidille",
    "Pobierz program Outlook dla systemu Android",
    "Získat Outlook pro Android",
    "Outlook for iOSを入手",
    "获取 Outlook for iOS",
    "Android için Outlook'u edinin",
    "Obțineți Outlook pentru Android",
    "Λήψη του Outlook για Android",
    "Отримати Outlook для Android",
    "Obter o Outlook para Android",
    "Télécharger Outlook pour iOS",
    "Sent with Proton Mail secure email.",
    "Envoyé avec la messagerie sécurisée Proton Mail.",
    "Gesendet mit Proton Mail sicherer E-Mail.",
    "Wysłano z aplikacji mobilnej Poczta Onet",
    "Odesláno z mobilní aplikace Email.cz",
    "Отправлено из Яндекс Почты для Android",
    "Надіслано з мобільного телефону",
    "Trimis de pe telefonul meu Android",
    "Android'den Yahoo Postada Gönderildi",
    "Elküldve az iPhone-omról",
    "Küldve Samsung Galaxy okostelefonról",
];

const OWN: [&str; 4] = [
    "MOVE Guyeux, Rusca: - Gavardo\nLOSSES SPREAD",
    "DÉPLACER Guillaume : Lonato - Castiglione\nPOURSUIVRE JAMAIS",
    "BREAK HUS5 ALWAYS BY 2\n1: FIGHT",
    "NOTHING",
];

const OLD: &str = "Welcome to turn 1\n\nMOVE Old: Lonato\nLOSSES CONCENTRATE\n";

fn taken(text: &str) -> String {
    words_of(text, &MailLimits::default()).text
}

/// The texts of which more or less than the orders is taken.
fn wrong(texts: impl IntoIterator<Item = (String, &'static str)>) -> Vec<(String, String)> {
    let read = texts.into_iter().map(|(text, own)| {
        let taken = taken(&text);
        (taken != own).then_some((text, taken))
    });
    read.flatten().collect()
}

#[test]
fn orders_above_the_mail_of_every_program_are_all_that_counts() {
    let gaps = [("\n\n", "\n\n"), ("\n\n", "\n")];
    let texts = ATTRIBUTIONS.iter().flat_map(|attribution| {
        let attribution = attribution.replace('|', "\n");
        OWN.into_iter().flat_map(move |own| {
            let attribution = attribution.clone();
            gaps.map(|(above, below)| (format!("{own}{above}{attribution}{below}{OLD}"), own))
        })
    });
    let wrong = wrong(texts);
    assert!(wrong.is_empty(), "{}: {wrong:#?}", wrong.len());
}

#[test]
fn orders_above_and_below_marked_lines_count() {
    let marked = "> Welcome to turn 1\n>\n> MOVE Old: Lonato\n";
    let single = ATTRIBUTIONS
        .iter()
        .filter(|text| text.matches('|').count() < 3);
    let texts = single.flat_map(|attribution| {
        let attribution = attribution.replace('|', "\n");
        OWN.into_iter().flat_map(move |own| {
            let below = format!("{attribution}\n\n{marked}\n{own}\n");
            let above = format!("{own}\n\n{attribution}\n{marked}");
            [(below, own), (above, own)]
        })
    });
    let wrong = wrong(texts);
    assert!(wrong.is_empty(), "{}: {wrong:#?}", wrong.len());
}

#[test]
fn footers_of_every_program_are_left_out() {
    let mut wrong = Vec::new();
    for footer in FOOTERS {
        for own in OWN {
            let words = words_of(&format!("{own}\n\n{footer}\n"), &MailLimits::default());
            if (words.text.as_str(), words.count(Fate::Footer)) != (own, 1) {
                wrong.push((footer, words.text));
            }
        }
    }
    assert!(wrong.is_empty(), "{}: {wrong:#?}", wrong.len());
}

#[test]
fn orders_of_a_like_shape_count() {
    for orders in [
        "MOVE Guyeux: Gavardo\nMOVE Rusca: Lonato\nIF TURN 3: MOVE Ada: Lonato\nLOSSES: SPREAD",
        "TO: Lonato\nFROM: Brescia\nBY: Rezzato\nWHEN: after 12:30",
        "My address is ada@example.org since 21 November 2026, you know",
        "ADDRESS ada@example.net",
        "I send this from my garden, sorry",
        "MOVE Ada: Sat 21 Nov 13:02",
    ] {
        let text = format!("{orders}\nNOTHING");
        assert_eq!(taken(&text), text);
        let text = format!("NOTHING\n\n{orders}\n\nPURSUE NEVER");
        assert_eq!(taken(&text), text);
    }
}
