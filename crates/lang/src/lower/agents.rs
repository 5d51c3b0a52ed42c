//! The launch, and the block that each agent performs.

use super::code::Code;
use super::names::Reports;
use crate::diagnostic::{Diagnostic, Severity, Span, Suggestion};
use crate::lexer;
use crate::source;
use crate::tree::{AgentBlock, Assumed, LaunchKeys, Selection, Tree};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::Range;
use tidegate_model::program::Launch;
use tidegate_model::target::{Family, TargetId};

/// The maximum number of agents of a launch; if waves have several lanes, each lane counts.
pub(crate) const MOST_AGENTS: u32 = 4096;

/// The maximum number of work-items of an OpenCL launch in which some work-groups represent others.
const MOST_ITEMS: u32 = 1 << 20;

/// Threads of a warp on every NVIDIA target.
const WARP: u32 = 32;

/// Computes the launch and assigns a unit to every lane. Units of agents follow those of functions.
pub(super) fn place(
    tree: &Tree,
    text: &str,
    target: Option<TargetId>,
    code: &mut Code,
    reports: &mut Reports,
) {
    let of_opencl = match target {
        Some(target) => target.get().family == Family::Opencl,
        None => tree.agents.iter().any(|block| block.of_c),
    };
    let most = if code.opencl || of_opencl { MOST_ITEMS } else { MOST_AGENTS };
    let Some(launch) = launch(tree, most, reports) else { return };
    code.launch_span = tree.launch_span;
    code.assumed = tree.assumed.as_ref().map(in_scenario).unwrap_or_default();
    let on_nvidia = target.is_some_and(|target| target.get().family == Family::Nvidia);
    if let (true, true, Some((_, span))) = (on_nvidia, launch.lanes > WARP, tree.launch[3]) {
        let message = format!("a warp has at most {WARP} lanes");
        return reports.error("launch-range", span, message);
    }
    let is_kernel =
        |block: &&AgentBlock| block.waves == Selection::All && (block.of_c || code.opencl);
    if let Some(kernel) = tree.agents.iter().find(is_kernel) {
        size_of_group(tree, kernel, launch, text, reports);
    } else {
        alone(tree, launch, text, on_nvidia, reports);
    }
    if let Some(second) = tree.agents.iter().filter(|block| block.of_c).nth(1) {
        let message =
            "the text has several kernels: write `entry NAME` at its beginning to choose one";
        return reports.error("second-kernel", second.span, String::from(message));
    }
    let all = launch.workgroups * launch.waves * launch.lanes;
    code.lanes = alloc::vec![None; all as usize];
    for (index, block) in tree.agents.iter().enumerate() {
        let unit = (tree.functions.len() + index) as u32;
        if let Some(ranges) = ranges(block, launch, reports) {
            assign(ranges, launch, unit, block.span, code, reports);
        }
    }
    code.per_thread = tree.agents.iter().any(|block| block.per_thread);
    code.launch = Some(launch);
}

/// Number of work-items of a work-group in a suggested launch.
const FITTING: i64 = 64;
/// Number of work-items of a sub-group in a suggested launch.
const SUB_GROUP: i64 = 16;

/// Warns of an OpenCL kernel whose launch is assumed, or has a different size than the kernel requires.
fn size_of_group(
    tree: &Tree,
    kernel: &AgentBlock,
    launch: Launch,
    text: &str,
    reports: &mut Reports,
) {
    let severity = Severity::Warning;
    if let Some(assumed) = tree.assumed {
        let line = assumed_line(&assumed);
        let span = tree.required.map_or(kernel.span, |(_, span)| span);
        let written = tree.launch_span.line > 0;
        let replacement =
            launched(kernel, &line, text).filter(|_| !written && tree.required.is_none());
        let suggestion = Some(Suggestion { message: format!("write `{line}`"), replacement });
        let message = assumption(&assumed, written);
        let missing = Diagnostic::error("launch-size", span, message);
        return reports.push(Diagnostic { severity, suggestion, ..missing });
    }
    let given = i64::from(launch.waves * launch.lanes);
    let Some((wanted, span)) = tree.required.filter(|&(wanted, _)| wanted != given) else {
        if tree.launch_span.line == 0 && given == 1 {
            let line = format!("launch {}", items(FITTING));
            reports.push(without_launch(kernel, "work-item", &line, text));
        }
        return;
    };
    let message = format!(
        "this kernel requires work-groups of {wanted} work-items, but the launch has {given} in each"
    );
    let line = items(wanted);
    let suggestion =
        Some(Suggestion { message: format!("write `launch {line}`"), replacement: None });
    let other = Diagnostic::error("launch-size", span, message);
    reports.push(Diagnostic { severity, suggestion, ..other });
}

/// The keys of a launch with a number of work-items.
fn items(all: i64) -> String {
    match all / SUB_GROUP {
        waves if waves > 1 && all % SUB_GROUP == 0 => {
            format!("subgroups={waves} items={SUB_GROUP}")
        }
        _ => format!("items={all}"),
    }
}

fn in_scenario(assumed: &Assumed) -> source::Assumed {
    let all = assumed.sizes.iter().product::<i64>();
    source::Assumed {
        threads: u32::try_from(all).ok().filter(|_| assumed.size),
        groups: assumed.several,
        several: None,
        words: assumed_words(assumed),
    }
}

/// The line that gives an assumed launch.
fn assumed_line(assumed: &Assumed) -> String {
    format!("launch {}", assumed_words(assumed))
}

fn assumed_words(assumed: &Assumed) -> String {
    let groups = product(assumed.groups, assumed.dimensions);
    let items = match assumed.dimensions {
        1 => items(assumed.sizes[0]),
        several => format!("items={}", product(assumed.sizes, several)),
    };
    format!("groups={groups} {items}")
}

/// Describes the assumed parts of a launch.
fn assumption(assumed: &Assumed, written: bool) -> String {
    let size = product(assumed.sizes, assumed.dimensions);
    let groups = product(assumed.groups, assumed.dimensions);
    match (assumed.several, assumed.size) {
        (true, true) => {
            let missing = if written { "the launch gives no sizes" } else { "missing `launch`" };
            format!("{missing}; assuming {groups} work-groups of {size} work-items")
        }
        (true, false) => format!(
            "the number of work-groups is not given; assuming {groups} work-groups of {size} work-items, the required size"
        ),
        (false, true) => {
            format!("the launch gives no number of work-items; assuming {size} in each work-group")
        }
        (false, false) => {
            format!("the launch gives no number of work-items; using the required size, {size}")
        }
    }
}

/// `2x2`
fn product(sizes: [i64; 3], dimensions: usize) -> String {
    let each: Vec<String> = sizes[..dimensions].iter().map(i64::to_string).collect();
    each.join("x")
}

/// Warns of a body for every agent without a launch: the only agent cannot synchronise.
fn alone(tree: &Tree, launch: Launch, text: &str, on_nvidia: bool, reports: &mut Reports) {
    let is_for_all = |block: &&AgentBlock| {
        let whom = [block.workgroups, block.waves, block.lanes];
        whom.iter().all(|whom| *whom == Selection::All) && !block.body.statements.is_empty()
    };
    let one = launch.workgroups * launch.waves * launch.lanes == 1;
    let Some(block) = tree.agents.iter().find(is_for_all) else { return };
    if tree.launch_span.line > 0 || !one {
        return;
    }
    let (who, line) = match on_nvidia {
        true => ("warp", "launch warps=2"),
        false => ("wave", "launch waves=2"),
    };
    reports.push(without_launch(block, who, line, text));
}

/// Warns that the only agent cannot synchronise.
fn without_launch(block: &AgentBlock, who: &str, line: &str, text: &str) -> Diagnostic {
    let replacement = launched(block, line, text);
    let suggestion = Some(Suggestion { message: format!("write `{line}`"), replacement });
    let severity = Severity::Warning;
    let message = format!(
        "missing `launch`; assuming a single {who}, which cannot synchronise with anything"
    );
    let missing = Diagnostic::error("launch-missing", block.span, message);
    Diagnostic { severity, suggestion, ..missing }
}

/// The beginning of a block with a launch line before it, if the block begins its line.
fn launched(block: &AgentBlock, line: &str, text: &str) -> Option<String> {
    let before = text.get(..block.span.start as usize).unwrap_or_default();
    let is_first = before.rsplit('\n').next().unwrap_or_default().trim().is_empty();
    is_first.then(|| format!("{line}\n{}", lexer::slice(text, block.span)))
}

fn launch(tree: &Tree, most: u32, reports: &mut Reports) -> Option<Launch> {
    let named = tree.agents.iter().filter_map(|block| match block.waves {
        Selection::Range(_, last) => last.checked_add(1),
        Selection::All => None,
    });
    let named = named.max().unwrap_or(1);
    let mut counts = [0_u32; 4];
    let (mut product, all) = (1_i64, most);
    for (index, written) in keys(tree, reports)?.iter().enumerate() {
        let blocks = tree.agents.first().map_or(tree.launch_span, |block| block.span);
        let (count, span) = written.unwrap_or((if index == 2 { named } else { 1 }, blocks));
        if count < 1 {
            reports.error(
                "launch-range",
                span,
                String::from("each count of a launch must be at least 1"),
            );
            return None;
        }
        if index > 0 {
            product = product.saturating_mul(count);
        }
        // Only whole work-groups represent others.
        let most = if index == 1 { most } else { most.min(MOST_AGENTS) };
        let group = if index > 1 { product / i64::from(counts[1]) } else { 1 };
        if product > i64::from(all) || count > i64::from(most) || group > i64::from(MOST_AGENTS) {
            let most = if group > i64::from(MOST_AGENTS) { MOST_AGENTS } else { most };
            let message = format!("this launch has more than {most} agents");
            reports.error("bound-agents", span, message);
            return None;
        }
        counts[index] = count as u32;
    }
    let [clusters, workgroups, waves, lanes] = counts;
    if workgroups % clusters != 0 {
        let span = tree.launch[0].map_or(tree.launch_span, |(_, span)| span);
        let message =
            format!("{workgroups} workgroups cannot be divided into {clusters} equal clusters");
        reports.error("clusters-divide", span, message);
        return None;
    }
    Some(Launch { clusters, workgroups, waves, lanes })
}

/// The counts of the launch, with clusters of the size that is given.
fn keys(tree: &Tree, reports: &mut Reports) -> Option<LaunchKeys> {
    let mut keys = tree.launch;
    let Some((size, span)) = tree.cluster else { return Some(keys) };
    let (groups, _) = *keys[1].get_or_insert((size, span));
    if size < 1 || groups % size != 0 {
        let message =
            format!("{groups} workgroups cannot be divided into clusters of {size} workgroups");
        reports.error("clusters-divide", span, message);
        return None;
    }
    keys[0] = Some((groups / size, span));
    Some(keys)
}

fn ranges(block: &AgentBlock, launch: Launch, reports: &mut Reports) -> Option<[Range<u32>; 3]> {
    let parts = [
        (block.workgroups, launch.workgroups, "workgroups"),
        (block.waves, launch.waves, "waves"),
        (block.lanes, launch.lanes, "lanes"),
    ];
    let mut ranges = [0..0, 0..0, 0..0];
    for (range, (selection, count, what)) in ranges.iter_mut().zip(parts) {
        *range = match selection {
            Selection::All => 0..count,
            Selection::Range(first, last) if last < i64::from(count) => {
                first as u32..last as u32 + 1
            }
            Selection::Range(_, last) => {
                let message = format!(
                    "index {last} is out of range: the launch has {count} {what}, counted from 0"
                );
                reports.error("agent-outside-launch", block.span, message);
                return None;
            }
        };
    }
    Some(ranges)
}

fn assign(
    ranges: [Range<u32>; 3],
    launch: Launch,
    unit: u32,
    span: Span,
    code: &mut Code,
    reports: &mut Reports,
) {
    let [workgroups, waves, lanes] = ranges;
    for workgroup in workgroups {
        for wave in waves.clone() {
            for lane in lanes.clone() {
                let index = (workgroup * launch.waves + wave) * launch.lanes + lane;
                if code.lanes[index as usize].replace(unit).is_some() {
                    let name = agent_name(launch, Words::Amdgpu, workgroup, wave);
                    reports.error("agent-twice", span, format!("two blocks define {name}"));
                    return;
                }
            }
        }
    }
}

/// The vocabulary that names the agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Words {
    /// Workgroups and waves.
    Amdgpu,
    /// CTAs and warps.
    Nvidia,
    /// Work-groups and work-items.
    Opencl,
}

/// The displayed name of a wave or warp.
fn agent_name(launch: Launch, words: Words, workgroup: u32, wave: u32) -> String {
    let (group, own) = if words == Words::Nvidia { ("cta", "warp") } else { ("workgroup", "wave") };
    if launch.workgroups == 1 {
        format!("{own} {wave}")
    } else {
        format!("{group} {workgroup} {own} {wave}")
    }
}

/// The displayed name of a work-item; for the only one of a sub-group, the name of the sub-group. A single sub-group is not
/// named.
fn work_item_name(launch: Launch, workgroup: u32, at: u32) -> String {
    let sub_group = format!("subgroup {}", at / launch.lanes);
    let own = match launch.lanes {
        1 => sub_group,
        _ if launch.waves == 1 => format!("item {at}"),
        lanes => format!("{sub_group} item {}", at % lanes),
    };
    if launch.workgroups == 1 { own } else { format!("group {workgroup} {own}") }
}

/// The names of every wave, in order of workgroup, then wave; if lanes are separate agents, of every lane.
#[must_use]
pub fn agent_names(launch: Launch, groups: &[u32], apart: u32, words: Words) -> Vec<String> {
    let wave = |workgroup, at| agent_name(launch, words, workgroup, at);
    let agents = groups
        .iter()
        .flat_map(|&workgroup| (0..launch.waves * apart).map(move |at| (workgroup, at)));
    let name = |(workgroup, at): (u32, u32)| match apart {
        _ if words == Words::Opencl => work_item_name(launch, workgroup, at),
        1 => wave(workgroup, at),
        _ if words == Words::Nvidia => {
            format!("{} thread {}", wave(workgroup, at / apart), at % apart)
        }
        _ => format!("{} lane {}", wave(workgroup, at / apart), at % apart),
    };
    agents.map(name).collect()
}
