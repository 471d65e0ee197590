//! Letters that were made again, compared with those that went out while the replay goes on:
//! drawing their pictures costs more than all else that an audit does.

use std::{
    cell::Cell,
    num::NonZero,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Mutex, PoisonError,
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread,
};

use crate::campaign::{
    durable::CampaignError,
    model::work_error::WorkError,
    post::{Letter, letter::LetterBytes},
};

/// A letter that was made again, and the bytes that went out.
pub(super) struct Pair {
    /// The record that it comes of.
    pub n: u64,
    /// The letter as the replay writes it.
    pub letter: Letter,
    /// The bytes in its outbox.
    pub sent: Vec<u8>,
}

/// Compares pairs on its own threads, in the order in which it gets them.
pub(super) struct Comparer {
    queue: SyncSender<(usize, Pair)>,
    given: Cell<usize>,
}

impl Comparer {
    /// Adds a pair: the outcome shows in the end.
    ///
    /// # Errors
    /// If nobody compares any more.
    pub fn give(&self, pair: Pair) -> Result<(), CampaignError> {
        let number = self.given.get();
        self.given.set(number + 1);
        self.queue.send((number, pair)).map_err(|_| lost())
    }
}

/// Runs work that makes letters to compare, and waits until all are compared. Of what goes wrong it
/// gives the first: all letters come of work that went well.
///
/// # Errors
/// The first letter that differs or can't be drawn, else the error of the work.
pub(super) fn comparing<T>(
    work: impl FnOnce(&Comparer) -> Result<T, CampaignError>,
) -> Result<T, CampaignError> {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let (queue, pairs) = sync_channel(cores);
    let pairs = Mutex::new(pairs);
    thread::scope(|scope| {
        let threads: Vec<_> = (0..cores)
            .map(|_| scope.spawn(|| first_difference(&pairs)))
            .collect();
        let given = Cell::new(0);
        let done = work(&Comparer { queue, given });
        let found = threads.into_iter().filter_map(|thread| {
            let found = thread.join();
            found.unwrap_or_else(|_| Some((0, lost())))
        });
        match found.min_by_key(|(number, _)| *number) {
            Some((_, error)) => Err(error),
            None => done,
        }
    })
}

/// Finds the first difference among the pairs given to one thread, with its number. It goes on to
/// drain the channel after that, so that the sender never blocks.
fn first_difference(pairs: &Mutex<Receiver<(usize, Pair)>>) -> Option<(usize, CampaignError)> {
    let next = || pairs.lock().unwrap_or_else(PoisonError::into_inner).recv();
    let mut found = None;
    while let Ok((number, Pair { n, letter, sent })) = next() {
        if found.is_none() {
            let same = catch_unwind(AssertUnwindSafe(|| same(n, &letter, &sent)));
            let error = same.unwrap_or_else(|_| Err(lost())).err();
            found = error.map(|error| (number, error));
        }
    }
    found
}

/// Checks that a letter came out as it went out, byte for byte, with the pictures whose digests
/// are on record.
///
/// # Errors
/// If it did not, or can't be drawn.
pub(super) fn same(n: u64, letter: &Letter, sent: &[u8]) -> Result<(), CampaignError> {
    let LetterBytes {
        bytes: made,
        as_recorded,
    } = letter.sent()?;
    if !as_recorded {
        return Err(CampaignError::Differs {
            n,
            what: "the picture of a letter",
            found: format!("{} with another picture", letter.message_id),
            recorded: "the one whose digest the journal and the register have".to_owned(),
        });
    }
    if *made == *sent {
        return Ok(());
    }
    let same = |(a, b): &(&u8, &u8)| a == b;
    let at = sent.iter().zip(made.iter()).take_while(same).count();
    Err(CampaignError::Differs {
        n,
        what: "a letter in an outbox",
        found: format!(
            "{} to {}, {} bytes",
            letter.message_id,
            letter.to,
            made.len()
        ),
        recorded: format!("{} bytes, other from byte {at} on", sent.len()),
    })
}

fn lost() -> CampaignError {
    WorkError::Picture("a thread that draws has stopped".to_owned()).into()
}
