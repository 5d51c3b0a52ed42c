//! Names of agents, objects and operations in sentences; long lists become ranges.

use crate::cause::field::Act;
use crate::scene::Scene;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// A list in words: `a`, `a and b`, `a, b and c`.
#[must_use]
pub(crate) fn list(items: &[String]) -> String {
    match items {
        // No sentence has a gap where a list is empty.
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        [head @ .., last] => format!("{} and {last}", head.join(", ")),
    }
}

/// Groups items by a property, in the order of the first item of each group.
pub(crate) fn together<T: Copy, K: PartialEq>(
    items: &[T],
    of: impl Fn(T) -> K,
) -> Vec<(K, Vec<T>)> {
    let mut kinds: Vec<(K, Vec<T>)> = Vec::new();
    for &item in items {
        let kind = of(item);
        match kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, items)) => items.push(item),
            None => kinds.push((kind, alloc::vec![item])),
        }
    }
    kinds
}

/// The longest list without ranges.
pub(crate) const NAMED: usize = 4;

/// The shortest range.
const RUN: usize = 3;

/// Names items; in a list of more than [`NAMED`], [`RUN`] or more consecutive items become "first to last".
fn runs<T>(
    items: &[T],
    follows: impl Fn(&T, &T) -> bool,
    name: impl Fn(&T) -> String,
) -> Vec<String> {
    let mut named = Vec::new();
    for run in items.chunk_by(|one, next| follows(one, next)) {
        match run {
            [first, .., last] if items.len() > NAMED && run.len() >= RUN => {
                named.push(format!("{} to {}", name(first), name(last)));
            }
            run => named.extend(run.iter().map(&name)),
        }
    }
    named
}

/// Names agents; consecutive ones become a range: "wave 0 and wave 2 to wave 31".
#[must_use]
pub(crate) fn names(scene: &Scene, agents: &[usize]) -> String {
    if agents.is_empty() {
        return "no agent".to_owned();
    }
    let name = |&agent: &usize| scene.agent_name(agent).to_owned();
    list(&runs(agents, |one, next| one + 1 == *next, name))
}

/// Joins names with consecutive numbers to ranges: `wave 0`, `wave 2 to wave 31`. Up to four names stay as they are.
#[must_use]
pub fn in_ranges(names: &[String]) -> Vec<String> {
    let parts = |name: &str| -> Option<(String, u32)> {
        let (kind, number) = name.rsplit_once(' ')?;
        Some((kind.to_owned(), number.parse().ok()?))
    };
    let follows = |one: &String, next: &String| match (parts(one), parts(next)) {
        (Some((kind, number)), Some(next)) => (kind, number + 1) == next,
        _ => false,
    };
    runs(names, follows, String::clone)
}

/// Names an operation with its agent and line: "`arrive wg` (wave 0, line 6)".
#[must_use]
pub(crate) fn operation(scene: &Scene, agent: usize, node: u32) -> String {
    of(scene, node_of(scene, (agent, node)), &[agent])
}

/// The text and the line of an operation.
fn node_of(scene: &Scene, (agent, node): (usize, u32)) -> (String, u32) {
    let source = scene.source(agent, node);
    let text = if source.text.is_empty() { "end".to_owned() } else { source.text };
    (text, source.span.line)
}

fn of(scene: &Scene, (text, line): (String, u32), agents: &[usize]) -> String {
    placed(&text, &names(scene, agents), line)
}

/// Names an operation at its place: "`arrive wg` (wave 0, line 6)". Line 0 is no line.
#[must_use]
pub(crate) fn placed(text: &str, agents: &str, line: u32) -> String {
    match line {
        0 => format!("`{text}` ({agents})"),
        line => format!("`{text}` ({agents}, line {line})"),
    }
}

/// Puts the name of an object in backquotes. A description of several words stays as it is.
#[must_use]
pub(crate) fn object(name: &str) -> String {
    let (head, rest) = match name.split_once(" of ") {
        Some((head, rest)) => (head, [" of ", rest].concat()),
        None => (name, String::new()),
    };
    if head.contains(' ') { name.to_owned() } else { format!("`{head}`{rest}") }
}

/// Names operations; those of one line are one item with each agent once: "`arrive wg` (wave 0 and wave 1, line 6)".
#[must_use]
pub(crate) fn operations(scene: &Scene, at: &[(usize, u32)]) -> Vec<String> {
    let kinds = together(at, |at| node_of(scene, at));
    let told = kinds.into_iter().map(|(source, places)| {
        let mut agents: Vec<usize> = places.into_iter().map(|at| at.0).collect();
        agents.sort_unstable();
        agents.dedup();
        of(scene, source, &agents)
    });
    told.collect()
}

/// Names operations in a list: a few one by one, many as in [`operations`].
#[must_use]
pub(crate) fn few_or_together(scene: &Scene, at: &[(usize, u32)]) -> String {
    if at.len() > NAMED {
        return list(&operations(scene, at));
    }
    let each: Vec<String> = at.iter().map(|&(agent, node)| operation(scene, agent, node)).collect();
    list(&counted(&each))
}

/// Names each once, with the number of its instances if there are several.
#[must_use]
pub(crate) fn counted(names: &[String]) -> Vec<String> {
    let mut kinds: Vec<(&String, usize)> = Vec::new();
    for name in names {
        match kinds.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count += 1,
            None => kinds.push((name, 1)),
        }
    }
    let told = kinds.into_iter().map(|(name, count)| match count {
        1 => name.clone(),
        _ => format!("{count} instances of {name}"),
    });
    told.collect()
}

/// Names operations without their agents, each once: "`arrive wg` (line 6)".
#[must_use]
pub(crate) fn places(scene: &Scene, at: &[(usize, u32)]) -> Vec<String> {
    let mut told: Vec<String> = Vec::new();
    for &at in at {
        let one = brief(scene, at);
        if !told.contains(&one) {
            told.push(one);
        }
    }
    told
}

/// Names an operation without its agent: "`arrive wg` (line 6)".
#[must_use]
pub(crate) fn brief(scene: &Scene, at: (usize, u32)) -> String {
    match node_of(scene, at) {
        (text, 0) => format!("`{text}`"),
        (text, line) => format!("`{text}` (line {line})"),
    }
}

/// Names an operation, or the copy or the asynchronous arrive that it started.
#[must_use]
pub(crate) fn act(scene: &Scene, act: Act) -> String {
    match act {
        Act::Operation(at) => operation(scene, at.0, at.1),
        Act::Copy(at) => format!("the copy started by {}", operation(scene, at.0, at.1)),
        Act::Arrive(at) => format!("the asynchronous arrive of {}", operation(scene, at.0, at.1)),
    }
}

/// `one` for one of something, `many` for any other number.
#[must_use]
pub(crate) const fn either<'a>(count: usize, one: &'a str, many: &'a str) -> &'a str {
    if count == 1 { one } else { many }
}

/// A number of things: "1 byte", "2 bytes".
#[must_use]
pub(crate) fn number(count: i64, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

/// A sentence as a title, note or help: small first letter, no full stop.
#[must_use]
pub(crate) fn line(sentence: &str) -> String {
    let mut line = sentence.strip_suffix('.').unwrap_or(sentence).to_owned();
    let word = line.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    // Abbreviations keep their capitals.
    if word.len() == 1 || word.chars().skip(1).any(|c| c.is_ascii_lowercase()) {
        line[..1].make_ascii_lowercase();
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scene(waves: u32) -> Scene {
        let text =
            format!("target model\nlaunch waves={waves}\nwave * {{\n  arrive wg\n  wait wg\n}}\n");
        Scene::new("x.tide", &text)
    }

    #[test]
    fn consecutive_agents_become_a_range() {
        let scene = scene(32);
        let said = |agents: &[usize]| names(&scene, agents);
        let but =
            |left_out: usize| -> Vec<usize> { (0..32).filter(|&at| at != left_out).collect() };
        assert_eq!(said(&but(32)), "wave 0 to wave 31");
        assert_eq!(said(&but(19)), "wave 0 to wave 18 and wave 20 to wave 31");
        assert_eq!(said(&but(2)), "wave 0, wave 1 and wave 3 to wave 31");
        assert_eq!(said(&[7, 1, 2, 3, 9]), "wave 7, wave 1 to wave 3 and wave 9");
        assert_eq!(said(&[0, 2, 4, 6, 8]), "wave 0, wave 2, wave 4, wave 6 and wave 8");
    }

    #[test]
    fn up_to_four_agents_are_named() {
        let scene = scene(32);
        assert_eq!(names(&scene, &[0, 1, 2, 3]), "wave 0, wave 1, wave 2 and wave 3");
        assert_eq!(names(&scene, &[4]), "wave 4");
        assert_eq!(names(&scene, &[]), "no agent");
    }

    #[test]
    fn a_range_has_names_of_one_kind() {
        let group = |group: u32, waves: core::ops::Range<u32>| {
            waves.map(move |wave| format!("workgroup {group} wave {wave}"))
        };
        let all: Vec<String> = group(0, 0..4).chain(group(1, 4..8)).collect();
        assert_eq!(
            in_ranges(&all),
            [
                "workgroup 0 wave 0 to workgroup 0 wave 3",
                "workgroup 1 wave 4 to workgroup 1 wave 7"
            ]
        );
        assert_eq!(in_ranges(&all[..4]), all[..4]);
        let others: Vec<String> = ["a", "b", "c", "wave 1", "wave x"].map(String::from).into();
        assert_eq!(in_ranges(&others), others);
    }

    #[test]
    fn operations_of_one_line_are_one_item() {
        let scene = scene(6);
        let at: Vec<(usize, u32)> = (0..6).rev().chain([3]).map(|agent| (agent, 0)).collect();
        assert_eq!(operations(&scene, &at), ["`arrive wg` (wave 0 to wave 5, line 4)"]);
        assert_eq!(few_or_together(&scene, &at), "`arrive wg` (wave 0 to wave 5, line 4)");
        assert_eq!(
            few_or_together(&scene, &[(1, 0), (1, 0)]),
            "2 instances of `arrive wg` (wave 1, line 4)"
        );
        assert_eq!(object("wg of workgroup 1"), "`wg` of workgroup 1");
        assert_eq!(object("barrier 2 of cta 1"), "barrier 2 of cta 1");
        assert_eq!(
            places(&scene, &[(0, 0), (1, 0), (0, 1)]),
            ["`arrive wg` (line 4)", "`wait wg` (line 5)"]
        );
    }
}
