//! Observations on the documents about NVIDIA barriers.

use super::row::Observation;

const TLX: &str = "tlx-barriers";
const SASS: &str = "sass-syncs";
const PTX: &str = "PTX ISA 9.1";

/// The observations; those of one group are in the order of their numbers.
pub(super) const ROWS: [Observation; 9] = [
    Observation {
        id: "tlx.O1",
        title: "Whether expecting bytes is an arrive",
        statement: "The table maps tlx.barrier_expect_bytes to the instruction mbarrier.expect_tx, which does not arrive. The description adds one arrive to the transaction, with a count of 1. Tidegate reads it as arrive.expect_tx. With only expect_tx, the phase would never get its arrival, as a kernel has shown.",
        document: TLX,
        section: "Barrier APIs",
        concerns: &["ptx.mbarrier.never-completes", "tlx.arrive-count"],
        scenario: "examples/bug-tileops-1263.tide",
        shows: &["expect deadlock ptx.mbarrier.never-completes"],
    },
    Observation {
        id: "tlx.O2",
        title: "A wait for a phase that is one bit",
        statement: "The document says that a wait lasts until the phase has moved ahead of its argument. A phase is one bit, and the pseudo-code tests only equality. A wait for 1 on a new barrier returns at once, although no phase is complete. Tidegate follows the pseudo-code, and producers rely on it.",
        document: TLX,
        section: "Memory Barriers; Barrier APIs",
        concerns: &["ptx.mbarrier.first-parity"],
        scenario: "examples/tlx-producer-consumer.tide",
        shows: &["expect ok ptx.mbarrier.first-parity"],
    },
    Observation {
        id: "tlx.O3",
        title: "The phase flips with the stages, not the consumers",
        statement: "In WS-GEMM, the document says that the phase flips every two iterations, \"number of consumers\". With two consumers and eight stages it flips every eight iterations. The ring decides, and the two in the example is its number of stages.",
        document: TLX,
        section: "WS-GEMM",
        concerns: &[],
        scenario: "examples/ws-gemm-8-stages.tide",
        shows: &["expect ok"],
    },
    Observation {
        id: "tlx.O4",
        title: "Two names for allocating barriers",
        statement: "The heading of the interface says `alloc_barrier`, and the table below it says `alloc_barriers`. Tidegate accepts both.",
        document: TLX,
        section: "Barrier APIs",
        concerns: &[],
        scenario: "tests/conformance/observations/one-barrier-of-two-names.tide",
        shows: &["expect ok"],
    },
    Observation {
        id: "sass.O1",
        title: "The position of the phase bit in the word",
        statement: "The document marks bit 0 as the parity, with a question mark. The phase check reads bit 31 of a register with the upper half of a token, which is bit 63 of the word. The meaning of bit 0 is unknown. Compiled code computes the pending count of a token as 0x100000 minus its bits 43 to 62. These bits therefore hold the negated pending count. This is evidence for the layout `high-pending`, and not a measurement of the word in memory.",
        document: SASS,
        section: "MBarrier Initialization; Wait/Phase Check",
        concerns: &["ptx.mbarrier.first-parity"],
        scenario: "tests/conformance/observations/phase-of-a-register.tide",
        shows: &["expect ok ptx.mbarrier.first-parity"],
    },
    Observation {
        id: "ptx.O1",
        title: "A second arrive before any wait observes the phase",
        statement: "The specification requires a wait between two phases, but hardware continues to count. Taken literally, two consecutive arrives are forbidden. On the machine, the wait after them is only too late.",
        document: PTX,
        section: "Phase Completion of the mbarrier object",
        concerns: &["ptx.mbarrier.missing-wait", "ptx.missing-wait"],
        scenario: "examples/tlx-misuse-arrive-twice.tide",
        shows: &["expect ambiguous ptx.missing-wait", "expect machine deadlock"],
    },
    Observation {
        id: "ptx.O2",
        title: "Bytes that are expected late",
        statement: "Arrivals and completed bytes can end a phase; expected bytes cannot. If an expect_tx makes the tx-count zero, nothing ends the phase when the text is taken literally. The machine ends it.",
        document: PTX,
        section: "expect-tx operation",
        concerns: &["ptx.mbarrier.late-expect-tx", "ptx.late-expect"],
        scenario: "tests/conformance/ptx-forms/bytes-expected-late.tide",
        shows: &["expect ambiguous ptx.late-expect", "expect machine ok"],
    },
    Observation {
        id: "ptx.O3",
        title: "A drop of the last expected arrival",
        statement: "PTX ISA versions before 9.4 do not say whether later phases may expect no arrival. PTX ISA 9.4 makes that undefined.",
        document: PTX,
        section: "mbarrier.arrive_drop",
        concerns: &["ptx.mbarrier.drop-to-zero", "ptx.version"],
        scenario: "tests/conformance/ptx/breaks-mbarrier-drop-to-zero.tide",
        shows: &["expect ambiguous ptx.version"],
    },
    Observation {
        id: "ptx.O4",
        title: "One barrier, two instructions",
        statement: "All threads of a warp execute an aligned barrier together. The document does not say whether different warps may execute different instructions for the same barrier.",
        document: PTX,
        section: "bar, barrier",
        concerns: &["ptx.bar.aligned-site", "ptx.aligned-site"],
        scenario: "tests/conformance/ptx/breaks-bar-aligned-site.tide",
        shows: &["expect ambiguous ptx.aligned-site"],
    },
];
