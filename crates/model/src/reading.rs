//! Readings: named choices where a specification admits two meanings.

/// A question that the specifications leave open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)] // each is the question of that id in `READINGS`
pub enum ReadingId {
    AmdA1,
    AmdA2,
    AmdA3,
    AmdA4,
    AmdA6,
    AmdA7,
    AmdA8,
    AmdA10,
    AmdA14,
    AmdA15,
    AmdA17,
    AmdA18,
    AsyncV1V2,
    PtxVersion,
    PtxMissingWait,
    PtxLateExpect,
    PtxAlignedSite,
    PtxExitCounted,
    OpenclOverSubscribed,
}

/// One choice of a reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Its name in `reading ID=NAME` and in reports.
    pub name: &'static str,
    /// Its meaning, in one sentence.
    pub meaning: &'static str,
}

/// A question, the passages that disagree, and the possible choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Its identifier.
    pub id: ReadingId,
    /// Its permanent name.
    pub name: &'static str,
    /// The question.
    pub question: &'static str,
    /// The passages of the document that disagree.
    pub passages: &'static str,
    /// The choices; the first is the default.
    pub choices: [Choice; 2],
}

const fn choice(name: &'static str, meaning: &'static str) -> Choice {
    Choice { name, meaning }
}

/// Every reading, in the order of [`ReadingId`].
pub static READINGS: [Reading; 19] = [
    Reading {
        id: ReadingId::AmdA1,
        name: "amd.A1",
        question: "May an arrive set the expected count to exactly the arrive count?",
        passages: "Barrier Operations forbids less than or equal; the GFX12 table allows equal.",
        choices: [
            choice("undefined", "The new expected count must be greater than the arrive count."),
            choice("allowed", "The new expected count may equal the arrive count."),
        ],
    },
    Reading {
        id: ReadingId::AmdA2,
        name: "amd.A2",
        question: "Does a drop to expected count 0 with arrive count 0 complete a phase?",
        passages: "Literally, the drop completes the barrier because it makes the counts equal. The document calls the expected count positive, and no agent arrived.",
        choices: [
            choice("no-completion", "No agent arrived, so no phase completes."),
            choice("completion", "The counts are equal, so a phase completes."),
        ],
    },
    Reading {
        id: ReadingId::AmdA3,
        name: "amd.A3",
        question: "Does the end of a wave drop the workgroup barrier, and the end of a workgroup the cluster barrier?",
        passages: "The tables drop these barriers only if they were joined, but neither barrier can be joined.",
        choices: [
            choice("always", "The end drops the barrier, joined or not."),
            choice(
                "only-if-joined",
                "The end drops only joined barriers, so it never drops these.",
            ),
        ],
    },
    Reading {
        id: ReadingId::AmdA4,
        name: "amd.A4",
        question: "When is the cluster barrier dropped?",
        passages: "The table says that it is dropped when a thread ends, but the expected count counts workgroups.",
        choices: [
            choice("end-of-workgroup", "It is dropped when the last wave of a workgroup ends."),
            choice("end-of-wave", "It is dropped when any wave ends."),
        ],
    },
    Reading {
        id: ReadingId::AmdA6,
        name: "amd.A6",
        question: "What does a wait do while the NULL barrier is joined?",
        passages: "The table calls it a no-op; Join and Wait Ordering requires a participant for every named wait.",
        choices: [
            choice("no-op", "It returns at once."),
            choice("undefined", "No operation participates in it, so it is undefined."),
        ],
    },
    Reading {
        id: ReadingId::AmdA7,
        name: "amd.A7",
        question: "Which object does a named wait act on?",
        passages: "The table says the object joined last; the model says the object it is performed on.",
        choices: [
            choice("joined-last", "The named barrier object joined last, whatever the operand."),
            choice("operand", "The object that the operand names."),
        ],
    },
    Reading {
        id: ReadingId::AmdA8,
        name: "amd.A8",
        question: "What is the effect of a second arrival of one workgroup at the cluster barrier in one phase?",
        passages: "The table allows one wave per workgroup to arrive and states no consequence for a second one.",
        choices: [
            choice("violation", "It breaks the table's rule."),
            choice("counts", "It counts as another arrival."),
        ],
    },
    Reading {
        id: ReadingId::AmdA10,
        name: "amd.A10",
        question: "Does a drop before the first arrive of a phase belong to the phase?",
        passages: "Barrier-participates-in defines where a phase ends, but not where it begins among leading drops.",
        choices: [
            choice("in-phase", "Every leading drop is in the phase."),
            choice("outside", "A phase begins with its first arrive."),
        ],
    },
    Reading {
        id: ReadingId::AmdA14,
        name: "amd.A14",
        question: "May s_barrier_signal_isfirst name the cluster barrier?",
        passages: "The table lists it; LLVM has rejected it since 2026-08.",
        choices: [
            choice("allowed", "The row of the table applies."),
            choice("unsupported", "The instruction does not take ID -3."),
        ],
    },
    Reading {
        id: ReadingId::AmdA15,
        name: "amd.A15",
        question: "What does s_barrier_leave do with nothing joined?",
        passages: "Join and Drop Ordering makes it undefined; the table drops a barrier only if one was joined.",
        choices: [
            choice("undefined", "A drop without a join before it is undefined."),
            choice("no-effect", "A leave without a join before it has no effect."),
        ],
    },
    Reading {
        id: ReadingId::AmdA17,
        name: "amd.A17",
        question: "What does a wait or a join on an uninitialised object do?",
        passages: "The relations constrain only modifications; the informational note forbids any operation.",
        choices: [
            choice("blocked", "The wait blocks; the join is allowed."),
            choice("undefined", "Any operation on an uninitialised object is undefined."),
        ],
    },
    Reading {
        id: ReadingId::AmdA18,
        name: "amd.A18",
        question: "How many bits of m0 does s_barrier_init use as the count?",
        passages: "The GFX12 table uses the upper half of m0 for init and bits 22 to 16 for arrive.",
        choices: [
            choice("seven", "Bits 22 to 16, as on hardware."),
            choice("sixteen", "The upper half, bits 31 to 16."),
        ],
    },
    Reading {
        id: ReadingId::AsyncV1V2,
        name: "async.v1-v2",
        question: "Which operations does a completed asynchronous copy happen before?",
        passages: "Revision v1 orders a completed copy only before overlapping accesses of its own thread; v2 orders it before the wait that completes it.",
        choices: [
            choice(
                "v2",
                "The operation that starts a copy is before the copy, and the copy is before the wait that completes it.",
            ),
            choice(
                "v1",
                "A completed copy is only before later overlapping operations of its own thread.",
            ),
        ],
    },
    Reading {
        id: ReadingId::PtxVersion,
        name: "ptx.version",
        question: "May mbarrier.arrive_drop lower the expected count to zero?",
        passages: "PTX 9.4 makes it undefined; PTX 9.1 does not forbid it.",
        choices: [
            choice("undefined", "As in PTX 9.4, the expected count must remain at least 1."),
            choice("defined", "As in PTX 9.1, the count may become zero."),
        ],
    },
    Reading {
        id: ReadingId::PtxMissingWait,
        name: "ptx.missing-wait",
        question: "May an agent arrive in a phase before a wait has observed the previous phase?",
        passages: "PTX requires a test_wait or try_wait that returned true in between; hardware counts without one.",
        choices: [
            choice("violation", "A wait must have observed the completion of the previous phase."),
            choice("allowed", "An arrive needs no wait before it."),
        ],
    },
    Reading {
        id: ReadingId::PtxLateExpect,
        name: "ptx.late-expect",
        question: "Does an expect_tx complete the phase if it makes the tx-count zero while no arrival is pending?",
        passages: "PTX checks for completion on arrive and complete_tx; its condition for completion names only the counts.",
        choices: [
            choice("stuck", "As written, expect_tx does not check for completion."),
            choice("completes", "Only the counts decide."),
        ],
    },
    Reading {
        id: ReadingId::PtxAlignedSite,
        name: "ptx.aligned-site",
        question: "May warps synchronise at different aligned barrier instructions?",
        passages: "PTX requires the same instruction for all threads of the warp; for barrier.aligned it also mentions all threads of the CTA.",
        choices: [
            choice("allowed", "Only the threads of one warp must execute the same instruction."),
            choice("ub", "All warps must execute the same instruction."),
        ],
    },
    Reading {
        id: ReadingId::PtxExitCounted,
        name: "ptx.exit-counted",
        question: "Does a barrier with an explicit count below the size of the CTA still wait for exited threads?",
        passages: "PTX waits for the non-exited threads of a warp, and for the given number of threads; it does not say that an exit lowers that number.",
        choices: [
            choice(
                "letter",
                "It waits for as many arrivals as its count, whichever threads have exited.",
            ),
            choice("discounted", "It does not wait for exited threads."),
        ],
    },
    Reading {
        id: ReadingId::OpenclOverSubscribed,
        name: "opencl.over-subscribed",
        question: "What happens if more sub-groups than the count of a named barrier wait for one phase?",
        passages: "The wait releases its sub-groups once as many wait as the count; the specification does not say which ones if more wait.",
        choices: [
            choice("any-grouping", "The first ones synchronise; the others are in the next phase."),
            choice("violation", "No more sub-groups than the count may wait."),
        ],
    },
];

impl ReadingId {
    /// Its row.
    #[must_use]
    pub fn get(self) -> &'static Reading {
        &READINGS[self as usize]
    }

    /// The reading with this name (`amd.A3`).
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        READINGS.iter().find(|reading| reading.name == name).map(|reading| reading.id)
    }

    /// The index of the choice with this name.
    #[must_use]
    pub fn choice(self, name: &str) -> Option<u8> {
        self.get().choices.iter().position(|choice| choice.name == name).map(|index| index as u8)
    }
}

/// One choice for each reading; the defaults unless set otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Readings {
    chosen: [u8; READINGS.len()],
}

impl Readings {
    /// Sets the choice of a reading.
    #[must_use]
    pub const fn with(mut self, id: ReadingId, choice: u8) -> Self {
        self.chosen[id as usize] = choice;
        self
    }

    /// The index of the current choice.
    #[must_use]
    pub const fn chosen(self, id: ReadingId) -> u8 {
        self.chosen[id as usize]
    }

    /// Whether the default choice is set.
    #[must_use]
    pub const fn is_default(self, id: ReadingId) -> bool {
        self.chosen(id) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_in_the_order_of_their_ids() {
        for (index, reading) in READINGS.iter().enumerate() {
            assert_eq!(reading.id as usize, index);
            assert_eq!(ReadingId::from_name(reading.name), Some(reading.id));
            assert_eq!(reading.id.choice(reading.choices[1].name), Some(1));
        }
    }
}
