//! Work on all cores.

use std::{
    num::NonZero,
    panic,
    sync::{LazyLock, Mutex},
    thread,
};

use crate::campaign::model::work_error::WorkError;

/// Applies a function to several items on all cores, each taking the next that is left, and returns
/// the results in order.
///
/// # Errors
/// The first item, in their order, whose work fails.
pub(super) fn on_all_cores<T: Send, R: Send>(
    items: Vec<T>,
    work: impl Fn(T) -> Result<R, WorkError> + Sync,
) -> Result<Vec<R>, WorkError> {
    let helpers = cores().min(items.len()).saturating_sub(1);
    if helpers == 0 {
        return items.into_iter().map(work).collect();
    }
    let left = Mutex::new(items.into_iter().enumerate());
    let next = || left.lock().ok()?.next();
    let share = || {
        let mut done = Vec::new();
        while let Some((number, item)) = next() {
            done.push((number, work(item)));
        }
        done
    };
    let mut done = thread::scope(|scope| {
        let others: Vec<_> = (0..helpers).map(|_| scope.spawn(share)).collect();
        let mut done = share();
        for other in others {
            let done_there = other.join();
            done.extend(done_there.unwrap_or_else(|panic| panic::resume_unwind(panic)));
        }
        done
    });
    done.sort_unstable_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}

/// How many cores there are. The system is asked once, since that takes a dozen system calls.
fn cores() -> usize {
    static CORES: LazyLock<usize> =
        LazyLock::new(|| thread::available_parallelism().map_or(1, NonZero::get));
    *CORES
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)] // tests may panic
mod tests {
    use super::*;

    fn failed(number: usize) -> WorkError {
        WorkError::Picture(number.to_string())
    }

    #[test]
    fn results_stand_in_the_order_of_the_items() {
        for many in [0, 1, 2, 50] {
            let done = on_all_cores((0..many).collect(), |number| Ok(number * 2)).unwrap();
            assert_eq!(done, (0..many).map(|number| number * 2).collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_first_error_is_returned() {
        for first in [0, 7, 49] {
            let work = |number| {
                if number < first {
                    Ok(())
                } else {
                    Err(failed(number))
                }
            };
            let error = on_all_cores((0..50).collect(), work).unwrap_err();
            assert_eq!(error.to_string(), failed(first).to_string());
        }
    }
}
