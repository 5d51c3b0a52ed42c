//! Makes the pages of the course (`course/*.md`) and of the bug reports (`examples/bug-*.tide`).
//!
//! The pages are plain HTML beside the page of Tidegate. They contain each scenario with its verdict and its picture, as
//! computed here, so that they can be read without scripts and on paper. `docs/course.md` describes the format.

mod course;
mod diff;
mod html;
mod judge;
mod lesson;
mod mutant;
mod parse;
mod story;

use anyhow::{Context as _, Result, bail};
use lesson::Lesson;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    match run() {
        Ok(pages) => {
            println!("course: {pages} pages");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Writes the pages of a repository into a folder, and returns their number.
fn run() -> Result<usize> {
    let mut arguments = env::args_os().skip(1).map(PathBuf::from);
    let usage = "usage: tidegate-course ROOT FOLDER";
    let root = arguments.next().context(usage)?;
    let folder = arguments.next().context(usage)?;
    let lessons = parse::read(&root.join("course"))?;
    let problems: Vec<String> = lessons.iter().flat_map(named_problems).collect();
    if !problems.is_empty() {
        bail!("the course is not correct:\n{}", problems.join("\n"));
    }
    let stories = story::read(&root.join("examples"))?;
    let pages: Vec<(String, String)> =
        course::pages(&lessons).into_iter().chain(story::pages(&stories)).collect();
    for (path, text) in &pages {
        write(&folder.join(path), text)?;
    }
    Ok(pages.len())
}

/// Returns the problems of a lesson, each with its name.
fn named_problems(lesson: &Lesson) -> Vec<String> {
    lesson.problems().into_iter().map(|it| format!("{}: {it}", lesson.name)).collect()
}

fn write(path: &Path, text: &str) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}
