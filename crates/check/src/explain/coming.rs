//! What is said alike of waits on any machine: who could still arrive, and who waits without having arrived.

use super::{list, names, places};
use crate::scene::Scene;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Agents that can come to an arrive.
pub(crate) struct Coming {
    /// Those that can go on.
    pub ready: Vec<usize>,
    /// Those that are blocked elsewhere than those that wait.
    pub held: Vec<usize>,
    /// Those of the waiting ones themselves that can, behind their waits.
    pub own: Vec<usize>,
    /// How many wait.
    waiting: usize,
}

impl Coming {
    /// Of agents that can come to an arrive while some of them wait alike; `goes_on` says who is not blocked.
    pub(crate) fn of(able: &[usize], waiting: &[usize], goes_on: impl Fn(usize) -> bool) -> Self {
        let (own, others): (Vec<usize>, Vec<usize>) =
            able.iter().partition(|agent| waiting.contains(agent));
        let (ready, held) = others.into_iter().partition(|&agent| goes_on(agent));
        Self { ready, held, own, waiting: waiting.len() }
    }

    /// Whether nobody can.
    pub(crate) const fn is_nobody(&self) -> bool {
        self.ready.is_empty() && self.held.is_empty() && self.own.is_empty()
    }

    /// In sentences; none where nobody can. Where the nodes are given at which agents stand, it says on what they are
    /// blocked.
    pub(crate) fn said(&self, scene: &Scene, stands: Option<&dyn Fn(usize) -> u32>) -> Vec<String> {
        let mut parts = Vec::new();
        if !self.ready.is_empty() {
            parts.push(format!("{} can still arrive.", names(scene, &self.ready)));
        }
        if !self.held.is_empty() {
            let verb = if self.held.len() == 1 { "is" } else { "are" };
            let held = names(scene, &self.held);
            let at = stands.map_or_else(String::new, |stands| {
                let at: Vec<(usize, u32)> =
                    self.held.iter().map(|&agent| (agent, stands(agent))).collect();
                format!(", at {}", list(&places(scene, &at)))
            });
            parts.push(format!("{held} would arrive later, but {verb} blocked too{at}."));
        }
        let own = names(scene, &self.own);
        match (self.own.len(), self.waiting) {
            (0, _) => {}
            (1, 1) => parts.push(format!("{own} would arrive itself only after this wait.")),
            (1, _) => parts.push(format!("{own} would arrive itself only after its wait.")),
            _ => parts.push(format!("{own} would arrive only after these waits.")),
        }
        parts
    }
}

/// What is said where no agent can come to an arrive.
pub(crate) const NOBODY: &str = "No agent has an arrive left for it.";

/// Those among who waits for a phase that did not arrive in it, if they are as many as it lacks arrivals and are meant to
/// arrive: others who wait did, or each of them arrives at the object somewhere. Who only waits where others only arrive
/// is served by them, and is missing nowhere.
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

/// Who arrived in a phase of an object, and who waits for it without that.
pub(crate) fn wait_without_arriving(
    scene: &Scene,
    (phase, name): (u32, &str),
    arrived: &[usize],
    without: &[usize],
) -> String {
    let verb = if without.len() == 1 { "waits" } else { "wait" };
    let (did, did_not) = (names(scene, arrived), names(scene, without));
    format!(
        "In phase {phase} of {name} {did} arrived; {did_not} {verb} for it without having arrived."
    )
}

/// The same in few words.
pub(crate) fn without_in_brief(scene: &Scene, without: &[usize]) -> String {
    let verb = if without.len() == 1 { "waits" } else { "wait" };
    format!("{} {verb} without having arrived", names(scene, without))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_waits_is_neither_ready_nor_held() {
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
    fn those_that_wait_alike_are_told_in_one_sentence() {
        let scene =
            Scene::new("x.tide", "target model\nlaunch waves=32\nwave * { arrive wg; wait wg }\n");
        let said = |able: &[usize], waiting: &[usize]| {
            Coming::of(able, waiting, |_| false).said(&scene, None).join(" ")
        };
        let all: Vec<usize> = (0..32).collect();
        let but: Vec<usize> = (0..32).filter(|&agent| agent != 19).collect();
        assert_eq!(
            said(&but, &all),
            "wave 0 to wave 18 and wave 20 to wave 31 would arrive only after these waits."
        );
        assert_eq!(said(&[1], &[1]), "wave 1 would arrive itself only after this wait.");
        assert_eq!(said(&[1], &[0, 1]), "wave 1 would arrive itself only after its wait.");
        assert_eq!(said(&[2], &[0, 1]), "wave 2 would arrive later, but is blocked too.");
        assert_eq!(said(&[], &[0, 1]), "");
    }

    #[test]
    fn as_many_as_are_lacking_wait_without_arriving() {
        let never = |_: usize| false;
        assert_eq!(without_arriving(&[0, 1, 2], &[0], 2, never), Some(Vec::from([1, 2])));
        assert_eq!(without_arriving(&[0, 1, 2], &[0], 1, never), None);
        assert_eq!(without_arriving(&[0, 1], &[], 2, |_| true), None);
        assert_eq!(without_arriving(&[0], &[0], 0, never), None);
    }

    #[test]
    fn who_is_only_served_is_not_missing() {
        assert_eq!(without_arriving(&[2], &[0], 1, |_| false), None);
        assert_eq!(without_arriving(&[2], &[0], 1, |agent| agent == 2), Some(Vec::from([2])));
    }
}
