//! Usual fixes of broken rules, as edits of the text. The caller checks whether they help.

use super::statement::Statement;
use crate::report::{Finding, Fix};
use crate::scene::Scene;
use crate::tell::help::edit::{self, Side};
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use tidegate_model::rule::RuleId;
use tidegate_model::target::TargetId;

/// Whether a text is the general help of a rule.
pub(super) fn is_of_the_rule(rule: &str, said: &str) -> bool {
    RuleId::from_name(rule).is_some_and(|rule| rule.get().remedy == said)
}

/// Changes that may fix a finding, the most likely first.
pub(super) fn changes(scene: &Scene, target: &str, finding: &Finding) -> Vec<Fix> {
    let at = Statement::of(scene, finding);
    match RuleId::from_name(&finding.rule) {
        None => Vec::new(),
        Some(
            RuleId::AmdObjectUnsupported
            | RuleId::AmdOperationUnsupported
            | RuleId::AsyncUnsupported
            | RuleId::PtxOperationUnsupported,
        ) => other_target(scene, target, finding),
        Some(rule) => at.map_or_else(Vec::new, |at| at_place(rule, at)),
    }
}

/// Edits of the statement of a finding, or next to it.
fn at_place(rule: RuleId, at: Statement<'_>) -> Vec<Fix> {
    let words = at.words();
    let instead = |new: String| if new == words { Vec::new() } else { vec![instead(at, &new)] };
    match rule {
        RuleId::AsyncRedundantMark
        | RuleId::AsyncRedundantWait
        | RuleId::AmdJoinNamedOnly
        | RuleId::AmdDropNonNegative => {
            vec![Fix { message: edit::remove(at.said()), edits: vec![at.deleted()] }]
        }
        RuleId::AsyncUnmarked => {
            let mark = if words.contains('@') {
                "call void @llvm.amdgcn.asyncmark()"
            } else {
                "asyncmark"
            };
            vec![added(mark, Side::After, at)]
        }
        RuleId::AmdJoinBeforeDrop => match words.strip_prefix("drop ") {
            Some(object) => {
                let join = format!("join {object}");
                vec![added(&join, Side::Before, at)]
            }
            None => Vec::new(),
        },
        RuleId::AmdClusterOneArrival => instead(format!("if wave_id == 0 {{ {words} }}")),
        RuleId::AmdOperationPrivileged => match at.last_number() {
            Some((2, spelled)) => instead(spelled(1)),
            Some((4, spelled)) => instead(spelled(3)),
            _ => Vec::new(),
        },
        RuleId::PtxBarCountMultiple => match at.last_number() {
            Some((count, spelled)) => instead(spelled((count.clamp(1, 4096) + 31) & !31)),
            None => Vec::new(),
        },
        RuleId::PtxBarAligned | RuleId::PtxBarAlignedSite => {
            let plain = words.replacen(".aligned", "", 1);
            match plain.strip_prefix("bar.") {
                Some(rest) if !rest.starts_with("warp") => instead(format!("barrier.{rest}")),
                _ => instead(plain),
            }
        }
        RuleId::PtxMbarrierNoComplete => instead(words.replacen(".noComplete", "", 1)),
        RuleId::PtxMbarrierCpAsyncOverflow => {
            let old = "cp.async.mbarrier.arrive";
            instead(words.replacen(old, "cp.async.mbarrier.arrive.noinc", 1))
        }
        RuleId::PtxMbarrierParityValue => match words.rsplit_once(", ") {
            Some((head, last)) => {
                let (parity, close) = last.split_at(last.rfind(')').unwrap_or(last.len()));
                instead(format!("{head}, ({parity}) & 1{close}"))
            }
            None => Vec::new(),
        },
        RuleId::OpenclFenceLocalScopeIgnored
        | RuleId::OpenclFenceImageScope
        | RuleId::OpenclSplitImageScope => scoped(at),
        RuleId::OpenclFenceImageAlone => image_apart(at),
        _ => Vec::new(),
    }
}

/// Replaces a statement.
fn instead(at: Statement<'_>, new: &str) -> Fix {
    Fix { message: edit::write(new, at.said()), edits: vec![at.instead(new)] }
}

/// Adds a statement next to another.
fn added(new: &str, side: Side, at: Statement<'_>) -> Fix {
    let edit = match side {
        Side::Before => at.before(new),
        Side::After => at.after(new),
    };
    Fix { message: edit::add(new, side, at.said()), edits: vec![edit] }
}

/// The maximum number of targets that are tried.
const MOST_TARGETS: usize = 2;

/// Selects the next target that supports the operation, if the text names the current one.
fn other_target(scene: &Scene, target: &str, finding: &Finding) -> Vec<Fix> {
    let header = |line: &&(usize, &str)| {
        line.1.strip_prefix("target ").is_some_and(|name| name.trim() == target)
    };
    let Some((line, _)) = scene.text().lines().enumerate().find(|line| header(&line)) else {
        return Vec::new();
    };
    let Some(at) = Statement::spelled(scene, line as u32 + 1, "target ") else { return Vec::new() };
    let place = |name: &str| TargetId::all().position(|id| id.get().name == name);
    let own = place(target).unwrap_or_default();
    let mut others: Vec<&String> = finding.cause.names("targets").iter().collect();
    others.sort_by_key(|name| place(name).map(|other| other.abs_diff(own)));
    let change = |name: &String| Fix {
        message: edit::target(name),
        edits: vec![at.instead(&format!("target {name}"))],
    };
    others.into_iter().take(MOST_TARGETS).map(change).collect()
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
