//! Numbered work on some threads.

use std::{
    sync::{
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread,
};

/// Runs the work for each number below `count` on several threads and returns the results, in the
/// order of the numbers. Each thread makes its own worker; `done` hears how many are done.
///
/// # Errors
/// If a thread can't make its worker.
pub(super) fn in_parallel<T: Send, E: Send, W: FnMut(usize) -> T>(
    threads: usize,
    count: usize,
    worker: impl Fn() -> Result<W, E> + Sync,
    done: &mut dyn FnMut(usize),
) -> Result<Vec<T>, E> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    let mut results = Vec::with_capacity(count);
    thread::scope(|scope| {
        for _ in 0..threads.clamp(1, count.max(1)) {
            let (sender, next, worker) = (sender.clone(), &next, &worker);
            scope.spawn(move || {
                let mut work = match worker() {
                    Ok(work) => work,
                    Err(error) => {
                        // A listener that is gone has another thread's error already.
                        let _ = sender.send(Err(error));
                        return;
                    }
                };
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count || sender.send(Ok((number, work(number)))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for result in receiver {
            results.push(result?);
            done(results.len());
        }
        Ok(())
    })?;
    results.sort_by_key(|(number, _)| *number);
    Ok(results.into_iter().map(|(_, result)| result).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_numbers() {
        for threads in [1, 3, 50] {
            let mut told = 0;
            let square = || Ok::<_, ()>(|number| number * number);
            let squares = in_parallel(threads, 20, square, &mut |done| told = done);
            assert_eq!(squares, Ok((0..20).map(|it| it * it).collect()));
            assert_eq!(told, 20);
        }
    }

    #[test]
    fn a_worker_that_can_t_be_made_ends_it() {
        let none = || Err::<fn(usize) -> usize, _>("no worker");
        assert_eq!(in_parallel(2, 20, none, &mut |_| ()), Err("no worker"));
    }
}
