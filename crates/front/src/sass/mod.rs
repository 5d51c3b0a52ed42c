//! SASS listings of `nvdisasm` and `cuobjdump`: from the text to the kernel IR.
//!
//! SASS has no published specification. What an instruction does is what `sass-syncs` says of `SYNCS`, and otherwise what
//! the PTX does from which `ptxas` makes it.
//!
//! Shared memory is one object that starts at address 0, as in the machine. An address with bit 31 set is in the CTA with
//! the rank in bits 30 to 24: code puts a rank there by `LEA …, 0x18` or `PRMT …, 0x654`. Registers of 32 bits are
//! registers of the IR; a pair is concatenated where 64 bits are used. The uniform datapath performs an operation once for
//! a warp: its first active lane does.

mod access;
mod compute;
mod constants;
mod function;
mod lanes;
mod listing;
mod operand;
mod sums;
mod sync;
#[cfg(test)]
mod tests;

use tidegate_kernel::ir::Module;
use tidegate_lang::diagnostic::Diagnostic;

/// Reads a listing and lowers it.
///
/// # Errors
///
/// The first line with an address that is no instruction; a listing without instructions; a branch to a label that is not
/// defined.
pub(crate) fn read(text: &str) -> Result<Module, Diagnostic> {
    function::lower(&listing::read(text)?)
}
