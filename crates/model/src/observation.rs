//! Observations on the documents: where a text is silent, says two things, or differs from what is built.
//!
//! Each is data: a permanent identifier, what was seen in our own words, where, what it concerns, and a scenario that
//! shows it. The scenario holds the expectations named here, and a test runs them. To add one, add it at the end of its group.

mod nvidia;

/// Something seen in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Observation {
    /// Its permanent identifier (`amd.O3`).
    pub id: &'static str,
    /// It in a few words.
    pub title: &'static str,
    /// What was seen, in our own words.
    pub statement: &'static str,
    /// The document.
    pub document: &'static str,
    /// The section or rubric of the document.
    pub section: &'static str,
    /// The rules and readings that it concerns.
    pub concerns: &'static [&'static str],
    /// The smallest scenario that shows it: a file of this project.
    pub scenario: &'static str,
    /// What shows it: lines of the scenario that must hold.
    pub shows: &'static [&'static str],
}

impl Observation {
    /// The observation of that identifier.
    #[must_use]
    pub fn from_name(id: &str) -> Option<&'static Self> {
        OBSERVATIONS.iter().find(|observation| observation.id == id)
    }
}

const EXECUTION: &str = "amdgpu-execution-synchronization";
const OPENCL: &str = "opencl-cpp-synchronization";

/// Every observation, those of one group in the order in which they were numbered.
pub static OBSERVATIONS: &[Observation] = &ALL;

static ALL: [Observation; OTHERS.len() + nvidia::ROWS.len()] = all();

const fn all() -> [Observation; OTHERS.len() + nvidia::ROWS.len()] {
    let mut all = [OTHERS[0]; OTHERS.len() + nvidia::ROWS.len()];
    let mut at = 0;
    while at < all.len() {
        all[at] = if at < OTHERS.len() { OTHERS[at] } else { nvidia::ROWS[at - OTHERS.len()] };
        at += 1;
    }
    all
}

/// Those on the documents of AMD and on OpenCL C++.
const OTHERS: &[Observation] = &[
    Observation {
        id: "amd.O1",
        title: "One execution, several barrier-participates-in relations",
        statement: "The footnote says that within a valid execution only one way to build the relation satisfies everything that depends on it. With an expected count of one, two arrives complete two phases, and a wait behind both can depend on either: both relations keep every rule.",
        document: EXECUTION,
        section: "Barrier-participates-in, footnote 0",
        concerns: &[],
        scenario: "tests/conformance/amd/two-ways-to-participate.tide",
        shows: &["expect participates-in multiple"],
    },
    Observation {
        id: "amd.O2",
        title: "An arrive that nobody waits for separates no phases",
        statement: "Phase separation looks at operations that are in a phase with others. An arrive on which no wait depends is in a phase with nothing, so it may stand between another arrive and the wait that depends on that: a wait may lag behind by whole phases.",
        document: EXECUTION,
        section: "Barrier phase separation",
        concerns: &["amd.phase.separation"],
        scenario: "tests/conformance/amd/two-ways-to-participate.tide",
        shows: &["expect participates-in multiple"],
    },
    Observation {
        id: "amd.O3",
        title: "A drop that leads a phase is in it, or is not",
        statement: "A phase begins where the arrive count is zero. A drop leaves it zero, so the interval may begin before the drops that lead a phase, between them, or behind them: each gives another relation.",
        document: EXECUTION,
        section: "Barrier-participates-in",
        concerns: &["amd.A10"],
        scenario: "tests/conformance/amd/drop-completes-a-phase.tide",
        shows: &["expect participates-in multiple"],
    },
    Observation {
        id: "amd.O4",
        title: "Whether a leading drop is in the phase can decide a verdict",
        statement: "A join that is ordered before a leading drop and before no arrive of the phase is in time exactly if the drop takes part in the wait.",
        document: EXECUTION,
        section: "Barrier-participates-in; Join and Wait Ordering",
        concerns: &["amd.A10", "amd.join.before-wait"],
        scenario: "tests/conformance/observations/leading-drop.tide",
        shows: &["expect ambiguous amd.A10"],
    },
    Observation {
        id: "amd.O5",
        title: "Executions that match no interleaving",
        statement: "Each object orders its own modifications, and only through waits are the orders of different objects related. Two objects may observe two waves in opposite orders, so that the union of all modification orders and program order has a cycle. No interleaving of the waves gives such an execution, yet no rule excludes it.",
        document: EXECUTION,
        section: "Barrier-modification-order",
        concerns: &[],
        scenario: "tests/conformance/observations/each-object-by-itself.tide",
        shows: &["expect ok"],
    },
    Observation {
        id: "amd.O6",
        title: "A wait need not depend on anything",
        statement: "The conditions on the set of operations that a wait depends on hold of the empty set. By the relations alone a wait to which nobody arrives could return at once; that it may not rests on an informational note alone.",
        document: EXECUTION,
        section: "Barrier-participates-in; Informational Notes",
        concerns: &["amd.wait.never-completes"],
        scenario: "tests/conformance/observations/nothing-to-wait-for.tide",
        shows: &["expect deadlock amd.wait.never-completes"],
    },
    Observation {
        id: "amd.O7",
        title: "Barriers that hardware initialises have no init",
        statement: "The first element of a modification order must be an *init*. The workgroup and cluster barriers are initialised at launch, by no operation of any thread; unless the launch counts as an *init*, every program that uses them is undefined.",
        document: EXECUTION,
        section: "Barrier-modification-order; tables of machine code",
        concerns: &["amd.init.first"],
        scenario: "tests/conformance/amd/workgroup-barrier.tide",
        shows: &["expect ok"],
    },
    Observation {
        id: "amd.O8",
        title: "A new expected count that equals the arrive count",
        statement: "The list of operations makes a new expected count undefined unless it is greater than the arrive count; the table of GFX12 machine code also allows that it is equal.",
        document: EXECUTION,
        section: "Barrier Operations; s_barrier GFX12",
        concerns: &["amd.A1", "amd.arrive.expected"],
        scenario: "examples/expected-count-equal.tide",
        shows: &["expect ambiguous amd.A1"],
    },
    Observation {
        id: "amd.O9",
        title: "An expected count of zero",
        statement: "The expected count is called positive, but a *drop* may bring it to zero: only a negative one is undefined. Where no agent has arrived both counts are then zero. By the letter that completes the barrier, because an operation that makes the counts equal does; the phase then has drops and no arrive. The default reading asks for an arrive.",
        document: EXECUTION,
        section: "Barrier Objects; Barrier Operations",
        concerns: &["amd.A2", "amd.drop.non-negative"],
        scenario: "tests/conformance/observations/drop-to-nothing.tide",
        shows: &["expect ambiguous amd.A2"],
    },
    Observation {
        id: "amd.O10",
        title: "A wave that ends drops what it cannot have joined",
        statement: "Both tables let the end of a thread drop the workgroup barrier if the thread had joined it. The same tables have no *join* for that barrier, and the model allows *join* on named barriers alone: by the letter no wave ever drops it, and a wave that ends early would hold up the others for ever.",
        document: EXECUTION,
        section: "s_barrier GFX6-11; s_barrier GFX12",
        concerns: &["amd.A3", "amd.join.named-only"],
        scenario: "examples/wave-ends-early.tide",
        shows: &["expect ambiguous amd.A3"],
    },
    Observation {
        id: "amd.O11",
        title: "The cluster barrier counts workgroups and is dropped by threads",
        statement: "Its expected count is the number of workgroups; the table drops it when a thread ends. With several waves in a workgroup that would take too much away.",
        document: EXECUTION,
        section: "s_barrier GFX12",
        concerns: &["amd.A4"],
        scenario: "examples/cluster-meets.tide",
        shows: &["expect ambiguous amd.A4"],
    },
    Observation {
        id: "amd.O12",
        title: "A wait while the NULL barrier is joined",
        statement: "Every operation on the NULL barrier but *join* is a no-op, a *wait* too. The NULL barrier is a named barrier, and a wait on one needs a join that executes before something that takes part in it: nothing ever does.",
        document: EXECUTION,
        section: "s_barrier GFX12; Join and Wait Ordering",
        concerns: &["amd.A6", "amd.join.before-wait"],
        scenario: "examples/unjoin-with-null.tide",
        shows: &["expect ambiguous amd.A6"],
    },
    Observation {
        id: "amd.O13",
        title: "A wait on one barrier that acts on another",
        statement: "The table says that a named wait acts on the barrier joined last, whatever its operand. The model's relations speak of the object that an operation is performed on; which of the two that is decides whether the wait has a join.",
        document: EXECUTION,
        section: "s_barrier GFX12; Join and Wait Ordering",
        concerns: &["amd.A7", "amd.join.before-wait"],
        scenario: "tests/conformance/observations/wait-names-another.tide",
        shows: &["expect ambiguous amd.A7"],
    },
    Observation {
        id: "amd.O14",
        title: "A second arrival of a workgroup has no consequence",
        statement: "Only one wave per workgroup may arrive at the cluster barrier; what happens if a second does is not said.",
        document: EXECUTION,
        section: "s_barrier GFX12",
        concerns: &["amd.A8", "amd.cluster.one-arrival"],
        scenario: "examples/cluster-everyone-arrives.tide",
        shows: &["expect ambiguous amd.A8"],
    },
    Observation {
        id: "amd.O15",
        title: "One arrival per workgroup: ever, or in each phase?",
        statement: "By the letter one wave per workgroup may arrive at the cluster barrier, and no other ever after. It must mean one arrival in each phase: the waves may take turns.",
        document: EXECUTION,
        section: "s_barrier GFX12",
        concerns: &["amd.cluster.one-arrival"],
        scenario: "tests/conformance/observations/cluster-by-turns.tide",
        shows: &["expect ok"],
    },
    Observation {
        id: "amd.O16",
        title: "Asking who is first at the cluster barrier",
        statement: "The table gives the asking form of *arrive* for the cluster barrier too. LLVM has rejected it since August 2026.",
        document: EXECUTION,
        section: "s_barrier GFX12",
        concerns: &["amd.A14", "amd.operation.unsupported"],
        scenario: "tests/conformance/observations/first-of-the-cluster.tide",
        shows: &["expect ambiguous amd.A14"],
    },
    Observation {
        id: "amd.O17",
        title: "Leaving with nothing joined",
        statement: "A *drop* of a named barrier without a *join* before it is undefined; `s_barrier_leave` drops if and only if there is such a join, so that without one it would do nothing.",
        document: EXECUTION,
        section: "Join and Drop Ordering; s_barrier GFX12",
        concerns: &["amd.A15", "amd.join.before-drop"],
        scenario: "tests/conformance/observations/leave-nothing.tide",
        shows: &["expect ambiguous amd.A15"],
    },
    Observation {
        id: "amd.O18",
        title: "Operating on a barrier that is not initialised",
        statement: "A note makes any operation on an uninitialised barrier undefined. The rules only speak of modifications: *join* and *wait* are none, so a *join* before the *init* breaks no rule.",
        document: EXECUTION,
        section: "Informational Notes; Barrier-modification-order",
        concerns: &["amd.A17", "amd.init.first"],
        scenario: "tests/conformance/amd/join-before-init.tide",
        shows: &["expect ambiguous amd.A17"],
    },
    Observation {
        id: "amd.O19",
        title: "An init in the middle of a phase",
        statement: "An *init* resets the arrive count, and nothing forbids one while a phase is running. The arrives before it then take part in no wait, and whoever counted on them waits for ever; the text has no word for it.",
        document: EXECUTION,
        section: "Barrier Operations",
        concerns: &["amd.wait.never-completes"],
        scenario: "tests/conformance/observations/init-inside-a-phase.tide",
        shows: &["expect deadlock amd.wait.never-completes", "expect schedules all"],
    },
    Observation {
        id: "amd.O20",
        title: "Drop races state no consequence",
        statement: "Of an *arrive* and a *drop* of one thread one of two things must be true. Neither that this makes other executions impossible nor that it is undefined is said; the note beside it says that it may cause undefined behaviour. It is reported as a violation.",
        document: EXECUTION,
        section: "Barrier drop races; Informational Notes",
        concerns: &["amd.drop.race"],
        scenario: "tests/conformance/amd/arrive-then-drop.tide",
        shows: &["expect violation amd.drop.race"],
    },
    Observation {
        id: "amd.O21",
        title: "To arrive and end is a drop race",
        statement: "The end of a wave drops the workgroup barrier if the wave had joined it, which no wave can (amd.O10). Where the end does drop, a wave that arrives for others and ends without a wait of its own arrives and then drops. The rule on drop races forbids that, although it is a natural way to signal and hardware has no trouble with it.",
        document: EXECUTION,
        section: "Barrier drop races; s_barrier GFX12",
        concerns: &["amd.drop.race", "amd.A3"],
        scenario: "examples/arrive-then-end.tide",
        shows: &["expect violation amd.drop.race", "expect machine ok"],
    },
    Observation {
        id: "amd.O22",
        title: "Divergent barriers state no consequence",
        statement: "`s_barrier` can only be performed in wave-uniform control flow; what happens otherwise is not said. It is reported as a violation.",
        document: EXECUTION,
        section: "s_barrier",
        concerns: &["amd.barrier.wave-uniform"],
        scenario: "examples/divergent-lanes.tide",
        shows: &["expect violation amd.barrier.wave-uniform"],
    },
    Observation {
        id: "amd.O23",
        title: "A wait instruction that those processors do not have",
        statement: "The sequence for targets without back-off barrier has `s_waitcnt_vscnt null, 0x0`. That instruction exists on GFX10 and GFX11 alone, and each of those has the back-off barrier: no target can both need the sequence and encode it.",
        document: EXECUTION,
        section: "s_barrier GFX6-11",
        concerns: &["amd.barrier.outstanding-memory", "amd.operation.unsupported"],
        scenario: "tests/conformance/observations/no-such-counter.tide",
        shows: &[
            "expect gfx6-gfx9: unsupported amd.operation.unsupported",
            "expect gfx10-gfx11: ok",
        ],
    },
    Observation {
        id: "amd.O24",
        title: "A late wait starves another",
        statement: "A wave that arrives in two phases and waits once may take the first phase with its wait. Its second arrive then may be in a phase with nobody else, by phase separation, so that a wait of another wave on the second phase can depend on nothing, although the counts complete that phase.",
        document: EXECUTION,
        section: "Barrier phase separation",
        concerns: &["amd.phase.separation", "amd.wait.never-completes"],
        scenario: "tests/conformance/observations/a-late-wait-starves-another.tide",
        shows: &["expect deadlock amd.wait.never-completes", "expect schedules some"],
    },
    Observation {
        id: "amd.O25",
        title: "Counts of two widths",
        statement: "For *init* the count stands in the upper half of m0, sixteen bits; for *arrive* in bits 22 to 16, seven bits. By the letter the scenario initialises the barrier with 129 and deadlocks. Hardware has seven bits, which is the default reading for both.",
        document: EXECUTION,
        section: "s_barrier GFX12",
        concerns: &["amd.A18", "amd.machine.count-width", "amd.init.positive"],
        scenario: "tests/conformance/observations/counts-of-two-widths.tide",
        shows: &["expect ok", "expect machine ok", "expect ambiguous amd.A18"],
    },
    Observation {
        id: "amd.O26",
        title: "An instruction without a word",
        statement: "`s_get_barrier_state` exists wherever *arrive* and *wait* stand apart; the document does not name it.",
        document: EXECUTION,
        section: "s_barrier GFX12",
        concerns: &["amd.operation.unsupported"],
        scenario: "tests/conformance/observations/state-is-readable.tide",
        shows: &["expect ok"],
    },
    Observation {
        id: "amd.O27",
        title: "Must a target have what is never performed?",
        statement: "Availability is told of operations, which are dynamic instances: of code that is never reached the text says nothing. An assembler has to encode it, so it counts.",
        document: EXECUTION,
        section: "s_barrier IDs GFX12",
        concerns: &["amd.object.unsupported", "amd.operation.unsupported"],
        scenario: "tests/conformance/observations/never-reached.tide",
        shows: &["expect unsupported amd.object.unsupported"],
    },
    Observation {
        id: "amd.O28",
        title: "Operations of the model without code",
        statement: "Every barrier of the model can be dropped by an operation, but no code drops the workgroup or cluster barrier before a wave ends, nor initialises it again.",
        document: EXECUTION,
        section: "s_barrier GFX6-11; s_barrier GFX12",
        concerns: &["amd.operation.unsupported"],
        scenario: "tests/conformance/observations/drop-without-code.tide",
        shows: &["expect gfx12: unsupported amd.operation.unsupported"],
    },
    Observation {
        id: "amd.O29",
        title: "Which instance does a name mean?",
        statement: "Objects exist within an instance of their scope. For barriers of the model without an ID the text has no rule for which instance a thread's operation means; here it is the one of its own workgroup where that initialises one.",
        document: EXECUTION,
        section: "Barrier Objects",
        concerns: &["amd.object.scope"],
        scenario: "tests/conformance/amd/plain-object-in-each-workgroup.tide",
        shows: &["expect ok"],
    },
    Observation {
        id: "amd.O30",
        title: "The machine forgets completions: arriving twice",
        statement: "By the text a wait behind two arrives of one wave may need a phase that never completes. A machine with one completion bit lets it return on the first completion, and loses one of two.",
        document: EXECUTION,
        section: "Barrier-participates-in",
        concerns: &["amd.machine.lost-completion", "amd.wait.never-completes"],
        scenario: "tests/conformance/amd/arrive-twice-then-wait.tide",
        shows: &["expect deadlock amd.wait.never-completes", "expect machine ok"],
    },
    Observation {
        id: "amd.O31",
        title: "The machine passes a wait without a join",
        statement: "Undefined by the text; as publicly modelled a wait with nothing joined is a no-op.",
        document: EXECUTION,
        section: "Join and Wait Ordering",
        concerns: &["amd.join.before-wait"],
        scenario: "tests/conformance/amd/named-wait-without-join.tide",
        shows: &["expect ub amd.join.before-wait", "expect machine ok"],
    },
    Observation {
        id: "amd.O32",
        title: "A wave that lags by a generation hangs on the machine",
        statement: "By the text a wave may take the first completion of the cluster barrier after the second has come. One completion bit holds one completion: the wave hangs in some schedules. Seen as a random hang in ROCm/rocm-libraries, pull requests 9061 and 8996.",
        document: EXECUTION,
        section: "Barrier-participates-in",
        concerns: &["amd.machine.never-completes", "amd.machine.lost-completion"],
        scenario: "tests/conformance/amd/cluster-lagging-waiter.tide",
        shows: &["expect ok", "expect machine deadlock"],
    },
    Observation {
        id: "amd.O33",
        title: "With a workgroup barrier between generations nobody lags",
        statement: "The same program with a workgroup barrier between the two generations: on the machine as by the text it completes in every schedule.",
        document: EXECUTION,
        section: "Barrier-participates-in",
        concerns: &["amd.machine.never-completes"],
        scenario: "tests/conformance/amd/cluster-lagging-waiter-held-back.tide",
        shows: &["expect ok", "expect machine ok"],
    },
    Observation {
        id: "amd.O34",
        title: "A lone wave's question is never answered",
        statement: "By the text a wave alone in its workgroup is always the first to arrive. As publicly modelled its workgroup barrier is absent, and the question leaves the condition code as it was.",
        document: EXECUTION,
        section: "s_barrier GFX12",
        concerns: &["amd.machine.never-completes"],
        scenario: "tests/conformance/amd/machine-lone-wave-asks-who-is-first.tide",
        shows: &["expect ok", "expect machine deadlock amd.machine.never-completes"],
    },
    Observation {
        id: "amd.O35",
        title: "Assembled where the text has no such barrier",
        statement: "The table gives named barriers and the cluster barrier to GFX12.5. LLVM 22.1.8 assembles their instructions, and takes their IDs, for gfx1200, gfx1201 and gfx12-generic too.",
        document: EXECUTION,
        section: "s_barrier IDs GFX12",
        concerns: &["amd.object.unsupported"],
        scenario: "tests/conformance/observations/assembled-all-the-same.tide",
        shows: &["expect unsupported amd.object.unsupported", "expect compiler ok"],
    },
    Observation {
        id: "amd.O36",
        title: "Half a barrier breaks the compiler",
        statement: "Before GFX12 neither half of the workgroup barrier is available by itself. Given the intrinsic of one for such a processor, the compiler of LLVM 22.1.8 breaks down instead of rejecting it, even where the other half follows at once.",
        document: EXECUTION,
        section: "s_barrier GFX6-11",
        concerns: &["amd.operation.unsupported"],
        scenario: "tests/conformance/observations/halves-crash-the-compiler.tide",
        shows: &["expect compiler crash"],
    },
    Observation {
        id: "amd.O37",
        title: "Counts that are equal after an operation that resets one",
        statement: "An operation that makes the arrive count equal to the expected count completes the barrier and resets the arrive count to zero. What takes part in a wait must leave both counts equal after its last operation, which is the one that completes: after it the arrive count is zero, and the expected count is not. By the letter nothing takes part in any wait unless a drop leaves both at zero. The next phase begins at zero, which the reset makes true; so the counts are compared as the operation leaves them before the reset.",
        document: EXECUTION,
        section: "Barrier Objects; Barrier-participates-in",
        concerns: &["amd.wait.never-completes", "amd.A2"],
        scenario: "tests/conformance/observations/counts-that-are-equal-and-reset.tide",
        shows: &["expect ok", "expect participates-in unique"],
    },
    Observation {
        id: "async.O1",
        title: "Marks that no compiler of their time knows",
        statement: "The document says that the operations are supported on GFX9 and GFX10. LLVM 22.1.8 knows none of the intrinsics: marks, their waits and copies from global memory become calls of external functions on every processor, without a word; copies from buffers are taken for a load with a wrong suffix and rejected.",
        document: "amdgpu-async-operations",
        section: "Memory Accesses; Async Mark Operations",
        concerns: &["async.unsupported"],
        scenario: "tests/conformance/observations/marks-unknown-to-the-compiler.tide",
        shows: &["expect compiler external-call"],
    },
    Observation {
        id: "async.O2",
        title: "Copy against copy",
        statement: "An asynchronous copy is before a later overlapping operation only if it is completed before it; an operation is before every later overlapping copy. Where both are copies, the first sentence leaves them unordered unless the earlier is completed, and the second orders them. The stricter is taken.",
        document: "amdgpu-async-operations",
        section: "Memory Consistency Model",
        concerns: &["async.v1-v2", "async.race"],
        scenario: "tests/conformance/observations/copy-over-copy.tide",
        shows: &["expect race async.race"],
    },
    Observation {
        id: "async.O3",
        title: "A completed copy that nobody else may read",
        statement: "The first revision orders a completed copy before later operations of its own thread alone. Loaded, waited for and released to another wave, the bytes are still unordered against that wave's reads; the revision that followed upstream orders the copy before the wait itself, and so before everything that the wait precedes.",
        document: "amdgpu-async-operations",
        section: "Memory Consistency Model",
        concerns: &["async.v1-v2", "async.race"],
        scenario: "tests/conformance/async/publish-to-another-wave.tide",
        shows: &["expect ambiguous async.v1-v2"],
    },
    Observation {
        id: "async.O4",
        title: "A mark that some path waits for may not be removed",
        statement: "The first note for implementations lets a mark go that no wait post-dominates. Where a wait stands on one branch only, it does not post-dominate the mark, and yet it completes it: without the mark that wait completes nothing, and what is read behind it races with the copy. Not being included in any wait count is what allows it; post-dominance is no special case of that.",
        document: "amdgpu-async-operations",
        section: "Implementation notes",
        concerns: &["async.race", "async.redundant-mark"],
        scenario: "tests/conformance/async/a-mark-that-one-branch-waits-for.tide",
        shows: &["expect ok"],
    },
    Observation {
        id: "opencl.O1",
        title: "One extension under two names",
        statement: "The section on named barriers has an application define one macro, `cl_khr_sub_group_named_barrier`; the synopsis of the header asks for another, without the middle underscore. By the letter the type is never declared. The language here needs neither.",
        document: OPENCL,
        section: "Header opencl_synchronization; Named barriers",
        concerns: &["opencl.named.type"],
        scenario: "tests/conformance/opencl/holds-named-type.tide",
        shows: &["expect ok"],
    },
    Observation {
        id: "opencl.O2",
        title: "More sub-groups than the count",
        statement: "A wait releases whoever waits once as many sub-groups as the count do. Nothing forbids that more come, and nothing says which of them meet.",
        document: OPENCL,
        section: "wait",
        concerns: &["opencl.over-subscribed", "opencl.named.over-subscribed"],
        scenario: "examples/opencl-more-than-the-count.tide",
        shows: &["expect ambiguous opencl.over-subscribed"],
    },
    Observation {
        id: "opencl.O3",
        title: "Divergence has no consequence",
        statement: "All work-items must execute a barrier, enter its conditional and go through the same rounds of its loop; what happens where they do not is not said. Later specifications call it undefined, and so it is reported.",
        document: OPENCL,
        section: "work_group_barrier; sub_group_barrier; wait",
        concerns: &["opencl.barrier.all-encounter", "opencl.named.sub-group-uniform"],
        scenario: "tests/conformance/opencl/breaks-barrier-all-encounter.tide",
        shows: &["expect ub opencl.barrier.all-encounter"],
    },
    Observation {
        id: "opencl.O4",
        title: "A count of zero",
        statement: "The constructor takes any unsigned number. With a count of zero no wait brings the wait count to it: by the letter the sub-group waits for ever.",
        document: OPENCL,
        section: "work_group_named_barrier; wait",
        concerns: &["opencl.named.never-completes"],
        scenario: "tests/conformance/observations/named-barrier-of-none.tide",
        shows: &["expect deadlock opencl.named.never-completes"],
    },
    Observation {
        id: "opencl.O5",
        title: "A scope narrower than the barrier",
        statement: "Of a barrier of the work-group the text says what the scopes work-group, device and all devices mean. The narrower ones are not excluded: then the barrier makes work-items meet whose memory it does not order.",
        document: OPENCL,
        section: "work_group_barrier",
        concerns: &["mem.race"],
        scenario: "tests/conformance/observations/barrier-for-a-sub-group-alone.tide",
        shows: &["expect race mem.race"],
    },
    Observation {
        id: "opencl.O6",
        title: "For the sub-group, or for the work-group?",
        statement: "With the local flag a barrier of a sub-group makes accesses visible to the sub-group, and its scope is always the work-group. It is read as a fence that reaches the work-group, which the work-items of one sub-group execute together.",
        document: OPENCL,
        section: "sub_group_barrier; wait",
        concerns: &["opencl.fence.local-scope-ignored", "mem.race"],
        scenario: "tests/conformance/observations/fences-of-sub-groups.tide",
        shows: &["expect ok"],
    },
    Observation {
        id: "opencl.O7",
        title: "Images for the device, or not",
        statement: "A barrier of the work-group orders images for the work-group or for the device. Its halves in cl_intel_split_work_group_barrier take the work-group alone, and make anything else undefined.",
        document: OPENCL,
        section: "work_group_barrier",
        concerns: &["opencl.fence.image-scope", "opencl.split.image-scope"],
        scenario: "tests/conformance/opencl/breaks-split-image-scope.tide",
        shows: &["expect ub opencl.split.image-scope"],
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::ReadingId;
    use crate::rule::RuleId;

    #[test]
    fn observations_are_numbered_and_concern_what_exists() {
        for (index, one) in OBSERVATIONS.iter().enumerate() {
            let (group, number) = one.id.split_once(".O").expect("GROUP.ONUMBER");
            let before = OBSERVATIONS[..index]
                .iter()
                .filter(|other| other.id.split_once(".O").is_some_and(|(other, _)| other == group));
            assert_eq!(number.parse(), Ok(before.count() + 1), "{}", one.id);
            assert_eq!(Observation::from_name(one.id), Some(one));
            assert!(one.statement.ends_with('.') && !one.shows.is_empty(), "{}", one.id);
            for name in one.concerns {
                let known =
                    RuleId::from_name(name).is_some() || ReadingId::from_name(name).is_some();
                assert!(known, "{}: {name}", one.id);
            }
        }
    }

    #[test]
    fn every_reading_of_the_barrier_model_is_observed() {
        for reading in crate::reading::READINGS.iter().filter(|one| one.name.starts_with("amd.")) {
            let observed = |one: &&Observation| {
                let ambiguous = one.shows.iter().any(|line| line.ends_with(reading.name));
                ambiguous && one.concerns.contains(&reading.name)
            };
            assert!(OBSERVATIONS.iter().any(|one| observed(&one)), "{}", reading.name);
        }
    }
}
