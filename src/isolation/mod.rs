//! Rules that are not the program's own run in processes of their own.
//!
//! The sandbox bounds what a script does, and nothing that runs inside a process can bound all of
//! it: a value that is dropped may go deeper than the stack, a call that counts as one may eat the
//! memory or never return, and each of these ends the process or holds it up, with all campaigns in
//! it. So a campaign whose pinned files are not those that the program ships, byte for byte
//! ([`crate::game::shipped`]), is worked on by a child: the same program, which first bounds its
//! own memory and time ([`ProcessBounds`]). Whatever its rules do, the child is all that ends. The
//! host then starts one more, which lays aside the input over which it ended, without running it;
//! if even that one ends, the alarm is raised and the campaign is left alone until the umpire says
//! so ([`PassRequest`]).
//!
//! Invariant: a process of the host runs no script that does not ship with it. The child alone has
//! the campaign's lock and writes into its directory; what it was killed over is put right as after
//! any crash.

mod bounds;
mod look;
mod pass;
mod process;

pub use bounds::{ProcessBounds, STACK};
pub use look::phase_of;
pub use pass::{Aftermath, PassFault, PassReport, PassRequest, is_needed};
pub use process::{Death, PANIC, ProcessEnd, run_again, run_and_listen};
