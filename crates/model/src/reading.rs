//! Readings: where a text admits two meanings, each is a named choice.

/// A question that the documents leave open.
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

/// One answer to the question of a reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Its name in `reading ID=NAME` and in reports.
    pub name: &'static str,
    /// What it means, in a sentence.
    pub meaning: &'static str,
}

/// A question, the passages that are at odds, and the possible answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Which.
    pub id: ReadingId,
    /// Its permanent name.
    pub name: &'static str,
    /// The question.
    pub question: &'static str,
    /// Which passages of the document are at odds.
    pub passages: &'static str,
    /// The answers; the first is the default.
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
        passages: "By the letter the drop completes the barrier: it makes the counts equal. The expected count is called positive, and no agent arrived.",
        choices: [
            choice("no-completion", "Nothing arrived, so nothing completes."),
            choice("completion", "The counts are equal, so a phase completes."),
        ],
    },
    Reading {
        id: ReadingId::AmdA3,
        name: "amd.A3",
        question: "Does the end of a wave drop the workgroup barrier, and of a workgroup the cluster barrier?",
        passages: "The tables drop either only if it had been joined, which neither allows.",
        choices: [
            choice("always", "Each does, joined or not."),
            choice("only-if-joined", "Only if it was joined: neither ever is dropped."),
        ],
    },
    Reading {
        id: ReadingId::AmdA4,
        name: "amd.A4",
        question: "When is the cluster barrier dropped?",
        passages: "The table says when a thread ends, but the expected count counts workgroups.",
        choices: [
            choice("end-of-workgroup", "When the last wave of a workgroup ends."),
            choice("end-of-wave", "When any wave ends."),
        ],
    },
    Reading {
        id: ReadingId::AmdA6,
        name: "amd.A6",
        question: "What is a wait while the NULL barrier is joined?",
        passages: "The table calls it a no-op; Join and Wait Ordering asks every named wait for a participant.",
        choices: [
            choice("no-op", "It returns at once."),
            choice("undefined", "Nothing participates in it, so it is undefined."),
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
        question: "What is a second arrival of one workgroup on the cluster barrier in one phase?",
        passages: "The table allows one wave per workgroup to arrive and states no consequence.",
        choices: [
            choice("violation", "It breaks the table's rule."),
            choice("counts", "It counts as another arrival."),
        ],
    },
    Reading {
        id: ReadingId::AmdA10,
        name: "amd.A10",
        question: "Does a drop before the first arrive of a phase belong to the phase?",
        passages: "Barrier-participates-in fixes where a phase ends but not where, among leading drops, it begins.",
        choices: [
            choice("in-phase", "Every leading drop is in the phase."),
            choice("outside", "A phase begins with its first arrive."),
        ],
    },
    Reading {
        id: ReadingId::AmdA14,
        name: "amd.A14",
        question: "May s_barrier_signal_isfirst name the cluster barrier?",
        passages: "The table lists it; LLVM rejects it since 2026-08.",
        choices: [
            choice("allowed", "The table's row holds."),
            choice("unsupported", "The instruction does not take ID -3."),
        ],
    },
    Reading {
        id: ReadingId::AmdA15,
        name: "amd.A15",
        question: "What is s_barrier_leave with nothing joined?",
        passages: "Join and Drop Ordering makes it undefined; the table drops only if something was joined.",
        choices: [
            choice("undefined", "A drop without a join before it is undefined."),
            choice("no-effect", "Without a join before it, nothing happens."),
        ],
    },
    Reading {
        id: ReadingId::AmdA17,
        name: "amd.A17",
        question: "What is a wait or a join on an object that is not initialised?",
        passages: "The relations only speak of modifications; the informational note forbids any operation.",
        choices: [
            choice("blocked", "The wait is blocked, the join is allowed."),
            choice("undefined", "Any operation on it is undefined."),
        ],
    },
    Reading {
        id: ReadingId::AmdA18,
        name: "amd.A18",
        question: "How many bits of m0 does s_barrier_init take as the count?",
        passages: "The GFX12 table takes the upper half of m0 for init and bits 22 to 16 for arrive.",
        choices: [
            choice("seven", "Bits 22 to 16, which is what hardware has."),
            choice("sixteen", "The upper half, bits 31 to 16."),
        ],
    },
    Reading {
        id: ReadingId::AsyncV1V2,
        name: "async.v1-v2",
        question: "What does a completed asynchronous copy happen before?",
        passages: "Revision v1 orders a copy only against overlapping accesses of its own thread, once it is completed; v2 orders it before the wait that completes it.",
        choices: [
            choice(
                "v2",
                "Whatever starts a copy is before it, and the copy before the wait that completes it.",
            ),
            choice(
                "v1",
                "A completed copy is before later overlapping operations of its own thread, and nothing else.",
            ),
        ],
    },
    Reading {
        id: ReadingId::PtxVersion,
        name: "ptx.version",
        question: "May mbarrier.arrive_drop lower the expected count to zero?",
        passages: "PTX 9.4 makes it undefined; PTX 9.1 says nothing against it.",
        choices: [
            choice("undefined", "By PTX 9.4 at least one arrival must stay expected."),
            choice("defined", "By PTX 9.1 the count may become zero."),
        ],
    },
    Reading {
        id: ReadingId::PtxMissingWait,
        name: "ptx.missing-wait",
        question: "May one arrive in a phase before a wait observed the phase before it?",
        passages: "PTX asks for a test_wait or try_wait that returned true in between; hardware counts without it.",
        choices: [
            choice("violation", "A wait must have observed the phase before."),
            choice("allowed", "Arrivals need no wait."),
        ],
    },
    Reading {
        id: ReadingId::PtxLateExpect,
        name: "ptx.late-expect",
        question: "Does an expect_tx that brings the tx-count to zero with nothing pending complete the phase?",
        passages: "PTX checks for completion on arrive and complete_tx; its condition for completion names the counts alone.",
        choices: [
            choice("stuck", "By the letter expect_tx checks nothing."),
            choice("completes", "The counts alone decide."),
        ],
    },
    Reading {
        id: ReadingId::PtxAlignedSite,
        name: "ptx.aligned-site",
        question: "May warps meet at different aligned barrier instructions?",
        passages: "PTX asks all threads of the warp for the same instruction; for barrier.aligned it also speaks of all threads of the CTA.",
        choices: [
            choice("allowed", "Only the threads of one warp must execute the same instruction."),
            choice("ub", "All warps must execute the same instruction."),
        ],
    },
    Reading {
        id: ReadingId::PtxExitCounted,
        name: "ptx.exit-counted",
        question: "Does a barrier with a count below the CTA's still wait for threads that ended?",
        passages: "PTX waits for the non-exited threads of a warp, and for the number of threads that is given; it does not say that an exit lowers that number.",
        choices: [
            choice("letter", "It waits for as many arrivals as it names, whichever threads ended."),
            choice("discounted", "It does not wait for threads that ended."),
        ],
    },
    Reading {
        id: ReadingId::OpenclOverSubscribed,
        name: "opencl.over-subscribed",
        question: "What if more sub-groups than the count of a named barrier come to wait for one phase?",
        passages: "The wait releases its sub-groups once as many wait as the count; which they are when more come is not said.",
        choices: [
            choice("any-grouping", "Those that come first meet; the others are in the next phase."),
            choice("violation", "No more sub-groups than the count may come."),
        ],
    },
];

impl ReadingId {
    /// Its row.
    #[must_use]
    pub fn get(self) -> &'static Reading {
        &READINGS[self as usize]
    }

    /// The reading of that name (`amd.A3`).
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        READINGS.iter().find(|reading| reading.name == name).map(|reading| reading.id)
    }

    /// The index of the choice of that name.
    #[must_use]
    pub fn choice(self, name: &str) -> Option<u8> {
        self.get().choices.iter().position(|choice| choice.name == name).map(|index| index as u8)
    }
}

/// One answer for each question; the defaults unless chosen otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Readings {
    chosen: [u8; READINGS.len()],
}

impl Readings {
    /// Chooses an answer.
    #[must_use]
    pub const fn with(mut self, id: ReadingId, choice: u8) -> Self {
        self.chosen[id as usize] = choice;
        self
    }

    /// The index of the chosen answer.
    #[must_use]
    pub const fn chosen(self, id: ReadingId) -> u8 {
        self.chosen[id as usize]
    }

    /// Whether the default answer is chosen.
    #[must_use]
    pub const fn is_default(self, id: ReadingId) -> bool {
        self.chosen(id) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_at_their_own_index() {
        for (index, reading) in READINGS.iter().enumerate() {
            assert_eq!(reading.id as usize, index);
            assert_eq!(ReadingId::from_name(reading.name), Some(reading.id));
            assert_eq!(reading.id.choice(reading.choices[1].name), Some(1));
        }
    }
}
