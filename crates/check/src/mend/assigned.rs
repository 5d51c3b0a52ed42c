//! Assignments to variables and registers, and last operands.

use super::units::{unlabelled, words_of};
use core::ops::Range;

/// The new value of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// A number.
    Number(i64),
    /// A value that depends on the one before.
    Update,
    /// Another value.
    Other,
}

/// The variable or register that a statement assigns, and its new value.
pub(super) fn assigned(said: &str) -> Option<(&str, Value)> {
    let words = unlabelled(said.trim().trim_end_matches(';').trim_end());
    let words = match words.strip_prefix('@') {
        Some(rest) => rest.split_once(char::is_whitespace)?.1.trim_start(),
        None => words,
    };
    if let Some((head, new)) = words.split_once('=') {
        let head = head.trim_end();
        let name = head.trim_end_matches(['+', '-', '*', '^', '&', '|']).trim_end();
        let updates = name.len() < head.len();
        let name =
            ["let ", "const "].into_iter().find_map(|it| name.strip_prefix(it)).unwrap_or(name);
        let is_name = is_name(name) && !new.starts_with('=');
        return is_name.then(|| (name, value(name, new, updates)));
    }
    let (operation, operands) = words.split_once(char::is_whitespace)?;
    let (name, rest) = operands.split_once(',')?;
    let name = name.trim();
    let is_register = name.strip_prefix('%').is_some_and(is_name);
    let is_move = operation.starts_with("mov.");
    let value = match value(name, rest, false) {
        Value::Number(_) if !is_move => Value::Other,
        known => known,
    };
    is_register.then_some((name, value))
}

fn value(name: &str, new: &str, updates: bool) -> Value {
    let plain = name.trim_start_matches('%');
    match new.trim().parse() {
        _ if updates || words_of(new).any(|(_, word)| word == plain) => Value::Update,
        Ok(number) => Value::Number(number),
        Err(_) => Value::Other,
    }
}

pub(super) fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && word.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// The position of the last operand in the first line of a statement, without the name of an argument.
pub(super) fn last_operand(said: &str) -> Option<Range<usize>> {
    let line = &said[..said.find('\n').unwrap_or(said.len())];
    let line = line.trim_end().trim_end_matches(';').trim_end();
    let is_call = line.ends_with(')') && line[..line.rfind(',')?].contains('(');
    let is_call = is_call && line.matches('(').count() == line.matches(')').count();
    let opened = |at: usize| line[at..].matches('(').count() < line[at..].matches(')').count();
    let at = line.rfind(',')? + 1;
    let end = line.len() - usize::from(is_call && opened(at));
    let name = line[at..end].find('=').filter(|it| is_name(line[at..at + it].trim()));
    let at = at + name.map_or(0, |it| it + 1);
    let at = at + line[at..end].len() - line[at..end].trim_start().len();
    (at < end).then(|| at..at + line[at..end].trim_end().len())
}

/// The statement with another last operand in its first line.
pub(super) fn with_last_operand(said: &str, new: &str) -> Option<alloc::string::String> {
    let range = last_operand(said)?;
    Some([&said[..range.start], new, &said[range.end..]].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_assignment_has_a_name_and_a_value() {
        let told = [
            ("let phase = 0", Some(("phase", Value::Number(0)))),
            ("phase ^= 1", Some(("phase", Value::Update))),
            ("phase = 1 - phase;", Some(("phase", Value::Update))),
            ("let phase = (k / N) & 1", Some(("phase", Value::Other))),
            ("mov.u32 %r6, 1;", Some(("%r6", Value::Number(1)))),
            ("xor.b32 %r6, %r6, 1;", Some(("%r6", Value::Update))),
            ("@%p1 xor.b32 %r6, %r6, 1;", Some(("%r6", Value::Update))),
            ("add.s32 %r6, %r5, 1", Some(("%r6", Value::Other))),
            ("phase == 1", None),
            ("bar.sync 0", None),
            ("tlx.barrier_arrive(b, arrive_count=1)", None),
        ];
        for (words, known) in told {
            assert_eq!(assigned(words), known, "{words}");
        }
    }

    #[test]
    fn the_last_operand_is_without_its_name() {
        let told = [
            ("mbarrier.expect_tx.b64 [b], 2 * N;", Some("2 * N")),
            ("tlx.barrier_expect_bytes(full[s], 192)", Some("192")),
            ("a = tlx.alloc_barriers(N, arrive_count=2)", Some("2")),
            ("w p, [b], (i & 1) ^ 1\n  @!p bra W", Some("(i & 1) ^ 1")),
            ("w p, [b], (i & 1)", Some("(i & 1)")),
            ("tlx.barrier_wait(b, (k // 2) & 1)", Some("(k // 2) & 1")),
            ("tlx.barrier_wait(b)", None),
        ];
        for (words, known) in told {
            assert_eq!(last_operand(words).map(|it| &words[it]), known, "{words}");
        }
    }
}
