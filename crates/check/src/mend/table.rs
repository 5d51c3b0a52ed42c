//! What usually mends a broken rule, as edits of the text; whether it does here is for whoever asks to try.

use super::parity;
use super::round;
use super::statement::Statement;
use crate::report::{Edit, Finding, Fix, WitnessStep};
use crate::scene::Scene;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use tidegate_model::rule::RuleId;
use tidegate_model::target::TargetId;

/// Most numbers that are tried in the place of a count.
const MOST_COUNTS: i64 = 8;

/// Whether something is said of a rule in general.
pub(super) fn is_of_the_rule(rule: &str, said: &str) -> bool {
    RuleId::from_name(rule).is_some_and(|rule| rule.get().remedy == said)
}

/// Changes that must mend everything, for they change what a wait is for: waits by the other parity.
pub(super) fn turns(scene: &Scene, target: &str, finding: &Finding) -> Vec<Fix> {
    match finding.rule.as_str() {
        "ptx.mbarrier.missing-wait" | "ptx.mbarrier.parity-alias" => parity::turned(scene, finding),
        "mem.race" if target.starts_with("sm_") => parity::turned(scene, finding),
        _ => Vec::new(),
    }
}

/// Changes that may mend a finding, the likeliest first.
pub(super) fn changes(scene: &Scene, target: &str, finding: &Finding) -> Vec<Fix> {
    let at = Statement::of(scene, finding);
    match finding.rule.as_str() {
        "amd.object.unsupported"
        | "amd.operation.unsupported"
        | "async.unsupported"
        | "ptx.operation.unsupported" => other_target(scene, target, finding),
        "amd.drop.race" => wait_before_the_end(scene, finding),
        "amd.join.before-wait" => joins(scene, finding),
        rule => at.map_or_else(Vec::new, |at| at_place(rule, (scene, target), finding, at)),
    }
}

/// Changes at or beside the statement of a finding.
fn at_place(
    rule: &str,
    (scene, target): (&Scene, &str),
    finding: &Finding,
    at: Statement<'_>,
) -> Vec<Fix> {
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
            vec![added(mark, "behind", at, at.after(mark))]
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
        "amd.init.positive" | "amd.arrive.expected" => counts(at),
        "ptx.bar.count-multiple" => match at.last_number() {
            Some((count, spelled)) => instead(spelled((count.clamp(1, 4096) + 31) & !31)),
            None => Vec::new(),
        },
        "ptx.bar.count-mismatch" => mismatched(finding, at),
        "ptx.bar.aligned" | "ptx.bar.aligned-site" => {
            let plain = words.replacen(".aligned", "", 1);
            match plain.strip_prefix("bar.") {
                Some(rest) if !rest.starts_with("warp") => instead(format!("barrier.{rest}")),
                _ => instead(plain),
            }
        }
        "ptx.bar.double-arrive" => instead(words.replacen("arrive", "sync", 1)),
        "ptx.mbarrier.no-complete" => instead(words.replacen(".noComplete", "", 1)),
        "ptx.mbarrier.cp-async-overflow" => {
            let old = "cp.async.mbarrier.arrive";
            instead(words.replacen(old, "cp.async.mbarrier.arrive.noinc", 1))
        }
        "ptx.cluster.arrive-once" => {
            let wait = "barrier.cluster.wait";
            vec![added(wait, "before", at, at.before(wait))]
        }
        "ptx.mbarrier.parity-value" => match words.rsplit_once(", ") {
            Some((head, last)) => {
                let (parity, close) = last.split_at(last.rfind(')').unwrap_or(last.len()));
                instead(format!("{head}, ({parity}) & 1{close}"))
            }
            None => Vec::new(),
        },
        "ptx.mbarrier.over-arrival" | "ptx.mbarrier.never-completes" | "tlx.arrive-count" => {
            initialised(rule, scene, finding, at)
        }
        "opencl.fence.local-scope-ignored"
        | "opencl.fence.image-scope"
        | "opencl.split.image-scope" => scoped(at),
        "opencl.named.over-subscribed" | "opencl.named.never-completes" => named_count(scene, at),
        "mem.race" => round::between(scene, target, finding),
        "amd.init.first" | "ptx.mbarrier.valid-object" | "ptx.mbarrier.init-visibility" => {
            round::behind_init(scene, target)
        }
        "opencl.fence.image-alone" => image_apart(at),
        "opencl.split.wait-first" => instead(words.replacen("_wait(", "_arrive(", 1)),
        "opencl.split.arrive-twice" => {
            let wait = words.replacen("_arrive(", "_wait(", 1);
            vec![added(&wait, "before", at, at.before(&wait))]
        }
        _ => Vec::new(),
    }
}

/// Other words in the place of a statement.
pub(super) fn instead(at: Statement<'_>, new: &str) -> Fix {
    let message = format!("Write `{new}` instead of `{}` (line {}).", at.words(), at.line());
    Fix { message, edits: vec![at.instead(new)] }
}

/// A statement beside another.
pub(super) fn added(new: &str, side: &str, at: Statement<'_>, edit: Edit) -> Fix {
    let message = format!("Add `{new}` {side} `{}` (line {}).", at.words(), at.line());
    Fix { message, edits: vec![edit] }
}

/// Larger last operands, one after the other.
fn counts(at: Statement<'_>) -> Vec<Fix> {
    let Some((old, spelled)) = at.last_number() else { return Vec::new() };
    let from = old.max(0).saturating_add(1);
    (from..from.saturating_add(MOST_COUNTS)).map(|count| instead(at, &spelled(count))).collect()
}

/// The counts that others give the same barrier.
fn mismatched(finding: &Finding, at: Statement<'_>) -> Vec<Fix> {
    let Some((own, spelled)) = at.last_number() else { return Vec::new() };
    let is_bar = |step: &&WitnessStep| step.operation.starts_with("bar");
    let last = |step: &WitnessStep| step.operation.rsplit([',', ' ']).next()?.parse::<i64>().ok();
    let others = finding.witness.iter().filter(is_bar).filter_map(last);
    let mut others: Vec<i64> = others.filter(|count| *count != own).collect();
    others.dedup();
    others.into_iter().map(|count| instead(at, &spelled(count))).collect()
}

/// The first target that has what this one lacks, where the text names this one.
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
        message: format!("Judge it on {name}."),
        edits: vec![at.instead(&format!("target {name}"))],
    };
    named.take(2).map(change).collect()
}

/// The steps of an agent that are spelled in the text.
fn steps_of<'a>(scene: &'a Scene, finding: &'a Finding, agent: &str) -> Vec<Statement<'a>> {
    let own = |step: &&WitnessStep| step.agent == agent;
    let spelled = |step: &WitnessStep| Statement::spelled(scene, step.line, &step.operation);
    finding.witness.iter().filter(own).filter_map(spelled).collect()
}

/// Agents that arrived wait before they drop or end: the one at fault, or one that another depends on.
fn wait_before_the_end(scene: &Scene, finding: &Finding) -> Vec<Fix> {
    let at_fault = finding.agent.as_deref();
    let mut agents: Vec<&str> = at_fault.into_iter().collect();
    for step in finding.witness.iter().rev() {
        if !agents.contains(&&*step.agent) {
            agents.push(&step.agent);
        }
    }
    agents.into_iter().filter_map(|agent| wait_of(scene, finding, agent)).collect()
}

/// A wait for what an agent arrived at last, before it drops or ends.
fn wait_of(scene: &Scene, finding: &Finding, agent: &str) -> Option<Fix> {
    let own = steps_of(scene, finding, agent);
    let wait = |step: &Statement<'_>| {
        let words = step.words().split(',').next().unwrap_or_default();
        let spelled = [
            ("arrive ", "wait "),
            ("s_barrier_signal ", "s_barrier_wait "),
            (
                "call void @llvm.amdgcn.s.barrier.signal(i32 ",
                "call void @llvm.amdgcn.s.barrier.wait(i16 ",
            ),
        ];
        spelled.iter().find_map(|(arrive, wait)| Some([wait, words.strip_prefix(arrive)?].concat()))
    };
    let (last, wait) = (own.last()?, own.iter().rev().find_map(wait)?);
    let drops = last.words().starts_with("drop") || last.words().contains("barrier_leave");
    Some(match drops {
        true => added(&wait, "before", *last, last.before(&wait)),
        false => added(&wait, "behind", *last, last.after(&wait)),
    })
}

/// The join of an agent as the first that it does, or one before what it does with the object.
fn joins(scene: &Scene, finding: &Finding) -> Vec<Fix> {
    let mut changes = join_first(scene, finding);
    changes.extend(join_added(scene, finding));
    changes
}

/// A join of an agent that has none: before it arrives, or as early as it can be.
fn join_added(scene: &Scene, finding: &Finding) -> Vec<Fix> {
    let own = steps_of(scene, finding, finding.agent.as_deref().unwrap_or_default());
    let last = own.last().and_then(|at| join_of(at.words()));
    let is_same = |at: &Statement<'_>| last.is_some() && join_of(at.words()) == last;
    let (Some(join), Some(first)) = (&last, own.iter().position(is_same)) else {
        return Vec::new();
    };
    let early = own[..first].iter().position(|at| !at.words().contains("init"));
    let places = [Some(first), early];
    places
        .iter()
        .flatten()
        .map(|at| added(join, "before", own[*at], own[*at].before(join)))
        .collect()
}

/// The join of the object that an arrive or a wait names.
fn join_of(words: &str) -> Option<String> {
    let operand = |after: &str| words.strip_prefix(after).map(|rest| rest.split(',').next());
    let named = |object: &str| object != "wg" && object != "cluster" && !object.starts_with('-');
    let spelled = [
        ("arrive ", "join "),
        ("wait ", "join "),
        ("s_barrier_signal ", "s_barrier_join "),
        ("s_barrier_wait ", "s_barrier_join "),
    ];
    spelled.iter().find_map(|(by, join)| {
        let object = operand(by)??.trim();
        named(object).then(|| [join, object].concat())
    })
}

/// The join of an agent as the first that it does.
fn join_first(scene: &Scene, finding: &Finding) -> Vec<Fix> {
    let own = steps_of(scene, finding, finding.agent.as_deref().unwrap_or_default());
    let is_join = |step: &&Statement<'_>| step.words().contains("join");
    match (own.first(), own.iter().rev().find(is_join)) {
        (Some(first), Some(join)) if first != join => vec![Fix {
            message: format!(
                "Join first: move `{}` from line {} to before `{}` (line {}).",
                join.words(),
                join.line(),
                first.words(),
                first.line()
            ),
            edits: vec![first.before(join.words()), join.deleted()],
        }],
        _ => Vec::new(),
    }
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

/// A barrier for images of its own behind that for the other address spaces.
fn image_apart(at: Statement<'_>) -> Vec<Fix> {
    let words = at.words();
    let rest = words.replacen(" | mem_fence::image", "", 1).replacen("mem_fence::image | ", "", 1);
    let Some((call, _)) = words.split_once('(').filter(|_| rest != words) else {
        return Vec::new();
    };
    vec![instead(at, &format!("{rest}; {call}(mem_fence::image)"))]
}

/// Another count where a named barrier is constructed.
fn named_count(scene: &Scene, at: Statement<'_>) -> Vec<Fix> {
    let Some((name, _)) = at.words().split_once(".wait") else { return Vec::new() };
    let constructed = [" ", name, "("].concat();
    let line = scene.text().lines().position(|line| line.contains(&constructed));
    let operation = line.and_then(|line| Statement::beginning(scene.text(), line as u32 + 1));
    let Some((at, (old, spelled))) = operation.and_then(|at| Some((at, at.last_number()?))) else {
        return Vec::new();
    };
    // A barrier of one sub-group keeps nobody: that is no count to fall back to.
    let others = (1..=MOST_COUNTS).filter(|count| *count != old && (*count > 1 || old < 1));
    others.map(|count| instead(at, &spelled(count))).collect()
}

/// Another count where an mbarrier is initialised or allocated.
fn initialised(rule: &str, scene: &Scene, finding: &Finding, at: Statement<'_>) -> Vec<Fix> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let name = at.words().split(['[', '(']).nth(1).unwrap_or_default();
    let name = &name[..name.find(|c| !is_name(c)).unwrap_or(name.len())];
    let remedy = finding.remedy.as_deref().unwrap_or_default();
    let said = ["initialise it for ", "arrive_count="].into_iter().find_map(|before| {
        let (_, behind) = remedy.split_once(before)?;
        behind[..behind.find(|c: char| !c.is_ascii_digit()).unwrap_or(behind.len())].parse().ok()
    });
    let counts = |old: i64| -> Vec<i64> {
        match said {
            Some(count) => vec![count],
            None if rule == "ptx.mbarrier.over-arrival" => {
                (old.saturating_add(1)..=old.saturating_add(MOST_COUNTS)).collect()
            }
            None => Vec::new(),
        }
    };
    let mut changes = Vec::new();
    for (index, line) in scene.text().lines().enumerate() {
        let at = |part: &str| {
            Statement::spelled(
                scene,
                index as u32 + 1,
                &line[line.find(part)?..line.find(part)? + part.len()],
            )
        };
        if line.contains("mbarrier.init") && mentions(line, name) {
            if let Some((at, (old, spelled))) =
                at("mbarrier.init").and_then(|at| Some((at, at.last_number()?)))
            {
                changes.extend(counts(old).into_iter().map(|count| instead(at, &spelled(count))));
            }
        } else if line.contains("tlx.alloc_barriers(")
            && mentions(line, name)
            && let Some(at) = Statement::beginning(scene.text(), index as u32 + 1)
            && let Some((head, tail)) = at.words().split_once("arrive_count=")
        {
            let end = tail.find(|c: char| !c.is_ascii_digit()).unwrap_or(tail.len());
            let old = tail[..end].parse().unwrap_or(1);
            changes.extend(
                counts(old).into_iter().map(|count| {
                    instead(at, &format!("{head}arrive_count={count}{}", &tail[end..]))
                }),
            );
        }
    }
    changes
}

/// Whether a line has a name as a word.
fn mentions(line: &str, name: &str) -> bool {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    !name.is_empty() && line.split(|c| !is_name(c)).any(|word| word == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_every_breach_gives_way() {
        let general = RuleId::AmdDropRace.get().remedy;
        assert!(is_of_the_rule("amd.drop.race", general));
        assert!(!is_of_the_rule("amd.drop.race", "Add `wait b` (line 3)."));
        assert!(!is_of_the_rule("no.rule", general));
    }

    #[test]
    fn a_name_is_a_whole_word() {
        assert!(mentions("mbarrier.init.b64 [full], 2", "full"));
        assert!(!mentions("mbarrier.init.b64 [fuller], 2", "full"));
        assert!(!mentions("anything", ""));
    }
}
