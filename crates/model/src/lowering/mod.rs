//! Lowers a body to machine code of a target that supports all of its operations.
//!
//! Rows of the document's code-sequence tables give the code of each operation (`rows.rs`). Fences, which that document
//! does not cover, follow LLVM (`fence.rs`). If a scenario has memory operations, waits cover only those that may be
//! outstanding; otherwise any operation may be outstanding (`flow.rs`).

pub mod fence;
mod flow;
pub mod instruction;
pub mod kinds;
mod layout;
mod marks;
mod rows;
mod scene;

pub use layout::lower;
pub use rows::{fence_code, mnemonic_of};
pub use scene::{Item, Known, Refusal, Scene};

#[cfg(test)]
mod tests;
