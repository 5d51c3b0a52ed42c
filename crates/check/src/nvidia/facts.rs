//! The notes of a finding: values, lines and agents.

use super::replay::{Done, Object, Replay, done_action, object_name};
use super::{lints, uses};
use crate::cause::{At, PtxFact};
use crate::scene::Scene;
use crate::tell::help;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::ptx::action::Action;
use tidegate_model::ptx::bar::BARS;
use tidegate_model::ptx::cluster::arrive_once::Standing;
use tidegate_model::ptx::machine::Machine;
use tidegate_model::ptx::machine::state::{Held, State};
use tidegate_model::ptx::object::Mbarrier;
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
    /// The facts about a broken rule; empty if its statement is enough.
    pub(super) fn of(&self, rule: RuleId) -> Vec<PtxFact> {
        let fact = match rule {
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
            RuleId::PtxBarRedMix | RuleId::PtxBarCountMismatch => self.generation(false),
            RuleId::PtxBarAlignedSite => self.generation(true),
            RuleId::PtxClusterArriveOnce => self.cluster(),
            _ => None,
        };
        fact.into_iter().collect()
    }

    fn machine(&self) -> &Machine {
        &self.replay.machine
    }

    fn action(&self) -> Option<Action> {
        done_action(self.machine(), self.last)
    }

    fn name(&self) -> Option<String> {
        self.last.note.object.map(|object| object_name(self.scene, self.machine(), object))
    }

    fn object(&self) -> Option<Mbarrier> {
        match self.last.note.object {
            Some(Object::Mbarrier(index)) => Some(self.before.mbarriers[index]),
            _ => None,
        }
    }

    /// The last earlier step of a kind.
    fn earlier(&self, keep: impl Fn(&Done, Action) -> bool) -> Option<At> {
        let steps = self.replay.done[..self.replay.done.len() - 1].iter().rev();
        let kept = |done: &&Done| {
            done_action(self.machine(), done).is_some_and(|action| keep(done, action))
        };
        steps.into_iter().find(kept).map(|done| (done.step.agent, done.node))
    }

    /// The positions of the other lanes of the warp.
    fn lanes(&self) -> Option<PtxFact> {
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
        let waiting: Vec<At> =
            waiting.iter().map(|&other| (other, state.agents[other].node)).collect();
        (!waiting.is_empty() || !ended.is_empty()).then_some(PtxFact::Lanes { waiting, ended })
    }

    /// The barriers of the CTA that end with arrivals, and the agents that arrived.
    fn leftover(&self) -> Vec<PtxFact> {
        let (machine, state) = (self.machine(), self.replay.state());
        let start = machine.cta(self.last.step.agent) as usize * BARS;
        let left = (start..start + BARS).filter(|&bar| state.bars[bar].arrived > 0);
        let fact = |bar: usize| PtxFact::Leftover {
            object: object_name(self.scene, machine, Object::Bar(bar)),
            arrived: state.bars[bar].arrived,
            expected: state.bars[bar].threads.unwrap_or(0),
            arrives: self.generation_of(Object::Bar(bar)),
        };
        left.map(fact).collect()
    }

    /// The first arrive of a barrier that ends with arrivals.
    pub(super) fn first_left(&self) -> Option<At> {
        self.leftover().into_iter().find_map(|one| match one {
            PtxFact::Leftover { arrives, .. } => arrives.first().copied(),
            _ => None,
        })
    }

    /// The operations that arrived in the current generation of a barrier.
    fn generation_of(&self, object: Object) -> Vec<At> {
        let steps = &self.replay.done[..self.replay.done.len() - 1];
        let at_it = |done: &&Done| done.note.object == Some(object) && done.note.copy.is_none();
        let mut running: Vec<At> = Vec::new();
        for done in steps.iter().filter(at_it) {
            if done.note.completes {
                running.clear();
            } else {
                running.push((done.step.agent, done.node));
            }
        }
        running
    }

    fn generation(&self, another: bool) -> Option<PtxFact> {
        let arrives = self.generation_of(self.last.note.object?);
        (!arrives.is_empty()).then_some(PtxFact::Generation { arrives, another })
    }

    fn tx(&self) -> Option<PtxFact> {
        let (at, object) = (self.object()?, self.name()?);
        let (bytes, completes) = match (self.action(), self.last.note.copy) {
            (_, Some(copy)) => (i64::from(copy.left?), true),
            (Some(Action::Complete { bytes, .. }), _) => (bytes, true),
            (Some(Action::Expect { bytes, .. }), _) => (bytes, false),
            (Some(Action::Arrive { form, .. }), _) => (form.expect?, false),
            _ => return None,
        };
        let moved = if completes { bytes.checked_neg()? } else { bytes };
        let result = i64::from(at.tx).saturating_add(moved);
        Some(PtxFact::TxRange { object, count: at.tx, completes, bytes, result })
    }

    fn remote(&self) -> Option<PtxFact> {
        let agent = self.last.step.agent;
        let machine = self.machine();
        let (index, _) = machine.object(agent, self.action()?.name()?)?;
        let (declared, owner) = machine.named(index);
        let object = self.scene.mbarrier_name(declared);
        Some(PtxFact::Remote { agent, cta: machine.cta(agent), object, owner })
    }

    fn token(&self) -> Option<PtxFact> {
        let Some(Action::PendingCount { token, .. }) = self.action() else { return None };
        let agent = self.last.step.agent;
        let yields = self.earlier(|done, action| {
            done.step.agent == agent && action.writes_token() == Some(token)
        });
        Some(yields.map_or(PtxFact::NoToken, |arrive| PtxFact::TokenFrom { arrive }))
    }

    fn drop(&self) -> Option<PtxFact> {
        let (at, object) = (self.object()?, self.name()?);
        let Some(Action::Arrive { form, .. }) = self.action() else { return None };
        let left = i64::from(at.expected).saturating_sub(form.count);
        Some(PtxFact::DropsTo { object, expected: at.expected, dropped: form.count, left })
    }

    fn count(&self) -> Option<PtxFact> {
        let count = match self.action()? {
            Action::Init { count, .. } => count,
            Action::Arrive { form, .. } => form.count,
            _ => return None,
        };
        Some(PtxFact::CountIs { count })
    }

    fn overflow(&self) -> Option<PtxFact> {
        Some(PtxFact::PendingFull { object: self.name()?, pending: self.object()?.pending })
    }

    /// The init that made an object valid.
    fn init(&self) -> Option<PtxFact> {
        let object = self.last.note.object?;
        let init = self.earlier(|done, action| {
            matches!(action, Action::Init { .. }) && done.note.object == Some(object)
        })?;
        Some(PtxFact::InitialisedBy { init })
    }

    fn threads(&self) -> Option<PtxFact> {
        match self.action()? {
            Action::Bar { threads: Some(threads), .. } => Some(PtxFact::NotMultiple { threads }),
            _ => None,
        }
    }

    /// The missing arrive or wait at the cluster barrier.
    fn cluster(&self) -> Option<PtxFact> {
        let agent = self.last.step.agent;
        let own = |done: &Done| done.step.agent == agent;
        let arrive = self
            .earlier(|done, action| own(done) && matches!(action, Action::ClusterArrive { .. }));
        if matches!(self.action(), Some(Action::ClusterWait { .. })) {
            let waited = |arrive| PtxFact::AlreadyWaited { agent, arrive };
            return Some(arrive.map_or(PtxFact::NeverArrived { agent }, waited));
        }
        let complete = self.before.agents[agent].cluster == Standing::Released;
        Some(PtxFact::NotWaited { agent, arrive: arrive?, complete })
    }
}

/// The help if that of the rule is about another operation.
pub(super) fn remedy(
    scene: &Scene,
    replay: &Replay,
    last: &Done,
    rule: RuleId,
    target: &Target,
) -> Option<String> {
    let action = done_action(&replay.machine, last)?;
    match (rule, action) {
        (RuleId::PtxMbarrierMissingWait | RuleId::PtxMbarrierOverArrival, _) => {
            let Some(Object::Mbarrier(index)) = last.note.object else { return None };
            lints::allocate(scene, replay, index, target)
        }
        (RuleId::PtxMbarrierValidObject, _) => uses::remedy(scene, replay, last),
        (RuleId::PtxClusterArriveOnce, Action::ClusterWait { .. }) => {
            Some(help::ptx::arrive_first())
        }
        _ => None,
    }
}
