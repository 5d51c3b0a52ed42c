//! Symmetry: agents of one workgroup with equal bodies are interchangeable.

use crate::ordered::OrderedMap;
use crate::program::{Agent, Program};
use alloc::rc::Rc;
use alloc::vec::Vec;

/// For each agent, the number of its class: equal for agents of one workgroup with one body.
#[must_use]
pub fn classes(program: &Program) -> Rc<[u32]> {
    classes_by(program, |_| 0)
}

/// For each agent, the number of its class, where agents of one class also have the same `part`.
#[must_use]
pub fn classes_by(program: &Program, part: impl Fn(&Agent) -> u32) -> Rc<[u32]> {
    let mut known = OrderedMap::new();
    let of = |agent: &Agent| {
        let next = known.len() as u32;
        *known.entry((agent.workgroup, part(agent), agent.body)).or_insert(next)
    };
    program.agents.iter().map(of).collect()
}

/// The order that sorts the agents of each class by their keys: for each position, the agent that moves there. Each class
/// keeps its positions.
#[must_use]
pub fn order<K: Ord>(classes: &[u32], keys: &[K]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..classes.len()).collect();
    if !classes.is_sorted() {
        places.sort_by_key(|&agent| classes[agent]);
    }
    let key = |agent: usize| (classes[agent], &keys[agent]);
    if places.is_sorted_by(|&one, &next| key(one) <= key(next)) {
        return (0..classes.len()).collect();
    }
    let mut sorted = places.clone();
    sorted.sort_by_key(|&agent| key(agent));
    let mut order = alloc::vec![0; classes.len()];
    for (&place, &agent) in places.iter().zip(&sorted) {
        order[place] = agent;
    }
    order
}

#[cfg(test)]
mod tests {
    use super::order;

    #[test]
    fn each_class_is_sorted_within_its_own_positions() {
        assert_eq!(order(&[0, 1, 0, 1], &[9, 4, 3, 2]), [2, 3, 0, 1]);
        assert_eq!(order(&[0, 1, 2], &[3, 2, 1]), [0, 1, 2]);
        assert_eq!(order(&[0, 0, 0], &[1, 1, 0]), [2, 0, 1]);
    }
}
