//! A forger who knows the protocol: whatever is changed in mails, the heads, links and feet are made to fit again.

use estafette::dice::hash;

/// The entry with this number in the texts, from its first line to its last.
pub fn entry(texts: &[String], campaign: &str, n: usize) -> Option<String> {
    let text = texts.iter().find_map(|text| {
        let start = text.find(&format!("sd1 {campaign} {n} "))?;
        text.get(start..)
    })?;
    let head = text.find("\nhead ")?;
    Some(text[..head + 1 + "head ".len() + 64].to_owned())
}

/// Gives every entry the head that its lines have, and changes it wherever it is named.
pub fn mend(texts: &mut [String], campaign: &str) {
    for n in 1.. {
        let Some(entry) = entry(texts, campaign, n) else {
            return;
        };
        let (above, head) = entry.rsplit_once("head ").unwrap();
        let right = hash(above).to_string();
        for text in texts.iter_mut() {
            *text = text.replace(head, &right);
        }
    }
}

/// The roll with another last die.
pub fn other_die(roll: &str) -> String {
    let (line, die) = roll.rsplit_once(' ').unwrap();
    format!("{line} {}", if die == "1" { "2" } else { "1" })
}
