//! Titles, notes and help of races: both accesses, the missing order, and the edit that adds it.

use super::fix;
use super::gap::{Gap, Side, apart, gap};
use super::trail::Trail;
use crate::explain::{self, Told};
use crate::replay::amdgpu::Replay;
use crate::report::{Edit, Related};
use crate::scene::Scene;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::mem::map::{Access, accesses};
use tidegate_model::mem::operation::{Fence, Memory, Range, Space};
use tidegate_model::mem::order::Reach;
use tidegate_model::operation::Action;
use tidegate_model::rule::RuleId;
use tidegate_model::spec::memory::Conflict;

/// Describes the race at the last step of a replayed witness; `None` if there is none.
pub(crate) fn race(scene: &Scene, replay: &Replay, rule: RuleId) -> Option<Told> {
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
    let mut told = between(scene, &trail, first, second)?;
    told.because.extend(more(scene, &conflicts[1..]));
    Some(told)
}

/// Describes a race of the accesses of two steps.
pub(crate) fn between(
    scene: &Scene,
    trail: &Trail<'_>,
    first: usize,
    second: usize,
) -> Option<Told> {
    Teller { scene, trail, first, second }.tell()
}

/// Describes the missing order between two steps in an address space; with `copy`, between the copy that the first
/// starts and the second.
pub(crate) fn missing(
    scene: &Scene,
    trail: &Trail<'_>,
    (first, copy): (usize, bool),
    second: usize,
    space: Space,
) -> Vec<String> {
    let gap = gap(trail, first, copy, second, space);
    Teller { scene, trail, first, second }.missing(gap, space).0
}

/// Further accesses that the same step races with.
fn more(scene: &Scene, others: &[Conflict]) -> Option<String> {
    let mut said: Vec<String> =
        others.iter().map(|other| explain::operation(scene, other.agent, other.node)).collect();
    said.dedup();
    said.truncate(4);
    (!said.is_empty()).then(|| format!("it also races with {}", explain::list(&said)))
}

pub(super) struct Teller<'a> {
    pub(super) scene: &'a Scene,
    pub(super) trail: &'a Trail<'a>,
    pub(super) first: usize,
    pub(super) second: usize,
}

impl Teller<'_> {
    fn say(&self, step: usize) -> String {
        let done = &self.trail.replay.done[step];
        explain::operation(self.scene, done.step.agent, done.node)
    }

    /// A step without its agent: "`fence release workgroup` (line 9)".
    pub(super) fn brief(&self, step: usize) -> String {
        let source = self.source(step);
        format!("`{}` (line {})", source.text, source.span.line)
    }

    pub(super) fn source(&self, step: usize) -> tidegate_lang::scenario::Source {
        let done = &self.trail.replay.done[step];
        self.scene.source(done.step.agent, done.node)
    }

    pub(super) fn who(&self, step: usize) -> &str {
        self.scene.agent_name(self.trail.agent(step))
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

    fn tell(&self) -> Option<Told> {
        let (one, other) = self.pair()?;
        let program = &self.trail.replay.machine.context.program;
        let space = program
            .buffers
            .get(usize::from(one.range.buffer))
            .map_or(Space::Global, |buffer| buffer.space);
        let missing = gap(self.trail, self.first, self.is_copy(self.first), self.second, space);
        let bytes = Range {
            start: one.range.start.max(other.range.start),
            end: one.range.end.min(other.range.end),
            ..one.range
        };
        let (reads, other_reads) =
            (does(other, self.is_copy(self.second)), does(one, self.is_copy(self.first)));
        let message = if reads == other_reads {
            format!(
                "{} and {} both {} {}, and the two are unordered",
                self.say(self.second),
                self.say(self.first),
                reads.replacen('s', "", 1),
                self.bytes(bytes)
            )
        } else {
            format!(
                "{} {reads} and {} {other_reads} {}, and the two are unordered",
                self.say(self.second),
                self.say(self.first),
                self.bytes(bytes)
            )
        };
        let (because, remedy, edits) = self.missing(missing, space);
        let offers = match missing {
            Gap::InFlight { why, at } => self.offers(why, at),
            Gap::Barrier => self.round_offers(),
            _ => Vec::new(),
        };
        let done = &self.trail.replay.done[self.second];
        let place = self.source(self.first).span;
        let related = Related {
            agent: self.who(self.first).to_owned(),
            line: place.line,
            column: place.column,
            message: format!("the other access, which {}", does(one, self.is_copy(self.first))),
        };
        Some(Told {
            message,
            because,
            agent: Some(done.step.agent),
            node: Some(done.node),
            fix: fix::fix(remedy.clone(), edits),
            remedy: Some(remedy),
            related: alloc::vec![related],
            offers,
        })
    }

    fn bytes(&self, range: Range) -> String {
        let name = self.scene.buffer_name(range.buffer);
        if range.end == range.start + 1 {
            format!("byte {} of `{name}`", range.start)
        } else {
            format!("bytes {} to {} of `{name}`", range.start, range.end - 1)
        }
    }

    fn missing(&self, gap: Gap, space: Space) -> (Vec<String>, String, Vec<Edit>) {
        match gap {
            Gap::Barrier => self.no_barrier(),
            Gap::Drop(drop) => self.drop(drop),
            Gap::Fences { arrive, wait, release, acquire } => {
                self.fences((arrive, release), (wait, acquire), space)
            }
            Gap::InFlight { why, at } => {
                let first = self.offers(why, at).swap_remove(0);
                (alloc::vec![self.in_flight(why, at)], first.remedy, first.edits)
            }
            Gap::FirstRevision(wait) => (
                alloc::vec![
                    format!("{} completes the copy", self.say(wait)),
                    format!(
                        "in the first revision (reading async.v1-v2=v1), a completed copy is ordered only before later overlapping operations of {}",
                        self.who(self.first)
                    ),
                ],
                format!(
                    "access the copied bytes in {} after {} and before its release, or use the second revision",
                    self.who(self.first),
                    self.brief(wait)
                ),
                Vec::new(),
            ),
        }
    }

    fn drop(&self, drop: usize) -> (Vec<String>, String, Vec<Edit>) {
        let giver = self.who(self.first);
        let why = format!("only {} connects them, and a drop releases nothing", self.say(drop));
        let remedy = format!("make {giver} release and arrive before it drops the barrier");
        (alloc::vec![why], remedy, Vec::new())
    }

    fn fences(
        &self,
        (arrive, release): (usize, Side),
        (wait, acquire): (usize, Side),
        space: Space,
    ) -> (Vec<String>, String, Vec<Edit>) {
        let far = apart(self.trail, self.trail.agent(self.first), self.trail.agent(self.second));
        let (giver, taker) = (self.who(self.first), self.who(self.second));
        let mut because = alloc::vec![
            format!(
                "{} is before {}, which orders execution but not memory",
                self.say(arrive),
                self.say(wait)
            ),
            "memory order requires a release fence before the arrive and an acquire fence after the wait".to_owned(),
        ];
        because.push(match release {
            Side::None => {
                let behind = if self.is_copy(self.first) {
                    "the completion of its copy"
                } else {
                    "its access"
                };
                format!("{giver} has no release between {behind} and {}", self.brief(arrive))
            }
            side => self.fault(side, far, space, giver),
        });
        because.push(match acquire {
            Side::None => {
                format!("{taker} has no acquire between {} and its access", self.brief(wait))
            }
            side => self.fault(side, far, space, taker),
        });
        let (mut parts, mut edits) = (Vec::new(), Vec::new());
        for (side, release, at) in [(release, true, arrive), (acquire, false, wait)] {
            self.mend(side, release, at, far, space, &mut parts, &mut edits);
        }
        let remedy = if parts.is_empty() {
            format!(
                "synchronise {giver} with {taker} at one barrier: release, arrive; wait, acquire"
            )
        } else {
            explain::list(&parts)
        };
        (because, remedy, edits)
    }

    /// Describes what a fence is missing.
    fn fault(&self, side: Side, far: Reach, space: Space, who: &str) -> String {
        match side {
            Side::None => format!("{who} has no such fence"),
            Side::OneAs(step) => format!(
                "{} is one-as: it orders each address space only for {who} and synchronises with no other agent",
                self.brief(step)
            ),
            Side::Space(step) => format!(
                "{} does not include {}, which contains the bytes",
                self.brief(step),
                space_name(space)
            ),
            Side::Scope(step) => format!(
                "the scope of {} is too narrow: the two waves are {}",
                self.brief(step),
                distance(far)
            ),
            Side::Fine(step) => format!("{} is sufficient", self.brief(step)),
        }
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
        let statement = format!("fence {word} {}", scope_name(far));
        match side {
            Side::Fine(_) => {}
            Side::None => {
                let span = self.source(at).span;
                parts.push(format!(
                    "add `{statement}` {} line {}",
                    if release { "before" } else { "after" },
                    span.line
                ));
                edits.push(if release {
                    fix::before(span, &statement)
                } else {
                    fix::after(span, &statement)
                });
            }
            Side::OneAs(step) | Side::Space(step) | Side::Scope(step) => {
                let Some(Action::Memory(Memory::Fence(fence))) = self.trail.action(step) else {
                    return;
                };
                let statement = tidegate_lang::assembly::fence(widened(fence, far, space));
                let span = self.source(step).span;
                parts.push(format!("change line {} to `{statement}`", span.line));
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

fn does(access: Access, copy: bool) -> &'static str {
    match (access.write, copy) {
        (true, false) => "writes",
        (false, false) => "reads",
        (true, true) => "writes asynchronously",
        (false, true) => "reads asynchronously",
    }
}

const fn space_name(space: Space) -> &'static str {
    match space {
        Space::Local => "the local address space (LDS)",
        Space::Global => "the global address space",
    }
}

pub(super) const fn scope_name(far: Reach) -> &'static str {
    match far {
        Reach::Workgroup => "workgroup",
        Reach::Cluster => "cluster",
        Reach::Agent => "agent",
    }
}

const fn distance(far: Reach) -> &'static str {
    match far {
        Reach::Workgroup => "in one workgroup, which requires workgroup or wider",
        Reach::Cluster => "in two workgroups of one cluster, which requires cluster or wider",
        Reach::Agent => "in two clusters, which requires agent or wider",
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
