//! `tidegate fmt`: canonical layout.

use crate::args::Fmt;
use crate::exit::{Exit, Failure};
use crate::input::{self, name_of};
use crate::output::{error, print, print_error, print_raw};
use crate::source::Source;
use crate::{escape, human};
use std::fs;
use std::path::Path;
use tidegate_check::Scene;
use tidegate_check::lang::format as lay_out;

/// Runs the command. Files that cannot be formatted are unchanged, and the remaining files are processed.
pub(crate) fn run(arguments: &Fmt) -> Result<Exit, Failure> {
    let mut worst = Exit::Ok;
    for path in &arguments.files {
        worst = worst.max(one(path, arguments.check).unwrap_or_else(|failure| {
            error(&failure);
            Exit::Usage
        }));
    }
    Ok(worst)
}

fn one(path: &Path, only_check: bool) -> Result<Exit, Failure> {
    let source = input::read(path)?;
    let Some(laid_out) = laid_out(&source) else { return Ok(Exit::Usage) };
    let same = laid_out == source.text;
    match (only_check, path == Path::new("-")) {
        (true, _) if same => {}
        (true, _) => {
            print(&format!("{} is not formatted\n", escape::line(&source.name)))?;
            return Ok(Exit::Found);
        }
        (false, true) => print_raw(&laid_out)?,
        (false, false) if same => {}
        (false, false) => fs::write(path, laid_out)
            .map_err(|error| Failure::new(format!("cannot write {}: {error}", name_of(path))))?,
    }
    Ok(Exit::Ok)
}

/// Formats a text; if it cannot be parsed, returns `None` and prints the errors to standard error.
fn laid_out(source: &Source) -> Option<String> {
    lay_out(&source.text).map_or_else(
        |_| {
            for diagnostic in Scene::new(&source.name, &source.text).diagnostics() {
                print_error(&human::diagnostic(&diagnostic, &source.name, &source.text));
            }
            None
        },
        Some,
    )
}
