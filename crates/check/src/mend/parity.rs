//! Waits by the other parity.

use super::statement::Statement;
use super::table::instead;
use crate::report::{Finding, Fix};
use crate::scene::Scene;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// How waits are spelled that ask for a parity.
const WAITS: [&str; 3] =
    ["mbarrier.try_wait.parity", "mbarrier.test_wait.parity", "tlx.barrier_wait("];
/// Most waits that are turned.
const MOST: usize = 4;

/// Each wait of the text with the other parity: first those on the object at fault, then the nearest.
pub(super) fn turned(scene: &Scene, finding: &Finding) -> Vec<Fix> {
    let fault = Statement::of(scene, finding).map_or("", |at| at.words());
    let inside = |words: &str| {
        let start = words.find(['[', '(']).map_or(words.len(), |at| at + 1);
        let end = words[start..].find([']', ',', ')', '[']).unwrap_or(0);
        words[start..start + end].trim().to_string()
    };
    let object = inside(fault);
    let lines = scene.text().lines().enumerate();
    let waits = lines.filter_map(|(index, line)| {
        let word = WAITS.into_iter().find(|word| line.contains(word))?;
        Statement::spelled(scene, index as u32 + 1, word)
    });
    let mut waits: Vec<Statement<'_>> = waits.collect();
    let line = finding.line.unwrap_or_default();
    waits.sort_by_key(|at| (inside(at.words()) != object, at.line().abs_diff(line)));
    let turned =
        waits.into_iter().filter_map(|at| Some(instead(at, &with_other_parity(at.words())?)));
    turned.take(MOST).collect()
}

/// A wait with the other parity as its last operand.
fn with_other_parity(words: &str) -> Option<String> {
    let (head, last) = words.rsplit_once(',')?;
    let call = head.contains('(') && last.trim_end().ends_with(')');
    let (parity, close) = match call {
        true => last.trim().rsplit_once(')').map(|(parity, _)| (parity.trim(), ")"))?,
        false => (last.trim(), ""),
    };
    let other = match parity {
        "0" => "1".to_string(),
        "1" => "0".to_string(),
        _ => match parity.strip_suffix('1').and_then(|it| it.trim_end().strip_suffix('^')) {
            Some(plain) => plain.trim_end().to_string(),
            None if parity.chars().all(|c| c.is_alphanumeric() || c == '_') => {
                format!("{parity} ^ 1")
            }
            None => format!("({parity}) ^ 1"),
        },
    };
    (!other.is_empty()).then(|| format!("{head}, {other}{close}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parity_is_turned_as_it_is_written() {
        let told = [
            (
                "mbarrier.try_wait.parity.b64 p, [full], 0",
                Some("mbarrier.try_wait.parity.b64 p, [full], 1"),
            ),
            ("tlx.barrier_wait(bars[0], 1)", Some("tlx.barrier_wait(bars[0], 0)")),
            ("w p, [b], (i & 1) ^ 1", Some("w p, [b], (i & 1)")),
            ("w p, [b], phase", Some("w p, [b], phase ^ 1")),
            ("tlx.barrier_wait(b, (k // 2) & 1)", Some("tlx.barrier_wait(b, ((k // 2) & 1) ^ 1)")),
            ("wait", None),
        ];
        for (words, turned) in told {
            assert_eq!(with_other_parity(words).as_deref(), turned);
        }
    }
}
