//! The same work as a 32-bit and as a 64-bit program: how long each takes, and whether that is a difference.
//!
//! A [`work`] is done by a program of each [`side`], in fresh processes that take turns ([`measure`]); what is claimed is the
//! ratio of the two, with an interval ([`stats`]).

pub mod binary;
pub mod causes;
pub mod commands;
pub mod comparison;
pub mod disassembly;
pub mod evidence;
pub mod functions;
pub mod history;
pub mod kit;
pub mod latency;
pub mod machine;
pub mod measure;
pub mod packages;
pub mod process;
pub mod program;
pub mod programs;
mod regular;
pub mod results;
pub mod side;
pub mod stats;
pub mod verdict;
pub mod work;
pub mod worker;
