//! Why a judgement does not cover every execution, as a clause.

use crate::cause::Open;
use crate::scene::proxies::UNFENCED;
use tidegate_explore::End;
use tidegate_model::axioms::meter::Bound;
use tidegate_model::spec::state::Lack;

/// The reason as a clause.
pub(crate) const fn reason(open: Open) -> &'static str {
    match open {
        Open::Search(End::Bound) => "the search reached its limit of states or memory",
        Open::Search(End::Work) => "the search reached its budget",
        Open::Search(End::Cancelled) => "the search was cancelled",
        Open::Search(End::Complete | End::Met) => "an execution exceeds a limit of the checker",
        Open::Enumeration(Bound::Steps) => "the enumeration reached its step limit",
        Open::Enumeration(Bound::Work) => "the enumeration reached its work limit",
        Open::Enumeration(Bound::Operations) => {
            "an execution has more than 128 operations, the limit of the relations"
        }
        Open::Enumeration(Bound::Paths) => "an agent has an unbounded path or too many paths",
        Open::Enumeration(Bound::Cancelled) => "the enumeration was cancelled",
        Open::Machine(Lack::Phases) => {
            "an execution exceeds the limit of 128 phases that a wait can depend on"
        }
        Open::Machine(Lack::Choices) => {
            "an execution exceeds the limit of 512 choices of phases that its waits can depend on"
        }
        Open::Machine(Lack::Accesses) => {
            "an execution exceeds the limit of 128 groups of accesses (between two release fences or two marks)"
        }
        Open::Lanes => "accesses of the lanes of one wave are not checked against each other",
        Open::Threads => "accesses of the threads of one warp are not checked against each other",
        Open::AmdgpuInNvidia => "AMDGPU barriers and copies in an NVIDIA scenario are ignored",
        Open::OthersInOpencl => "barriers of other models in an OpenCL scenario are ignored",
        Open::Groups => "the launch does not give the number of work-groups",
        Open::Size => {
            "the size of a workgroup is a guess, because the host computes it, so findings may be spurious: give it with `launch`"
        }
        Open::Arguments => "some arguments that the host can pass were not tried",
        Open::Host => "some arguments, launches or memory contents were not tried",
        Open::Constructs => {
            "the kernel has constructs that the checker does not track, so findings may be spurious"
        }
        Open::Data => {
            "data decide in a way that the checker does not track, so findings may be spurious"
        }
        Open::TensorSize => {
            "the size of a tensor copy is unknown; declare `global NAME[SIZE] box [X, Y] of BYTES`"
        }
        Open::Proxies => UNFENCED,
    }
}
