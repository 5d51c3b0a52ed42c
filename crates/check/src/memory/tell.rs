//! The causes of races: both accesses, the missing order, and the edit that adds it.

use super::gap::{Gap, Side, apart, gap};
use super::trail::Trail;
use crate::cause::memory::How;
use crate::cause::{At, Cause, Finding, Memory as Fact};
use crate::edit::fix;
use crate::edit::written::Written;
use crate::replay::amdgpu::Replay;
use crate::report::Edit;
use crate::scene::Scene;
use crate::tell::{help, related};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::mem::counters::counted;
use tidegate_model::mem::map::accesses;
use tidegate_model::mem::operation::{Access, Fence, Memory, Space};
use tidegate_model::mem::order::Reach;
use tidegate_model::operation::Action;
use tidegate_model::rule::RuleId;

/// The missing order between two accesses: the facts, the help and its edits.
pub(super) type Missing = (Vec<Fact>, String, Vec<Edit>);

/// The race at the last step of a replayed witness; `None` if there is none.
pub(crate) fn race(scene: &Scene, replay: &Replay, rule: RuleId) -> Option<Finding> {
    let trail = Trail::new(replay);
    let second = replay.done.len().checked_sub(1)?;
    let before = replay.states.get(second)?;
    let agent = trail.agent(second);
    let copy = rule == RuleId::AsyncRace;
    let found = |every| {
        replay
            .machine
            .races(before, agent, every)
            .into_iter()
            .filter(|conflict| conflict.copy == copy)
            .collect::<Vec<_>>()
    };
    let conflicts =
        Some(found(true)).filter(|found| !found.is_empty()).unwrap_or_else(|| found(false));
    let conflict = *conflicts.first()?;
    let first = (0..second).rev().find(|&step| {
        trail.agent(step) == conflict.agent && replay.done[step].node == conflict.node
    })?;
    let mut found = between(scene, &trail, first, second)?;
    let accesses: Vec<At> = conflicts[1..].iter().map(|one| (one.agent, one.node)).collect();
    let more = (!accesses.is_empty()).then_some(Fact::AlsoRaces { accesses });
    found.facts.extend(more.map(Cause::from));
    Some(found)
}

/// A race of the accesses of two steps.
pub(crate) fn between(
    scene: &Scene,
    trail: &Trail<'_>,
    first: usize,
    second: usize,
) -> Option<Finding> {
    Teller { scene, trail, first, second }.tell()
}

/// The missing order between two steps in an address space; with `copy`, between the copy that the first
/// starts and the second.
pub(crate) fn missing(
    scene: &Scene,
    trail: &Trail<'_>,
    (first, copy): (usize, bool),
    second: usize,
    space: Space,
) -> Vec<Cause> {
    let gap = gap(trail, first, copy, second, space);
    Teller { scene, trail, first, second }
        .missing(gap, space)
        .0
        .into_iter()
        .map(Cause::from)
        .collect()
}

pub(super) struct Teller<'a> {
    pub(super) scene: &'a Scene,
    pub(super) trail: &'a Trail<'a>,
    pub(super) first: usize,
    pub(super) second: usize,
}

impl Teller<'_> {
    pub(super) fn written(&self) -> Written<'_> {
        Written::of(self.scene.text())
    }

    /// The operation of a step.
    pub(super) fn at(&self, step: usize) -> At {
        let done = &self.trail.replay.done[step];
        (done.step.agent, done.node)
    }

    pub(super) fn source(&self, step: usize) -> tidegate_lang::source::Source {
        let done = &self.trail.replay.done[step];
        self.scene.source(done.step.agent, done.node)
    }

    pub(super) fn is_copy(&self, step: usize) -> bool {
        matches!(self.trail.action(step), Some(Action::Memory(Memory::Copy { .. })))
    }

    /// The conflicting accesses of the first and the second step.
    pub(super) fn pair(&self) -> Option<(Access, Access)> {
        let of = |step: usize| -> Vec<Access> {
            self.trail.action(step).into_iter().flat_map(accesses).collect()
        };
        let second = of(self.second);
        of(self.first).into_iter().find_map(|one| {
            second.iter().find(|other| one.conflicts(**other)).map(|other| (one, *other))
        })
    }

    fn tell(&self) -> Option<Finding> {
        let (one, other) = self.pair()?;
        let program = &self.trail.replay.machine.context.program;
        let space = program
            .buffers
            .get(usize::from(one.range.buffer))
            .map_or(Space::Global, |buffer| buffer.space);
        if let Some(told) = self.unwaited() {
            return Some(told);
        }
        let missing = gap(self.trail, self.first, self.is_copy(self.first), self.second, space);
        let how = |access: Access, step| How { write: access.write, copy: self.is_copy(step) };
        let (later, earlier) = (self.at(self.second), self.at(self.first));
        let earlier_does = how(one, self.first);
        let cause = Fact::Race {
            later,
            later_does: how(other, self.second),
            earlier,
            earlier_does,
            memory: self.scene.buffer_name(one.range.buffer),
            first: one.range.start.max(other.range.start),
            last: one.range.end.min(other.range.end) - 1,
        };
        let (facts, help, edits) = self.missing(missing, space);
        let offers = match missing {
            Gap::InFlight { why, at } => self.offers(why, at),
            Gap::Barrier => self.round_offers(),
            _ => Vec::new(),
        };
        let facts = facts.into_iter().map(Cause::from).collect();
        Some(Finding {
            fix: fix::fix(help.clone(), edits),
            help: Some(help),
            related: alloc::vec![related::other_access(self.scene, earlier, earlier_does)],
            offers,
            ..Finding::new(cause, facts, Some(later))
        })
    }

    /// The step that issues the access of a step, if that stands for an access which is outstanding at a barrier.
    fn issued(&self, step: usize) -> Option<usize> {
        let (agent, start) = (self.trail.agent(step), self.source(step).span.start);
        let action = self.trail.action(step);
        let is_at_barrier =
            |&it: &usize| self.trail.arrives(it) && self.source(it).span.start == start;
        self.trail.of(agent, 0, self.trail.replay.done.len()).find(is_at_barrier)?;
        let is_same =
            |&it: &usize| self.trail.action(it) == action && self.source(it).span.start != start;
        self.trail.of(agent, 0, step).rfind(is_same)
    }

    /// A race of an access in machine code that is outstanding where its wave arrives.
    fn unwaited(&self) -> Option<Finding> {
        let (first, second) = (self.issued(self.first), self.issued(self.second));
        let (issued, step) =
            first.map(|it| (it, self.first)).or(second.map(|it| (it, self.second)))?;
        let target = self.trail.replay.machine.target?;
        let Some(Action::Memory(memory)) = self.trail.action(issued) else { return None };
        let (one, other) = self.pair()?;
        let buffers = &self.trail.replay.machine.context.program.buffers;
        let space = buffers.get(usize::from(one.range.buffer)).map(|it| it.space)?;
        let name = counted(&target, memory, space).first()?.name();
        let statement = match target.counters.are_split() {
            true => format!("s_wait_{name} 0x0"),
            false if name == "vscnt" => "s_waitcnt_vscnt null, 0x0".into(),
            false => format!("s_waitcnt {name}(0)"),
        };
        let (earlier, later) = (first.unwrap_or(self.first), second.unwrap_or(self.second));
        let how = |access: Access| How { write: access.write, copy: false };
        let cause = Fact::Race {
            later: self.at(later),
            later_does: how(other),
            earlier: self.at(earlier),
            earlier_does: how(one),
            memory: self.scene.buffer_name(one.range.buffer),
            first: one.range.start.max(other.range.start),
            last: one.range.end.min(other.range.end) - 1,
        };
        let span = self.source(step).span;
        let help = help::memory::add(&statement, true, span.line);
        let facts = alloc::vec![
            Fact::IssuedOutstanding { operation: self.at(step) },
            Fact::Outstanding { counter: name.into(), operations: alloc::vec![self.at(issued)] },
        ];
        Some(Finding {
            fix: fix::fix(help.clone(), alloc::vec![self.written().before(span, &statement)]),
            help: Some(help),
            related: alloc::vec![related::other_access(self.scene, self.at(earlier), how(one))],
            ..Finding::new(
                cause,
                facts.into_iter().map(Cause::from).collect(),
                Some(self.at(later)),
            )
        })
    }

    fn missing(&self, gap: Gap, space: Space) -> Missing {
        match gap {
            Gap::Barrier => self.no_barrier(),
            Gap::Drop(drop) => {
                let help = help::memory::release_before_drop(self.scene, self.at(self.first).0);
                (alloc::vec![Fact::OnlyDrop { drop: self.at(drop) }], help, Vec::new())
            }
            Gap::Fences { arrive, wait, release, acquire } => {
                self.fences((arrive, release), (wait, acquire), space)
            }
            Gap::InFlight { why, at } => {
                let first = self.offers(why, at).swap_remove(0);
                (alloc::vec![self.in_flight(why, at)], first.remedy, first.edits)
            }
            Gap::FirstRevision(wait) => {
                let (agent, wait) = (self.at(self.first).0, self.at(wait));
                let facts = alloc::vec![Fact::Completes { wait }, Fact::FirstRevision { agent }];
                (facts, help::memory::within_agent(self.scene, agent, wait), Vec::new())
            }
        }
    }

    fn fences(
        &self,
        (arrive, release): (usize, Side),
        (wait, acquire): (usize, Side),
        space: Space,
    ) -> Missing {
        let (giver, taker) = (self.trail.agent(self.first), self.trail.agent(self.second));
        let far = apart(self.trail, giver, taker);
        let copy = self.is_copy(self.first);
        let (before, after) = (self.at(arrive), self.at(wait));
        let facts = alloc::vec![
            Fact::ExecutionOnly { arrive: before, wait: after },
            Fact::FencesRequired,
            self.fault(release, far, space, giver).unwrap_or(Fact::NoRelease {
                agent: giver,
                copy,
                arrive: before
            }),
            self.fault(acquire, far, space, taker)
                .unwrap_or(Fact::NoAcquire { agent: taker, wait: after }),
        ];
        let (mut parts, mut edits) = (Vec::new(), Vec::new());
        for (side, release, at) in [(release, true, arrive), (acquire, false, wait)] {
            self.mend(side, release, at, far, space, &mut parts, &mut edits);
        }
        let help = match parts.is_empty() {
            true => help::memory::synchronise(self.scene, giver, taker),
            false => help::memory::together(&parts),
        };
        (facts, help, edits)
    }

    /// What a fence is missing; `None` if there is no fence.
    fn fault(&self, side: Side, required: Reach, space: Space, agent: usize) -> Option<Fact> {
        Some(match side {
            Side::None => return None,
            Side::OneAs(step) => Fact::OneAs { fence: self.at(step), agent },
            Side::Space(step) => Fact::SpaceMissing { fence: self.at(step), space },
            Side::Scope(step) => Fact::ScopeNarrow { fence: self.at(step), required },
            Side::Fine(step) => Fact::FenceFine { fence: self.at(step) },
        })
    }

    #[allow(clippy::too_many_arguments)] // both sides, in one loop
    fn mend(
        &self,
        side: Side,
        release: bool,
        at: usize,
        far: Reach,
        space: Space,
        parts: &mut Vec<String>,
        edits: &mut Vec<Edit>,
    ) {
        let word = if release { "release" } else { "acquire" };
        let written = self.written();
        let fence = |word: &str, far| written.spelled(&format!("fence {word} {}", scope_name(far)));
        match side {
            Side::Fine(_) => {}
            Side::None => {
                let Some(statement) = fence(word, far) else { return };
                let span = self.source(at).span;
                parts.push(help::memory::add(&statement, release, span.line));
                edits.push(if release {
                    written.before(span, &statement)
                } else {
                    written.after(span, &statement)
                });
            }
            Side::OneAs(step) | Side::Space(step) | Side::Scope(step) => {
                let Some(Action::Memory(Memory::Fence(own))) = self.trail.action(step) else {
                    return;
                };
                let wide = widened(own, far, space);
                let word = if own.release && own.acquire { "acq_rel" } else { word };
                let new = match written.language {
                    None => Some(tidegate_lang::assembly::fence(wide)),
                    Some(_) => fence(word, far.max(Reach::of(wide.scope).unwrap_or(far))),
                };
                let Some(statement) = new else { return };
                let span = self.source(step).span;
                parts.push(help::memory::change(span.line, &statement));
                edits.push(fix::instead(span, &statement));
            }
        }
    }

    /// Whether the agent of the first access waits for marks between it and a later step.
    pub(super) fn waits_before(&self, at: usize) -> bool {
        let agent = self.trail.agent(self.first);
        self.trail.of(agent, self.first, at).any(|step| {
            matches!(self.trail.action(step), Some(Action::Memory(Memory::WaitMarks(_))))
        })
    }
}

pub(super) const fn scope_name(far: Reach) -> &'static str {
    match far {
        Reach::Workgroup => "workgroup",
        Reach::Cluster => "cluster",
        Reach::Agent => "agent",
    }
}

/// The fence with the missing scope and spaces.
fn widened(fence: Fence, far: Reach, space: Space) -> Fence {
    use tidegate_model::mem::operation::Scope;
    let least = [Scope::Workgroup, Scope::Cluster, Scope::Agent][far as usize];
    Fence {
        one_as: false,
        scope: fence.scope.max(least),
        spaces: fence.spaces.with(space),
        ..fence
    }
}
