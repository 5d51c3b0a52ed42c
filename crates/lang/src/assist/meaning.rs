//! Meanings: of what instructions do, and of the words of the language.

use super::Meaning;
use crate::vocabulary::nvidia::Kind;
use crate::vocabulary::opencl::{self, Call};
use crate::vocabulary::{Effect, llvm, ptx, sass, tlx};
use alloc::borrow::Cow;
use alloc::format;
use tidegate_model::ptx::action::{Bar, Patience};
use tidegate_model::reading::READINGS;
use tidegate_model::rule::RULES;
use tidegate_model::target::TargetId;
use tidegate_model::verdict::Verdict;

const MODEL: &str = "amdgpu-execution-synchronization, Barrier Operations";
const NAMED: &str = "amdgpu-execution-synchronization, Named barriers";
const CODE: &str = "amdgpu-execution-synchronization, Code Sequences";
const ASYNC: &str = "amdgpu-async-operations";
const PTX: &str = "sass-syncs; PTX ISA, mbarrier";
const BAR: &str = "tlx-barriers; PTX ISA, bar and barrier";

/// What an instruction does, by its name.
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
    Some(effect(ptx::find(name).ok()?.0.row.effect))
}

fn effect(effect: Effect) -> Meaning {
    let (sentence, source) = match effect {
        Effect::Init => (
            "Initialises a barrier object: nobody has arrived, and so many arrivals are expected.",
            MODEL,
        ),
        Effect::Arrive | Effect::ArriveIfNotZero => (
            "Arrives: one more of the expected arrivals has come. The last one completes the phase. A new expected count may be given.",
            MODEL,
        ),
        Effect::Compare => (
            "Compares a register of which nothing is known here: the condition code may be either, and both are tried.",
            "docs/language.md, Control",
        ),
        Effect::ArriveIsFirst => ("Arrives, and says whether it was the first of its phase.", CODE),
        Effect::Wait => (
            "Waits until the phase is complete that the wave takes part in, or the running one.",
            MODEL,
        ),
        Effect::Drop => (
            "Leaves the object for good: one arrival less is expected, which can complete the phase.",
            MODEL,
        ),
        Effect::Join => (
            "Joins a named barrier, so that the wave can wait on it; what was joined before is left.",
            NAMED,
        ),
        Effect::Leave => ("Drops the named barrier that was joined last.", CODE),
        Effect::ReadState => ("Reads the state of a barrier. No rule speaks of it.", CODE),
        Effect::ArriveAndWait => ("Arrives at the workgroup barrier and waits on it.", CODE),
        Effect::Fence => (
            "Orders memory: what is before a release is seen behind an acquire, if a barrier leads from one to the other and both reach far enough.",
            "LLVM, Memory Model AMDGPU",
        ),
        Effect::WaitCounters(_) => {
            ("Waits until counters of outstanding memory operations are low enough.", CODE)
        }
        Effect::Caches => {
            ("Writes caches back or invalidates them, as a fence on this processor needs.", CODE)
        }
        Effect::Load => ("Reads bytes of a declared memory.", "LLVM, Memory Model AMDGPU"),
        Effect::Store => ("Writes bytes of a declared memory.", "LLVM, Memory Model AMDGPU"),
        Effect::CopyTo | Effect::CopyFrom => (
            "Starts an asynchronous copy, which goes on by itself until a wait for its mark.",
            ASYNC,
        ),
        Effect::Mark => ("Marks the copies that were started since the mark before.", ASYNC),
        Effect::WaitMarks => {
            ("Waits until at most so many of the youngest marks are outstanding.", ASYNC)
        }
        Effect::SetM0 => {
            ("Sets the register m0: bits 4:0 name a barrier, bits 22:16 are a count.", CODE)
        }
        Effect::Jump(_) => ("Goes on at a label.", ""),
        Effect::End => ("The wave ends, and drops what it has joined.", CODE),
        Effect::Nvidia(kind) => return nvidia(kind),
        Effect::Opencl(call) => of_opencl(call),
    };
    Meaning::new(sentence, source)
}

fn of_opencl(call: Call) -> (&'static str, &'static str) {
    match call {
        Call::WorkGroupBarrier => (
            "Waits until every work-item of the work-group has come here, in the same round; the flags say which memory is ordered.",
            "opencl-cpp-synchronization, work_group_barrier",
        ),
        Call::SubGroupBarrier => (
            "Waits until every work-item of the sub-group has come here, in the same round; the flags say which memory is ordered.",
            "opencl-cpp-synchronization, sub_group_barrier",
        ),
        Call::Construct => (
            "Constructs a named barrier for so many sub-groups; every work-item of the work-group comes by.",
            "opencl-cpp-synchronization, work_group_named_barrier",
        ),
        Call::Wait => (
            "Waits with the whole sub-group until as many sub-groups as the count wait here.",
            "opencl-cpp-synchronization, wait",
        ),
        Call::Arrive => (
            "Arrives at the split barrier of the work-group and goes on.",
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
            "Makes an mbarrier object: its count of expected arrivals, nothing pending but those, phase 0.",
            PTX,
        ),
        Kind::Inval => ("Ends an mbarrier object; its memory can be used for something else.", PTX),
        Kind::Arrive => (
            "Arrives: one pending arrival less, or as many as the count says. Where nothing is pending, arrivals and bytes, the phase completes.",
            PTX,
        ),
        Kind::ArriveExpect => ("Expects so many bytes more, then arrives once.", PTX),
        Kind::Expect => ("Expects so many bytes more in the running phase.", PTX),
        Kind::Complete => ("Completes so many bytes of the running phase.", PTX),
        Kind::Wait(Patience::Test) | Kind::WaitWord(Patience::Test) => (
            "Says at once whether a phase is complete: the one of a token, or the one before the running phase if that has the given parity.",
            PTX,
        ),
        Kind::Wait(Patience::Try) | Kind::WaitWord(Patience::Try) => {
            ("The same as a test, after waiting for some time. It may fail for no reason.", PTX)
        }
        Kind::Wait(_) | Kind::WaitWord(_) => {
            ("Waits until a phase of the given parity is complete.", "tlx-barriers")
        }
        Kind::PendingCount => ("Reads the pending count that a token holds.", PTX),
        Kind::Copy => (
            "Starts a bulk copy. Its bytes complete at the mbarrier object, possibly in parts.",
            "PTX ISA, cp.async.bulk",
        ),
        Kind::StoreAsync => {
            ("Starts a write whose bytes complete at the mbarrier object.", "PTX ISA, st.async")
        }
        Kind::Tensor => (
            "Starts an operation of tensor cores, which reads shared memory until its group or its commit is waited for.",
            "PTX ISA, wgmma.mma_async, tcgen05.mma",
        ),
        Kind::CommitArrive => (
            "Arrives at the object once the operations of tensor cores are done that the thread started before.",
            "tlx-barriers",
        ),
        Kind::CopyOfThread => (
            "Starts a copy of the thread, complete behind a wait for its group or an arrive that waits for it.",
            "PTX ISA, cp.async",
        ),
        Kind::Commit { .. } => {
            ("Makes a group of the copies since the last one.", "PTX ISA, cp.async.commit_group")
        }
        Kind::WaitGroup { .. } => (
            "Waits until at most so many groups of the thread are incomplete.",
            "PTX ISA, cp.async.wait_group",
        ),
        Kind::WaitAll => ("Waits for all copies of the thread.", "PTX ISA, cp.async.wait_all"),
        Kind::Fence => (
            "Makes relaxed operations behind it a release, and relaxed ones before it an acquire.",
            "PTX ISA, membar, fence",
        ),
        Kind::CopyArrive => (
            "Arrives at the object once the copies are done that the thread started before.",
            "PTX ISA, cp.async.mbarrier.arrive",
        ),
        Kind::Bar(Bar::Arrive) => (
            "Arrives at a barrier of the CTA and goes on; the thread count says how many take part.",
            BAR,
        ),
        Kind::Bar(Bar::Sync) => ("Arrives at a barrier of the CTA and waits for the others.", BAR),
        Kind::Bar(Bar::Red) => {
            ("Arrives at a barrier of the CTA, waits for the others, and reduces a predicate.", BAR)
        }
        Kind::WarpSync => ("Waits for the lanes of the mask.", BAR),
        Kind::ClusterArrive => {
            ("Arrives at the barrier of the cluster and goes on.", "PTX ISA, barrier.cluster")
        }
        Kind::ClusterWait => {
            ("Waits until all threads of the cluster have arrived.", "PTX ISA, barrier.cluster")
        }
        Kind::FenceInit => ("Makes the init of mbarrier objects visible in the cluster.", PTX),
        Kind::Access => ("Accesses the memory of an mbarrier object.", PTX),
        Kind::Move => ("Sets a register.", ""),
        Kind::Nothing | Kind::Unmodelled => ("Nothing that a barrier sees.", ""),
    };
    Meaning::new(sentence, source)
}

/// What an identifier of a rule, a reading, a target or a verdict means.
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
        Verdict::Unsupported => "The target has no such operation or object.",
        Verdict::Ub => "The text calls it undefined.",
        Verdict::Violation => "Something that must be is not, and the text states no consequence.",
        Verdict::Race => "Two accesses conflict, and nothing orders them.",
        Verdict::Deadlock => "A wait never completes.",
        Verdict::Unknown => "A bound was hit before everything was seen.",
        Verdict::Ok => "Every execution is defined and comes to its end.",
    }
}

/// Words of the language, each with what it means.
pub(super) const WORDS: &[(&str, &str)] = &[
    ("title", "What the scenario is called."),
    ("note", "Prose beside the scenario, as Markdown."),
    ("lesson", "The page hides the verdict until the reader has chosen one."),
    (
        "target",
        "What it is judged on: a processor, `model` for the text alone, or a compute capability.",
    ),
    (
        "launch",
        "How many agents there are: `clusters`, `workgroups`, `waves` in each workgroup, `lanes` in each wave.",
    ),
    (
        "reading",
        "Chooses an answer to a question that a document leaves open: `reading ID=OPTION`.",
    ),
    ("barrier", "Declares a barrier object; `= named(ID)` makes it a named barrier."),
    ("mbarrier", "Declares an mbarrier object, or an array of them."),
    ("lds", "Declares memory that a workgroup shares, in bytes."),
    ("shared", "Declares memory that a workgroup shares, in bytes."),
    ("local", "Declares memory that a workgroup shares, in bytes."),
    ("global", "Declares memory that everybody shares, in bytes."),
    ("image", "Declares an image that everybody shares, in bytes; OpenCL orders images apart."),
    ("const", "Names a number."),
    ("wave", "The body of waves: of one, of a range, or of all (`*`)."),
    ("warp", "The body of warps: of one, of a range, or of all (`*`)."),
    ("subgroup", "The body of sub-groups: of one, of a range, or of all (`*`)."),
    ("workgroup", "Which workgroup the body of a wave is for."),
    ("cta", "Which workgroup the body of a warp is for."),
    ("group", "Which workgroup the body of a wave is for."),
    ("kernel", "The body of every agent."),
    ("func", "A function; it has its own sequence of async marks."),
    (
        "expect",
        "What the verdict must be: `expect [TARGETS:] VERDICT [RULE …]`, held by `tidegate test`.",
    ),
    ("let", "Declares a variable."),
    ("if", "Goes one way or the other."),
    ("else", "Where the condition is zero."),
    ("for", "Repeats with a counter: `for i in A..B`, B not included."),
    ("repeat", "Repeats so many times."),
    ("while", "Repeats while the condition is not zero."),
    ("loop", "Repeats until a `break`."),
    (
        "do",
        "Repeats while the condition behind it holds, once at least: `do { … } while (CONDITION)`.",
    ),
    ("break", "Leaves the innermost loop."),
    ("continue", "Goes on with the next round of the innermost loop."),
    ("choose", "Any one of the blocks, in different executions a different one."),
    ("or", "Another block of a `choose`."),
    ("exit", "The agent ends here."),
    ("return", "Leaves the function; in the body of an agent the agent ends."),
    ("call", "Calls a function, or an intrinsic of LLVM."),
    ("wg", "The workgroup barrier, ID -1. It is there from launch on."),
    ("cluster", "The cluster barrier, ID -3. It is there from launch on."),
    ("null", "The NULL barrier, ID 0: joining it leaves what was joined before."),
    ("machine", "The machine as publicly modelled, a second oracle."),
    ("ambiguous", "The verdict depends on the reading that follows."),
    (
        "participates-in",
        "How many barrier-participates-in relations an execution has: `unique` or `multiple`.",
    ),
    ("schedules", "Whether a deadlock is met in `all` schedules or in `some`."),
    ("compiler", "What LLVM was measured to do."),
];

/// What a word of the language means.
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
    fn operations_of_tlx_name_what_they_become() {
        let reference = include_str!("../../../../docs/language.md");
        for (tlx, mlir, ptx) in tlx::TWINS {
            let line = format!("| `{tlx}` | `{mlir}` | `{ptx}` |");
            assert!(reference.contains(&line), "docs/language.md lacks {line}");
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
