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
    // The verb first, a date in brackets last
    "Quoting Ada North (2025-03-03 09:58:12)",
    "Quoting Ada North (3 Mar 2025):",
    // Header lines with marks over a copy without them
    "> Od: Ada North <ada@example.org>/> Do: bert@example.org/> Data: 3 marca 2025 09:58/> Temat: Re: turn 3",
    ">From: Ada North/>To: Bert/>Subject: Re: turn 3/>",
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

/// More of the kind, in the shapes of programs of all sorts: a date, a name and an address with
/// little else. `|` parts lines, and ` | ` is a stroke.
const SHAPES: &[&str] = &[
    "Ada North <ada@example.org> · 3 Mar 2025, 09:58",
    "Ada North <ada@example.org>|Mon 3/3/2025 9:58 AM",
    "Mon 3/3/2025 9:58 AM|Ada North <ada@example.org>",
    "From Ada North <ada@example.org> on 3 March 2025 at 09:58",
    "Reply to Ada North <ada@example.org>, sent 3 March 2025 09:58",
    "\"Ada North\" <ada@example.org> 03.03.2025 09:58 >>>",
    ">>> Ada North <ada@example.org> 03/03/25 09:58 >>>",
    "Ada North <ada@example.org> hat am 03.03.2025 09:58 geschrieben:",
    "Ada North <ada@example.org> hat am 3. März 2025 um 09:58 geschrieben",
    "Am Mo, 3. Mär 2025, um 09:58, schrieb Ada North <ada@example.org>",
    "* Ada North <ada@example.org> [2025-03-03 09:58]:",
    "* Ada North <ada@example.org> [250303 09:58]:",
    "Ada North <ada@example.org>, Mon Mar 03 2025 09:58:12 GMT+0100 (Central European Standard Time)",
    "Em 03/03/2025 09:58, Ada North < ada@example.org > escreveu:",
    "<ada@example.org> schrieb am Mo. 3. März 2025 um 09:58:",
    "3 Mart 2025 Pazartesi tarihinde Ada North <ada@example.org> yazdı:",
    "Den mandag den 3. marts 2025 09.58.12 CET skrev Ada North <ada@example.org>",
    "El lunes, 3 de marzo de 2025, 09:58:12 CET, Ada North <ada@example.org> escribió",
    "Il lunedì 3 marzo 2025 alle ore 09:58:12 CET, Ada North <ada@example.org> ha scritto:",
    "Op maandag 3 maart 2025 om 09:58:12 CET schreef Ada North <ada@example.org>",
    "W poniedziałek, 3 marca 2025 09:58:12 CET użytkownik Ada North <ada@example.org> napisał:",
    "poniedziałek, 3 marca 2025, 09:58 +0100 od Ada North <ada@example.org>:",
    "Dnia 3 marca 2025 09:58 Ada North <ada@example.org> napisał(a):",
    "Dnia 3 marca 2025 09:58 Ada North &lt;ada@example.org&gt; napisał(a):",
    "Mon, 3 Mar 2025, 9:58 AM Ada North <ada@example.org>:",
    "Ada North <ada@example.org>於 2025/3/3 09:58 寫道:",
    "At 2025-03-03 09:58:12, \"Ada North\" <ada@example.org> wrote:",
    "在 2025-03-03 09:58:12，\"Ada North\" <ada@example.org> 写道：",
    "------------------ Original ------------------|From:  \"Ada North\"<ada@example.org>;|Date:  Mon, Mar 3, 2025 09:58 AM|To:  \"Bert\"<bert@example.org>;|Subject:  Re: turn 3",
    "------------------ 原始邮件 ------------------|发件人: \"Ada North\" <ada@example.org>;|发送时间: 2025年3月3日(星期一) 上午9:58|收件人: \"Bert\"<bert@example.org>;|主题: Re: turn 3",
    "Понедельник, 3 марта 2025, 9:58 UTC+03:00 от Ada North <ada@example.org>:",
    "Ada North (ada@example.org), 3. март 2025. 09:58",
    "2025년 3월 3일 (월) 오전 9:58에 Ada North <ada@example.org>님이 작성",
    "วันจันทร์ที่ 3 มีนาคม พ.ศ. 2568 เวลา 09:58 Ada North <ada@example.org> เขียนว่า:",
    "เมื่อ จ. 3 มี.ค. 2025 เวลา 09:58 Ada North <ada@example.org> เขียนว่า:",
    "सोम, 3 मार्च 2025 को 9:58 am बजे को Ada North <ada@example.org> ने लिखा:",
    "دوشنبه ۳ مارس ۲۰۲۵،‏ ۹:۵۸ Ada North <ada@example.org> نوشت:",
    "E hënë, 3 Mars 2025, 09:58, Ada North <ada@example.org> shkroi:",
    "Ada North <ada@example.org> schreef op 3 maart 2025 09:58:12 CET:",
    "On 3/3/25 9:58 AM, Ada North via Games <games@example.org> wrote:",
    "From: Ada North <ada@example.org>|Date: Mon, 3 Mar 2025 at 09:58",
    "Date: Mon, 3 Mar 2025 at 09:58|From: Ada North <ada@example.org>",
    "Von: Ada North <ada@example.org> Gesendet: Montag, 3. März 2025 09:58",
    "De : Ada North <ada@example.org>|Envoyé le : lundi 3 mars 2025 09:58",
    "Ada North <ada@example.org>|03/03/2025 09:58",
    "Mon Mar 03 09:58:12 CET 2025|Ada North <ada@example.org>",
    "03/03/2025 à 09:58|De : Ada North <ada@example.org>",
    "Ada North <ada@example.org> a écrit le lundi 3 mars 2025 à 09:58",
    "Ada North — ada@example.org — 3 March 2025, 09:58",
    "3 Mar 2025, Ada North (ada@example.org) said",
    "[3 Mar 2025 09:58] Ada North <ada@example.org>",
    "[2025-03-03 09:58] Ada North <ada@example.org> wrote",
    "Sent: Monday, March 3, 2025 9:58 AM, From: Ada North <ada@example.org>",
    "On 3 Mar 2025 at 9:58, Ada North <ada@example.org> wrote",
    "Mon 3 Mar 2025 Ada North ada@example.org",
    "Am 03.03.25 um 09:58 schrieb ada@example.org",
    "‐‐‐‐‐‐‐ Original Message ‐‐‐‐‐‐‐|On Monday, March 3rd, 2025 at 9:58 AM, Ada North <ada@example.org> wrote:",
    "-------- Исходное сообщение --------|От: Ada North <ada@example.org>|Дата: 03.03.2025 09:58 (GMT+03:00)|Кому: Bert <bert@example.org>|Тема: Re: turn 3",
    "-------- Wiadomość oryginalna --------|Od: Ada North <ada@example.org>|Data: 03.03.2025 09:58 (GMT+01:00)|Do: bert@example.org|Temat: Re: turn 3",
    "Ada North <ada@example.org> ezt írta 2025. 03. 03. 09:58 dátummal:",
    "Pe lun., 3 mar. 2025 la 09:58, Ada North <ada@example.org> a scris:",
    "Le lundi 3 mars 2025, 09:58:12 CET Ada North <ada@example.org> a écrit",
    "понеделник, 3 март 2025 г. 09:58, Ada North <ada@example.org>",
    "Ada North <ada@example.org> / 3 March 2025 09:58",
    "Ada North, 3 March 2025 09:58 <ada@example.org>",
    "Le 03-03-2025 09:58, Ada North a écrit (ada@example.org)",
    "2025-03-03 (Mon) 09:58 +0100 に Ada North <ada@example.org> さんは書きました:",
    "Ada North <ada@example.org> さんは 2025年3月3日 9:58 に書きました:",
    "On Mon, 03 Mar 2025 09:58:12 +0100|Ada North <ada@example.org> wrote:",
    "Le Mon, 03 Mar 2025 09:58:12 +0100,|Ada North <ada@example.org> a écrit :",
    "Am Montag, dem 03.03.2025 um 09:58 +0100 schrieb Ada North <ada@example.org>:",
    "Ada North ada@example.org 3. maaliskuuta 2025 klo 9.58",
    "Ada North (ada@example.org) 3 martie 2025, ora 09:58",
    "3 Mar 2025 tarihinde 09:58 saatinde, Ada North <ada@example.org> şunları yazdı:",
    "03 Mart 2025 09:58, \"Ada North\" <ada@example.org> yazdı",
    "Ugala Ada North <ada@example.org> 3 Mar 2025, 09:58",
    "tir. 3. mar. 2025 kl. 09:58 skrev Ada North <ada@example.org>",
    "Ada North <ada@example.org>; 3.3.2025 9:58",
    "Monday, March 3, 2025, 9:58:12 AM, Ada North <ada@example.org> wrote:",
    "Monday, 3 March 2025, 09:58 +0100 from Ada North <ada@example.org>:",
    "maandag 3 maart 2025, 09:58 +0100 van ada@example.org <ada@example.org>:",
    "Ada North <ada@example.org>:|3 March 2025 at 09:58",
    "Ada North <ada@example.org> | 3 March 2025 | 09:58",
    "De: Ada North <ada@example.org> Data: 3 de março de 2025 09:58",
    "Em seg., 3 de mar. de 2025 09:58, Ada North <|ada@example.org> escreveu:",
    "Ada North <ada@example.org> tarafından 3 Mart 2025 Pzt 09:58 tarihinde yazıldı",
    "בתאריך יום ב׳, 3 במרץ 2025, 9:58, מאת Ada North ‏<ada@example.org>:",
    "الإثنين، ٣ مارس ٢٠٢٥ ٩:٥٨ ص، Ada North <ada@example.org> كتب:",
    "Ada North <ada@example.org>, 2025 m. kovo 3 d., pr 09:58",
    "Ada North <ada@example.org> 3.3.25",
    "3/3/25 Ada North <ada@example.org>",
    "Mar 3, Ada North <ada@example.org>",
    "3. mars, Ada North <ada@example.org>:",
    "Ada North <ada@example.org>:",
    "Ada North <ada@example.org>, Monday 9:58:",
    "*Ada North* <ada@example.org> schrieb am 3.3.2025 um 9:58",
    "*From:* Ada North <ada@example.org> *Sent:* 3 March 2025 09:58",
    "Ada North <[ada@example.org](mailto:ada@example.org)> wrote on 3 Mar 2025 09:58:",
    "Ada North <ada@example.org<mailto:ada@example.org>> 3 Mar 2025 09:58",
    "Ada North <mailto:ada@example.org> - 3/3/2025 09:58",
    "\"North, Ada\" <ada@example.org> 03-Mar-2025 09:58",
    "North, Ada (ada@example.org) | 03-Mar-25 09:58",
    "20250303 09:58 Ada North <ada@example.org>",
    "2025. 3. 3. 09:58, Ada North <ada@example.org>",
    "2025.03.03 09:58 Ada North <ada@example.org> kirjutas",
    "3.III.2025 09:58 Ada North <ada@example.org>",
    "3-3-2025 9:58 Ada North <ada@example.org> schreef",
    "ma 3 mrt. 2025 09:58 schreef Ada North (ada@example.org)",
    "På mån 3 mars 2025 kl 9:58 skrev Ada North <ada@example.org>",
    "Lunes 3/3/25, 9:58 a.m., Ada North <ada@example.org>",
    "seg, 3 mar 2025, 09:58, Ada North <ada@example.org> escreveu",
    "Segunda-feira, 3 de Março de 2025 9:58, Ada North <ada@example.org> escreveu",
    "пн, 3 мар. 2025 г., 9:58 Ada North <ada@example.org>",
    "3 марта 2025 г. 9:58 пользователь Ada North <ada@example.org> написал:",
    "3 березня 2025 р. 09:58 Ada North <ada@example.org>",
    "Дана 3. 3. 2025. у 9:58, Ada North <ada@example.org> је написао",
    "Ada North <ada@example.org> 3 Mart 2025 Pazartesi, 9:58",
    "3 Mar 2025 Pzt, 09:58 tarihinde Ada North <ada@example.org>|şunu yazdı:",
    "2025年3月3日 09:58，Ada North <ada@example.org> 写道",
    "2025年3月3日(月) 9時58分 Ada North <ada@example.org>",
    "Ada North 2025-03-03 09:58 <ada@example.org>",
    "ada@example.org, 2025-03-03 09:58",
    "ada@example.org (Ada North), 3 Mar 2025",
    "Ada North ada@example.org, 3 March 2025, 9.58 am",
    "On 03.03.25, Ada North <ada@example.org>",
    "On Mon, 3 Mar 2025, Ada North <ada@example.org> wrote",
    "Date: 3 March 2025 09:58|From: Ada North <ada@example.org>",
    "Le 3 mars 2025 à 9 h 58, Ada North <ada@example.org>",
    "Le 3 mars 2025 à 9h58, Ada North (ada@example.org) :",
    "Am 3. März 2025, 9 Uhr 58, Ada North <ada@example.org>",
    "Il 3 marzo 2025, ore 9.58, Ada North <ada@example.org>",
    "3 martie 2025 09:58 - Ada North <ada@example.org> a scris",
    "Kl. 09:58 den 3. marts 2025 Ada North <ada@example.org>",
    "klo 9.58 3.3.2025 Ada North <ada@example.org>",
    "Data: 3 marca 2025 09:58|Od: Ada North <ada@example.org>",
    "3. 3. 2025 v 9:58, Ada North <ada@example.org>",
    "Ada North <ada@example.org> | 3. března 2025 v 9:58",
    "Message from Ada North <ada@example.org>, 3 March 2025, 09:58",
    "Message de Ada North <ada@example.org> du 3 mars 2025 09:58",
    "Mon Mar 3 09:58:12 2025 Ada North <ada@example.org>",
    "Ada North <ada@example.org> @ 3 Mar 2025 09:58",
    "Ada North <ada@example.org>|on Monday, 3 March 2025, 9:58 a.m.",
    "On Monday, 3 March 2025, 9:58 a.m.|Ada North <ada@example.org>",
    "3 March 2025|Ada North <ada@example.org>",
    "Ada North <ada@example.org>|3 March 2025",
    "Ada North (ada@example.org)|Monday 3 March, 09:58",
    "Monday, 9:58, Ada North <ada@example.org>",
    "Yesterday at 9:58, Ada North <ada@example.org> wrote",
    "Ada North <ada@example.org> wrote yesterday at 9:58",
    "-- Ada North <ada@example.org>, 3 March 2025 09:58 --",
    "===== Ada North <ada@example.org> 3 March 2025 09:58 =====",
    "--- Ada North <ada@example.org> schrieb am Mo, 3.3.2025:",
    "• Ada North <ada@example.org> 3 March 2025 09:58",
    "3 Μαρτίου 2025 9:58 π.μ. Ada North <ada@example.org>",
    "3 març de 2025 9:58 Ada North <ada@example.org>",
    "Thứ Hai, 3 tháng 3, 2025 09:58 Ada North <ada@example.org>",
    "Senin, 3 Maret 2025 09.58, Ada North <ada@example.org>",
    "2025(e)ko martxoaren 3(a) 09:58, Ada North <ada@example.org>",
    "Llu, 3 Maw 2025 09:58, Ada North <ada@example.org>",
    "Luan, 3 Márta 2025 09:58 Ada North <ada@example.org>",
    "E, 3. märts 2025 09:58 Ada North <ada@example.org>",
    "2025. gada 3. marts 09:58 Ada North <ada@example.org>",
    "2025 m. kovo 3 d. 09:58 Ada North <ada@example.org>",
    "3 মার্চ 2025 9:58 Ada North <ada@example.org>",
    "3 மார்ச், 2025 9:58 Ada North <ada@example.org>",
    "३ मार्च २०२५ ९:५८ Ada North <ada@example.org>",
    "٣ مارس ٢٠٢٥ ٩:٥٨ Ada North <ada@example.org>",
    ">>> On 3/3/2025 at 9:58 AM, in message <4D5.12@mail.example.org>, \"Ada North\" <ada@example.org> wrote:",
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

/// The same of every line that is made of a date, a name and an address.
#[test]
fn what_stands_behind_a_date_a_name_and_an_address_is_a_copy() {
    let mut wrong = Vec::new();
    for shape in SHAPES {
        let shape = shape.replace(" | ", "\t").replace('|', "\n");
        let shape = shape.replace('\t', " | ");
        for below in ["\n\n", "\n"] {
            let text = format!("{OWN}\n\n{shape}{below}MOVE old\nLOSSES CONCENTRATE\nSee you\n");
            if taken(&text) != OWN {
                wrong.push((text.clone(), taken(&text)));
                break;
            }
        }
    }
    let (wrong_ones, all) = (wrong.len(), SHAPES.len());
    assert!(wrong.is_empty(), "{wrong_ones} of {all}: {wrong:#?}");
}

/// A line of a date and a name alone may be the player's own: it heads a copy where a mail begins
/// below it, and nothing else.
#[test]
fn a_date_and_a_name_head_a_copy_that_begins_as_a_mail_does() {
    for line in [
        "3 March 2025, Ada North",
        "Ada North, 3 March 2025",
        "Ada North 03/03/25 09:58",
        "lundi 3 mars 2025, Ada North",
        "2025-03-03 Ada North",
    ] {
        for begins in [
            "Hello Bert,",
            "Bonjour !",
            "Dear Bert,\n\nhere they are",
            "== estafette ===========================================================\nYour orders",
        ] {
            let text = format!("{OWN}\n\n{line}\n\n{begins}\nMOVE old\nLOSSES CONCENTRATE\n");
            assert_eq!(taken(&text), OWN, "{line}, {begins}");
        }
        // Orders behind it, or below a greeting that is the first word of the mail.
        for kept in [
            format!("{OWN}\n\n{line}\n\nPURSUE NEVER"),
            format!("{OWN}\n\n{line}\nPURSUE NEVER"),
            format!("{OWN}\n{line}\nHello Bert,\nPURSUE NEVER"),
            format!("{line}\n\n{OWN}"),
        ] {
            assert_eq!(taken(&kept), kept, "{line}");
        }
        let first = format!("{line}\n\nHello Bert,\n{OWN}");
        assert_eq!(taken(&first), first, "{line}");
    }
    for line in [
        "1849-03-23 was the day of Novara",
        "MOVE Ada: Lonato",
        "Ada",
    ] {
        let text = format!("{OWN}\n\n{line}\n\nHello again,\nPURSUE NEVER");
        assert!(taken(&text).contains("PURSUE NEVER"), "{line}");
    }
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
        "ADDRESS ada@new.example.org from 3 March 2025",
        "ADRESSE Ada North <ada@new.example.org> 3 mars 2025 09:58",
        "Write to me at ada@example.org until 3 March 2025",
        "I am away until 12 April 2025, write to ada@example.org",
        "I am away until 12 April 2025, write to Ada <ada@example.org> in the meantime",
        "You reach me at ada@example.org from 3 March on",
        "Please send a copy to Cara <cara@example.org>",
        "cc Cara <cara@example.org>",
        "A copy for Cara Smith <cara@example.org> please",
        "Je serai à ada@example.org jusqu'au 3 mars",
        "Meine Adresse ab 3. März: ada@example.org",
        "ada@example.org",
        "Ada North <ada@example.org>",
        "Reply to bert@example.org by 9:30",
        "Could you ask Cara (cara@example.org) about turn 3",
        "12:30 MOVE Augereau",
        "10.30 Bert:",
        "MOVE 3/4 TO 3929 12:30",
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

/// One mail of the file of mails: its name, its text, and the player's own lines of it.
fn sample(block: &str) -> (&str, String, Vec<&str>) {
    let (name, body) = block.split_once('\n').unwrap_or((block, ""));
    let text: Vec<&str> = body
        .lines()
        .map(|line| line.get(1..).unwrap_or(""))
        .collect();
    let own = body.lines().filter_map(|line| line.strip_prefix('+'));
    (
        name,
        text.join("\n"),
        own.filter(|line| !line.is_empty()).collect(),
    )
}

#[test]
fn mails_of_many_languages_are_read_as_their_writers_meant_them() {
    let samples = include_str!("../../data/mail/own_words.txt");
    let (mut wrong, mut all) = (Vec::new(), 0);
    for block in samples.split("\n%% ").skip(1) {
        let (name, text, own) = sample(block);
        let words = taken(&text);
        let lines = words.lines().filter(|line| !line.trim().is_empty());
        all += 1;
        if lines.collect::<Vec<_>>() != own {
            wrong.push((name, words));
        }
    }
    assert!(all > 200, "{all}");
    assert!(wrong.is_empty(), "{} of {all}: {wrong:#?}", wrong.len());
}
