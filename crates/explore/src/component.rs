//! Sets of states that no path leaves: the strongly connected components without an exit.

use alloc::vec::Vec;

/// Marks a state without a number.
const NONE: u32 = u32::MAX;

/// Each such set that has an edge, with its states in ascending order. The ends of edges are below `count`.
pub(crate) fn without_exit(count: u32, edges: &[(u32, u32)]) -> Vec<Vec<u32>> {
    // If every edge leads to a state found later, there is no cycle.
    if edges.iter().all(|(from, to)| from < to) {
        return Vec::new();
    }
    let graph = Graph::of(count, edges);
    let component = graph.components();
    let mut ends = alloc::vec![true; count as usize];
    let mut turns = alloc::vec![false; count as usize];
    for &(from, to) in edges {
        let (from, to) = (component[from as usize], component[to as usize]);
        if from == to {
            turns[from as usize] = true;
        } else {
            ends[from as usize] = false;
        }
    }
    let mut members = alloc::vec![Vec::new(); count as usize];
    for state in 0..count {
        let own = component[state as usize] as usize;
        if ends[own] && turns[own] {
            members[own].push(state);
        }
    }
    members.retain(|states: &Vec<u32>| !states.is_empty());
    members.sort_unstable();
    members
}

/// Edges by their first state.
struct Graph {
    /// For each state, the index of its first edge in `targets`.
    starts: Vec<u32>,
    targets: Vec<u32>,
}

impl Graph {
    fn of(count: u32, edges: &[(u32, u32)]) -> Self {
        let mut starts = alloc::vec![0_u32; count as usize + 1];
        edges.iter().for_each(|(from, _)| starts[*from as usize + 1] += 1);
        (0..count as usize).for_each(|state| starts[state + 1] += starts[state]);
        let mut next = starts.clone();
        let mut targets = alloc::vec![0; edges.len()];
        for &(from, to) in edges {
            targets[next[from as usize] as usize] = to;
            next[from as usize] += 1;
        }
        Self { starts, targets }
    }

    /// For each state, the number of its component (Tarjan's algorithm, without recursion).
    fn components(&self) -> Vec<u32> {
        let count = self.starts.len() - 1;
        let mut walk = Walk {
            order: alloc::vec![NONE; count],
            low: alloc::vec![0; count],
            component: alloc::vec![NONE; count],
            open: Vec::new(),
            visited: 0,
            found: 0,
        };
        for state in 0..count as u32 {
            if walk.order[state as usize] == NONE {
                self.visit(&mut walk, state);
            }
        }
        walk.component
    }

    fn visit(&self, walk: &mut Walk, start: u32) {
        walk.enter(start);
        let mut path = alloc::vec![(start, self.starts[start as usize])];
        while let Some((state, edge)) = path.last_mut() {
            let at = *state as usize;
            if *edge == self.starts[at + 1] {
                walk.leave(*state);
                path.pop();
                if let Some((parent, _)) = path.last() {
                    let low = walk.low[at];
                    walk.low[*parent as usize] = walk.low[*parent as usize].min(low);
                }
                continue;
            }
            let next = self.targets[*edge as usize];
            *edge += 1;
            if walk.order[next as usize] == NONE {
                walk.enter(next);
                path.push((next, self.starts[next as usize]));
            } else if walk.component[next as usize] == NONE {
                walk.low[at] = walk.low[at].min(walk.order[next as usize]);
            }
        }
    }
}

struct Walk {
    order: Vec<u32>,
    low: Vec<u32>,
    component: Vec<u32>,
    open: Vec<u32>,
    visited: u32,
    found: u32,
}

impl Walk {
    fn enter(&mut self, state: u32) {
        self.order[state as usize] = self.visited;
        self.low[state as usize] = self.visited;
        self.visited += 1;
        self.open.push(state);
    }

    fn leave(&mut self, state: u32) {
        if self.low[state as usize] != self.order[state as usize] {
            return;
        }
        while let Some(member) = self.open.pop() {
            self.component[member as usize] = self.found;
            if member == state {
                break;
            }
        }
        self.found += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_without_an_exit_is_found() {
        // 0 to 1 and back, 1 to 2; 2 to 3 to 4 to 2; 1 to 5, which has no successor.
        let edges = [(0, 1), (1, 0), (1, 2), (2, 3), (3, 4), (4, 2), (1, 5)];
        assert_eq!(without_exit(6, &edges), [alloc::vec![2, 3, 4]]);
    }

    #[test]
    fn a_state_with_an_edge_to_itself_is_a_set() {
        assert_eq!(without_exit(2, &[(0, 1), (1, 1)]), [alloc::vec![1]]);
        assert!(without_exit(3, &[(0, 1), (0, 2), (2, 1)]).is_empty());
    }

    /// Compares with the transitive closure of the edges.
    #[test]
    fn random_graphs_agree_with_their_closure() {
        let mut seed = 0x2545_f491_4f6c_dd1d_u64;
        let mut below = |bound: u64| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            (seed % bound) as u32
        };
        for _ in 0..2000 {
            let count = 1 + below(7);
            let edges: Vec<(u32, u32)> = (0..below(12))
                .map(|_| (below(u64::from(count)), below(u64::from(count))))
                .collect();
            let mut reaches = alloc::vec![alloc::vec![false; count as usize]; count as usize];
            edges.iter().for_each(|&(from, to)| reaches[from as usize][to as usize] = true);
            for middle in 0..count as usize {
                for from in 0..count as usize {
                    for to in 0..count as usize {
                        reaches[from][to] |= reaches[from][middle] && reaches[middle][to];
                    }
                }
            }
            let mut wanted: Vec<Vec<u32>> = Vec::new();
            for (state, row) in reaches.iter().enumerate() {
                let reached: Vec<usize> = (0..count as usize).filter(|&to| row[to]).collect();
                let stays = row[state] && reached.iter().all(|&to| reaches[to][state]);
                let set: Vec<u32> = reached.into_iter().map(|to| to as u32).collect();
                if stays && !wanted.contains(&set) {
                    wanted.push(set);
                }
            }
            wanted.sort_unstable();
            assert_eq!(without_exit(count, &edges), wanted, "{edges:?}");
        }
    }
}
