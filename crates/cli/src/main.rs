//! `tidegate`: verdicts on GPU synchronisation scenarios, on the command line.
//!
//! This is the only crate that prints, reads files and handles terminals. `tidegate-check` does everything else.

mod args;
mod catalogue;
mod check;
mod clang;
mod completions;
mod diff;
mod escape;
mod exit;
mod find;
mod fmt;
mod graph;
mod guard;
mod headers;
mod host;
mod human;
mod inline;
mod input;
mod json;
mod kit;
mod ledger;
mod link;
mod lower;
mod matrix;
mod mbarrier;
mod names;
mod needs;
mod open;
mod options;
mod output;
mod progress;
mod readings;
mod sarif;
mod sass;
mod scene;
mod shrink;
mod snippet;
mod source;
mod table;
mod test;
mod trace;
mod walk;

use args::{Arguments, Command};
use clap::Parser;
use exit::{Exit, Failure};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version are results; anything else is a usage error.
            let exit = if error.use_stderr() { Exit::Usage } else { Exit::Ok };
            let _ = error.print();
            return exit.into();
        }
    };
    arguments.color.write_global();
    match run(&arguments.command) {
        Ok(exit) => exit.into(),
        Err(failure) => {
            output::error(&failure);
            failure.exit.into()
        }
    }
}

fn run(command: &Command) -> Result<Exit, Failure> {
    match command {
        Command::Check(arguments) => check::run(arguments),
        Command::Test(arguments) => test::run(arguments),
        Command::Trace(arguments) => trace::run(arguments),
        Command::Graph(arguments) => graph::run(arguments),
        Command::Matrix(arguments) => matrix::run(arguments),
        Command::Lower(arguments) => lower::run(arguments),
        Command::Inline(arguments) => inline::run(arguments),
        Command::Diff(arguments) => diff::run(arguments),
        Command::Shrink(arguments) => shrink::run(arguments),
        Command::Find(arguments) => find::run(arguments),
        Command::Fmt(arguments) => fmt::run(arguments),
        Command::Rules(arguments) => catalogue::rules(arguments),
        Command::Targets(arguments) => catalogue::targets(arguments),
        Command::Readings(arguments) => readings::run(arguments),
        Command::Ledger(arguments) => ledger::run(arguments),
        Command::Needs(arguments) => needs::run(arguments),
        Command::Sass(arguments) => sass::run(arguments),
        Command::Mbarrier(arguments) => mbarrier::run(arguments),
        Command::Link(arguments) => link::run(arguments),
        Command::Open(arguments) => open::run(arguments),
        Command::Completions(arguments) => completions::run(arguments),
    }
}
