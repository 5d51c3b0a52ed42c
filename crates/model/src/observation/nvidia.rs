//! Observations on what is written of NVIDIA's barriers.

use super::Observation;

const TLX: &str = "tlx-barriers";
const SASS: &str = "sass-syncs";
const PTX: &str = "PTX ISA 9.1";

/// Them, in the order in which those of one group were numbered.
pub(super) const ROWS: [Observation; 9] = [
    Observation {
        id: "tlx.O1",
        title: "Expecting bytes is arriving, or is it?",
        statement: "The table gives tlx.barrier_expect_bytes the instruction mbarrier.expect_tx, which does not arrive. The text has one arrive come with the transaction, and the count for it is 1. It is arrive.expect_tx: with expect_tx alone the phase would lack its arrival for ever, as a kernel has shown.",
        document: TLX,
        section: "Barrier APIs",
        concerns: &["ptx.mbarrier.never-completes", "tlx.arrive-count"],
        scenario: "examples/bug-tileops-1263.tide",
        shows: &["expect deadlock ptx.mbarrier.never-completes"],
    },
    Observation {
        id: "tlx.O2",
        title: "Ahead of a phase that is one bit",
        statement: "A wait is said to last until the phase has moved ahead of its argument. Phases are one bit, and the pseudo-code compares for equality alone: a wait for 1 on a fresh barrier returns at once, although nothing has moved. The pseudo-code counts; producers rely on it.",
        document: TLX,
        section: "Memory Barriers; Barrier APIs",
        concerns: &["ptx.mbarrier.first-parity"],
        scenario: "examples/tlx-producer-consumer.tide",
        shows: &["expect ok ptx.mbarrier.first-parity"],
    },
    Observation {
        id: "tlx.O3",
        title: "The phase flips with the stages, not with the consumers",
        statement: "In WS-GEMM the phase is said to flip every two iterations, \"number of consumers\". With two consumers and eight stages it flips every eight: the ring decides, and the two of the example are its stages.",
        document: TLX,
        section: "WS-GEMM",
        concerns: &[],
        scenario: "examples/ws-gemm-8-stages.tide",
        shows: &["expect ok"],
    },
    Observation {
        id: "tlx.O4",
        title: "Barriers are allocated by two names",
        statement: "The heading of the interface says `alloc_barrier`, the table below it `alloc_barriers`. Both are read.",
        document: TLX,
        section: "Barrier APIs",
        concerns: &[],
        scenario: "tests/conformance/observations/one-barrier-of-two-names.tide",
        shows: &["expect ok"],
    },
    Observation {
        id: "sass.O1",
        title: "Where the phase stands in the word",
        statement: "The document takes bit 0 for the parity, with a question mark. The check of a phase reads bit 31 of a register that holds the upper half of a token, which is bit 63 of the word. What bit 0 says is not known. Compiled code computes the pending count of a token as 0x100000 minus its bits 43 to 62, so these hold the pending count, negated: evidence for the layout `high-pending`, and no measurement of the word in memory.",
        document: SASS,
        section: "MBarrier Initialization; Wait/Phase Check",
        concerns: &["ptx.mbarrier.first-parity"],
        scenario: "tests/conformance/observations/phase-of-a-register.tide",
        shows: &["expect ok ptx.mbarrier.first-parity"],
    },
    Observation {
        id: "ptx.O1",
        title: "Arriving before anybody looked",
        statement: "The text wants a wait between two phases; hardware counts on. Two arrives in a row are forbidden by the letter, and on the machine the wait behind them only comes too late.",
        document: PTX,
        section: "Phase Completion of the mbarrier object",
        concerns: &["ptx.mbarrier.missing-wait", "ptx.missing-wait"],
        scenario: "examples/tlx-misuse-arrive-twice.tide",
        shows: &["expect ambiguous ptx.missing-wait", "expect machine deadlock"],
    },
    Observation {
        id: "ptx.O2",
        title: "Bytes that are expected late",
        statement: "Arrivals and completed bytes end a phase, expected ones do not. Where an expect_tx is what brings the tx-count to zero, nothing ends the phase by the letter; the machine ends it.",
        document: PTX,
        section: "expect-tx operation",
        concerns: &["ptx.mbarrier.late-expect-tx", "ptx.late-expect"],
        scenario: "tests/conformance/ptx-forms/bytes-expected-late.tide",
        shows: &["expect ambiguous ptx.late-expect", "expect machine ok"],
    },
    Observation {
        id: "ptx.O3",
        title: "Dropping the last expected arrival",
        statement: "Whether later phases may expect nobody was not said before PTX ISA 9.4, which makes it undefined.",
        document: PTX,
        section: "mbarrier.arrive_drop",
        concerns: &["ptx.mbarrier.drop-to-zero", "ptx.version"],
        scenario: "tests/conformance/ptx/breaks-mbarrier-drop-to-zero.tide",
        shows: &["expect ambiguous ptx.version"],
    },
    Observation {
        id: "ptx.O4",
        title: "One barrier, two places in the text",
        statement: "An aligned barrier is executed by all threads of a warp together. Whether warps may meet at different instructions of the text is not said.",
        document: PTX,
        section: "bar, barrier",
        concerns: &["ptx.bar.aligned-site", "ptx.aligned-site"],
        scenario: "tests/conformance/ptx/breaks-bar-aligned-site.tide",
        shows: &["expect ambiguous ptx.aligned-site"],
    },
];
