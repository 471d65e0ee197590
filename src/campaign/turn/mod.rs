//! Working an input off: from one state and one record to the next state, and to what has to be
//! written.
//!
//! The entry point is `apply::apply`. It reads no clock and no disk, and leaves the register alone,
//! so that doing it again gives the same result. It makes no documents: it counts a letter (its
//! Message-ID, its token, its place in a thread) and plans it (`plan::Plan`), with the state at
//! that moment. `work::Work` is the working value of all functions here.
//!
//! - Mails: `taking`, `receipts`, `refusals`, `bounces`, `exchange` (addresses and wishes), `bots`,
//!   `errands` (`leaving` among them) and the letters of seats to others (`press`).
//! - Orders and dice: `sealing`, then `rolling` while values are missing (`dice_values`).
//! - Phases: `phases` runs one after the other, `running` one of them; `asking` and `answers` are
//!   its questions, `publishing` its dispatches; `beginning` and `ending` are the first and last.
//! - The clock: `deadlines`, `overdue`, `holding`; whom a wait is for (`awaited_seats`), `absence`
//!   of players and what deadlines mean then (`attendance`); what their `opponent` may ask for.
//! - The umpire: `rulings`, and of them `amendment`, `steering`, `handover`; what several do under
//!   their names (`umpire_acts`); what a resolution now would bring (`preview`).
//! - What goes out: `plan` and `planning`.

pub mod absence;
pub mod amendment;
pub mod answers;
pub mod apply;
pub mod asking;
pub mod attendance;
pub mod awaited_seats;
pub mod beginning;
pub mod bots;
pub mod bounces;
pub mod deadlines;
pub mod dice_values;
pub mod ending;
pub mod errands;
pub mod exchange;
pub mod handover;
pub mod holding;
pub mod leaving;
pub mod opponent;
pub mod overdue;
pub mod phases;
pub mod plan;
pub mod planning;
pub mod press;
pub mod preview;
pub mod publishing;
pub mod receipts;
pub mod refusals;
pub mod rolling;
pub mod rulings;
pub mod running;
pub mod sealing;
pub mod steering;
pub mod taking;
pub mod umpire_acts;
pub mod work;
