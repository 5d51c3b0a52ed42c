//! Makes mutants of a scenario, from the places of the operations of its program.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use tidegate_check::Scene;
use tidegate_check::model::mem::operation::Memory;
use tidegate_check::model::operation::Action;
use tidegate_check::model::ptx::action::Action as Ptx;

/// How a mutant was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Removed,
    Moved,
    Count,
    Parity,
    Index,
    Barrier,
}

/// A scenario with one changed operation.
pub struct Mutant {
    pub kind: Kind,
    /// A description of the change.
    pub what: String,
    pub text: String,
    pub site: Site,
}

/// Where a mutant differs from its original.
#[derive(Clone, Debug)]
pub enum Site {
    /// The statement that is missing.
    Missing(String),
    /// The lines of the changed statements, in the text of the mutant.
    Lines(Vec<u32>),
}

impl Site {
    /// Whether a sentence names it.
    pub fn is_named_by(&self, said: &str) -> bool {
        match self {
            Self::Missing(words) => plain(said).contains(words.as_str()),
            Self::Lines(lines) => lines_of(said).iter().any(|line| lines.contains(line)),
        }
    }
}

/// The numbers of lines in a sentence: `line 3`, `lines 4 and 7`.
fn lines_of(said: &str) -> Vec<u32> {
    let numbers = |rest: &str| -> Vec<u32> {
        let words = rest.trim_start_matches('s').split_whitespace();
        let words = words.map(|word| word.trim_end_matches(|c: char| !c.is_ascii_digit()));
        let listed = words.map_while(|word| match word {
            "" | "and" => Some(None),
            number => number.parse().ok().map(Some),
        });
        listed.flatten().collect()
    };
    said.split("line").skip(1).flat_map(numbers).collect()
}

fn plain(words: &str) -> String {
    words.split_whitespace().collect::<Vec<&str>>().join(" ")
}

/// The first line of a statement, without its label.
fn unlabelled(words: &str) -> String {
    let first = words.lines().next().unwrap_or_default();
    let is_name = |c: char| c.is_alphanumeric() || "_$".contains(c);
    let rest = match first.split_once(':') {
        Some((label, rest)) if label.chars().all(is_name) && !rest.starts_with(':') => rest,
        _ => first,
    };
    plain(rest.trim_end_matches(';'))
}

/// A statement with an operation, and the branch of a loop around it.
struct Unit {
    range: Range<usize>,
    line: u32,
    synchronises: bool,
    by_parity: bool,
}

/// Whether an operation synchronises: all except accesses and copies.
pub fn synchronises(action: Action) -> bool {
    !matches!(
        action,
        Action::Memory(
            Memory::Load(_)
                | Memory::Store(_)
                | Memory::Copy { .. }
                | Memory::Enter
                | Memory::Leave
        ) | Action::ReadState { .. }
            | Action::Caches
            | Action::Ptx(
                Ptx::Copy { .. }
                    | Ptx::Access { .. }
                    | Ptx::Compare { .. }
                    | Ptx::PendingCount { .. }
                    | Ptx::Nothing,
                _
            )
    )
}

fn units(text: &str) -> Vec<Unit> {
    let scene = Scene::new("mutant.tide", text);
    let Some(context) = scene.context() else { return Vec::new() };
    let mut found: BTreeMap<usize, Unit> = BTreeMap::new();
    for (agent, node, operation) in context.operations() {
        let span = scene.source(agent, node).span;
        if span.line == 0 || span.length == 0 {
            continue;
        }
        let (start, end) = (span.start as usize, (span.start + span.length) as usize);
        let by_parity = matches!(operation.action, Action::Ptx(Ptx::Wait { .. }, _));
        let unit = Unit {
            range: around(text, start..end),
            line: span.line,
            synchronises: synchronises(operation.action),
            by_parity,
        };
        let known = found.entry(start).or_insert(unit);
        known.synchronises |= synchronises(operation.action);
    }
    let mut units: Vec<Unit> = found.into_values().collect();
    // Operations within one expression are one statement.
    units.dedup_by(|later, first| later.range.start < first.range.end);
    units
}

/// The statement with its label and the branches after it that repeat it.
fn around(text: &str, Range { start, mut end }: Range<usize>) -> Range<usize> {
    let begins = text[..start].rfind(['\n', ';', '{']).map_or(0, |at| at + 1);
    let label = text[begins..start].trim();
    let labelled = label.ends_with(':') && !label.contains(' ');
    if !labelled {
        return start..end;
    }
    let name = label.trim_end_matches(':');
    let rest = &text[end..];
    let next = rest.trim_start_matches([' ', '\t', ';', '\n']);
    let statement = next.split(['\n', ';', '}']).next().unwrap_or_default();
    if statement.starts_with('@') && statement.contains("bra") && statement.contains(name) {
        end += rest.len() - next.len() + statement.trim_end().len();
        if text[end..].starts_with(';') {
            end += 1;
        }
    }
    start - (text[begins..start].trim_start().len())..end
}

/// Every mutant of a scenario; some do not parse.
pub fn mutants(text: &str) -> Vec<Mutant> {
    let original = text;
    let units = units(text);
    let mut all = Vec::new();
    let mut add = |kind, unit: &Unit, what: String, text: String, others: Vec<u32>| {
        let site = match kind {
            Kind::Removed => Site::Missing(unlabelled(&original[unit.range.clone()])),
            _ => Site::Lines([vec![unit.line], others].concat()),
        };
        all.push(Mutant { kind, what: format!("line {}: {what}", unit.line), text, site });
    };
    let names = objects(text);
    for (index, unit) in units.iter().enumerate() {
        let words = &text[unit.range.clone()];
        let instead =
            |new: &str| [&text[..unit.range.start], new, &text[unit.range.end..]].concat();
        if let Some(next) = units.get(index + 1) {
            let between = text.get(unit.range.end..next.range.start).unwrap_or("{");
            let beside = between.chars().all(|c| c.is_whitespace() || c == ';');
            if beside && (unit.synchronises || next.synchronises) {
                let later = &text[next.range.clone()];
                let swapped =
                    [&text[..unit.range.start], later, between, words, &text[next.range.end..]]
                        .concat();
                let lines = [later, between].map(|part| part.matches('\n').count() as u32);
                let line = unit.line + lines.iter().sum::<u32>();
                let what = format!("`{words}` exchanged with `{later}`");
                add(Kind::Moved, unit, what, swapped, vec![line]);
            }
        }
        if !unit.synchronises {
            continue;
        }
        add(Kind::Removed, unit, format!("`{words}` removed"), without(text, &unit.range), vec![]);
        if unit.by_parity {
            if let Some(new) = flipped(words) {
                add(Kind::Parity, unit, format!("`{words}` became `{new}`"), instead(&new), vec![]);
            }
        } else {
            for new in counted(words) {
                add(Kind::Count, unit, format!("`{words}` became `{new}`"), instead(&new), vec![]);
            }
        }
        for new in indexed(words) {
            add(Kind::Index, unit, format!("`{words}` became `{new}`"), instead(&new), vec![]);
        }
        for (old, others) in &names {
            if let Some(new) = others
                && let Some(new) = renamed(words, old, new)
            {
                add(
                    Kind::Barrier,
                    unit,
                    format!("`{words}` became `{new}`"),
                    instead(&new),
                    vec![],
                );
            }
        }
    }
    for (at, found) in text.match_indices("arrive_count=") {
        let start = at + found.len();
        let end = start + text[start..].find(|c: char| !c.is_ascii_digit()).unwrap_or(0);
        let Ok(count) = text[start..end].parse::<u32>() else { continue };
        for new in [count + 1, count.saturating_sub(1)].into_iter().filter(|&new| new > 0) {
            let line = text[..at].matches('\n').count() + 1;
            let what = format!("line {line}: arrive_count {count} became {new}");
            let text = [&text[..start], &new.to_string(), &text[end..]].concat();
            let site = Site::Lines(vec![line as u32]);
            all.push(Mutant { kind: Kind::Count, what, text, site });
        }
    }
    all
}

fn without(text: &str, range: &Range<usize>) -> String {
    let rest = &text[range.end..];
    let parted = rest.strip_prefix(';').unwrap_or(rest);
    [&text[..range.start], parted].concat()
}

/// The positions of numbers that are operands, outside brackets.
fn numbers(words: &str) -> Vec<(Range<usize>, i64)> {
    let bytes = words.as_bytes();
    let (mut found, mut depth, mut at) = (Vec::new(), 0, 0);
    while at < bytes.len() {
        match bytes[at] {
            b'[' => depth += 1,
            b']' => depth -= 1,
            b'0'..=b'9' if depth == 0 => {
                let end = at
                    + words[at..]
                        .find(|c: char| !c.is_ascii_alphanumeric())
                        .unwrap_or(words.len() - at);
                let apart = at > 0 && b" ,(=\t-".contains(&bytes[at - 1]);
                if let Some(number) = words[at..end].parse().ok().filter(|_| apart) {
                    found.push((at..end, number));
                }
                at = end;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// The last number plus one, and minus one.
fn counted(words: &str) -> Vec<String> {
    let Some((range, number)) = numbers(words).pop() else { return Vec::new() };
    let step = if number > 0 && number % 32 == 0 { 32 } else { 1 };
    let both = [number + step, number - step].into_iter().filter(|&new| new >= 0);
    both.map(|new| [&words[..range.start], &new.to_string(), &words[range.end..]].concat())
        .collect()
}

/// The other parity.
fn flipped(words: &str) -> Option<String> {
    let line = words.find(['\n']).unwrap_or(words.len());
    let (head, tail) = words.split_at(line);
    let (head, semicolon) = head.strip_suffix(';').map_or((head, ""), |head| (head, ";"));
    let (head, close) = match head.strip_suffix(')') {
        Some(inner) if head.contains("wait(") => (inner, ")"),
        _ => (head, ""),
    };
    let (front, parity) = head.rsplit_once(',')?;
    let new = match parity.trim() {
        "0" => "1".to_owned(),
        "1" => "0".to_owned(),
        other => match other.strip_suffix("^ 1") {
            Some(plain) => plain.trim().to_owned(),
            None => format!("({other}) ^ 1"),
        },
    };
    Some(format!("{front}, {new}{close}{semicolon}{tail}"))
}

/// Another index in brackets.
fn indexed(words: &str) -> Vec<String> {
    let Some((head, rest)) = words.split_once('[') else { return Vec::new() };
    let Some((index, tail)) = rest.split_once(']') else { return Vec::new() };
    let Ok(index) = index.trim().parse::<i64>() else { return Vec::new() };
    let others = [index + 1, index - 1].into_iter().filter(|&new| new >= 0);
    others.map(|new| format!("{head}[{new}]{tail}")).collect()
}

/// For each declared barrier the next one of its kind.
fn objects(text: &str) -> BTreeMap<String, Option<String>> {
    let mut kinds: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for line in text.lines().map(str::trim) {
        let name = |rest: &str| {
            rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>()
        };
        if let Some(rest) = line.strip_prefix("barrier ") {
            kinds.entry("barrier").or_default().insert(name(rest));
        } else if let Some(rest) = line.strip_prefix("mbarrier ") {
            kinds.entry("mbarrier").or_default().insert(name(rest));
        } else if line.contains("= tlx.alloc_barriers(") {
            kinds.entry("tlx").or_default().insert(name(line));
        }
    }
    let mut next = BTreeMap::new();
    for names in kinds.values() {
        let all: Vec<&String> = names.iter().collect();
        for (at, one) in all.iter().enumerate() {
            next.insert(
                (*one).clone(),
                Some(all[(at + 1) % all.len()].clone()).filter(|new| new != *one),
            );
        }
    }
    next
}

/// The words with one name replaced by another, if the name occurs once.
fn renamed(words: &str, old: &str, new: &str) -> Option<String> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut places = words.match_indices(old).filter(|(at, _)| {
        !words[..*at].ends_with(|c| is_name(c) || c == '.')
            && !words[at + old.len()..].starts_with(is_name)
    });
    let (at, _) = places.next()?;
    if places.next().is_some() {
        return None;
    }
    Some([&words[..at], new, &words[at + old.len()..]].concat())
}
