//! Differences between the documents and the assembler on what a target supports.
//!
//! The assembler test fails on a difference that is missing here, and on one that no longer occurs.

/// An instruction with its operands, and the targets on which the assembler accepts it although the document excludes it
/// or its object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The instruction as written.
    pub probe: &'static str,
    /// Sets of targets, separated by spaces.
    pub targets: &'static str,
    /// The statement of the document.
    pub reason: &'static str,
}

const NAMED: &str = "the document lists named barriers from GFX12.5; the assembler does not check";
const CLUSTER: &str =
    "the document lists the cluster barrier from GFX12.5; the assembler does not check";
const TRAP: &str =
    "the document reserves trap barriers for the trap handler; an assembler cannot check this";
const OUTSIDE: &str =
    "the document lists IDs from -4 to 16; the assembler accepts any inline constant";

const fn differ(probe: &'static str, targets: &'static str, reason: &'static str) -> Difference {
    Difference { probe, targets, reason }
}

/// Every difference.
pub static DIFFERENCES: &[Difference] = &[
    differ("s_barrier_init m0", "gfx12.0", NAMED),
    differ("s_barrier_init 1", "gfx12.0", NAMED),
    differ("s_barrier_join 1", "gfx12.0", NAMED),
    differ("s_barrier_join 0", "gfx12.0", NAMED),
    differ("s_barrier_join m0", "gfx12.0", NAMED),
    differ("s_barrier_leave", "gfx12.0", NAMED),
    differ("s_barrier_signal 1", "gfx12.0", NAMED),
    differ("s_barrier_signal 0", "gfx12.0", NAMED),
    differ("s_barrier_signal m0", "gfx12.0", NAMED),
    differ("s_barrier_signal_isfirst 1", "gfx12.0", NAMED),
    differ("s_barrier_signal_isfirst m0", "gfx12.0", NAMED),
    differ("s_barrier_wait 1", "gfx12.0", NAMED),
    differ("s_barrier_wait 0", "gfx12.0", NAMED),
    differ("s_get_barrier_state s0, 1", "gfx12.0", NAMED),
    differ("s_get_barrier_state s0, m0", "gfx12.0", NAMED),
    differ("s_barrier_signal -3", "gfx12.0", CLUSTER),
    differ("s_barrier_signal_isfirst -3", "gfx12.0", CLUSTER),
    differ("s_barrier_wait -3", "gfx12.0", CLUSTER),
    differ("s_get_barrier_state s0, -3", "gfx12.0", CLUSTER),
    differ("s_barrier_signal -2", "gfx12", TRAP),
    differ("s_barrier_signal -4", "gfx12", TRAP),
    differ("s_barrier_wait -2", "gfx12", TRAP),
    differ("s_barrier_wait -4", "gfx12", TRAP),
    differ("s_get_barrier_state s0, -2", "gfx12", TRAP),
    differ("s_get_barrier_state s0, -4", "gfx12", TRAP),
    differ("s_barrier_signal 17", "gfx12", OUTSIDE),
    differ("s_barrier_wait 17", "gfx12", OUTSIDE),
    differ("s_barrier_join 17", "gfx12", OUTSIDE),
    differ("s_get_barrier_state s0, 17", "gfx12", OUTSIDE),
];
