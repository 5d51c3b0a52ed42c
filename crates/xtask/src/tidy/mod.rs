//! The project rules that the compiler does not check. Each check is a function from text to problems.

mod coverage;
mod debug;
mod dependencies;
mod examples;
mod gathered;
mod locks;
mod packed;
mod publish;
mod sizes;
mod standard;
mod tree;
mod words;

use crate::context::Context;
use anyhow::{Result, bail};

/// Checks everything and fails with all problems found.
pub(crate) fn run(context: &Context) -> Result<()> {
    let files = tree::read(&context.root, &["crates", "web", "examples", "tests"])?;
    let mut problems = dependencies::check(&files);
    problems.extend(debug::check(&files));
    problems.extend(standard::check(&files));
    problems.extend(gathered::check(&files));
    problems.extend(sizes::check(&files));
    problems.extend(coverage::check(&files));
    problems.extend(examples::check(&files));
    problems.extend(locks::check(&files));
    problems.extend(packed::check(&files));
    problems.extend(publish::check(&context.root, &files));
    problems.extend(words::check(&files));
    problems.extend(words::check(&tree::documents(&context.root)?));
    for problem in &problems {
        eprintln!("tidy: {problem}");
    }
    if !problems.is_empty() {
        bail!("{} problem(s)", problems.len());
    }
    println!(
        "tidy: each of {} rules has a scenario that keeps it and one that breaks it",
        coverage::count(&files)
    );
    println!("tidy: {} files, no problem", files.len());
    Ok(())
}
