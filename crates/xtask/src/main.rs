//! `cargo xtask`: everything that is done with this repository apart from writing it.
//!
//! A task installs what it needs into a folder of its own outside the repository (`$TIDEGATE_TOOLS`, by default
//! `~/.cache/tidegate/tools`), says so in one line each, and goes on. It knows nothing about barriers.

mod bench;
mod context;
mod npm;
mod page;
mod process;
mod setup;
mod soak;
mod stale;
mod tally;
mod test;
mod tidy;

use clap::{Parser, Subcommand};
use context::Context;
use std::process::ExitCode;

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Tasks of the Tidegate repository")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Set up what is missing, build the page, serve it and build it again at every change.
    Serve {
        /// The port to serve on.
        #[arg(long, default_value_t = 8080)]
        port: u16,
        /// Build with optimisation, as it is published.
        #[arg(long)]
        release: bool,
        /// Do not open a browser.
        #[arg(long)]
        no_open: bool,
    },
    /// Build the page as it is published, into dist/, and compare its sizes with the budgets.
    Build,
    /// Set up what is missing and run every check and every test.
    Test {
        /// Run only the stages whose names contain one of these words.
        only: Vec<String>,
    },
    /// What continuous integration runs: `test`, with build results kept between runs.
    Ci,
    /// Measure the checker on families of scenarios.
    Bench {
        /// Words given on to the benchmark: names of families, or `--quick`.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<String>,
    },
    /// Compare at length what tests compare in small numbers; without a name everything.
    Soak {
        /// The comparison (`mutants`, `random`, `enumeration`), and words given on to it.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<String>,
    },
    /// Check the rules of the house that the compiler does not.
    Tidy,
    /// Build the npm package.
    Npm,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let result = Context::find().and_then(|context| match arguments.task {
        Task::Serve { port, release, no_open } => page::serve(&context, port, release, !no_open),
        Task::Build => page::build_with_setup(&context),
        Task::Test { only } => test::run(&context, &only),
        Task::Ci => test::run(&context.for_ci()?, &[]),
        Task::Bench { words } => bench::run(&context, &words),
        Task::Soak { words } => soak::run(&context, &words),
        Task::Tidy => tidy::run(&context),
        Task::Npm => npm::build_with_setup(&context).map(|_| ()),
    });
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
