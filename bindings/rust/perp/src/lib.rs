#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

use perp_sys as sys;

mod error;
mod operator;
mod problem;
mod qp;
mod solver;

pub use error::{Error, ErrorKind, Result};
pub use operator::{Contacts, Operator};
pub use problem::{Law, Problem, Verdict};
pub use qp::{Qp, QpOptions, QpOutcome, QpSolver, QpVerdict, Rows};
pub use solver::{methods, version, Ending, Options, Outcome, Progress, Solver};
