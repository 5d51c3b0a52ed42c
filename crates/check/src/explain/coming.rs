//! Facts on waits that all machines share: agents that can still arrive, and agents that wait without having arrived.

use crate::cause::{At, Cause, Common};
use alloc::vec::Vec;

/// Agents that can still arrive.
pub(crate) struct Coming {
    /// Agents that are not blocked.
    pub ready: Vec<usize>,
    /// Agents that are blocked elsewhere.
    pub held: Vec<usize>,
    /// Waiting agents that can arrive after their waits.
    pub own: Vec<usize>,
    /// The number of waiting agents.
    waiting: usize,
}

impl Coming {
    /// Groups the agents `able` to arrive while `waiting` wait; `goes_on` tests whether an agent is not blocked.
    pub(crate) fn of(able: &[usize], waiting: &[usize], goes_on: impl Fn(usize) -> bool) -> Self {
        let (own, others): (Vec<usize>, Vec<usize>) =
            able.iter().partition(|agent| waiting.contains(agent));
        let (ready, held) = others.into_iter().partition(|&agent| goes_on(agent));
        Self { ready, held, own, waiting: waiting.len() }
    }

    /// Whether no agent can arrive.
    pub(crate) const fn is_nobody(&self) -> bool {
        self.ready.is_empty() && self.held.is_empty() && self.own.is_empty()
    }

    /// The facts; none if no agent can arrive. `stands` gives the node of a blocked agent, to name its operation.
    pub(crate) fn facts(&self, stands: Option<&dyn Fn(usize) -> u32>) -> Vec<Cause> {
        let at = |stands: &dyn Fn(usize) -> u32| -> Vec<At> {
            self.held.iter().map(|&agent| (agent, stands(agent))).collect()
        };
        let ready = Common::CanArrive { agents: self.ready.clone() };
        let held =
            Common::HeldBack { agents: self.held.clone(), at: stands.map(at).unwrap_or_default() };
        let own = Common::OwnLater { agents: self.own.clone(), waiting: self.waiting as u32 };
        let groups = [(&self.ready, ready), (&self.held, held), (&self.own, own)];
        let some = groups.into_iter().filter(|(agents, _)| !agents.is_empty());
        some.map(|(_, fact)| fact.into()).collect()
    }
}

/// The waiting agents that did not arrive in the phase, if their number is the number of missing arrivals and they are
/// meant to arrive: other waiting agents did, or each of them arrives at the object somewhere. An agent that only waits
/// while others only arrive is a consumer and is not missing.
pub(crate) fn without_arriving(
    waiting: &[usize],
    arrived: &[usize],
    lacks: i64,
    arrives: impl Fn(usize) -> bool,
) -> Option<Vec<usize>> {
    let without: Vec<usize> =
        waiting.iter().copied().filter(|agent| !arrived.contains(agent)).collect();
    let all = !without.is_empty() && without.len() as i64 == lacks && !arrived.is_empty();
    let meet = arrived.iter().any(|agent| waiting.contains(agent));
    (all && (meet || without.iter().all(|&agent| arrives(agent)))).then_some(without)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Scene;

    #[test]
    fn a_waiting_agent_is_neither_ready_nor_held() {
        let coming = Coming::of(&[0, 1, 2], &[1], |agent| agent == 2);
        assert_eq!(
            (coming.ready, coming.held, coming.own),
            (Vec::from([2]), Vec::from([0]), Vec::from([1]))
        );
        let coming = Coming::of(&[0, 1, 2], &[0, 1, 3], |agent| agent == 2);
        assert_eq!(
            (coming.ready, coming.held, coming.own),
            (Vec::from([2]), Vec::new(), Vec::from([0, 1]))
        );
        assert!(Coming::of(&[], &[1], |_| true).is_nobody());
        assert!(!Coming::of(&[1], &[1], |_| false).is_nobody());
    }

    #[test]
    fn equal_waits_are_one_note() {
        let scene =
            Scene::new("x.tide", "target model\nlaunch waves=32\nwave * { arrive wg; wait wg }\n");
        let said = |able: &[usize], waiting: &[usize]| {
            let facts = Coming::of(able, waiting, |_| false).facts(None);
            crate::tell::notes(&scene, &facts).join(" ")
        };
        let all: Vec<usize> = (0..32).collect();
        let but: Vec<usize> = (0..32).filter(|&agent| agent != 19).collect();
        assert_eq!(
            said(&but, &all),
            "the next arrives of wave 0 to wave 18 and wave 20 to wave 31 come after these waits"
        );
        assert_eq!(said(&[1], &[1]), "the next arrive of wave 1 comes after this wait");
        assert_eq!(said(&[1], &[0, 1]), "the next arrive of wave 1 comes after its wait");
        assert_eq!(said(&[2], &[0, 1]), "wave 2 would arrive later, but is also blocked");
        assert_eq!(said(&[], &[0, 1]), "");
    }

    #[test]
    fn as_many_agents_wait_without_arriving_as_arrivals_are_missing() {
        let never = |_: usize| false;
        assert_eq!(without_arriving(&[0, 1, 2], &[0], 2, never), Some(Vec::from([1, 2])));
        assert_eq!(without_arriving(&[0, 1, 2], &[0], 1, never), None);
        assert_eq!(without_arriving(&[0, 1], &[], 2, |_| true), None);
        assert_eq!(without_arriving(&[0], &[0], 0, never), None);
    }

    #[test]
    fn a_consumer_is_not_missing() {
        assert_eq!(without_arriving(&[2], &[0], 1, |_| false), None);
        assert_eq!(without_arriving(&[2], &[0], 1, |agent| agent == 2), Some(Vec::from([2])));
    }
}
