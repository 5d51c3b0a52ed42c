//! PTX modules: from the text to the kernel IR.
//!
//! PTX ISA 9.1. Shared and local variables have addresses of the module's layout, as the IR makes them; an address of
//! another CTA's shared memory has bit 31 set and the rank of the CTA in bits 30 to 24. The instructions on barriers and
//! copies are those of [`tidegate_lang::vocabulary::ptx`].

mod access;
mod body;
mod compute;
mod constant;
mod copies;
mod function;
mod functions;
pub(crate) mod inline;
mod lexer;
mod module;
mod names;
mod parameters;
mod parse;
mod pointers;
mod sync;
#[cfg(test)]
mod tests;
mod tree;
mod types;

pub(crate) use module::target;
use tidegate_kernel::ir::Module;
use tidegate_lang::diagnostic::Diagnostic;

/// Reads a module and lowers it.
///
/// # Errors
///
/// The first line that is not PTX, with its place.
pub(crate) fn read(text: &str) -> Result<Module, Diagnostic> {
    parse::parse(text).map(|module| module::lower(&module)).map_err(|error| *error)
}
