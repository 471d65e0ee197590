//! Pages of letters in a real browser: what is read on them in the light and in the dark, and how
//! they are printed.

use std::{fs, path::Path, process::Command};

use crate::support::{Letter, Test, browser, program};
use serde_json::Value;
use tempfile::TempDir;

/// Letters of all games in both languages: openings, receipts, first dispatches.
fn letters() -> Vec<(String, Letter)> {
    let mut found = Vec::new();
    for (game, scenario, first) in [
        ("castiglione", "lonato", "french"),
        ("novara", "la_sforzesca", "sardinian"),
        ("risorgimento", "canal_bridge", "allied"),
    ] {
        let mut test = Test::campaign(game)
            .with_pictures()
            .scenario(scenario)
            .begin();
        test.mail(first, "Bonjour,\nDEPLACERR 4\nRIEN").run();
        test.mail("austrian", "NOTHING").run();
        test.mail(first, "RIEN").run();
        for seat in [first, "austrian"] {
            let letters = test.letters(seat).into_iter().enumerate();
            found.extend(letters.map(|(n, letter)| (format!("{game}-{seat}-{n}"), letter)));
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let into = folder.path().join("toulon");
    let seats = ["allied=a@example.org", "republican=b@example.org,lang=fr"];
    let args = [
        "new",
        "toulon",
        "--roster",
        "2",
        "--into",
        into.to_str().unwrap(),
    ];
    let seats = ["--seat", seats[0], "--seat", seats[1]];
    let more = ["--umpire", "u@example.org", "--mailbox", "game@example.org"];
    let made = program::estafette(&[&args[..], &seats, &more].concat(), b"");
    assert_eq!(made.code, 0, "{made:?}");
    for seat in ["allied", "republican"] {
        let new = fs::read_dir(into.join("outbox").join(seat).join("new")).unwrap();
        for (n, file) in new.enumerate() {
            let letter = Letter::read(&fs::read(file.unwrap().path()).unwrap());
            found.push((format!("toulon-{seat}-{n}"), letter));
        }
    }
    found
}

/// A page as a file, with its pictures beside it.
fn page(folder: &Path, name: &str, letter: &Letter, change: impl Fn(String) -> String) -> String {
    let mut html = letter.html.clone().unwrap_or_default();
    let pictures = letter
        .attached
        .iter()
        .filter(|(file, _)| file.ends_with(".png"));
    for (number, (_, bytes)) in pictures.enumerate() {
        let file = format!("{name}-{number}.png");
        fs::write(folder.join(&file), bytes).unwrap();
        let start = html.find("src=\"cid:").expect("a picture for each file") + 5;
        let end = start + html[start..].find('"').unwrap();
        html.replace_range(start..end, &file);
    }
    let path = folder.join(format!("{name}.html"));
    fs::write(&path, change(html)).unwrap();
    format!("file://{}", path.display())
}

/// What a letter is, by what it carries.
fn kind(letter: &Letter) -> &'static str {
    let carries = |end: &str| letter.attached.iter().any(|(file, _)| file.ends_with(end));
    match () {
        () if carries(".png") => "dispatch",
        () if carries(".pdf") => "opening",
        () => "words",
    }
}

/// A page of each kind of each game.
fn pages() -> (TempDir, Vec<(String, Letter)>) {
    let mut known = std::collections::BTreeSet::new();
    let letters = letters().into_iter();
    let pages = letters.filter(|(name, letter)| {
        let game = name.split('-').next().unwrap_or_default().to_owned();
        letter.html.is_some() && known.insert((game, kind(letter)))
    });
    (tempfile::tempdir().unwrap(), pages.collect())
}

/// Every word on a page with its ground, and whether it is large.
const WORDS: &str = r#"<script>
const light = colour => {
  const part = value => { value /= 255; return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4; };
  const [r, g, b] = colour.match(/[\d.]+/g).map(Number).map(part);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const ground = element => {
  for (let up = element; up; up = up.parentElement) {
    const colour = getComputedStyle(up).backgroundColor;
    if (colour !== "rgba(0, 0, 0, 0)") return colour;
  }
  return "rgb(255, 255, 255)";
};
const read = () => [...document.body.querySelectorAll("*")].flatMap(element => {
  const own = [...element.childNodes].filter(node => node.nodeType === 3).map(node => node.textContent.trim()).join(" ").trim();
  if (!own || element.tagName === "SCRIPT") return [];
  const style = getComputedStyle(element), below = ground(element);
  const [a, b] = [light(style.color), light(below)].sort((x, y) => y - x);
  return [{ words: own.slice(0, 40), text: style.color, below, contrast: (a + 0.05) / (b + 0.05), size: parseFloat(style.fontSize) }];
});
const dark = "@media (prefers-color-scheme: dark)", style = document.querySelector("style"), css = style.textContent;
const found = ["print", "all"].map(media => {
  style.textContent = css.replace(dark, "@media " + media);
  return css.includes(dark) ? read() : [];
});
document.body.textContent = "";
const value = document.createElement("pre");
value.id = "value";
value.textContent = JSON.stringify(found).replaceAll("<", " ").replaceAll("&", " ");
document.body.append(value);
</script></body>"#;

#[test]
fn all_that_a_page_says_is_read_in_the_light_and_in_the_dark() {
    let Some(browser) = browser::browser() else {
        return;
    };
    let (folder, pages) = pages();
    let mut kinds = [0; 2];
    for (name, letter) in &pages {
        let change = |html: String| html.replace("</body>", WORDS);
        let address = page(folder.path(), name, letter, change);
        let dom = browser::dom(browser, &address);
        let value = dom.split("<pre id=\"value\">").nth(1).expect(name);
        let value = value.split("</pre>").next().unwrap().replace("&nbsp;", " ");
        let found: Vec<Vec<Value>> = serde_json::from_str(&value).expect(&value);
        for (dark, words) in found.into_iter().enumerate() {
            assert!(words.len() > 5, "{name}");
            kinds[dark] += words.len();
            for word in words {
                let contrast = word["contrast"].as_f64().unwrap();
                assert!(contrast >= 4.5, "{name}, dark {dark}: {word}");
                assert!(word["size"].as_f64().unwrap() >= 11.0, "{name}: {word}");
            }
        }
    }
    assert!(kinds.iter().all(|words| *words > 500), "{kinds:?}");
}

/// How high a page is on paper without breaks, in CSS pixels of A4 between its margins.
fn height(browser: &str, folder: &Path, name: &str, letter: &Letter) -> f64 {
    let script = "<script>addEventListener('load', () => { document.body.style.width = '718px'; \
                  const value = document.createElement('pre'); value.id = 'value'; \
                  value.textContent = document.body.scrollHeight; document.body.append(value); });</script></body>";
    let change = |html: String| {
        let html = html.replace("@media print", "@media all");
        html.replace("@media (max-width: 560px)", "@media not all")
            .replace("</body>", script)
    };
    let address = page(folder, &format!("{name}-high"), letter, change);
    let dom = browser::dom(browser, &address);
    let value = dom.split("<pre id=\"value\">").nth(1).expect(name);
    value.split("</pre>").next().unwrap().parse().unwrap()
}

/// The height of an A4 page between its margins, in CSS pixels.
const PAPER: f64 = 273.0 * 96.0 / 25.4;

#[test]
fn a_printed_letter_leaves_no_half_page_white() {
    let Some(browser) = browser::browser() else {
        return;
    };
    let (folder, pages) = pages();
    let mut printed = 0;
    for (name, letter) in pages
        .iter()
        .filter(|(_, letter)| kind(letter) == "dispatch")
    {
        let address = page(folder.path(), name, letter, |html| html);
        let file = folder.path().join(format!("{name}.pdf"));
        let profile = tempfile::tempdir().unwrap();
        let made = Command::new(browser)
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
            ])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("--no-pdf-header-footer")
            .arg(format!("--print-to-pdf={}", file.display()))
            .arg(&address)
            .output()
            .unwrap();
        let pdf = fs::read(&file).unwrap_or_else(|_| panic!("{name}: {made:?}"));
        let pdf = String::from_utf8_lossy(&pdf).into_owned();
        let count = pdf.matches("/Type /Page\n").count();
        assert!(count > 0, "{name}: no page is counted");
        let needed = height(browser, folder.path(), name, letter) / PAPER;
        let pictures = letter
            .attached
            .iter()
            .filter(|(file, _)| file.ends_with(".png"))
            .count();
        // Each picture may leave some white above it, of which nothing is half a page.
        let most = needed.ceil() + (pictures as f64 / 2.0).ceil();
        assert!(
            count as f64 <= most,
            "{name}: {count} pages for {needed:.1}"
        );
        printed += 1;
    }
    assert_eq!(printed, 4, "a dispatch of each game");
}

#[test]
fn no_dispatch_is_larger_than_250_kilobytes() {
    let mut dispatches = 0;
    for (name, letter) in letters() {
        if letter
            .attached
            .iter()
            .any(|(file, _)| file.ends_with(".png"))
        {
            assert!(
                letter.bytes.len() < 250_000,
                "{name}: {}",
                letter.bytes.len()
            );
            dispatches += 1;
        }
    }
    assert!(dispatches >= 4, "{dispatches}");
}

/// Whoever does not see a picture is told what it shows, in as many words as one reads out.
#[test]
fn pictures_are_told_in_60_to_300_letters() {
    let mut lengths = Vec::new();
    for (name, letter) in letters() {
        let html = letter.html.unwrap_or_default();
        for told in html.split(" alt=\"").skip(1) {
            let told = told.split('"').next().unwrap_or_default();
            let told = told.replace("&#x27;", "'").replace("&amp;", "&");
            let length = told.chars().count();
            assert!((60..=300).contains(&length), "{name}, {length}: {told}");
            lengths.push(length);
        }
    }
    assert!(lengths.len() >= 9, "{lengths:?}");
    assert!(lengths.iter().any(|length| *length > 270), "{lengths:?}");
}
