//! Operations of performed steps, with the values of computed operands.

use crate::finding::written;
use crate::scene::Scene;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use tidegate_model::mem::operation::{Memory, Range};
use tidegate_model::operation::Action;
use tidegate_model::program::Node;
use tidegate_model::ptx::action::{Action as Ptx, Asked};

/// The operation of a node with computed values: `wait full[turn % 2], turn & 1` is `wait full[1], 0` in one iteration.
#[must_use]
pub(crate) fn label(scene: &Scene, agent: usize, at: u32, node: &Node) -> String {
    let text = written(scene.source(agent, at).text);
    let operation = match node {
        Node::Operation { operation, .. } => operation,
        // The place of the end may be the whole kernel.
        Node::End => return "end".to_string(),
        _ => return text,
    };
    let (names, parity) = values(scene, operation.action);
    let text = names.iter().fold(text, |text, name| with_name(&text, name));
    match parity {
        Some(parity) => with_parity(&text, parity),
        None => text,
    }
}

/// A range of a buffer as one element or stage of that size, or else its bytes.
#[must_use]
pub(super) fn element(scene: &Scene, range: &Range) -> String {
    let (start, end) = (range.start, range.end);
    let size = end.checked_sub(start).filter(|&size| size > 0 && start % size == 0);
    let index = size.map_or_else(|| format!("{start}..{end}"), |size| (start / size).to_string());
    format!("{}[{index}]", own(&scene.buffer_name(range.buffer)))
}

/// The name of an array in LLVM IR without its kernel: `tile` for `kernel.tile`.
fn own(name: &str) -> &str {
    let part = name.rfind('.').map_or(name, |dot| &name[dot + 1..]);
    if part.starts_with(|it: char| it.is_ascii_alphabetic() || it == '_') { part } else { name }
}

/// The elements and ranges that an action names, and the parity that it waits for.
fn values(scene: &Scene, action: Action) -> (Vec<String>, Option<i64>) {
    let range = |range: &Range| {
        let (start, end) = (range.start, range.end);
        format!("{}[{start}..{end}]", scene.buffer_name(range.buffer))
    };
    match action {
        // For an array that is never written, the element does not matter: its text is unchanged.
        Action::Memory(Memory::Load(one)) if scene.is_whole(&one) => (Vec::new(), None),
        Action::Memory(Memory::Load(one) | Memory::Store(one)) => (alloc::vec![range(&one)], None),
        Action::Memory(Memory::Copy { to, from }) => (alloc::vec![range(&to), range(&from)], None),
        Action::Ptx(action, _) => {
            let object = action.name().map(|name| scene.mbarrier_name(name.index));
            let ranges = match action {
                Ptx::Copy { to, from, .. } => [to, from],
                _ => [None, None],
            };
            let ranges = ranges.iter().flatten().map(range);
            let parity = match action {
                Ptx::Wait { asked: Asked::Parity(parity), .. } => Some(parity),
                _ => None,
            };
            (object.into_iter().chain(ranges).collect(), parity)
        }
        other => {
            let object = other.object().map(|object| scene.object_name(object));
            (object.into_iter().collect(), None)
        }
    }
}

/// The text with a name instead of its computed form; unchanged if that occurs twice.
fn with_name(text: &str, name: &str) -> String {
    let Some((base, index)) = name.split_once('[') else { return text.to_string() };
    let is_word = |it: char| it.is_ascii_alphanumeric() || it == '_';
    let opens = format!("{base}[");
    let places = text.match_indices(&opens).map(|(at, _)| at);
    let mut places = places.filter(|&at| !text[..at].ends_with(is_word));
    let (Some(at), None) = (places.next(), places.next()) else { return text.to_string() };
    let inner = at + opens.len();
    let Some(end) = closes(&text[inner..]).map(|end| inner + end) else { return text.to_string() };
    let written = &text[inner..end];
    if text[end + 1..].starts_with('[')
        || written.bytes().all(|it| !is_word(it.into()) || it.is_ascii_digit())
    {
        return text.to_string();
    }
    match value(written, index.trim_end_matches(']')) {
        Some(value) => format!("{}{value}{}", &text[..inner], &text[end..]),
        None => text.to_string(),
    }
}

/// The text of an index: a written range, or else the number of the element.
fn value(written: &str, index: &str) -> Option<String> {
    match index.split_once("..") {
        Some((start, end)) if !written.contains("..") => {
            let (start, end): (u32, u32) = (start.parse().ok()?, end.parse().ok()?);
            let size = end.checked_sub(start).filter(|&size| size > 0 && start % size == 0)?;
            Some((start / size).to_string())
        }
        _ => Some(index.to_string()),
    }
}

/// The position at which the bracket that is open before a text closes.
fn closes(text: &str) -> Option<usize> {
    let mut open = 1;
    text.bytes().position(|it| {
        match it {
            b'[' | b'(' => open += 1,
            b']' | b')' => open -= 1,
            _ => {}
        }
        open == 0
    })
}

/// The text of a wait with the parity instead of a computed last argument.
fn with_parity(text: &str, parity: i64) -> String {
    let (body, end) = match text.strip_suffix(')') {
        Some(body) => (body, ")"),
        None => (text, ""),
    };
    let comma = body.rfind(',').filter(|&at| body[at..].chars().all(|it| !matches!(it, '[' | ']')));
    let Some(comma) = comma else { return text.to_string() };
    let last = body[comma + 1..].trim();
    // The parity of a load of AMDGPU is not an operand.
    let is_written = last.starts_with('%') || last.bytes().all(|it| it.is_ascii_digit());
    match is_written || body.starts_with("ds_") {
        true => text.to_string(),
        false => format!("{}, {parity}{end}", &body[..comma]),
    }
}

#[cfg(test)]
mod tests {
    use super::{own, with_name, with_parity};

    #[test]
    fn an_array_of_a_kernel_has_its_own_name() {
        assert_eq!((own("omm.ta"), own("tile"), own("tile.1")), ("ta", "tile", "tile.1"));
    }

    #[test]
    fn computed_operands_show_their_values() {
        for (text, name, told) in [
            ("tlx.barrier_wait(full[k % 2], k & 1)", "full[1]", "tlx.barrier_wait(full[1], k & 1)"),
            ("load a[8 * k..8 * k + 8]", "a[16..24]", "load a[16..24]"),
            ("load a[f(k[0], 1) + k]", "a[12..16]", "load a[3]"),
            ("load a[2]", "a[8..12]", "load a[2]"),
            ("arrive ready", "ready", "arrive ready"),
            ("a[i] = a[i + 1]", "a[4..8]", "a[i] = a[i + 1]"),
            ("load ba[i]", "a[4..8]", "load ba[i]"),
            ("load a[i][j]", "a[4..8]", "load a[i][j]"),
            ("load a[i", "a[4..8]", "load a[i"),
            ("load a[i]", "a[6..10]", "load a[i]"),
        ] {
            assert_eq!(with_name(text, name), told);
        }
    }

    #[test]
    fn a_parity_that_is_computed_has_its_value() {
        for (text, told) in [
            ("tlx.barrier_wait(full[1], k & 1)", "tlx.barrier_wait(full[1], 0)"),
            ("wait.parity full, k & 1", "wait.parity full, 0"),
            ("wait.parity full, 1", "wait.parity full, 1"),
            ("try_wait p, [full], %r1", "try_wait p, [full], %r1"),
            ("wait(a, b[k, 1])", "wait(a, b[k, 1])"),
            ("ds_load_b32 v6, v3 offset:16512", "ds_load_b32 v6, v3 offset:16512"),
        ] {
            assert_eq!(with_parity(text, 0), told);
        }
    }
}
