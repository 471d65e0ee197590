//! TODO

pub mod amend;
pub mod apply;
pub mod beginning;
pub mod bounces;
pub mod exchange;
pub mod handover;
pub mod phases;
pub mod plan;
pub mod planning;
pub mod publishing;
pub mod questions;
pub mod receipts;
pub mod refusals;
pub mod rulings;
pub mod sealing;
pub mod steering;
pub mod taking;
pub mod value;
pub mod values;
