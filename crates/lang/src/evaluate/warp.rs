//! Warps of a kernel written per thread: which threads perform an operation together, and the resulting operation.
//!
//! A warp is one agent. The threads earliest in the text continue first, so that they reconverge after a branch. All
//! threads at an operation with equal operands perform it together, and it counts once for each of them.

use super::graph::Graph;
use super::graph::Sourced;
use super::thread::Thread;
use crate::diagnostic::{Diagnostic, Span};
use crate::lower::code::{Operate, Pc, Step};
use crate::lower::names::UNDECIDED;
use crate::vocabulary::Effect;
use crate::vocabulary::nvidia::Kind;
use alloc::vec::Vec;
use tidegate_model::mem::operation::{Memory, Range};
use tidegate_model::operation::{Action as Any, Operation};
use tidegate_model::program::{Node, NodeId};
use tidegate_model::ptx::action::{Action, Reduce, Reduction, Spelling};

/// The position of a thread, ordered so that the innermost frame of a call is before the code after the call.
fn place(thread: &Thread) -> Vec<Pc> {
    thread.places().chain([Pc::MAX]).collect()
}

/// Whether all threads of a warp participate in an operation, and whether they must be at the same instruction.
fn gathers(step: Option<&Step>) -> Option<bool> {
    let Some(Step::Operate(Operate { row, nvidia, .. })) = step else { return None };
    let kinds = |kind| {
        matches!(kind, Kind::Bar(_) | Kind::WarpSync | Kind::ClusterArrive | Kind::ClusterWait)
    };
    match row.effect {
        Effect::Nvidia(kind) if kinds(kind) => Some(nvidia.is_some_and(|(_, flags)| flags.aligned)),
        _ => None,
    }
}

impl Graph<'_, '_> {
    /// The node of a warp for the positions of its threads.
    pub(super) fn converge(&mut self, threads: &[Thread]) -> Result<Sourced, Diagnostic> {
        let code = self.around.code;
        let mut live: Vec<usize> =
            (0..threads.len()).filter(|&lane| threads[lane].at(code).is_some()).collect();
        live.sort_by_key(|&lane| place(&threads[lane]));
        let Some(&first) = live.first() else {
            let left = threads.iter().find_map(|thread| thread.left);
            return Ok((Node::End, left.unwrap_or(self.end)));
        };
        let at = |lane: usize| gathers(threads[lane].at(code));
        // Threads at a barrier wait for threads of their warp that are not at one.
        let elsewhere = live.iter().copied().find(|&lane| at(lane).is_none());
        let leader = match (at(first), elsewhere) {
            (Some(false), Some(lane)) => lane,
            (Some(false), None) => self.members_meet(threads, &live).unwrap_or(first),
            _ => first,
        };
        let here = place(&threads[leader]);
        let mut lanes: Vec<usize> =
            live.iter().copied().filter(|&lane| place(&threads[lane]) == here).collect();
        if matches!(threads[leader].at(code), Some(Step::Choose(..))) {
            return self.choose(threads, &lanes);
        }
        let mut operations = Vec::with_capacity(lanes.len());
        for &lane in &lanes {
            if let Some(asked) = threads[lane].asks(self.lane(lane)) {
                return self.ask(threads, asked);
            }
            match self.operation(&threads[lane], lane) {
                Err(problem) if problem.code == UNDECIDED => {
                    let asked = self.around.arguments.asked.take();
                    return self.ask(threads, asked.unwrap_or_default());
                }
                operation => operations.push(operation?),
            }
        }
        let Some((mut operation, source)) = operations[0] else { return Ok((Node::End, self.end)) };
        let of = |at: usize| operations[at].map(|(operation, _)| operation);
        let all = 0..lanes.len();
        let joined: Vec<usize> = match operation.action {
            Any::Memory(memory) => {
                let (whole, joined) = beside(memory, all.clone().map(of));
                operation.action = Any::Memory(whole);
                joined
            }
            // Each thread initialises and invalidates by itself, the second after the first.
            Any::Ptx(Action::Init { .. } | Action::Inval { .. }, _) => alloc::vec![0],
            Any::Ptx(Action::Bar { reduction: Some(_), .. }, _) => {
                let brought: Option<Vec<Reduction>> =
                    all.clone().map(|at| brings(of(at))).collect();
                let reduced = brought.and_then(|brought| together(&brought));
                let Some(reduction) = reduced else {
                    return Err(
                        self.apart(source, "`.popc` needs the separate threads of this warp")
                    );
                };
                operation = with_reduction(operation, reduction);
                let same = |&at: &usize| {
                    of(at).is_some_and(|other| with_reduction(other, reduction) == operation)
                };
                all.clone().filter(same).collect()
            }
            _ => all.clone().filter(|&at| of(at) == Some(operation)).collect(),
        };
        if let Any::Ptx(Action::WarpSync { mask }, spelling) = operation.action {
            if !lanes.iter().all(|&lane| self.is_member(lane, mask)) {
                let action = Any::Ptx(Action::WarpSync { mask: 0 }, spelling);
                let outside = Operation { action, ..operation };
                return self.perform(threads.to_vec(), &lanes, (outside, source));
            }
            if let Some(members) = self.members(threads, &live, mask) {
                let each = members.iter().map(|&lane| (lane, operation));
                self.meeting.performed(each, self.weight > Some(1));
                return self.perform(threads.to_vec(), &members, (operation, source));
            }
        }
        let all = core::mem::take(&mut lanes);
        lanes = joined.iter().map(|&at| all[at]).collect();
        if at(leader).is_some() && lanes.len() < live.len() {
            if live.iter().any(|&lane| at(lane) == Some(true)) {
                return Ok((Node::Divergent, source));
            }
            return Err(self.apart(source, "threads of one warp are at different barriers"));
        }
        let threads_of = lanes.len() as i64 * self.weight.unwrap_or(1);
        let each = joined.iter().filter_map(|&at| Some((all[at], of(at)?)));
        // A warp executes `tcgen05.alloc` once.
        let text = self.around.code.sources.get(source as usize).map(|it| it.text.as_str());
        let once = text.is_some_and(|text| text.contains("tcgen05.alloc"));
        let each = each.take(if once { 1 } else { usize::MAX });
        self.meeting.performed(each, !once && self.weight > Some(1));
        lanes.sort_unstable();
        let mut threads = threads.to_vec();
        let barrier = at(leader).is_some();
        if barrier && threads.iter().any(|thread| thread.touched && thread.at(code).is_none()) {
            let what = "a thread of this warp ended after it accessed memory, which no barrier after that orders";
            self.around.instances.unfollowed(self.apart(source, what));
        }
        if barrier || matches!(operation.action, Any::Memory(_)) {
            lanes.iter().for_each(|&lane| threads[lane].touched = !barrier);
        }
        self.perform(threads, &lanes, (times(operation, threads_of), source))
    }

    /// Whether a mask names a thread; a thread that represents its whole warp needs all of them.
    fn is_member(&self, lane: usize, mask: u32) -> bool {
        match self.weight {
            Some(weight) if weight > 1 => mask.trailing_ones() as i64 >= weight,
            _ => {
                u32::try_from(lane).ok().and_then(|lane| mask.checked_shr(lane)).unwrap_or(0) & 1
                    != 0
            }
        }
    }

    /// The mask of a thread's next `bar.warp.sync`.
    fn mask_of(&self, threads: &[Thread], lane: usize) -> Option<u32> {
        gathers(threads[lane].at(self.around.code)).filter(|aligned| !aligned)?;
        match self.operation(&threads[lane], lane).ok().flatten()?.0.action {
            Any::Ptx(Action::WarpSync { mask }, _) => Some(mask),
            _ => None,
        }
    }

    /// The live threads that a mask names, if all of them are at `bar.warp.sync` with that mask.
    ///
    /// PTX ISA 9.1, "bar.warp.sync": it does not wait for threads outside the mask or threads that exited.
    fn members(&self, threads: &[Thread], live: &[usize], mask: u32) -> Option<Vec<usize>> {
        let named = || live.iter().copied().filter(|&lane| self.is_member(lane, mask));
        let meet = named().all(|lane| self.mask_of(threads, lane) == Some(mask));
        meet.then(|| {
            let mut members: Vec<usize> = named().collect();
            members.sort_unstable();
            members
        })
    }

    /// The first thread at `bar.warp.sync` whose mask has all its members there, or does not name it.
    fn members_meet(&self, threads: &[Thread], live: &[usize]) -> Option<usize> {
        live.iter().copied().find(|&lane| {
            self.mask_of(threads, lane).is_some_and(|mask| {
                !self.is_member(lane, mask) || self.members(threads, live, mask).is_some()
            })
        })
    }

    /// Whether accesses of threads of this warp conflict; reports the pair once.
    pub(super) fn threads_meet(&self, nodes: &[Node], sources: &[u32]) -> bool {
        let Some(met) = self.meeting.met(nodes) else { return false };
        let Some((first, second)) = met else { return true };
        let at = |node: NodeId| self.around.code.sources.get(sources[node as usize] as usize);
        let (Some(one), Some(other)) = (at(first), at(second)) else { return true };
        let message = match first == second {
            true => alloc::format!(
                "several threads of one warp access the same bytes in `{}`",
                one.text
            ),
            false => alloc::format!(
                "`{}` and `{}` (line {}) of different threads of one warp access the same bytes, and nothing orders them",
                one.text,
                other.text,
                other.span.line
            ),
        };
        self.around.instances.meets(self.apart(sources[first as usize], &message));
        true
    }

    /// An error that a warp cannot be represented by one agent.
    fn apart(&self, source: u32, what: &str) -> Diagnostic {
        let span = self.around.code.sources.get(source as usize);
        let span = span.map_or(Span::default(), |source| source.span);
        let message = alloc::format!("{what}: write `lanes=32` in the `launch` line");
        Diagnostic::error("lanes-apart", span, message)
    }
}

/// Merges the access of the first thread with those to adjacent bytes; returns it and the merged threads.
fn beside(
    first: Memory,
    all: impl Iterator<Item = Option<Operation>> + Clone,
) -> (Memory, Vec<usize>) {
    let range = |memory: Memory| match memory {
        Memory::Load(range) => Some((false, range)),
        Memory::Store(range) => Some((true, range)),
        _ => None,
    };
    let memory = |operation: Option<Operation>| match operation?.action {
        Any::Memory(memory) => Some(memory),
        _ => None,
    };
    let Some((writes, mut whole)) = range(first) else {
        let same = all.enumerate().filter(|(_, operation)| memory(*operation) == Some(first));
        return (first, same.map(|(at, _)| at).collect());
    };
    let mut ranges: Vec<(usize, Range)> = all
        .enumerate()
        .filter_map(|(at, operation)| {
            let (writing, range) = range(memory(operation)?)?;
            (writing == writes && range.buffer == whole.buffer).then_some((at, range))
        })
        .collect();
    ranges.sort_by_key(|(_, range)| range.start);
    let mut joined = Vec::new();
    let mut grown = true;
    while grown {
        grown = false;
        ranges.retain(|&(at, range)| {
            let joins = range.start <= whole.end && whole.start <= range.end;
            if joins {
                whole.start = whole.start.min(range.start);
                whole.end = whole.end.max(range.end);
                joined.push(at);
                grown = true;
            }
            !joins
        });
    }
    (if writes { Memory::Store(whole) } else { Memory::Load(whole) }, joined)
}

fn brings(operation: Option<Operation>) -> Option<Reduction> {
    match operation?.action {
        Any::Ptx(Action::Bar { reduction, .. }, _) => reduction,
        _ => None,
    }
}

/// The combined contribution of threads to a reduction; `None` if a count of them has different predicates.
fn together(brought: &[Reduction]) -> Option<Reduction> {
    let &first = brought.first()?;
    let predicates = || brought.iter().map(|one| one.predicate);
    let predicate = match first.reduce {
        _ if predicates().all(|one| one == first.predicate) => first.predicate,
        Reduce::Count => return None,
        Reduce::All if predicates().any(|one| one == Some(false)) => Some(false),
        Reduce::Any if predicates().any(|one| one == Some(true)) => Some(true),
        _ => None,
    };
    Some(Reduction { predicate, ..first })
}

fn with_reduction(operation: Operation, with: Reduction) -> Operation {
    match operation.action {
        Any::Ptx(Action::Bar { id, threads, kind, aligned, site, .. }, spelling) => {
            let reduction = Some(with);
            let bar = Action::Bar { id, threads, kind, reduction, aligned, site };
            Operation { action: Any::Ptx(bar, spelling), ..operation }
        }
        _ => operation,
    }
}

/// The operation as performed by several threads. TLX operations are performed by one thread.
fn times(operation: Operation, threads: i64) -> Operation {
    let Any::Ptx(mut action, spelling) = operation.action else { return operation };
    let one = matches!(spelling, Spelling::Tlx | Spelling::TlxNamed | Spelling::TlxCopy);
    if one || threads == 1 {
        return operation;
    }
    match &mut action {
        Action::Arrive { form, .. } => {
            form.count = form.count.saturating_mul(threads);
            form.expect = form.expect.map(|bytes| bytes.saturating_mul(threads));
        }
        Action::Expect { bytes, .. }
        | Action::Complete { bytes, .. }
        | Action::Copy { bytes, .. } => *bytes = bytes.saturating_mul(threads),
        Action::CopyArrive { threads: all, .. } => *all = threads as u32,
        _ => {}
    }
    Operation { action: Any::Ptx(action, spelling), ..operation }
}
