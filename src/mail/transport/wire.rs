//! A connection to a server, plain or under TLS: it stops when told to, and reads only up to its
//! limits.

use std::{
    io::{self, Read, Write},
    net::{TcpStream, ToSocketAddrs},
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use rustls::{ClientConnection, StreamOwned};

use super::{Security, Stop, TransportError, tls};

/// How long a server may take to accept a connection, and to say the next thing.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);
/// How often a waiting reader checks the sign to stop.
const LOOK: Duration = Duration::from_millis(250);
/// The longest line of a server before TLS, in bytes.
const LONGEST_LINE: usize = 8192;

enum Stream {
    Open(TcpStream),
    Tls(Box<StreamOwned<ClientConnection, TcpStream>>),
}

/// A connection.
pub(super) struct Wire {
    stream: Stream,
    patience: Duration,
    stop: Stop,
    allowance: ReplyAllowance,
}

/// How many bytes may still be read: what a server sends is never kept without bounds.
#[derive(Clone, Debug, Default)]
pub(super) struct ReplyAllowance(Arc<AtomicU64>);

impl ReplyAllowance {
    /// Allows this many from now on.
    pub(super) fn set(&self, bytes: u64) {
        self.0.store(bytes, Ordering::Relaxed);
    }

    fn take(&self, bytes: usize) -> io::Result<()> {
        let bytes = bytes as u64;
        let left = self.0.load(Ordering::Relaxed);
        self.0.store(left.saturating_sub(bytes), Ordering::Relaxed);
        if bytes > left {
            return Err(io::Error::other(
                "the server sends far more than was asked for",
            ));
        }
        Ok(())
    }
}

/// Where to connect, and how.
pub(super) struct Server<'a> {
    pub(super) host: &'a str,
    pub(super) port: u16,
    pub(super) security: Security,
    pub(super) ca: Option<&'a Path>,
}

impl Server<'_> {
    fn tcp(&self) -> Result<TcpStream, TransportError> {
        let (host, port) = (self.host.to_owned(), self.port);
        let addresses =
            (self.host, port)
                .to_socket_addrs()
                .map_err(|source| TransportError::Resolve {
                    host: host.clone(),
                    source,
                })?;
        let mut last = io::Error::from(io::ErrorKind::AddrNotAvailable);
        for address in addresses {
            match TcpStream::connect_timeout(&address, PATIENCE) {
                Ok(stream) => return Ok(stream),
                Err(error) => last = error,
            }
        }
        Err(TransportError::Connect {
            host,
            port,
            source: last,
        })
    }

    /// Connects. With STARTTLS the greeting is read here, and TLS begins before anything else is
    /// said; the second value is true if the greeting is still to come.
    pub(super) fn connect(
        &self,
        stop: &Stop,
        allowance: &ReplyAllowance,
    ) -> Result<(Wire, bool), TransportError> {
        let tcp = self.tcp()?;
        let talk = |source: io::Error| self.talk("connecting", &source);
        tcp.set_read_timeout(Some(LOOK)).map_err(talk)?;
        tcp.set_write_timeout(Some(PATIENCE)).map_err(talk)?;
        tcp.set_nodelay(true).map_err(talk)?;
        let mut wire = Wire {
            stream: Stream::Open(tcp),
            patience: PATIENCE,
            stop: stop.clone(),
            allowance: allowance.clone(),
        };
        allowance.set(1 << 20);
        match self.security {
            Security::None => Ok((wire, true)),
            Security::Implicit => Ok((self.encrypt(wire)?, true)),
            Security::Starttls => {
                self.ask_for_tls(&mut wire)?;
                Ok((self.encrypt(wire)?, false))
            }
        }
    }

    /// IMAP's STARTTLS (RFC 3501, 6.2.1). Unencrypted bytes after the server's consent come from
    /// somebody in between, and would be read as if they had come under TLS.
    fn ask_for_tls(&self, wire: &mut Wire) -> Result<(), TransportError> {
        let talk = |source: io::Error| self.talk("STARTTLS", &source);
        let refused = |said: &str| TransportError::Talk {
            host: self.host.to_owned(),
            doing: "STARTTLS".to_owned(),
            said: said.to_owned(),
        };
        let (greeting, rest) = wire.line().map_err(talk)?;
        if !greeting.to_ascii_uppercase().starts_with("* OK") || rest {
            return Err(refused(&format!("unexpected greeting `{greeting}`")));
        }
        wire.write_all(b"tls STARTTLS\r\n").map_err(talk)?;
        loop {
            let (line, rest) = wire.line().map_err(talk)?;
            if line.starts_with("* ") && !rest {
                continue;
            }
            if !line.to_ascii_uppercase().starts_with("TLS OK") {
                return Err(refused(&format!("the server refuses it: `{line}`")));
            }
            if rest {
                return Err(refused(
                    "somebody put bytes behind the server's consent, as in an attack; nothing was sent",
                ));
            }
            return Ok(());
        }
    }

    fn encrypt(&self, wire: Wire) -> Result<Wire, TransportError> {
        let Wire {
            stream: Stream::Open(tcp),
            patience,
            stop,
            allowance,
        } = wire
        else {
            return Ok(wire);
        };
        let mut stream = StreamOwned::new(tls::client(self.host, self.ca)?, tcp);
        let start = Instant::now();
        while stream.conn.is_handshaking() {
            match stream.conn.complete_io(&mut stream.sock) {
                Ok(_) => {}
                Err(error)
                    if is_timeout(&error) && start.elapsed() < PATIENCE && !stop.is_set() => {}
                Err(error) => {
                    return Err(TransportError::Tls {
                        host: self.host.to_owned(),
                        problem: tls::told(&error.to_string()),
                    });
                }
            }
        }
        Ok(Wire {
            stream: Stream::Tls(Box::new(stream)),
            patience,
            stop,
            allowance,
        })
    }

    fn talk(&self, doing: &str, source: &io::Error) -> TransportError {
        TransportError::Talk {
            host: self.host.to_owned(),
            doing: doing.to_owned(),
            said: source.to_string(),
        }
    }
}

impl Wire {
    /// A line without its end, and whether more came with it.
    fn line(&mut self) -> io::Result<(String, bool)> {
        let mut line: Vec<u8> = Vec::new();
        let mut block = [0; 512];
        loop {
            let count = self.read(&mut block)?;
            if count == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            line.extend(block.iter().take(count));
            if let Some(end) = line.iter().position(|byte| *byte == b'\n') {
                let rest = end + 1 < line.len();
                let text = String::from_utf8_lossy(line.get(..end).unwrap_or_default());
                return Ok((text.trim_end().to_owned(), rest));
            }
            if line.len() > LONGEST_LINE {
                return Err(io::Error::other("a line without end"));
            }
        }
    }
}

fn is_timeout(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut
    )
}

impl Read for Wire {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let start = Instant::now();
        loop {
            let read = match &mut self.stream {
                Stream::Open(stream) => stream.read(buffer),
                Stream::Tls(stream) => stream.read(buffer),
            };
            match read {
                Err(error) if is_timeout(&error) => {
                    if self.stop.is_set() {
                        return Err(io::Error::new(io::ErrorKind::ConnectionAborted, "stopped"));
                    }
                    if start.elapsed() >= self.patience {
                        return Err(io::ErrorKind::TimedOut.into());
                    }
                }
                Ok(count) => {
                    self.allowance.take(count)?;
                    return Ok(count);
                }
                error => return error,
            }
        }
    }
}

impl Write for Wire {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.stream {
            Stream::Open(stream) => stream.write(bytes),
            Stream::Tls(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.stream {
            Stream::Open(stream) => stream.flush(),
            Stream::Tls(stream) => stream.flush(),
        }
    }
}

impl imap::extensions::idle::SetReadTimeout for Wire {
    fn set_read_timeout(&mut self, timeout: Option<Duration>) -> imap::error::Result<()> {
        self.patience = timeout.unwrap_or(PATIENCE);
        Ok(())
    }
}
