//! `tidegate sass`: the instructions of SASS on barriers and their twins in PTX, found by either name.

use crate::args::{Catalogue, Plain};
use crate::exit::{Exit, Failure};
use crate::json;
use crate::output::{print, print_raw};
use crate::table::{Cell, render};
use serde_json::json;
use tidegate_check::lang::{Twin, twins};

/// Runs the command.
pub(crate) fn run(arguments: &Catalogue) -> Result<Exit, Failure> {
    let chosen: Vec<Twin> = match arguments.id.as_deref() {
        None => twins().collect(),
        Some(word) => twins().filter(|twin| is_meant(twin, word)).collect(),
    };
    if chosen.is_empty() {
        let word = arguments.id.as_deref().unwrap_or_default();
        return Err(Failure::new(format!("no instruction or twin begins with `{word}`"))
            .help("`tidegate sass` lists them"));
    }
    if arguments.format == Plain::Json {
        let all: Vec<_> = chosen
            .iter()
            .map(|twin| {
                json!({
                    "sass": twin.sass, "printed": twin.printed, "meaning": twin.meaning,
                    "ptx": (!twin.ptx.is_empty()).then_some(twin.ptx),
                })
            })
            .collect();
        print_raw(&json::pretty(&all)?)?;
        return Ok(Exit::Ok);
    }
    let row = |twin: &Twin| {
        let ptx = if twin.ptx.is_empty() { "-" } else { twin.ptx };
        [twin.printed, ptx, twin.meaning].map(Cell::new).to_vec()
    };
    let rows: Vec<Vec<Cell>> = chosen.iter().map(row).collect();
    print(&render(&["SASS, as the document prints it", "PTX", "meaning"], &rows))?;
    Ok(Exit::Ok)
}

/// Whether a word is the beginning of an instruction or of its twin.
fn is_meant(twin: &Twin, word: &str) -> bool {
    twin.sass.starts_with(word) || twin.ptx.starts_with(word)
}
