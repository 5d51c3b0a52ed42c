//! Branches of compiled code that skip an operation.

use crate::scene::Scene;
use crate::tell::names::list;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use tidegate_lang::LineClass;

/// The most branches that are named.
const MOST: usize = 3;

/// Names the branches that skip a line: ", which the branch in line 7 skips". Empty if none is known, or too many are.
pub(crate) fn skipped(scene: &Scene, line: u32) -> String {
    let lines: Vec<&str> = scene.text().lines().collect();
    let is_later = |label: &str| {
        let begins = |it: &&str| {
            it.trim_start().strip_prefix(label).is_some_and(|rest| rest.starts_with(':'))
        };
        lines.iter().skip(line as usize).any(begins)
    };
    let skips = |at: u32| {
        // What follows the instruction is a comment.
        let words = lines.get(at as usize - 1).and_then(|it| it.split(';').next());
        let mut words = words.unwrap_or_default().split_whitespace();
        words.any(|word| {
            let label = word.trim_matches(|c| "%`(),".contains(c));
            !label.is_empty() && is_later(label)
        })
    };
    let branches = scene
        .line_classes()
        .iter()
        .filter(|(at, class)| *at < line && matches!(class, LineClass::Branches) && skips(*at));
    let branches: Vec<String> = branches.map(|(at, _)| at.to_string()).collect();
    match branches.len() {
        0 => String::new(),
        1 => format!(", which the branch in line {} skips", branches[0]),
        2..=MOST => format!(", which the branches in lines {} skip", list(&branches)),
        _ => String::new(),
    }
}
