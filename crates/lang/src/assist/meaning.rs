//! Meanings of instructions and of the words of the language.

use crate::vocabulary::effect::Call;
use crate::vocabulary::nvidia::Kind;
use crate::vocabulary::opencl;
use crate::vocabulary::{Effect, llvm, ptx, sass, tlx};
use alloc::borrow::Cow;
use alloc::format;
use tidegate_model::ptx::action::{Bar, Patience};
use tidegate_model::reading::READINGS;
use tidegate_model::rule::RULES;
use tidegate_model::target::TargetId;
use tidegate_model::verdict::Verdict;

/// The meaning of a word, and its source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meaning {
    /// Its meaning, in one or two sentences.
    pub sentence: Cow<'static, str>,
    /// The document and section of the meaning; empty for words of the language.
    pub source: Cow<'static, str>,
}

impl Meaning {
    const fn new(sentence: &'static str, source: &'static str) -> Self {
        Self { sentence: Cow::Borrowed(sentence), source: Cow::Borrowed(source) }
    }
}

/// A name with modifiers that has a row of its own here, but not in the vocabulary.
pub(super) const EXPECTING: &str = "mbarrier.arrive.expect_tx";

const MODEL: &str = "amdgpu-execution-synchronization, Barrier Operations";
const NAMED: &str = "amdgpu-execution-synchronization, Named barriers";
const CODE: &str = "amdgpu-execution-synchronization, Code Sequences";
const ASYNC: &str = "amdgpu-async-operations";
const PTX: &str = "sass-syncs; PTX ISA, mbarrier";
const BAR: &str = "tlx-barriers; PTX ISA, bar and barrier";

/// The effect of an instruction, by its name.
pub(super) fn instruction(name: &str) -> Option<Meaning> {
    if let Some((_, row)) = crate::vocabulary::find(name) {
        return Some(effect(row.effect));
    }
    if let Some(row) = opencl::find(name) {
        return Some(effect(row.effect));
    }
    if let Some(intrinsic) = name.strip_prefix(llvm::PREFIX) {
        return llvm::find(intrinsic).map(|row| effect(row.effect));
    }
    if let Some(twin) = sass::twins().find(|twin| twin.sass == name) {
        let like = if twin.ptx.is_empty() { "".into() } else { format!(" As `{}`.", twin.ptx) };
        let sentence = Cow::Owned(format!("{}{like}", twin.meaning));
        return Some(Meaning { sentence, source: Cow::Borrowed("sass-syncs") });
    }
    if let Some(tlx) = tlx::find(name) {
        let mut meaning = effect(tlx.instruction.row.effect);
        if let Some((_, mlir, ptx)) = tlx::TWINS.iter().find(|(tlx, ..)| *tlx == name) {
            meaning.sentence = format!("{} MLIR: `{mlir}`; PTX: `{ptx}`.", meaning.sentence).into();
        }
        return Some(meaning);
    }
    if base(name) == EXPECTING {
        return Some(nvidia(Kind::ArriveExpect));
    }
    Some(effect(ptx::find(name).ok()?.0.row.effect))
}

/// The name of an operation without the modifiers of PTX that do not change its operands.
pub(super) fn base(name: &str) -> &str {
    match ptx::find(name) {
        Ok((row, _)) if row.name() == "mbarrier.arrive" && name.contains(".expect_tx") => EXPECTING,
        Ok((row, _)) => row.name(),
        Err(_) => name,
    }
}

fn effect(effect: Effect) -> Meaning {
    let (sentence, source) = match effect {
        Effect::Init => (
            "Initialises a barrier object: sets its expected count, and its arrive count to zero.",
            MODEL,
        ),
        Effect::Arrive | Effect::ArriveIfNotZero => (
            "Arrives: increments the arrive count. The last expected arrival completes the phase. An operand sets a new expected count.",
            MODEL,
        ),
        Effect::Compare => (
            "Compares a register of unknown value: both values of the condition code are tried.",
            "docs/language.md, Control",
        ),
        Effect::ArriveIsFirst => {
            ("Arrives, and returns whether this is the first arrival of the phase.", CODE)
        }
        Effect::Wait => (
            "Blocks until the phase that this wave arrived in completes, or else the current phase.",
            MODEL,
        ),
        Effect::Drop => (
            "Leaves the object permanently: decrements the expected count, which can complete the phase.",
            MODEL,
        ),
        Effect::Join => (
            "Joins a named barrier, so that the wave can wait on it. Replaces the previous join.",
            NAMED,
        ),
        Effect::Leave => ("Drops the named barrier that the wave joined last.", CODE),
        Effect::ReadState => ("Reads the state of a barrier. No rule concerns it.", CODE),
        Effect::ArriveAndWait => ("Arrives at the workgroup barrier and waits on it.", CODE),
        Effect::Fence => (
            "Orders memory: accesses before a release are visible after an acquire if a barrier synchronises the two and both scopes include both agents.",
            "LLVM, Memory Model AMDGPU",
        ),
        Effect::WaitCounters(_) => (
            "Waits until the counters of outstanding memory operations fall to the given values.",
            CODE,
        ),
        Effect::Caches => {
            ("Writes back or invalidates caches, as a fence on this processor requires.", CODE)
        }
        Effect::Load => ("Reads bytes of a declared memory.", "LLVM, Memory Model AMDGPU"),
        Effect::Store => ("Writes bytes of a declared memory.", "LLVM, Memory Model AMDGPU"),
        Effect::CopyTo | Effect::CopyFrom => {
            ("Starts an asynchronous copy, which is complete after a wait for its mark.", ASYNC)
        }
        Effect::Mark => ("Marks the copies started since the previous mark.", ASYNC),
        Effect::WaitMarks => {
            ("Waits until at most this number of the most recent marks is outstanding.", ASYNC)
        }
        Effect::SetM0 => {
            ("Sets the register m0: bits 4:0 name a barrier, bits 22:16 are a count.", CODE)
        }
        Effect::Jump(_) => ("Branches to a label.", ""),
        Effect::End => ("Ends the wave, which drops the barriers that it has joined.", CODE),
        Effect::Nvidia(kind) => return nvidia(kind),
        Effect::Opencl(call) => of_opencl(call),
    };
    Meaning::new(sentence, source)
}

fn of_opencl(call: Call) -> (&'static str, &'static str) {
    match call {
        Call::WorkGroupBarrier => (
            "Waits until every work-item of the work-group reaches this call in the same loop iteration. The flags select the memory that is ordered.",
            "opencl-cpp-synchronization, work_group_barrier",
        ),
        Call::SubGroupBarrier => (
            "Waits until every work-item of the sub-group reaches this call in the same loop iteration. The flags select the memory that is ordered.",
            "opencl-cpp-synchronization, sub_group_barrier",
        ),
        Call::Construct => (
            "Constructs a named barrier for this number of sub-groups. Every work-item of the work-group must execute it.",
            "opencl-cpp-synchronization, work_group_named_barrier",
        ),
        Call::Wait => (
            "Waits with the whole sub-group until the number of waiting sub-groups equals the count.",
            "opencl-cpp-synchronization, wait",
        ),
        Call::Arrive => (
            "Arrives at the split barrier of the work-group without waiting.",
            "cl_intel_split_work_group_barrier",
        ),
        Call::Await => (
            "Waits until every work-item of the work-group has arrived at the split barrier.",
            "cl_intel_split_work_group_barrier",
        ),
    }
}

fn nvidia(kind: Kind) -> Meaning {
    let (sentence, source) = match kind {
        Kind::Init | Kind::InitWord => (
            "Initialises an mbarrier object: the expected and pending counts are `count`, the tx-count and the phase are 0.",
            PTX,
        ),
        Kind::Inval => ("Invalidates an mbarrier object, so that its memory can be reused.", PTX),
        Kind::Arrive => (
            "Decrements the pending count by `count` (default 1). The phase completes when the pending count and the tx-count are both zero.",
            PTX,
        ),
        Kind::ArriveExpect => {
            ("Adds to the tx-count of the current phase, then arrives once.", PTX)
        }
        Kind::Expect => ("Adds to the tx-count of the current phase.", PTX),
        Kind::Complete => ("Subtracts from the tx-count of the current phase.", PTX),
        Kind::Wait(Patience::Test) | Kind::WaitWord(Patience::Test) => (
            "Tests whether a phase is complete: the phase of a token, or the previous phase if it has the given parity.",
            PTX,
        ),
        Kind::Wait(Patience::Try) | Kind::WaitWord(Patience::Try) => (
            "Tests as `test_wait` does, but waits for a limited time first. It may return false spuriously.",
            PTX,
        ),
        Kind::Wait(_) | Kind::WaitWord(_) => {
            ("Waits until a phase of the given parity is complete.", "tlx-barriers")
        }
        Kind::PendingCount => ("Reads the pending count from a token.", PTX),
        Kind::Copy => (
            "Starts a bulk copy. It completes its bytes at the mbarrier object, possibly in parts.",
            "PTX ISA, cp.async.bulk",
        ),
        Kind::StoreAsync => {
            ("Starts a write that completes its bytes at the mbarrier object.", "PTX ISA, st.async")
        }
        Kind::Tensor => (
            "Starts a tensor core operation, which reads shared memory until a wait for its group or its commit.",
            "PTX ISA, wgmma.mma_async, tcgen05.mma",
        ),
        Kind::CommitArrive => (
            "Arrives at the object when the earlier tensor core operations of the thread complete.",
            "tlx-barriers",
        ),
        Kind::CopyOfThread => (
            "Starts a copy of the thread. It is complete after a wait for its group or an arrive that waits for it.",
            "PTX ISA, cp.async",
        ),
        Kind::Commit { .. } => (
            "Commits the copies since the last group to a new group.",
            "PTX ISA, cp.async.commit_group",
        ),
        Kind::WaitGroup { .. } => (
            "Waits until at most this number of groups of the thread is incomplete.",
            "PTX ISA, cp.async.wait_group",
        ),
        Kind::WaitAll => ("Waits for all copies of the thread.", "PTX ISA, cp.async.wait_all"),
        Kind::Fence => (
            "Makes later relaxed operations a release, and earlier relaxed operations an acquire.",
            "PTX ISA, membar, fence",
        ),
        Kind::CopyArrive => (
            "Arrives at the object when the earlier copies of the thread complete.",
            "PTX ISA, cp.async.mbarrier.arrive",
        ),
        Kind::Bar(Bar::Arrive) => (
            "Arrives at a barrier of the CTA without waiting. The thread count is the number of participating threads.",
            BAR,
        ),
        Kind::Bar(Bar::Sync) => ("Arrives at a barrier of the CTA and waits for the others.", BAR),
        Kind::Bar(Bar::Red) => {
            ("Arrives at a barrier of the CTA, waits for the others, and reduces a predicate.", BAR)
        }
        Kind::WarpSync => ("Waits for the lanes of the mask.", BAR),
        Kind::ClusterArrive => {
            ("Arrives at the barrier of the cluster without waiting.", "PTX ISA, barrier.cluster")
        }
        Kind::ClusterWait => {
            ("Waits until all threads of the cluster have arrived.", "PTX ISA, barrier.cluster")
        }
        Kind::FenceInit => ("Makes the init of mbarrier objects visible in the cluster.", PTX),
        Kind::Access => ("Accesses the memory of an mbarrier object.", PTX),
        Kind::Move => ("Sets a register.", ""),
        Kind::Nothing | Kind::Unmodelled => ("Does not affect barriers.", ""),
    };
    Meaning::new(sentence, source)
}

/// The meaning of the identifier of a rule, a reading, a target or a verdict.
pub(super) fn name(name: &str) -> Option<Meaning> {
    let owned = |sentence: &str, source: alloc::string::String| Meaning {
        sentence: Cow::Owned(sentence.into()),
        source: Cow::Owned(source),
    };
    if let Some(rule) = RULES.iter().find(|rule| rule.id == name) {
        return Some(owned(rule.statement, format!("{}, {}", rule.document, rule.section)));
    }
    if let Some(reading) = READINGS.iter().find(|reading| reading.name == name) {
        return Some(owned(reading.question, reading.passages.into()));
    }
    if let Some(target) = TargetId::from_name(name) {
        return Some(owned(&format!("Target: {}.", target.get().family.word()), "".into()));
    }
    Some(Meaning::new(verdict(Verdict::from_word(name)?), ""))
}

fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Unsupported => "The target does not support an operation or object.",
        Verdict::Ub => "The specification makes the behaviour undefined.",
        Verdict::Violation => {
            "A stated requirement is violated; the specification states no consequence."
        }
        Verdict::Race => "Two conflicting accesses are unordered.",
        Verdict::Deadlock => "A wait never completes.",
        Verdict::Unknown => {
            "Not every execution could be judged: the search reached a limit, or something is not modelled."
        }
        Verdict::Ok => "Every execution is defined, and every wait completes.",
    }
}

/// Words of the language with their meanings.
pub(super) const WORDS: &[(&str, &str)] = &[
    ("title", "The title of the scenario."),
    ("note", "A description of the scenario, in Markdown."),
    ("lesson", "Hides the verdict on the page until the reader chooses one."),
    (
        "target",
        "The target: a processor, a compute capability, or `model` for the specification without a processor.",
    ),
    (
        "argument",
        "The value of a parameter of the kernel: `argument n=16`, or `argument 2=16` by position from 0.",
    ),
    ("entry", "The kernel to judge, if the text has several: `entry NAME`."),
    (
        "launch",
        "The number of agents: `clusters`, `workgroups`, `waves` per workgroup, `lanes` per wave.",
    ),
    ("reading", "Selects the reading of an ambiguous rule: `reading ID=OPTION`."),
    ("barrier", "Declares a barrier object; `= named(ID)` makes it a named barrier."),
    ("mbarrier", "Declares an mbarrier object, or an array of them."),
    ("lds", "Declares memory that a workgroup shares, in bytes."),
    ("shared", "Declares memory that a workgroup shares, in bytes."),
    ("local", "Declares memory that a workgroup shares, in bytes."),
    ("global", "Declares memory that all agents share, in bytes."),
    (
        "image",
        "Declares an image that all agents share, in bytes. OpenCL orders images separately.",
    ),
    ("const", "Names a number."),
    ("wave", "The body of one wave, a range of waves, or all waves (`*`)."),
    ("warp", "The body of one warp, a range of warps, or all warps (`*`)."),
    ("subgroup", "The body of one sub-group, a range of sub-groups, or all sub-groups (`*`)."),
    ("workgroup", "The workgroup of the wave that executes the body."),
    ("cta", "The workgroup of the warp that executes the body."),
    ("group", "The workgroup of the wave that executes the body."),
    ("kernel", "The body of every agent."),
    ("func", "Declares a function, which has its own sequence of async marks."),
    (
        "expect",
        "The expected verdict: `expect [TARGETS:] VERDICT [RULE …]`. `tidegate test` checks it.",
    ),
    ("let", "Declares a variable."),
    ("if", "Executes one of two blocks."),
    ("else", "The block for a zero condition."),
    ("for", "Repeats with a counter: `for i in A..B`, B not included."),
    ("repeat", "Repeats this number of times."),
    ("while", "Repeats while the condition is not zero."),
    ("loop", "Repeats until a `break`."),
    (
        "do",
        "Repeats while the condition at the end holds, at least once: `do { … } while (CONDITION)`.",
    ),
    ("break", "Leaves the innermost loop."),
    ("continue", "Continues with the next iteration of the innermost loop."),
    ("choose", "Executes any one of the blocks; every choice is explored."),
    ("or", "Another block of a `choose`."),
    ("exit", "Ends the agent."),
    ("return", "Returns from the function; in the body of an agent, ends the agent."),
    ("call", "Calls a function, or an intrinsic of LLVM."),
    ("wg", "The workgroup barrier, ID -1. It exists from launch."),
    ("cluster", "The cluster barrier, ID -3. It exists from launch."),
    ("null", "The NULL barrier, ID 0. Joining it undoes the previous join."),
    ("machine", "The hardware model (public, not measured), a second oracle."),
    ("ambiguous", "The verdict depends on the given reading."),
    (
        "participates-in",
        "Whether an execution has one barrier-participates-in relation (`unique`) or several (`multiple`).",
    ),
    ("schedules", "Whether a deadlock occurs in `all` schedules or in `some`."),
    ("compiler", "The measured behaviour of LLVM."),
];

/// The meaning of a word of the language.
pub(super) fn word(word: &str) -> Option<Meaning> {
    WORDS.iter().find(|(known, _)| *known == word).map(|&(_, says)| Meaning::new(says, ""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::{KEYWORDS, top_level};
    use crate::vocabulary::{names, ptx, tlx};

    #[test]
    fn every_word_of_the_language_has_a_meaning() {
        for name in top_level().chain(KEYWORDS).chain(["expect", "wg", "cluster", "null"]) {
            assert!(word(name).is_some(), "{name}");
        }
    }

    #[test]
    fn every_instruction_has_a_meaning() {
        let ptx = ptx::ROWS.iter().map(|row| row.row.name);
        let tlx = tlx::ROWS.iter().map(|row| row.instruction.row.name);
        let sass = sass::twins().map(|twin| twin.sass);
        for name in names().chain(ptx).chain(tlx).chain(sass) {
            assert!(instruction(name).is_some(), "{name}");
        }
        assert!(instruction("llvm.amdgcn.s.barrier.signal.var").is_some());
        assert_eq!(instruction("llvm.amdgcn.s.barriers"), None);
    }

    #[test]
    fn operations_of_tlx_name_their_instructions() {
        let reference = include_str!("../../../../docs/language.md");
        for (tlx, mlir, ptx) in tlx::TWINS {
            let line = format!("| `{tlx}` | `{mlir}` | `{ptx}` |");
            assert!(reference.contains(&line), "docs/language.md has no {line}");
            if !tlx::ALLOCATIONS.contains(&tlx) {
                let meaning = instruction(tlx).unwrap();
                assert!(meaning.sentence.contains(mlir) && meaning.sentence.contains(ptx), "{tlx}");
            }
        }
    }

    #[test]
    fn identifiers_have_the_statement_of_their_tables() {
        assert!(
            name("amd.join.before-wait")
                .is_some_and(|found| found.source.contains("Join and Wait Ordering"))
        );
        assert!(name("amd.A6").is_some() && name("gfx1250").is_some() && name("ub").is_some());
        assert_eq!(name("amd"), None);
    }
}
