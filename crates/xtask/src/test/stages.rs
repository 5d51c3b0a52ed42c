//! The stages of `cargo xtask test`.

use crate::context::Context;
use crate::setup::{self, Route};
use crate::tally::Tally;
use crate::{npm, page, process, tidy};
use anyhow::{Context as _, Result, bail};
use std::path::PathBuf;
use std::process::Command;

/// What stages share: what one made, later ones use.
pub(super) struct Workshop {
    context: Context,
    route: Option<Route>,
    programs: Option<PathBuf>,
    browser: Option<PathBuf>,
    page_built: bool,
}

/// Whether a stage passed, and the tests that it counted.
type Passed = Result<(bool, Tally)>;
type Stage = fn(&mut Workshop) -> Passed;

/// Every stage in its order: cheap ones first.
pub(super) const STAGES: [(&str, Stage); 13] = [
    ("set-up", Workshop::set_up),
    ("format", Workshop::format),
    ("tidy", Workshop::tidy),
    ("lints", Workshop::lints),
    ("tests", Workshop::tests),
    ("doc-tests", Workshop::doc_tests),
    ("assembler", Workshop::assembler),
    ("no-std", Workshop::no_std),
    ("docs", Workshop::docs),
    ("page-lints", Workshop::page_lints),
    ("npm-package", Workshop::npm_package),
    ("page", Workshop::page),
    ("browser", Workshop::browser),
];

/// Library crates that must build without a standard library.
const BARE_CRATES: [&str; 4] =
    ["tidegate-model", "tidegate-lang", "tidegate-explore", "tidegate-check"];
/// Crates that run in a browser or in node only.
const WASM_CRATES: [&str; 2] = ["tidegate-wasm", "tidegate-web"];

const PASSED: Passed = Ok((true, Tally { passed: 0, failed: 0, skipped: 0 }));

impl Workshop {
    pub(super) fn new(context: &Context) -> Self {
        Self {
            context: context.clone(),
            route: None,
            programs: None,
            browser: None,
            page_built: false,
        }
    }

    fn set_up(&mut self) -> Passed {
        self.route()?;
        self.programs()?;
        setup::wasm_bindgen(&self.context)?;
        setup::trunk(&self.context)?;
        setup::wasm_pack(&self.context)?;
        self.chromium()?;
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

    fn chromium(&mut self) -> Result<PathBuf> {
        match &self.browser {
            Some(browser) => Ok(browser.clone()),
            None => Ok(self.browser.insert(setup::browser(&self.context)?).clone()),
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

    fn lints(&mut self) -> Passed {
        process::run(native(self.cargo().arg("clippy")).args([
            "--all-targets",
            "--",
            "--deny",
            "warnings",
        ]))?;
        PASSED
    }

    fn tests(&mut self) -> Passed {
        if process::output(self.cargo().args(["nextest", "--version"])).is_some() {
            counted(tested(self.cargo().args(["nextest", "run"])).args([
                "--no-fail-fast",
                "--status-level",
                "fail",
            ]))
        } else {
            counted(tested(self.cargo().arg("test")).args([
                "--no-fail-fast",
                "--lib",
                "--bins",
                "--tests",
            ]))
        }
    }

    fn doc_tests(&mut self) -> Passed {
        let (passed, output) =
            process::tee(tested(self.cargo().args(["test", "--doc"])).arg("--no-fail-fast"))?;
        Ok((passed, Tally::read(&output)))
    }

    /// Tests that ask LLVM's own tools. Where those cannot be had, the tests are counted as not run.
    fn assembler(&mut self) -> Passed {
        let test = || {
            let mut cargo = self.cargo();
            tested(cargo.args(["test", "--no-fail-fast"])).args(["--test", "all"]);
            cargo
        };
        if let Err(reason) = setup::llvm(&self.context) {
            eprintln!("the tests of this stage are not run: {reason:#}");
            let list = process::output(test().args(["--quiet", "--", "--list"]))
                .context("cannot list the tests that are not run")?;
            let skipped = list.lines().filter(|line| line.ends_with(": test")).count() as u64;
            return Ok((true, Tally { skipped, ..Tally::default() }));
        }
        counted(&mut test())
    }

    fn no_std(&mut self) -> Passed {
        let route = self.route()?;
        let mut cargo = self.cargo();
        route.bare(&mut cargo);
        cargo.args(["build", "--quiet", "--target", "wasm32v1-none"]);
        process::run(packages(&mut cargo, &BARE_CRATES))?;
        PASSED
    }

    fn docs(&mut self) -> Passed {
        let mut cargo = self.cargo();
        cargo.env("RUSTDOCFLAGS", "--deny warnings").args(["doc", "--quiet", "--no-deps"]);
        process::run(native(&mut cargo))?;
        PASSED
    }

    fn page_lints(&mut self) -> Passed {
        let route = self.route()?;
        let mut cargo = self.cargo();
        route.page(&mut cargo);
        cargo.args(["clippy", "--target", "wasm32-unknown-unknown"]);
        process::run(packages(&mut cargo, &WASM_CRATES).args(["--", "--deny", "warnings"]))?;
        PASSED
    }

    fn npm_package(&mut self) -> Passed {
        let (route, programs) = (self.route()?, self.programs()?);
        let package = npm::build(&self.context, route, &programs)?;
        let (passed, output) = npm::smoke_test(&self.context, &package)?;
        at_least_one(passed, &output)
    }

    fn page(&mut self) -> Passed {
        let (route, programs) = (self.route()?, self.programs()?);
        page::build(&self.context, route, &programs)?;
        self.page_built = true;
        PASSED
    }

    fn browser(&mut self) -> Passed {
        if !self.page_built {
            bail!("not run, because the page was not built: run it together with the stage `page`");
        }
        let browser = self.chromium()?;
        let folder = self.context.root.join("web/tests");
        setup::modules(&self.context, &folder)?;
        let mut npm = self.context.command("npm");
        npm.current_dir(&folder).args(["test"]).env("CHROMIUM", browser);
        let (passed, output) =
            process::tee(npm.env("TIDEGATE_DIST", self.context.root.join("dist")))?;
        at_least_one(passed, &output)
    }

    fn cargo(&self) -> Command {
        let mut cargo = self.context.cargo();
        if self.context.ci {
            cargo.env("CARGO_INCREMENTAL", "0");
        }
        cargo
    }
}

/// Every crate that is meant for this machine: always the same selection, so that one build serves several stages.
fn native(cargo: &mut Command) -> &mut Command {
    cargo.arg("--workspace");
    for name in WASM_CRATES {
        cargo.args(["--exclude", name]);
    }
    cargo
}

/// Every crate with tests that run on this machine: those above, and the page, whose logic needs no browser.
fn tested(cargo: &mut Command) -> &mut Command {
    cargo.args(["--workspace", "--exclude", "tidegate-wasm"])
}

fn packages<'c>(cargo: &'c mut Command, names: &[&str]) -> &'c mut Command {
    for name in names {
        cargo.args(["--package", name]);
    }
    cargo
}

fn counted(command: &mut Command) -> Passed {
    let (passed, output) = process::tee(command)?;
    at_least_one(passed, &output)
}

/// A stage of tests that counted none has not tested anything.
fn at_least_one(passed: bool, output: &str) -> Passed {
    let tally = Tally::read(output);
    if passed && tally.passed == 0 {
        return Err(anyhow::anyhow!("the stage reported no test")).context("nothing was tested");
    }
    Ok((passed && tally.failed == 0, tally))
}
