//! `cargo xtask`: every task of this repository.
//!
//! A task installs the tools that it needs into a folder outside the repository (`$TIDEGATE_TOOLS`, by default
//! `~/.cache/tidegate/tools`) and names each in one line. It contains nothing about barriers.

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
    /// Install missing tools, build the page, serve it and rebuild it at every change.
    Serve {
        /// The port to serve on.
        #[arg(long, default_value_t = 8080)]
        port: u16,
        /// Build with optimisation, like the published page.
        #[arg(long)]
        release: bool,
        /// Do not open a browser.
        #[arg(long)]
        no_open: bool,
    },
    /// Build the published page into dist/, and compare its sizes with the budgets.
    Build,
    /// Install missing tools and run all checks and tests.
    Test {
        /// Run only the stages whose names contain one of these words.
        only: Vec<String>,
    },
    /// Run `test` for continuous integration, and keep build results between runs.
    Ci,
    /// Measure the checker on families of scenarios.
    Bench {
        /// Arguments of the benchmark: names of families, or `--quick`.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<String>,
    },
    /// Run the full comparisons of which tests run a small part; without a name all of them.
    Soak {
        /// The comparison (`mutants`, `random`, `enumeration`), and its arguments.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<String>,
    },
    /// Check the project rules that the compiler does not check.
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
