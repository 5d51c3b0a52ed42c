//! The stages of `cargo xtask test`.

use super::{known, times};
use crate::context::Context;
use crate::setup::{self, Route};
use crate::tally::Tally;
use crate::{npm, page, process, tidy};
use anyhow::{Context as _, Result, bail};
use std::path::PathBuf;
use std::process::Command;

/// Shared by stages: results of one that later ones use.
pub(super) struct Workshop {
    context: Context,
    route: Option<Route>,
    programs: Option<PathBuf>,
    browsers: Option<Vec<(&'static str, PathBuf)>>,
    page_built: bool,
    /// The output of the tests, from which the slowest are listed at the end.
    printed: String,
}

/// Whether a stage passed, and the number of its tests.
type Passed = Result<(bool, Tally)>;
type Stage = fn(&mut Workshop) -> Passed;

/// Every stage in its order: cheap ones first.
pub(super) const STAGES: [(&str, Stage); 12] = [
    ("set-up", Workshop::set_up),
    ("format", Workshop::format),
    ("tidy", Workshop::tidy),
    ("lints", Workshop::lints),
    ("tests", Workshop::tests),
    ("doc-tests", Workshop::doc_tests),
    ("assembler", Workshop::assembler),
    ("no-std", Workshop::no_std),
    ("docs", Workshop::docs),
    ("page", Workshop::page),
    ("npm-package", Workshop::npm_package),
    ("browser", Workshop::browser),
];

/// Library crates that must build without a standard library.
const BARE_CRATES: [&str; 6] = [
    "tidegate-model",
    "tidegate-kernel",
    "tidegate-lang",
    "tidegate-front",
    "tidegate-explore",
    "tidegate-check",
];
/// Crates that run only in a browser or in node.
const WASM_CRATES: [&str; 2] = ["tidegate-wasm", "tidegate-web"];

/// The module of the tests that call LLVM's tools.
const ASSEMBLER: &str = "assembler::";
/// The number of slowest tests in the list.
const SLOWEST: usize = 10;

const PASSED: Passed = Ok((true, Tally { passed: 0, failed: 0, skipped: 0 }));

impl Workshop {
    pub(super) fn new(context: &Context) -> Self {
        Self {
            context: context.clone(),
            route: None,
            programs: None,
            browsers: None,
            page_built: false,
            printed: String::new(),
        }
    }

    fn set_up(&mut self) -> Passed {
        self.route()?;
        self.programs()?;
        setup::wasm_bindgen(&self.context)?;
        setup::trunk(&self.context)?;
        setup::wasm_pack(&self.context)?;
        self.browsers()?;
        setup::editor(&self.context)?;
        setup::modules(&self.context, &self.context.root.join("web/tests"))?;
        PASSED
    }

    fn route(&mut self) -> Result<Route> {
        match self.route {
            Some(route) => Ok(route),
            None => Ok(*self.route.insert(setup::targets(&self.context)?)),
        }
    }

    fn programs(&mut self) -> Result<PathBuf> {
        match &self.programs {
            Some(programs) => Ok(programs.clone()),
            None => Ok(self.programs.insert(setup::build_tools(&self.context)?).clone()),
        }
    }

    /// The environment variables that name the browsers, which it installs if they are missing.
    fn browsers(&mut self) -> Result<Vec<(&'static str, PathBuf)>> {
        let find = |browser: &setup::Browser| {
            Ok((browser.variable, setup::browser(&self.context, browser)?))
        };
        match &self.browsers {
            Some(browsers) => Ok(browsers.clone()),
            None => {
                let found = [setup::CHROMIUM, setup::FIREFOX].iter().map(find);
                Ok(self.browsers.insert(found.collect::<Result<_>>()?).clone())
            }
        }
    }

    fn format(&mut self) -> Passed {
        process::run(self.cargo().args(["fmt", "--all", "--check"]))?;
        PASSED
    }

    fn tidy(&mut self) -> Passed {
        tidy::run(&self.context)?;
        PASSED
    }

    /// Runs clippy once over every crate, including those of the page: nothing in them depends on the target.
    fn lints(&mut self) -> Passed {
        let mut cargo = self.cargo();
        cargo.args(["clippy", "--workspace", "--all-targets", "--profile", "test"]);
        process::run(cargo.args(["--", "--deny", "warnings"]))?;
        PASSED
    }

    fn tests(&mut self) -> Passed {
        let mut cargo = self.cargo();
        tested(cargo.arg("test")).args(["--no-fail-fast", "--lib", "--bins", "--tests"]);
        times::asked(&mut cargo).arg("--").args(times::words()).args(["--skip", ASSEMBLER]);
        self.counted(&mut cargo)
    }

    fn doc_tests(&mut self) -> Passed {
        let mut cargo = self.cargo();
        tested(cargo.args(["test", "--doc"])).arg("--no-fail-fast");
        self.counted(&mut cargo)
    }

    /// Runs the tests that call LLVM's tools, in the binaries of the stage `tests`. Without the tools, it counts the
    /// tests as not run.
    fn assembler(&mut self) -> Passed {
        let mut cargo = self.cargo();
        tested(cargo.arg("test")).args(["--no-fail-fast", "--lib", "--bins", "--tests"]);
        if let Err(reason) = setup::llvm(&self.context) {
            eprintln!("skipping the tests of this stage: {reason:#}");
            let list = process::output(cargo.args(["--quiet", "--", "--list", ASSEMBLER]))
                .context("cannot list the tests that are not run")?;
            let skipped = list.lines().filter(|line| line.ends_with(": test")).count() as u64;
            return Ok((true, Tally { skipped, ..Tally::default() }));
        }
        times::asked(&mut cargo).arg("--").args(times::words()).args([ASSEMBLER, "--ignored"]);
        self.counted(&mut cargo)
    }

    /// Runs tests, counts them and keeps their output.
    fn counted(&mut self, command: &mut Command) -> Passed {
        let (passed, output) = process::tee(command)?;
        self.printed += &output;
        at_least_one(passed, &output)
    }

    /// Returns the slowest tests: the name of each and its seconds.
    pub(super) fn slowest(&self) -> Vec<(&str, f64)> {
        times::slowest(&self.printed, SLOWEST)
    }

    fn no_std(&mut self) -> Passed {
        let route = self.route()?;
        let mut cargo = self.cargo();
        route.bare(&mut cargo);
        cargo.args(["check", "--quiet", "--target", "wasm32v1-none"]);
        process::run(packages(&mut cargo, &BARE_CRATES))?;
        PASSED
    }

    fn docs(&mut self) -> Passed {
        let mut cargo = self.cargo();
        cargo.env("RUSTDOCFLAGS", "--deny warnings").args([
            "doc",
            "--quiet",
            "--no-deps",
            "--profile",
            "test",
        ]);
        process::run(native(&mut cargo))?;
        PASSED
    }

    fn npm_package(&mut self) -> Passed {
        let (route, programs) = (self.route()?, self.programs()?);
        setup::wasm_bindgen(&self.context)?;
        setup::wasm_pack(&self.context)?;
        let package = npm::build(&self.context, route, &programs)?;
        let (passed, output) = npm::smoke_test(&self.context, &package)?;
        at_least_one(passed, &output)
    }

    fn page(&mut self) -> Passed {
        let (route, programs) = (self.route()?, self.programs()?);
        setup::wasm_bindgen(&self.context)?;
        setup::trunk(&self.context)?;
        setup::editor(&self.context)?;
        page::build(&self.context, route, &programs)?;
        self.page_built = true;
        PASSED
    }

    fn browser(&mut self) -> Passed {
        if !self.page_built {
            bail!("the page is not built: run the stage `page` in the same command");
        }
        let browsers = self.browsers()?;
        let folder = self.context.root.join("web/tests");
        setup::modules(&self.context, &folder)?;
        let dist = self.context.root.join("dist");
        let known = known::Page::of(&self.context, &dist, &folder)?;
        let mut npm = self.context.command("npm");
        npm.current_dir(&folder).args(["test"]).envs(browsers);
        npm.env("TIDEGATE_KNOWN", known.cases());
        let (passed, output) = process::tee(npm.env("TIDEGATE_DIST", dist))?;
        let outcome = at_least_one(passed, &output)?;
        if outcome.0 {
            known.remember()?;
        }
        Ok(outcome)
    }

    fn cargo(&self) -> Command {
        let mut cargo = self.context.cargo();
        if self.context.ci {
            cargo.env("CARGO_INCREMENTAL", "0");
        }
        cargo
    }
}

/// Every crate with documentation for Rust users.
fn native(cargo: &mut Command) -> &mut Command {
    cargo.arg("--workspace");
    for name in WASM_CRATES {
        cargo.args(["--exclude", name]);
    }
    cargo
}

/// Every crate with tests that run on this machine: those above, and the page, whose logic needs no browser. All stages
/// use the same selection and profile, so that they share one build. Another selection changes features of dependencies
/// and recompiles everything.
fn tested(cargo: &mut Command) -> &mut Command {
    cargo.args(["--workspace", "--exclude", "tidegate-wasm"])
}

fn packages<'c>(cargo: &'c mut Command, names: &[&str]) -> &'c mut Command {
    for name in names {
        cargo.args(["--package", name]);
    }
    cargo
}

/// A stage of tests that counted no test fails.
fn at_least_one(passed: bool, output: &str) -> Passed {
    let tally = Tally::read(output);
    if passed && tally.passed == 0 {
        return Err(anyhow::anyhow!("the stage reported no test")).context("nothing was tested");
    }
    Ok((passed && tally.failed == 0, tally))
}
