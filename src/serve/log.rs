//! The log: one event per line on standard error. Mails are named by key and Message-ID, never
//! quoted, and reply addresses are left out because they contain tokens.

use std::io::{self, Write};

use tracing_subscriber::EnvFilter;

use super::config::{LogConfig, LogFormat, LogLevel};
use crate::visible::{visible, visible_json};

/// Starts logging. A second call does nothing.
pub fn begin(config: LogConfig) {
    let level = match config.level {
        LogLevel::Error => "error",
        LogLevel::Warn => "warn",
        LogLevel::Info => "info",
        LogLevel::Debug => "debug",
        LogLevel::Trace => "trace",
    };
    // Libraries may log the traffic of a connection, passwords included.
    let filter = EnvFilter::new(format!("warn,estafette={level}"));
    let format = config.format;
    let builder = tracing_subscriber::fmt()
        .with_writer(move || LogLines {
            to: io::stderr(),
            format,
        })
        .with_env_filter(filter)
        .with_target(false);
    // This fails only if logging has already been started.
    let _ = match format {
        LogFormat::Text => builder.with_ansi(false).try_init(),
        LogFormat::Json => builder.json().try_init(),
    };
}

/// Writes each piece as one line, since an event may quote servers, mails and files.
struct LogLines<W> {
    to: W,
    format: LogFormat,
}

impl<W: Write> Write for LogLines<W> {
    fn write(&mut self, event: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(event);
        let line = text.strip_suffix('\n').unwrap_or(&text);
        let line = match self.format {
            LogFormat::Text => visible(line),
            LogFormat::Json => visible_json(line),
        };
        self.to.write_all(format!("{line}\n").as_bytes())?;
        Ok(event.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may panic")]

    use super::*;

    #[test]
    fn an_event_is_one_line_that_no_terminal_obeys() {
        for (format, shown) in [
            (LogFormat::Text, "WARN no\\n\\u{1b}[2J\\u{9b}\n"),
            (LogFormat::Json, "WARN no\n\\u001b[2J\\u009b\n"),
        ] {
            let mut out = Vec::new();
            let mut lines = LogLines {
                to: &mut out,
                format,
            };
            lines
                .write_all("WARN no\n\u{1b}[2J\u{9b}\n".as_bytes())
                .unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), shown);
        }
    }
}
