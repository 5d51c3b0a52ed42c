//! Help that describes an edit of the text, and the reason for it.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// A statement as written, and its line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Said<'a> {
    pub(crate) words: &'a str,
    pub(crate) line: u32,
}

impl Said<'_> {
    fn told(self) -> String {
        format!("`{}` (line {})", self.words, self.line)
    }
}

/// A side of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Before,
    After,
}

impl Side {
    const fn word(self) -> &'static str {
        match self {
            Self::Before => "before",
            Self::After => "after",
        }
    }

    const fn other(self) -> Self {
        match self {
            Self::Before => Self::After,
            Self::After => Self::Before,
        }
    }
}

/// Moves a statement to one side of another.
pub(crate) fn move_to(own: Said<'_>, side: Side, other: Said<'_>) -> String {
    format!("move {} {} {}", own.told(), side.word(), other.told())
}

/// A statement is on the wrong side of another.
pub(crate) fn misplaced(own: Said<'_>, side: Side, other: Said<'_>) -> String {
    let (is, must) = (side.other().word(), side.word());
    format!("{} is {is} {}, but must be {must} it", own.told(), other.told())
}

/// Adds a statement.
pub(crate) fn add(new: &str, side: Side, other: Said<'_>) -> String {
    format!("add `{new}` {} {}", side.word(), other.told())
}

/// Adds a statement after another, and before each of some others.
pub(crate) fn add_everywhere<'a>(
    new: &str,
    first: Said<'_>,
    others: impl Iterator<Item = Said<'a>>,
) -> String {
    let others = others.map(|other| format!(", and before {}", other.told()));
    add(new, Side::After, first) + &others.collect::<String>()
}

/// A statement is missing; another line has it.
pub(crate) fn missing(new: &str, side: Side, other: Said<'_>, mirror: Option<u32>) -> String {
    let mirror = mirror.map_or_else(String::new, |line| format!("; line {line} has it"));
    format!("`{new}` is missing {} {}{mirror}", side.word(), other.told())
}

/// Repeats a test of an mbarrier until it is true, and those on other lines.
pub(crate) fn repeat(first: Said<'_>, others: &[u32]) -> String {
    let lines: Vec<String> = others.iter().map(|line| format!("line {line}")).collect();
    let others = match lines.is_empty() {
        true => String::new(),
        false => format!(", and those on {}", lines.join(", ")),
    };
    format!("repeat {} until it returns true{others}", first.told())
}

/// A test of an mbarrier is performed once.
pub(crate) fn tested_once(first: Said<'_>, others: usize) -> String {
    let more = if others == 0 { "" } else { " and other tests" };
    format!("{}{more} may return false before the phase is complete", first.told())
}

/// Changes a statement.
pub(crate) fn write(new: &str, old: Said<'_>) -> String {
    format!("write `{new}` instead of {}", old.told())
}

/// A statement is wrong.
pub(crate) fn wrong(new: &str, old: Said<'_>) -> String {
    format!("{} must be `{new}`", old.told())
}

/// Performs a statement without the condition or loop of which it is the body.
pub(crate) fn unguard(own: &str, guard: Said<'_>) -> String {
    format!("move `{own}` out of {}", guard.told())
}

/// A statement is performed under a condition, but must be performed by all agents.
pub(crate) fn guarded(own: &str, guard: Said<'_>) -> String {
    format!(
        "{} decides whether `{own}` is performed, but every agent must perform it",
        guard.told()
    )
}

/// A phase expects fewer bytes than its copies complete.
pub(crate) fn too_few(object: &str, at: Said<'_>, [expected, completed]: [i64; 2]) -> String {
    format!(
        "a phase of `{object}` expects {expected} bytes by {}, but its copies complete {completed}: it can complete before the last copy",
        at.told()
    )
}

/// No agent waits at an object.
pub(crate) fn unused(agent: &str, object: &str) -> String {
    format!("{agent} arrives at `{object}`, but no wait uses it")
}

/// Removes a statement.
pub(crate) fn remove(old: Said<'_>) -> String {
    format!("remove {}", old.told())
}

/// Two edits that are made together.
pub(crate) fn both(first: &str, second: &str) -> String {
    format!("{first}, and {second}")
}

/// An edit, with the answers to readings under which its result is `ok`.
pub(crate) fn under(edit: String, answers: &[String]) -> String {
    match answers {
        [] => edit,
        all => {
            let all = all.iter().map(|it| format!("`{it}`")).collect::<Vec<String>>();
            format!("{edit}; the result is `ok` only under {}", all.join(" and "))
        }
    }
}

/// Chooses another target.
pub(crate) fn target(name: &str) -> String {
    format!("choose the target {name}")
}
