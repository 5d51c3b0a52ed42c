//! Notes on a broken rule: values, places and agents.

use super::lints;
use super::replay::{Done, Object, Replay, bytes, done_action, named};
use crate::explain::{self, list};
use crate::scene::Scene;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::ptx::action::Action;
use tidegate_model::ptx::cluster::arrive_once::Standing;
use tidegate_model::ptx::machine::state::{Held, State};
use tidegate_model::ptx::machine::{BARS, Machine};
use tidegate_model::ptx::transition::{MOST, Mbarrier};
use tidegate_model::rule::RuleId;
use tidegate_model::target::Target;

/// The last step of an execution, which broke a rule.
pub(super) struct Facts<'a> {
    pub(super) scene: &'a Scene,
    pub(super) replay: &'a Replay,
    pub(super) before: &'a State,
    pub(super) last: &'a Done,
}

impl Facts<'_> {
    /// The notes for a broken rule; empty if its statement is enough.
    pub(super) fn of(&self, rule: RuleId) -> Vec<String> {
        let told = match rule {
            RuleId::PtxBarAligned => self.lanes(),
            RuleId::PtxBarLeftover => return self.leftover(),
            RuleId::PtxMbarrierTxRange => self.tx(),
            RuleId::PtxMbarrierRemoteOperation => self.remote(),
            RuleId::PtxMbarrierPendingCountToken => self.token(),
            RuleId::PtxMbarrierDropToZero => self.drop(),
            RuleId::PtxMbarrierCountRange => self.count(),
            RuleId::PtxMbarrierCpAsyncOverflow => self.overflow(),
            RuleId::PtxMbarrierInitOnValid | RuleId::PtxMbarrierForeignAccess => self.init(),
            RuleId::PtxBarCountMultiple => self.threads(),
            RuleId::PtxBarRedMix | RuleId::PtxBarCountMismatch => self.generation(""),
            RuleId::PtxBarAlignedSite => self.generation(" at another instruction"),
            RuleId::PtxClusterArriveOnce => self.cluster(),
            _ => None,
        };
        told.into_iter().collect()
    }

    fn machine(&self) -> &Machine {
        &self.replay.machine
    }

    fn action(&self) -> Option<Action> {
        done_action(self.machine(), self.last)
    }

    fn told(&self, done: &Done) -> String {
        explain::operation(self.scene, done.step.agent, done.node)
    }

    fn name(&self) -> Option<String> {
        self.last.note.object.map(|object| named(self.scene, self.machine(), object))
    }

    fn object(&self) -> Option<Mbarrier> {
        match self.last.note.object {
            Some(Object::Mbarrier(index)) => Some(self.before.mbarriers[index]),
            _ => None,
        }
    }

    /// The last earlier step of a kind.
    fn earlier(&self, keep: impl Fn(&Done, Action) -> bool) -> Option<&Done> {
        let steps = self.replay.done[..self.replay.done.len() - 1].iter().rev();
        let kept = |done: &&Done| {
            done_action(self.machine(), done).is_some_and(|action| keep(done, action))
        };
        steps.into_iter().find(kept)
    }

    /// The positions of the other lanes of the warp.
    fn lanes(&self) -> Option<String> {
        let agent = self.last.step.agent;
        let (machine, state) = (self.machine(), self.replay.state());
        let alike = |&other: &usize| machine.warp(other) == machine.warp(agent) && other != agent;
        let others = machine.in_cta(machine.cta(agent)).filter(alike);
        let waits = |&other: &usize| {
            self.before.agents[other].held == Held::Gathering && !state.agents[other].ended
        };
        let (waiting, away): (Vec<usize>, Vec<usize>) = others.partition(waits);
        let ended: Vec<usize> =
            away.into_iter().filter(|&other| self.before.agents[other].ended).collect();
        let standing: Vec<(usize, u32)> =
            waiting.iter().map(|&other| (other, state.agents[other].node)).collect();
        let mut parts = Vec::new();
        if !standing.is_empty() {
            let verb = if standing.len() == 1 { "waits" } else { "wait" };
            let at = list(&explain::operations(self.scene, &standing));
            parts.push(format!("{at} {verb} for the whole warp"));
        }
        if !ended.is_empty() {
            let verb = if ended.len() == 1 { "has" } else { "have" };
            parts.push(format!("{} {verb} ended", explain::names(self.scene, &ended)));
        }
        (!parts.is_empty()).then(|| parts.join("; "))
    }

    /// The barriers of the CTA that end with arrivals, and the agents that arrived.
    fn leftover(&self) -> Vec<String> {
        let (machine, state) = (self.machine(), self.replay.state());
        let start = machine.cta(self.last.step.agent) as usize * BARS;
        let left = (start..start + BARS).filter(|&bar| state.bars[bar].arrived > 0);
        let told = left.map(|bar| {
            let at = state.bars[bar];
            let name = named(self.scene, machine, Object::Bar(bar));
            let since = self.generation_of(Object::Bar(bar));
            format!(
                "{name} ends with {} of {} threads, from {}",
                at.arrived,
                at.threads.unwrap_or(0),
                list(&since)
            )
        });
        told.collect()
    }

    /// The operations that arrived in the current generation of a barrier.
    fn generation_of(&self, object: Object) -> Vec<String> {
        let steps = &self.replay.done[..self.replay.done.len() - 1];
        let at_it = |done: &&Done| done.note.object == Some(object) && done.note.copy.is_none();
        let mut running: Vec<(usize, u32)> = Vec::new();
        for done in steps.iter().filter(at_it) {
            if done.note.completes {
                running.clear();
            } else {
                running.push((done.step.agent, done.node));
            }
        }
        explain::operations(self.scene, &running)
    }

    fn generation(&self, how: &str) -> Option<String> {
        let before = self.generation_of(self.last.note.object?);
        (!before.is_empty())
            .then(|| format!("earlier arrivals{how} in this generation: {}", list(&before)))
    }

    fn tx(&self) -> Option<String> {
        let (at, name) = (self.object()?, self.name()?);
        let (moved, verb) = match (self.action(), self.last.note.copy) {
            (_, Some(copy)) => (-i64::from(copy.left?), COMPLETING),
            (Some(Action::Complete { bytes, .. }), _) => (bytes.checked_neg()?, COMPLETING),
            (Some(Action::Expect { bytes, .. }), _) => (bytes, "expecting"),
            (Some(Action::Arrive { form, .. }), _) => (form.expect?, "expecting"),
            _ => return None,
        };
        let sum = i64::from(at.tx).saturating_add(moved);
        let size = bytes(if verb == COMPLETING { moved.saturating_neg() } else { moved });
        Some(format!(
            "the tx-count of {name} is {}; {verb} {size} changes it to {sum}, outside -{MOST} to {MOST}",
            at.tx
        ))
    }

    fn remote(&self) -> Option<String> {
        let agent = self.last.step.agent;
        let machine = self.machine();
        let (index, _) = machine.object(agent, self.action()?.name()?)?;
        let (declared, cta) = machine.named(index);
        Some(format!(
            "{} is in CTA {}, but the operand is {} of CTA {cta}",
            self.scene.agent_name(agent),
            machine.cta(agent),
            self.scene.mbarrier_name(declared)
        ))
    }

    fn token(&self) -> Option<String> {
        let Some(Action::PendingCount { token, .. }) = self.action() else { return None };
        let agent = self.last.step.agent;
        let yields = self.earlier(|done, action| {
            done.step.agent == agent && action.writes_token() == Some(token)
        });
        Some(match yields {
            Some(arrive) => {
                format!("the token is from {}, which is not marked .noComplete", self.told(arrive))
            }
            None => "no arrive returned this token".into(),
        })
    }

    fn drop(&self) -> Option<String> {
        let (at, name) = (self.object()?, self.name()?);
        let Some(Action::Arrive { form, .. }) = self.action() else { return None };
        let left = i64::from(at.expected).saturating_sub(form.count);
        Some(format!(
            "{name} expects {} in each phase; dropping {} leaves {left}",
            arrivals(i64::from(at.expected)),
            form.count
        ))
    }

    fn count(&self) -> Option<String> {
        let count = match self.action()? {
            Action::Init { count, .. } => count,
            Action::Arrive { form, .. } => form.count,
            _ => return None,
        };
        Some(format!("the count is {count}; valid counts are 1 to {MOST}"))
    }

    fn overflow(&self) -> Option<String> {
        let (at, name) = (self.object()?, self.name()?);
        Some(format!(
            "{name} has {} pending, which is the maximum; this operation adds one",
            arrivals(i64::from(at.pending))
        ))
    }

    /// The init that made an object valid.
    fn init(&self) -> Option<String> {
        let object = self.last.note.object?;
        let init = self.earlier(|done, action| {
            matches!(action, Action::Init { .. }) && done.note.object == Some(object)
        })?;
        Some(format!("{} initialised it, and no inval follows", self.told(init)))
    }

    fn threads(&self) -> Option<String> {
        let Some(Action::Bar { threads: Some(threads), .. }) = self.action() else { return None };
        let near = [threads / 32 * 32, threads.saturating_add(31) / 32 * 32];
        let near = near.iter().filter(|near| **near > 0).map(|near| format!("{near}"));
        let near: Vec<String> = near.collect();
        Some(format!(
            "{threads} threads are not a multiple of the warp size; {} would be",
            near.join(" or ")
        ))
    }

    /// The missing arrive or wait at the cluster barrier.
    fn cluster(&self) -> Option<String> {
        let agent = self.last.step.agent;
        let who = self.scene.agent_name(agent);
        let own = |done: &Done| done.step.agent == agent;
        let arrive = self
            .earlier(|done, action| own(done) && matches!(action, Action::ClusterArrive { .. }));
        if matches!(self.action(), Some(Action::ClusterWait { .. })) {
            return Some(match arrive {
                None => format!(
                    "{who} waits without having arrived, and no other agent can arrive for it"
                ),
                Some(arrive) => {
                    format!("{who} has already waited for the phase of {}", self.told(arrive))
                }
            });
        }
        let which = match self.before.agents[agent].cluster {
            Standing::Released => "that phase is complete",
            _ => "that phase is incomplete",
        };
        let arrive = self.told(arrive?);
        Some(format!("{who} arrived with {arrive} and has not waited since; {which}"))
    }
}

/// The verb of an operation that completes bytes.
const COMPLETING: &str = "completing";

/// A number of arrivals.
fn arrivals(count: i64) -> String {
    if count == 1 { "1 arrival".into() } else { format!("{count} arrivals") }
}

/// The help if that of the rule is about another operation.
pub(super) fn remedy(
    replay: &Replay,
    last: &Done,
    rule: RuleId,
    target: &Target,
) -> Option<String> {
    let action = done_action(&replay.machine, last)?;
    match (rule, action) {
        (RuleId::PtxMbarrierMissingWait | RuleId::PtxMbarrierOverArrival, _) => {
            let Some(Object::Mbarrier(index)) = last.note.object else { return None };
            lints::allocate(replay, index, target)
        }
        (RuleId::PtxClusterArriveOnce, Action::ClusterWait { .. }) => {
            Some("arrive at the cluster barrier before the wait".into())
        }
        _ => None,
    }
}
