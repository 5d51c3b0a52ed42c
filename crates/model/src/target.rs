//! The one table that knows the targets.

/// Index of a target in [`TARGETS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TargetId(pub u16);

/// What kind of machine a target is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// The AMDGPU text alone: every object and operation, no hardware table, no machine oracle.
    Model,
    /// An AMDGPU processor: major, minor and stepping version (`gfx90a` is 9, 0, 10).
    Amdgpu {
        /// Major version.
        major: u8,
        /// Minor version.
        minor: u8,
        /// Stepping.
        stepping: u8,
    },
    /// An NVIDIA compute capability.
    Nvidia,
    /// OpenCL C++.
    Opencl,
}

/// One row: a target and what it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// Its name (`gfx1250`, `gfx9-4-generic`, `model`, `sm_90`, `opencl`).
    pub name: &'static str,
    /// What kind of machine it is.
    pub family: Family,
    /// Whether `s_barrier` may be issued with memory operations outstanding (BackOffBarrier).
    pub back_off_barrier: bool,
    /// Whether *arrive* and *wait* exist apart (`s_barrier_signal`, `s_barrier_wait`); then `s_barrier` is gone.
    pub split_barriers: bool,
    /// Whether named barrier objects exist.
    pub named_barriers: bool,
    /// Whether the cluster barrier exists.
    pub cluster_barriers: bool,
}

/// Every target. The helper writing this table fills it.
pub static TARGETS: &[Target] = &[Target {
    name: "model",
    family: Family::Model,
    back_off_barrier: true,
    split_barriers: true,
    named_barriers: true,
    cluster_barriers: true,
}];

impl TargetId {
    /// Its row.
    #[must_use]
    pub fn get(self) -> &'static Target {
        &TARGETS[self.0 as usize]
    }

    /// The target of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        TARGETS.iter().position(|target| target.name == name).map(|index| Self(index as u16))
    }
}
