//! A TCP connection that can be cut at a chosen place.

use std::{
    io::{Read, Write},
    net::{Shutdown, TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread,
};

/// Where connections are cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cut {
    /// Nowhere.
    Never,
    /// So many bytes after the server sent these.
    FromServer(&'static [u8], usize),
    /// So many bytes after the client sent these.
    FromClient(&'static [u8], usize),
    /// Connections are accepted and closed at once.
    AtOnce,
}

/// Passes connections on to a server of this machine.
pub struct Proxy {
    pub port: u16,
    cut: Arc<Mutex<Cut>>,
    cuts: Arc<Mutex<usize>>,
}

impl Proxy {
    /// Before this port.
    pub fn to(server: u16) -> Self {
        Self::at("127.0.0.1", server)
    }

    /// The same at another address of this machine.
    pub fn at(address: &str, server: u16) -> Self {
        let listener = TcpListener::bind((address, 0)).unwrap();
        let proxy = Self {
            port: listener.local_addr().unwrap().port(),
            cut: Arc::new(Mutex::new(Cut::Never)),
            cuts: Arc::default(),
        };
        let (cut, cuts) = (Arc::clone(&proxy.cut), Arc::clone(&proxy.cuts));
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let (cut, cuts) = (Arc::clone(&cut), Arc::clone(&cuts));
                thread::spawn(move || pass(client, server, &cut, &cuts));
            }
        });
        proxy
    }

    /// Cuts connections from now on, old and new.
    pub fn cut(&self, cut: Cut) {
        *self.cut.lock().unwrap() = cut;
    }

    /// How many connections were cut.
    pub fn cuts(&self) -> usize {
        *self.cuts.lock().unwrap()
    }
}

fn pass(client: TcpStream, server: u16, cut: &Arc<Mutex<Cut>>, cuts: &Arc<Mutex<usize>>) {
    if *cut.lock().unwrap() == Cut::AtOnce {
        *cuts.lock().unwrap() += 1;
        return;
    }
    let Ok(server) = TcpStream::connect(("127.0.0.1", server)) else {
        return;
    };
    let ways = [
        (
            client.try_clone().unwrap(),
            server.try_clone().unwrap(),
            true,
        ),
        (server, client, false),
    ];
    for (from, to, is_client) in ways {
        let (cut, cuts) = (Arc::clone(cut), Arc::clone(cuts));
        thread::spawn(move || one_way(from, to, is_client, &cut, &cuts));
    }
}

fn one_way(
    mut from: TcpStream,
    mut to: TcpStream,
    is_client: bool,
    cut: &Mutex<Cut>,
    cuts: &Mutex<usize>,
) {
    let mut seen: Vec<u8> = Vec::new();
    let mut block = [0; 1024];
    while let Ok(count @ 1..) = from.read(&mut block) {
        let before = seen.len();
        seen.extend_from_slice(&block[..count]);
        let wanted = match (&*cut.lock().unwrap(), is_client) {
            (Cut::FromServer(text, more), false) | (Cut::FromClient(text, more), true) => {
                Some((*text, *more))
            }
            _ => None,
        };
        let end = wanted.and_then(|(text, more)| {
            let found = seen.windows(text.len()).position(|window| window == text)?;
            Some(found + text.len() + more).filter(|end| *end <= seen.len())
        });
        let last = end.map_or(count, |end| end.saturating_sub(before));
        if to.write_all(&block[..last]).is_err() || end.is_some() {
            if end.is_some() {
                *cuts.lock().unwrap() += 1;
            }
            break;
        }
    }
    let _ = from.shutdown(Shutdown::Both);
    let _ = to.shutdown(Shutdown::Both);
}
