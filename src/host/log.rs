//! The log: one event a line on standard error. Mails are named by key and Message-ID, never by what they say, and reply
//! addresses, which hold tokens, are not written.

use tracing_subscriber::EnvFilter;

use super::config::{LogConfig, LogFormat, LogLevel};

/// Begins to log. A second call does nothing.
pub fn begin(config: LogConfig) {
    let level = match config.level {
        LogLevel::Error => "error",
        LogLevel::Warn => "warn",
        LogLevel::Info => "info",
        LogLevel::Debug => "debug",
        LogLevel::Trace => "trace",
    };
    // Libraries may log what goes over a connection, passwords included.
    let filter = EnvFilter::new(format!("warn,estafette={level}"));
    let builder = tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_env_filter(filter)
        .with_target(false);
    // The only failure is that somebody logs already.
    let _ = match config.format {
        LogFormat::Text => builder.with_ansi(false).try_init(),
        LogFormat::Json => builder.json().try_init(),
    };
}
