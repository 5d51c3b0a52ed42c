//! `tidegate sass`: the SASS instructions on barriers and their PTX equivalents, found by either name.

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
        let near = nearest(word);
        let help = near.map_or_else(
            || "`tidegate sass` lists all instructions".to_owned(),
            |near| format!("did you mean `{near}`? `tidegate sass` lists all instructions"),
        );
        return Err(
            Failure::new(format!("no SASS or PTX instruction begins with `{word}`")).help(help)
        );
    }
    if arguments.format == Plain::Json {
        let all: Vec<_> = chosen
            .iter()
            .map(|twin| {
                json!({
                    "sass": twin.sass, "printed": twin.printed, "meaning": twin.meaning,
                    "document": twin.document.word(), "ptx": (!twin.ptx.is_empty()).then_some(twin.ptx),
                })
            })
            .collect();
        print_raw(&json::pretty(&all)?)?;
        return Ok(Exit::Ok);
    }
    let row = |twin: &Twin| {
        let ptx = if twin.ptx.is_empty() { "-" } else { twin.ptx };
        [twin.printed, twin.document.word(), ptx, twin.meaning].map(Cell::new).to_vec()
    };
    let rows: Vec<Vec<Cell>> = chosen.iter().map(row).collect();
    print(&render(&["SASS", "sass-syncs", "PTX", "meaning"], &rows))?;
    Ok(Exit::Ok)
}

/// Whether a word is a prefix of an instruction or of its equivalent, ignoring case, operands, and the PTX qualifiers
/// that do not determine the operation (state space, type, semantics, scope).
fn is_meant(twin: &Twin, word: &str) -> bool {
    let (plain, full) = (plain(word), bare(word));
    let begins = |name: &str| {
        !full.is_empty() && name.to_lowercase().starts_with(&full) || same(name, &plain)
    };
    begins(twin.sass) || begins(twin.ptx)
}

fn same(name: &str, plain: &str) -> bool {
    !plain.is_empty() && self::plain(name) == plain
}

/// The first word of an instruction after labels and predicates, in lower case.
fn bare(text: &str) -> String {
    let words = text.split_whitespace();
    let mut words = words.skip_while(|word| word.ends_with(':') || word.starts_with('@'));
    words.next().unwrap_or_default().trim_end_matches(';').to_lowercase()
}

/// PTX qualifiers that are omitted or spelled in one way in the table.
const QUALIFIERS: [&str; 13] = [
    "shared",
    "shared::cta",
    "shared::cluster",
    "b64",
    "b32",
    "release",
    "acquire",
    "relaxed",
    "cta",
    "cluster",
    "gpu",
    "sys",
    "parity",
];

/// The name without such qualifiers.
fn plain(text: &str) -> String {
    let parts = bare(text);
    let parts: Vec<&str> = parts.split('.').filter(|part| !QUALIFIERS.contains(part)).collect();
    parts.join(".")
}

/// The SASS or PTX instruction nearest to a word, if one is near.
fn nearest(word: &str) -> Option<&'static str> {
    let word = plain(word);
    let names = twins().flat_map(|twin| [twin.sass, twin.ptx]).filter(|name| !name.is_empty());
    let near = names.map(|name| (distance(&plain(name), &word), name));
    near.min().filter(|(distance, _)| *distance <= word.len() / 3).map(|(_, name)| name)
}

/// Levenshtein distance.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, letter) in one.chars().enumerate() {
        let mut before = std::mem::replace(&mut row[0], at + 1);
        for (column, known) in other.iter().enumerate() {
            let changed = before + usize::from(*known != letter);
            before = row[column + 1];
            row[column + 1] = changed.min(before + 1).min(row[column] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::{distance, nearest, plain};

    #[test]
    fn instructions_are_found_in_every_spelling() {
        assert_eq!(
            plain("@P0 syncs.arrive.trans64.a1t0  RZ, [UR4], RZ"),
            "syncs.arrive.trans64.a1t0"
        );
        assert_eq!(
            plain("L: mbarrier.arrive.release.cta.shared::cta.b64 t, [b];"),
            "mbarrier.arrive"
        );
        assert_eq!(nearest("SYNCS.ARRIVE.TRANS64.RED.A1T"), Some("SYNCS.ARRIVE.TRANS64.RED.A1T0"));
        assert_eq!(nearest("nothing like it"), None);
        assert_eq!((distance("", "abc"), distance("kitten", "sitting")), (3, 3));
    }
}
