//! `tidegate completions`.

use crate::args::{Arguments, Completions};
use crate::exit::{Exit, Failure};
use crate::output::print_raw;
use clap::CommandFactory;

/// Prints the completion script of a shell.
pub(crate) fn run(arguments: &Completions) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "tidegate", &mut script);
    print_raw(&String::from_utf8_lossy(&script)).map(|()| Exit::Ok)
}
