//! Why a judgement does not cover every execution.

use tidegate_explore::End;
use tidegate_model::axioms::meter::Bound;
use tidegate_model::spec::state::Lack;

/// Something that was not judged, or the limit that ended a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Open {
    /// A limit, or the caller, ended a search.
    Search(End),
    /// A limit, or the caller, ended an enumeration of executions.
    Enumeration(Bound),
    /// A state exceeds a limit of the machine.
    Machine(Lack),
    /// Accesses between the lanes of one wave.
    Lanes,
    /// Accesses between the threads of one warp.
    Threads,
    /// Barriers of AMDGPU in a scenario of NVIDIA.
    AmdgpuInNvidia,
    /// Barriers of other models in a scenario of OpenCL.
    OthersInOpencl,
    /// The number of work-groups that nothing gives.
    Groups,
    /// The size of the workgroups with which the host starts a kernel.
    Size,
    /// Values of arguments.
    Arguments,
    /// Values of arguments, launches, or contents of memory.
    Host,
    /// Constructs of a kernel that are not tracked.
    Constructs,
    /// Data that decide in a way that is not tracked.
    Data,
    /// The size of a tensor copy.
    TensorSize,
    /// An asynchronous operation on what a store wrote, without a fence of the async proxy.
    Proxies,
}
