//! Limits of evaluation, so that no text can make it loop forever or exhaust memory.

use crate::diagnostic::{Diagnostic, Span};
use alloc::format;

/// Largest number of operations in the unrolled bodies of all agents.
pub(crate) const MOST_OPERATIONS: u32 = 1_000_000;
/// Largest number of steps between two operations.
pub(crate) const MOST_SILENT: u64 = 1_000_000;
/// Largest number of steps in total.
const MOST_STEPS: u64 = 40_000_000;
/// Steps that take about as long as an instruction of compiled code.
const STEPS_OF_INSTRUCTION: u64 = 64;
/// Largest number of bytes stored to distinguish states.
const MOST_BYTES: usize = 64 << 20;

/// The work done so far.
#[derive(Debug, Default)]
pub(crate) struct Budget {
    operations: u32,
    steps: u64,
    bytes: usize,
}

impl Budget {
    /// The operations and bytes stored so far.
    pub(crate) const fn kept(&self) -> (u32, usize) {
        (self.operations, self.bytes)
    }

    /// Releases everything stored since an earlier call of `kept`.
    pub(crate) const fn give_back(&mut self, kept: (u32, usize)) {
        (self.operations, self.bytes) = kept;
    }

    /// The steps so far, as a number of instructions of compiled code.
    pub(crate) const fn instructions(&self) -> u64 {
        self.steps / STEPS_OF_INSTRUCTION
    }

    pub(crate) fn operation(&mut self, span: Span) -> Result<(), Diagnostic> {
        self.operations += 1;
        if self.operations > MOST_OPERATIONS {
            let message = format!(
                "the bodies unroll to more than {MOST_OPERATIONS} operations here; a variable that changes in every iteration of a waiting loop makes the operations of each iteration distinct"
            );
            return Err(Diagnostic::error("bound-operations", span, message));
        }
        Ok(())
    }

    pub(crate) fn steps(&mut self, steps: usize, span: Span) -> Result<(), Diagnostic> {
        self.steps += steps as u64;
        if self.steps > MOST_STEPS {
            let message = format!("evaluating the bodies takes more than {MOST_STEPS} steps");
            return Err(Diagnostic::error("bound-steps", span, message));
        }
        Ok(())
    }

    pub(crate) fn bytes(&mut self, bytes: usize, span: Span) -> Result<(), Diagnostic> {
        self.bytes += bytes;
        if self.bytes > MOST_BYTES {
            let message = format!("the states of the bodies take more than {MOST_BYTES} bytes");
            return Err(Diagnostic::error("bound-memory", span, message));
        }
        Ok(())
    }
}
