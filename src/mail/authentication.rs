//! A receiving server's verdict on a mail's origin: the field `Authentication-Results` (RFC 8601).
//!
//! Anybody can write such a field. It counts only if it is above all others and bears the name of a
//! server that is known to write one on each mail: everything below it may be the sender's.

use mail_parser::Message;
use serde::Serialize;

use super::headers;

/// The longest field that is read, in bytes.
const LONGEST: usize = 8 << 10;

/// The verdicts of the topmost `Authentication-Results` field.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct AuthResults {
    /// The server that says so (RFC 8601, 2.5), in lower case.
    pub authserv: String,
    /// The domains for which DMARC passed; an empty one if the field names none.
    pub dmarc: Vec<String>,
    /// The domains whose DKIM signatures are right.
    pub dkim: Vec<String>,
    /// The domains of envelope senders that SPF allows.
    pub spf: Vec<String>,
}

impl AuthResults {
    /// Returns true if this server says that a mail from this address really comes from its domain:
    /// DMARC passed, or DKIM or SPF for the domain or one above it.
    #[must_use]
    pub fn vouches_for(&self, authserv: &str, email: &str) -> bool {
        let Some((_, domain)) = email.rsplit_once('@') else {
            return false;
        };
        let domain = domain.to_ascii_lowercase();
        let is_it = |named: &String| *named == domain;
        let is_above = |named: &String| {
            let rest = domain.strip_suffix(named.as_str());
            named.contains('.') && rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        };
        self.authserv == authserv.to_ascii_lowercase()
            && (self
                .dmarc
                .iter()
                .any(|named| named.is_empty() || is_it(named))
                || self.dkim.iter().chain(&self.spf).any(is_above))
    }
}

/// The topmost field of a mail; none if there is none, or it can't be read.
pub(super) fn topmost(message: &Message<'_>) -> Option<AuthResults> {
    let value = headers::topmost_raw(message, "Authentication-Results", LONGEST)?;
    parse(&value)
}

/// `authserv-id [version]; method=result property=value ...; ...`
fn parse(value: &str) -> Option<AuthResults> {
    let plain = without_comments(value)?;
    let mut parts = plain.split(';');
    let authserv = parts.next()?.split_whitespace().next()?;
    let mut results = AuthResults {
        authserv: authserv.to_ascii_lowercase(),
        ..AuthResults::default()
    };
    for part in parts {
        let part = part
            .to_ascii_lowercase()
            .replace(" =", "=")
            .replace("= ", "=");
        let mut words = part.split_whitespace();
        let Some((method, "pass")) = words.next().and_then(|word| word.split_once('=')) else {
            continue;
        };
        // A method may have a version: `dkim/1`.
        let method = method.split('/').next().unwrap_or_default();
        let properties: Vec<(&str, &str)> = words.filter_map(|word| word.split_once('=')).collect();
        let domain = |name: &str| {
            let value = properties.iter().find(|(known, _)| *known == name)?.1;
            Some(value.rsplit('@').next().unwrap_or(value).to_owned())
        };
        match method {
            "dmarc" => results
                .dmarc
                .push(domain("header.from").unwrap_or_default()),
            "dkim" => results
                .dkim
                .extend(domain("header.d").or_else(|| domain("header.i"))),
            "spf" => results.spf.extend(domain("smtp.mailfrom")),
            _ => {}
        }
    }
    Some(results)
}

/// A value without its comments, and with quoted strings as single words (RFC 5322, 3.2.2 and
/// 3.2.4); none if one of them has no end.
fn without_comments(value: &str) -> Option<String> {
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    let mut plain = String::with_capacity(value.len());
    for c in value.chars() {
        if escaped {
            escaped = false;
            if depth == 0 {
                plain.push('_');
            }
            continue;
        }
        match c {
            '\\' if quoted || depth > 0 => escaped = true,
            '"' if depth == 0 => quoted = !quoted,
            // Separators don't separate inside quotation marks.
            ';' | '=' | '(' | ')' if quoted => plain.push('_'),
            c if quoted && c.is_whitespace() => plain.push('_'),
            '(' => depth += 1,
            ')' if depth > 0 => {
                depth -= 1;
                plain.push(' ');
            }
            c if depth == 0 => plain.push(c),
            _ => {}
        }
    }
    (depth == 0 && !quoted).then_some(plain)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may panic")]

    use mail_parser::MessageParser;

    use super::*;

    fn results(fields: &str) -> Option<AuthResults> {
        let raw = format!("{fields}\r\nFrom: ada@example.org\r\n\r\nhello");
        topmost(&MessageParser::default().parse(&raw).unwrap())
    }

    fn vouched(fields: &str) -> bool {
        let results = results(fields);
        results.is_some_and(|results| results.vouches_for("mx.example.net", "ada@mail.example.org"))
    }

    #[test]
    fn what_servers_write_is_read() {
        for (field, good) in [
            (
                "mx.example.net; dmarc=pass (p=NONE) header.from=mail.example.org",
                true,
            ),
            ("mx.example.net 1; dmarc=pass", true),
            (
                "MX.Example.NET;\r\n\tdkim=pass header.i=@example.org header.s=s1;\r\n\tspf=fail smtp.mailfrom=x@y.org",
                true,
            ),
            (
                "mx.example.net; dkim/1=pass header.d=mail.example.org",
                true,
            ),
            (
                "mx.example.net; spf=pass (ok) smtp.mailfrom=\"ada\"@mail.example.org",
                true,
            ),
            (
                "mx.example.net; dmarc=fail header.from=mail.example.org",
                false,
            ),
            ("mx.example.net; dmarc=pass header.from=example.net", false),
            ("mx.example.net; dkim=pass header.d=ail.example.org", false),
            ("mx.example.net; dkim=pass header.d=org", false),
            (
                "mx.example.net; spf=pass smtp.mailfrom=eve@example.com",
                false,
            ),
            ("mx.example.net; none", false),
            ("mx.example.net", false),
            ("evil.example.net; dmarc=pass", false),
            ("", false),
        ] {
            assert_eq!(
                vouched(&format!("Authentication-Results: {field}")),
                good,
                "{field}"
            );
        }
    }

    #[test]
    fn only_the_topmost_field_counts() {
        let theirs = "Authentication-Results: mx.example.net; dmarc=pass";
        let ours = "Authentication-Results: mx.example.net; dmarc=fail";
        assert!(!vouched(&format!("{ours}\r\n{theirs}")));
        assert!(!vouched(&format!(
            "Authentication-Results: other.example; dmarc=fail\r\n{theirs}"
        )));
        let many = format!("{theirs}\r\n").repeat(100);
        assert!(!vouched(&format!("{ours}\r\n{}", many.trim_end())));
    }

    #[test]
    fn comments_and_quotations_say_nothing() {
        for field in [
            "mx.example.net; dmarc=fail (; dmarc=pass)",
            "mx.example.net; dmarc=fail reason=\"; dmarc=pass\"",
            "mx.example.net; dmarc=fail (nested (; dmarc=pass) ; dmarc=pass )",
            "mx.example.net; dmarc=fail reason=\"\\\"; dmarc=pass\"",
            "mx.example.net; dmarc=pass (without an end",
            "\"mx.example.net; dmarc=pass",
        ] {
            assert!(
                !vouched(&format!("Authentication-Results: {field}")),
                "{field}"
            );
        }
    }

    #[test]
    fn a_long_field_is_read_to_its_end() {
        let long = format!(
            "Authentication-Results: mx.example.net; dkim=fail ({}); dmarc=pass",
            "x".repeat(3000)
        );
        assert!(vouched(&long));
        let endless = format!(
            "Authentication-Results: mx.example.net; dkim=fail ({}); dmarc=pass",
            "x".repeat(20_000)
        );
        assert!(!vouched(&endless));
    }
}
