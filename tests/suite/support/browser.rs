//! The page `docs/verify.html` in a real browser, without a window.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Once,
};

use serde::Deserialize;
use serde_json::{Value, json};

const BROWSERS: &[&str] = &[
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
];

/// Where it lies.
pub fn page() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/verify.html")
}

/// Set to `required` by `tests/run` where it has a browser, or could have installed one on a
/// machine of the CI.
const DEMAND: &str = "ESTAFETTE_BROWSER";

/// A browser that can be started; if there is none, that is said past the test harness, which keeps
/// quiet otherwise.
pub fn browser() -> Option<&'static str> {
    let starts = |name: &&&str| {
        let version = Command::new(name)
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        version.is_ok_and(|status| status.success())
    };
    let found = BROWSERS.iter().find(starts).copied();
    if found.is_none() {
        let demanded = std::env::var_os(DEMAND).is_some_and(|value| value == "required");
        assert!(
            !demanded,
            "{DEMAND}=required, and none of these browsers starts: {}",
            BROWSERS.join(", ")
        );
        static SAID: Once = Once::new();
        let words = format!(
            "\nSKIPPED: docs/verify.html is not tested, as none of these browsers is installed: {}\n\n",
            BROWSERS.join(", ")
        );
        SAID.call_once(|| std::io::stderr().write_all(words.as_bytes()).unwrap());
    }
    found
}

/// What the page has become after its script has run.
pub fn dom(browser: &str, address: &str) -> String {
    let profile = tempfile::tempdir().unwrap();
    let output = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--lang=en",
            "--dump-dom",
        ])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(address)
        .env("LANG", "C.UTF-8")
        .output()
        .unwrap();
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        dom.contains("</html>"),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    dom
}

/// A text as it may stand behind the # of an address.
pub fn encoded(text: &str) -> String {
    let encode = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' => {
            char::from(byte).to_string()
        }
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(encode).collect()
}

/// One thing to check: mails as they are pasted, or files.
pub struct Case {
    pub name: &'static str,
    pub sources: Vec<(String, Vec<u8>)>,
}

impl Case {
    pub fn pasted(name: &'static str, text: &str) -> Self {
        Self {
            name,
            sources: vec![("pasted text".to_owned(), text.as_bytes().to_vec())],
        }
    }
}

/// What the page shows of one case.
#[derive(Debug, Deserialize)]
pub struct Shown {
    /// `fits`, `incomplete` or `wrong`.
    pub verdict: String,
    /// It in a sentence.
    pub summary: String,
    /// How many rolls were derived again.
    pub rolls: usize,
    /// The kinds of the findings, in their order.
    pub checks: Vec<String>,
    /// The texts of the table rows that are marked as wrong.
    pub rows: Vec<String>,
    /// What is unproven, a line each.
    pub unproven: String,
    /// What was left out, a line each.
    pub unchecked: String,
    /// The words of the findings, a line each.
    pub wrong: String,
    /// What each mail was taken as, a line each.
    pub mails: String,
}

/// Lets the page check many cases, one after the other: a second script, put behind the page's own,
/// reads them from the DOM.
pub fn shown(browser: &str, cases: &[Case]) -> Vec<Shown> {
    let sources: Vec<Vec<Value>> = cases
        .iter()
        .map(|case| {
            let latin = |bytes: &[u8]| {
                bytes
                    .iter()
                    .map(|byte| char::from(*byte))
                    .collect::<String>()
            };
            case.sources
                .iter()
                .map(|(name, bytes)| json!({"name": name, "source": latin(bytes)}))
                .collect()
        })
        .collect();
    let result = evaluated(
        browser,
        &format!(
            r##"{}.map(sources => {{
                show(checkAll(sources));
                const result = byId("result"), texts = query => [...result.querySelectorAll(query)].map(found => found.textContent);
                return {{
                    verdict: result.dataset.verdict, summary: byId("verdict").textContent, rolls: +result.dataset.rolls,
                    checks: [...result.querySelectorAll("li.wrong")].map(item => item.dataset.check),
                    rows: texts("tr.wrong"), unproven: texts("#unproven li").join("\n"), unchecked: texts("#unchecked li").join("\n"),
                    wrong: texts("li.wrong").join("\n"), mails: texts("#taken tr").join("\n"),
                }};
            }})"##,
            serde_json::to_string(&sources)
                .unwrap()
                .replace("</", "<\\/")
        ),
    );
    serde_json::from_value(result).unwrap()
}

/// The value of an expression in the page.
pub fn evaluated(browser: &str, expression: &str) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("verify.html");
    let script = format!(
        "<script>language = 'en';\ndocument.body.append(element('pre', {{ id: 'value' }}, JSON.stringify({expression})));</script></body>"
    );
    fs::write(
        &copy,
        fs::read_to_string(page())
            .unwrap()
            .replace("</body>", &script),
    )
    .unwrap();
    let dom = dom(browser, &format!("file://{}", copy.display()));
    let value = dom
        .split("<pre id=\"value\">")
        .nth(1)
        .unwrap_or_else(|| panic!("the page's script has failed: {dom}"));
    let value = value.split("</pre>").next().unwrap();
    let value = value
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&nbsp;", "\u{a0}")
        .replace("&amp;", "&");
    serde_json::from_str(&value).unwrap()
}
