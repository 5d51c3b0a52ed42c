//! Usual fixes of broken rules, as edits of the text. The caller checks whether they help.

use super::statement::Statement;
use crate::report::{Edit, Finding, Fix};
use crate::scene::Scene;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use tidegate_model::rule::RuleId;
use tidegate_model::target::TargetId;

/// Whether a text is the general remedy of a rule.
pub(super) fn is_of_the_rule(rule: &str, said: &str) -> bool {
    RuleId::from_name(rule).is_some_and(|rule| rule.get().remedy == said)
}

/// Changes that may mend a finding, the likeliest first.
pub(super) fn changes(scene: &Scene, target: &str, finding: &Finding) -> Vec<Fix> {
    let at = Statement::of(scene, finding);
    match finding.rule.as_str() {
        "amd.object.unsupported"
        | "amd.operation.unsupported"
        | "async.unsupported"
        | "ptx.operation.unsupported" => other_target(scene, target, finding),
        rule => at.map_or_else(Vec::new, |at| at_place(rule, at)),
    }
}

/// Edits of the statement of a finding, or next to it.
fn at_place(rule: &str, at: Statement<'_>) -> Vec<Fix> {
    let words = at.words();
    let instead = |new: String| if new == words { Vec::new() } else { vec![instead(at, &new)] };
    match rule {
        "async.redundant-mark"
        | "async.redundant-wait"
        | "amd.join.named-only"
        | "amd.drop.non-negative" => {
            vec![Fix {
                message: format!("Remove `{words}` (line {}).", at.line()),
                edits: vec![at.deleted()],
            }]
        }
        "async.unmarked" => {
            let mark = if words.contains('@') {
                "call void @llvm.amdgcn.asyncmark()"
            } else {
                "asyncmark"
            };
            vec![added(mark, "after", at, at.after(mark))]
        }
        "amd.join.before-drop" => match words.strip_prefix("drop ") {
            Some(object) => {
                let join = format!("join {object}");
                vec![added(&join, "before", at, at.before(&join))]
            }
            None => Vec::new(),
        },
        "amd.cluster.one-arrival" => instead(format!("if wave_id == 0 {{ {words} }}")),
        "amd.operation.privileged" => match at.last_number() {
            Some((2, spelled)) => instead(spelled(1)),
            Some((4, spelled)) => instead(spelled(3)),
            _ => Vec::new(),
        },
        "ptx.bar.count-multiple" => match at.last_number() {
            Some((count, spelled)) => instead(spelled((count.clamp(1, 4096) + 31) & !31)),
            None => Vec::new(),
        },
        "ptx.bar.aligned" | "ptx.bar.aligned-site" => {
            let plain = words.replacen(".aligned", "", 1);
            match plain.strip_prefix("bar.") {
                Some(rest) if !rest.starts_with("warp") => instead(format!("barrier.{rest}")),
                _ => instead(plain),
            }
        }
        "ptx.mbarrier.no-complete" => instead(words.replacen(".noComplete", "", 1)),
        "ptx.mbarrier.cp-async-overflow" => {
            let old = "cp.async.mbarrier.arrive";
            instead(words.replacen(old, "cp.async.mbarrier.arrive.noinc", 1))
        }
        "ptx.mbarrier.parity-value" => match words.rsplit_once(", ") {
            Some((head, last)) => {
                let (parity, close) = last.split_at(last.rfind(')').unwrap_or(last.len()));
                instead(format!("{head}, ({parity}) & 1{close}"))
            }
            None => Vec::new(),
        },
        "opencl.fence.local-scope-ignored"
        | "opencl.fence.image-scope"
        | "opencl.split.image-scope" => scoped(at),
        "opencl.fence.image-alone" => image_apart(at),
        _ => Vec::new(),
    }
}

/// Replaces a statement.
pub(super) fn instead(at: Statement<'_>, new: &str) -> Fix {
    let message = format!("Write `{new}` instead of `{}` (line {}).", at.words(), at.line());
    Fix { message, edits: vec![at.instead(new)] }
}

/// Adds a statement next to another.
pub(super) fn added(new: &str, side: &str, at: Statement<'_>, edit: Edit) -> Fix {
    let message = format!("Add `{new}` {side} `{}` (line {}).", at.words(), at.line());
    Fix { message, edits: vec![edit] }
}

/// Selects the first target that supports the scenario, if the text names the current one.
fn other_target(scene: &Scene, target: &str, finding: &Finding) -> Vec<Fix> {
    let header = |line: &&(usize, &str)| {
        line.1.strip_prefix("target ").is_some_and(|name| name.trim() == target)
    };
    let Some((line, _)) = scene.text().lines().enumerate().find(|line| header(&line)) else {
        return Vec::new();
    };
    let Some(at) = Statement::spelled(scene, line as u32 + 1, "target ") else { return Vec::new() };
    let words = finding.remedy.as_deref().unwrap_or_default();
    let words = words.split(|c: char| !c.is_ascii_alphanumeric() && !"._".contains(c));
    let named = words.filter_map(|word| {
        let word = word.trim_end_matches('.');
        let digits = word.replace('.', "");
        ["", "0", "00"].iter().map(|zeros| [&digits, *zeros].concat()).find(|name| {
            name.contains(|c: char| c.is_ascii_digit()) && TargetId::from_name(name).is_some()
        })
    });
    let change = |name: String| Fix {
        message: format!("Choose the target {name}."),
        edits: vec![at.instead(&format!("target {name}"))],
    };
    named.take(2).map(change).collect()
}

/// Without the scope, or with that of the work-group.
fn scoped(at: Statement<'_>) -> Vec<Fix> {
    let words = at.words();
    let Some(start) = words.find("memory_scope_") else { return Vec::new() };
    let end = words[start..]
        .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .map_or(words.len(), |at| start + at);
    let (head, tail) = (&words[..start], &words[end..]);
    let without = head.trim_end().strip_suffix(',').map(|head| [head, tail].concat());
    let narrow = [head, "memory_scope_work_group", tail].concat();
    without.into_iter().chain([narrow]).map(|new| instead(at, &new)).collect()
}

/// Separates a barrier for images from that for the other address spaces.
fn image_apart(at: Statement<'_>) -> Vec<Fix> {
    let words = at.words();
    let rest = words.replacen(" | mem_fence::image", "", 1).replacen("mem_fence::image | ", "", 1);
    let Some((call, _)) = words.split_once('(').filter(|_| rest != words) else {
        return Vec::new();
    };
    vec![instead(at, &format!("{rest}; {call}(mem_fence::image)"))]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_general_remedy_is_replaced_by_a_specific_one() {
        let general = RuleId::AmdDropRace.get().remedy;
        assert!(is_of_the_rule("amd.drop.race", general));
        assert!(!is_of_the_rule("amd.drop.race", "Add `wait b` (line 3)."));
        assert!(!is_of_the_rule("no.rule", general));
    }
}
