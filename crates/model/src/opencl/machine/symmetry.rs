//! Interchangeable work-items and sub-groups.

use crate::program::{Agent, Program};
use crate::symmetry;
use alloc::rc::Rc;
use alloc::vec::Vec;

/// Which work-items and sub-groups are interchangeable.
#[derive(Clone, Debug)]
pub(super) struct Symmetry {
    /// The class of each work-item, among those of its sub-group.
    pub(super) items: Rc<[u32]>,
    /// The class of each sub-group.
    pub(super) sub_groups: Rc<[u32]>,
}

impl Symmetry {
    pub(super) fn of(program: &Program) -> Self {
        let launch = program.launch;
        let sub_groups = (launch.workgroups * launch.waves).max(1) as usize;
        let size = (program.agents.len() / sub_groups).max(1);
        let items = symmetry::classes_by(program, |agent| agent.wave / size as u32);
        let mut known: Vec<(u32, Vec<u32>)> = Vec::new();
        let class = |(at, agents): (usize, &[Agent])| {
            let bodies = agents.iter().map(|agent| agent.body).collect();
            let key = (at as u32 / launch.waves.max(1), bodies);
            let same = known.iter().position(|other| *other == key);
            same.unwrap_or_else(|| {
                known.push(key);
                known.len() - 1
            }) as u32
        };
        let sub_groups = program.agents.chunks(size).enumerate().map(class).collect();
        Self { items, sub_groups }
    }
}
