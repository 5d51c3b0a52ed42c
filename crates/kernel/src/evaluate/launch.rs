//! The launch: the number of agents, and the position of each.

use crate::ir::{Facts, Machine, Module, Special};
use crate::value::{Lanes, MOST_LANES, Value, ones};
use alloc::vec::Vec;
use tidegate_model::program;

/// The launch of a kernel. Every number is at least 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launch {
    /// Workgroups in each dimension.
    pub groups: [u32; 3],
    /// Work-items of a workgroup in each dimension.
    pub threads: [u32; 3],
    /// Workgroups of a cluster in each dimension.
    pub cluster: [u32; 3],
    /// Lanes of a wave, at most 64.
    pub lanes: u32,
    /// The number of dimensions that the host gives, if it is known.
    pub dimensions: Option<u8>,
}

const fn product(of: [u32; 3]) -> u32 {
    of[0].saturating_mul(of[1]).saturating_mul(of[2])
}

impl Launch {
    /// The launch that the text of a kernel asks for, and whether the number of work-items is a guess.
    #[must_use]
    pub fn of(facts: &Facts) -> (Self, bool) {
        let lanes = facts.lanes.unwrap_or(32);
        let cluster = facts.cluster.unwrap_or([1; 3]);
        let threads = facts.threads.or(facts.most_threads.map(|most| [most, 1, 1]));
        let guess = [4 * lanes, 1, 1];
        let threads_or = threads.unwrap_or(guess);
        let launch =
            Self { groups: cluster, threads: threads_or, cluster, lanes, dimensions: None };
        (launch.bounded(), threads.is_none())
    }

    /// The launch with every number at least 1, and no more lanes than a wave has.
    #[must_use]
    pub fn bounded(mut self) -> Self {
        for sizes in [&mut self.groups, &mut self.threads, &mut self.cluster] {
            sizes.iter_mut().for_each(|size| *size = (*size).clamp(1, 1 << 16));
        }
        self.lanes = self.lanes.clamp(1, MOST_LANES);
        self
    }

    /// Work-items of a workgroup.
    #[must_use]
    pub const fn group_size(self) -> u32 {
        product(self.threads)
    }

    /// Workgroups of a cluster.
    #[must_use]
    pub const fn cluster_size(self) -> u32 {
        product(self.cluster)
    }

    /// Workgroups.
    #[must_use]
    pub const fn group_count(self) -> u32 {
        product(self.groups)
    }

    /// Dimensions: those that the host gives, at least those with more than one work-item or workgroup.
    fn dimensions(self) -> u32 {
        let used = |&at: &usize| self.groups[at] > 1 || self.threads[at] > 1;
        let most = (0..3).rev().find(used).map_or(1, |at| at as u32 + 1);
        most.max(self.dimensions.map_or(1, u32::from))
    }

    /// Waves of a workgroup.
    #[must_use]
    pub const fn waves(self) -> u32 {
        self.group_size().div_ceil(self.lanes)
    }

    /// The number of work-items in an agent of a machine.
    fn apart(self, machine: Machine) -> u32 {
        if machine == Machine::Opencl { 1 } else { self.lanes }
    }

    /// The number of workgroups at the start of the launch, in whole clusters, that have at most `agents` agents together.
    pub(crate) fn groups_within(self, machine: Machine, agents: u32) -> u32 {
        let each = self.group_size().div_ceil(self.apart(machine)).max(1);
        let cluster = product(self.cluster).max(1);
        (agents / each / cluster).saturating_mul(cluster).min(self.group_count())
    }

    /// The first `groups` workgroups of the launch as the model counts them.
    pub(crate) fn counted(self, machine: Machine, groups: u32) -> program::Launch {
        let clusters = (groups / product(self.cluster).max(1)).max(1);
        let lanes = if machine == Machine::Nvidia { 1 } else { self.lanes.min(self.group_size()) };
        program::Launch { clusters, workgroups: groups, waves: self.waves(), lanes }
    }
}

/// One agent, and its position in the launch.
#[derive(Clone, Debug)]
pub(crate) struct Standing {
    /// The launch.
    pub(crate) launch: Launch,
    /// The workgroup, in one dimension.
    pub(crate) group: u32,
    /// The first work-item in its workgroup, in one dimension.
    first: u32,
    /// The number of lanes that are evaluated together.
    pub(crate) lanes: usize,
    /// The mask of the lanes that exist.
    pub(crate) mask: u64,
}

impl Standing {
    /// Identifies the agent: the workgroup, and the number of its first work-item.
    pub(crate) const fn id(&self) -> (u32, u32) {
        (self.group, self.first)
    }

    /// The agents of the first `groups` workgroups, in the order of the model: waves, or work-items on OpenCL.
    pub(crate) fn all(module: &Module, launch: Launch, groups: u32) -> Vec<Self> {
        let (size, each) = (launch.group_size(), launch.apart(module.machine));
        let mut all = Vec::new();
        for group in 0..groups {
            for first in (0..size).step_by(each as usize) {
                let there = (size - first).min(each);
                let (lanes, mask) = (each as usize, ones(there as u8));
                all.push(Self { launch, group, first, lanes, mask });
            }
        }
        all
    }

    /// Whether the launch has other agents.
    pub(crate) fn has_others(&self) -> bool {
        self.launch.waves() > 1 || self.launch.group_count() > 1
    }

    /// The rank of the workgroup in its cluster.
    pub(crate) fn rank(&self) -> u32 {
        let rank = self.special(Special::RankInCluster, 1);
        rank.uniform(1).unwrap_or(0) as u32
    }

    /// The workgroup with a rank in the cluster; the own one without a rank. Ranks follow the numbers of the workgroups.
    pub(crate) fn group_of_rank(&self, rank: Option<u32>) -> u32 {
        match rank {
            Some(rank) => self.group - self.rank().min(self.group) + rank,
            None => self.group,
        }
    }

    /// A value that the launch gives.
    pub(crate) fn special(&self, special: Special, mask: u64) -> Value {
        let launch = &self.launch;
        let at = |of: [u32; 3], dimension: u8| of[usize::from(dimension.min(2))];
        let group = place(self.group, launch.groups);
        let clusters = core::array::from_fn(|dimension| {
            (launch.groups[dimension] / launch.cluster[dimension]).max(1)
        });
        let in_cluster: [u32; 3] =
            core::array::from_fn(|dimension| group[dimension] % launch.cluster[dimension]);
        let value = match special {
            Special::Thread(dimension) => {
                return self.each(|flat| at(place(flat, launch.threads), dimension));
            }
            Special::PackedThread => {
                return self.each(|flat| {
                    let [x, y, z] = place(flat, launch.threads);
                    x | y << 10 | z << 20
                });
            }
            Special::Lane => return self.each(|flat| flat % launch.lanes),
            Special::Group(dimension) => at(group, dimension),
            Special::Threads(dimension) => at(launch.threads, dimension),
            Special::Groups(dimension) => at(launch.groups, dimension),
            Special::AllThreads(dimension) => {
                at(launch.threads, dimension).saturating_mul(at(launch.groups, dimension))
            }
            Special::GroupInCluster(dimension) => at(in_cluster, dimension),
            Special::GroupsOfCluster(dimension) => at(launch.cluster, dimension),
            Special::Cluster(dimension) => {
                at(group, dimension) / at(launch.cluster, dimension).max(1)
            }
            Special::Clusters(dimension) => at(clusters, dimension),
            Special::RankInCluster => {
                let [x, y, z] = in_cluster;
                x + launch.cluster[0] * (y + launch.cluster[1] * z)
            }
            Special::RanksOfCluster => product(launch.cluster),
            Special::Dimensions => launch.dimensions(),
            Special::Lanes => launch.lanes,
            Special::Wave => self.first / launch.lanes,
            Special::Waves => launch.waves(),
            Special::ActiveMask => return Value::int(mask),
        };
        Value::int(u64::from(value))
    }

    fn each(&self, of: impl Fn(u32) -> u32) -> Value {
        let lanes = self.lanes as u32;
        let all = (0..lanes).map(|lane| u64::from(of(self.first + lane))).collect();
        Value { varies: lanes == 1, ..Value::known(Lanes::of(all)) }
    }
}

/// The three-dimensional position of a number in one dimension.
const fn place(flat: u32, sizes: [u32; 3]) -> [u32; 3] {
    let [x, y, _] = sizes;
    [flat % x, flat / x % y, flat / x / y]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Style;

    #[test]
    fn work_items_are_counted_along_the_first_dimension_first() {
        let module = crate::builder::Builder::new(Machine::Amdgpu, Style::Lanes).finish();
        let launch = Launch {
            groups: [1, 2, 1],
            threads: [8, 8, 1],
            cluster: [1; 3],
            lanes: 32,
            dimensions: None,
        };
        let all = Standing::all(&module, launch, launch.group_count());
        assert_eq!((all.len(), launch.waves()), (4, 2));
        let y = all[3].special(Special::Thread(1), u64::MAX);
        assert_eq!((y.known_in(0), y.known_in(31)), (Some(4), Some(7)));
        assert_eq!(all[3].special(Special::Group(1), 0).uniform(1), Some(1));
    }
}
