//! Observations on the documents: places where a document is silent, contradicts itself, or differs from implementations.
//!
//! Each row has a permanent identifier, a statement in our own words, a source, what it concerns, and a scenario that
//! shows it. A test checks that the scenario contains the expectations named here and that they pass. New rows go at the
//! end of their group.

mod nvidia;
mod row;

pub use row::Observation;

impl Observation {
    /// Returns the observation with this identifier.
    #[must_use]
    pub fn from_name(id: &str) -> Option<&'static Self> {
        OBSERVATIONS.iter().find(|observation| observation.id == id)
    }
}

const EXECUTION: &str = "amdgpu-execution-synchronization";
const OPENCL: &str = "opencl-cpp-synchronization";

/// Every observation; those of one group are in the order of their numbers.
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

/// Observations on the AMD documents and on OpenCL C++.
const OTHERS: &[Observation] = &[
    Observation {
        id: "amd.O1",
        title: "One execution, several barrier-participates-in relations",
        statement: "The footnote says that, in a valid execution, only one way to build the relation satisfies everything that depends on it. With an expected count of 1, two arrives complete two phases. A wait after both can depend on either phase. Both relations keep every rule.",
        document: EXECUTION,
        section: "Barrier-participates-in, footnote 0",
        concerns: &[],
        scenario: "tests/conformance/amd/two-ways-to-participate.tide",
        shows: &["expect participates-in multiple"],
    },
    Observation {
        id: "amd.O2",
        title: "An arrive that no wait depends on separates no phases",
        statement: "Phase separation considers operations that share a phase with others. An arrive on which no wait depends shares a phase with no operation. It may therefore lie between another arrive and the wait that depends on that arrive. A wait may lag by whole phases.",
        document: EXECUTION,
        section: "Barrier phase separation",
        concerns: &["amd.phase.separation"],
        scenario: "tests/conformance/amd/two-ways-to-participate.tide",
        shows: &["expect participates-in multiple"],
    },
    Observation {
        id: "amd.O3",
        title: "A leading drop may be part of its phase or not",
        statement: "A phase begins where the arrive count is zero. A drop leaves the count at zero. The interval may therefore begin before, between or after the drops that lead a phase. Each choice gives another relation.",
        document: EXECUTION,
        section: "Barrier-participates-in",
        concerns: &["amd.A10"],
        scenario: "tests/conformance/amd/drop-completes-a-phase.tide",
        shows: &["expect participates-in multiple"],
    },
    Observation {
        id: "amd.O4",
        title: "Whether a leading drop is in the phase can decide a verdict",
        statement: "A join may be ordered before a leading drop and before no arrive of the phase. Such a join is in time only if the drop participates in the wait.",
        document: EXECUTION,
        section: "Barrier-participates-in; Join and Wait Ordering",
        concerns: &["amd.A10", "amd.join.before-wait"],
        scenario: "tests/conformance/observations/leading-drop.tide",
        shows: &["expect ambiguous amd.A10"],
    },
    Observation {
        id: "amd.O5",
        title: "Executions that match no interleaving",
        statement: "Each object orders its own modifications. Only waits relate the orders of different objects. Two objects may observe two waves in opposite orders. The union of all modification orders and program order then has a cycle. No interleaving of the waves gives such an execution, and no rule excludes it.",
        document: EXECUTION,
        section: "Barrier-modification-order",
        concerns: &[],
        scenario: "tests/conformance/observations/each-object-by-itself.tide",
        shows: &["expect ok"],
    },
    Observation {
        id: "amd.O6",
        title: "A wait need not depend on anything",
        statement: "The conditions on the set of operations that a wait depends on hold for the empty set. By the relations, a wait could return at once although no agent arrives. Only an informational note forbids this.",
        document: EXECUTION,
        section: "Barrier-participates-in; Informational Notes",
        concerns: &["amd.wait.never-completes"],
        scenario: "tests/conformance/observations/nothing-to-wait-for.tide",
        shows: &["expect deadlock amd.wait.never-completes"],
    },
    Observation {
        id: "amd.O7",
        title: "Barriers that hardware initialises have no init",
        statement: "The first element of a modification order must be an *init*. No operation of any thread initialises the workgroup and cluster barriers; the launch does. Unless the launch counts as an *init*, every program that uses them is undefined.",
        document: EXECUTION,
        section: "Barrier-modification-order; tables of machine code",
        concerns: &["amd.init.first"],
        scenario: "tests/conformance/amd/workgroup-barrier.tide",
        shows: &["expect ok"],
    },
    Observation {
        id: "amd.O8",
        title: "A new expected count that equals the arrive count",
        statement: "The list of operations makes a new expected count undefined unless it is greater than the arrive count. The table of GFX12 machine code also allows an equal count.",
        document: EXECUTION,
        section: "Barrier Operations; s_barrier GFX12",
        concerns: &["amd.A1", "amd.arrive.expected"],
        scenario: "examples/expected-count-equal.tide",
        shows: &["expect ambiguous amd.A1"],
    },
    Observation {
        id: "amd.O9",
        title: "An expected count of zero",
        statement: "The expected count is called positive, but a *drop* may lower it to zero; only a negative count is undefined. If no agent has arrived, both counts are then zero. Taken literally, this completes the barrier, because the operation makes the counts equal. The phase then has drops and no arrive. The default reading requires an arrive.",
        document: EXECUTION,
        section: "Barrier Objects; Barrier Operations",
        concerns: &["amd.A2", "amd.drop.non-negative"],
        scenario: "tests/conformance/observations/drop-to-nothing.tide",
        shows: &["expect ambiguous amd.A2"],
    },
    Observation {
        id: "amd.O10",
        title: "A wave that ends drops what it cannot have joined",
        statement: "In both tables, the end of a thread drops the workgroup barrier if the thread joined it. The same tables have no *join* for that barrier, and the model allows *join* only on named barriers. Taken literally, no wave ever drops the workgroup barrier. The other waves then wait forever for a wave that ends early.",
        document: EXECUTION,
        section: "s_barrier GFX6-11; s_barrier GFX12",
        concerns: &["amd.A3", "amd.join.named-only"],
        scenario: "examples/wave-ends-early.tide",
        shows: &["expect ambiguous amd.A3"],
    },
    Observation {
        id: "amd.O11",
        title: "The cluster barrier counts workgroups and is dropped by threads",
        statement: "The expected count of the cluster barrier is the number of workgroups. The table drops the barrier when a thread ends. With several waves in a workgroup, these drops lower the count too far.",
        document: EXECUTION,
        section: "s_barrier GFX12",
        concerns: &["amd.A4"],
        scenario: "examples/cluster-meets.tide",
        shows: &["expect ambiguous amd.A4"],
    },
    Observation {
        id: "amd.O12",
        title: "A wait while the NULL barrier is joined",
        statement: "Every operation on the NULL barrier except *join* is a no-op, including *wait*. The NULL barrier is also a named barrier. A wait on a named barrier needs a join that executes before an operation that participates in the wait. No operation ever participates in this one.",
        document: EXECUTION,
        section: "s_barrier GFX12; Join and Wait Ordering",
        concerns: &["amd.A6", "amd.join.before-wait"],
        scenario: "examples/unjoin-with-null.tide",
        shows: &["expect ambiguous amd.A6"],
    },
    Observation {
        id: "amd.O13",
        title: "A wait on one barrier that acts on another",
        statement: "The table says that a named wait acts on the barrier joined last, whatever its operand is. The relations of the model refer to the object on which an operation is performed. The choice of object decides whether the wait has a join.",
        document: EXECUTION,
        section: "s_barrier GFX12; Join and Wait Ordering",
        concerns: &["amd.A7", "amd.join.before-wait"],
        scenario: "tests/conformance/observations/wait-names-another.tide",
        shows: &["expect ambiguous amd.A7"],
    },
    Observation {
        id: "amd.O14",
        title: "A second arrival of a workgroup has no consequence",
        statement: "Only one wave per workgroup may arrive at the cluster barrier. The document does not say what happens if a second wave arrives.",
        document: EXECUTION,
        section: "s_barrier GFX12",
        concerns: &["amd.A8", "amd.cluster.one-arrival"],
        scenario: "examples/cluster-everyone-arrives.tide",
        shows: &["expect ambiguous amd.A8"],
    },
    Observation {
        id: "amd.O15",
        title: "One arrival per workgroup: ever, or in each phase?",
        statement: "Taken literally, one wave per workgroup may arrive at the cluster barrier, and no other wave may ever arrive. The rule must mean one arrival in each phase, so the waves may take turns.",
        document: EXECUTION,
        section: "s_barrier GFX12",
        concerns: &["amd.cluster.one-arrival"],
        scenario: "tests/conformance/observations/cluster-by-turns.tide",
        shows: &["expect ok"],
    },
    Observation {
        id: "amd.O16",
        title: "The isfirst form on the cluster barrier",
        statement: "The table also lists the `isfirst` form of *arrive* for the cluster barrier. LLVM has rejected it since August 2026.",
        document: EXECUTION,
        section: "s_barrier GFX12",
        concerns: &["amd.A14", "amd.operation.unsupported"],
        scenario: "tests/conformance/observations/first-of-the-cluster.tide",
        shows: &["expect ambiguous amd.A14"],
    },
    Observation {
        id: "amd.O17",
        title: "A leave without a join",
        statement: "A *drop* of a named barrier without an earlier *join* is undefined. `s_barrier_leave` drops if and only if such a join exists, so without a join it would do nothing.",
        document: EXECUTION,
        section: "Join and Drop Ordering; s_barrier GFX12",
        concerns: &["amd.A15", "amd.join.before-drop"],
        scenario: "tests/conformance/observations/leave-nothing.tide",
        shows: &["expect ambiguous amd.A15"],
    },
    Observation {
        id: "amd.O18",
        title: "An operation on an uninitialised barrier",
        statement: "A note makes any operation on an uninitialised barrier undefined. The rules mention only modifications. *join* and *wait* are not modifications, so a *join* before the *init* breaks no rule.",
        document: EXECUTION,
        section: "Informational Notes; Barrier-modification-order",
        concerns: &["amd.A17", "amd.init.first"],
        scenario: "tests/conformance/amd/join-before-init.tide",
        shows: &["expect ambiguous amd.A17"],
    },
    Observation {
        id: "amd.O19",
        title: "An init in the middle of a phase",
        statement: "An *init* resets the arrive count, and no rule forbids one during a phase. The earlier arrives then participate in no wait. Any agent that relies on them waits forever. The document does not mention this.",
        document: EXECUTION,
        section: "Barrier Operations",
        concerns: &["amd.wait.never-completes"],
        scenario: "tests/conformance/observations/init-inside-a-phase.tide",
        shows: &["expect deadlock amd.wait.never-completes", "expect schedules all"],
    },
    Observation {
        id: "amd.O20",
        title: "Drop races state no consequence",
        statement: "The rule requires one of two conditions for an *arrive* and a *drop* of one thread. The document does not say whether breaking it makes an execution impossible or undefined. The note beside it says that it may cause undefined behaviour. Tidegate reports a violation.",
        document: EXECUTION,
        section: "Barrier drop races; Informational Notes",
        concerns: &["amd.drop.race"],
        scenario: "tests/conformance/amd/arrive-then-drop.tide",
        shows: &["expect violation amd.drop.race"],
    },
    Observation {
        id: "amd.O21",
        title: "An arrive followed by the end of the wave is a drop race",
        statement: "The end of a wave drops the workgroup barrier if the wave joined it, which no wave can do (amd.O10). If the end does drop, a wave that arrives for others and ends without a wait arrives and then drops. The rule on drop races forbids that. It is a natural way to signal, and hardware handles it.",
        document: EXECUTION,
        section: "Barrier drop races; s_barrier GFX12",
        concerns: &["amd.drop.race", "amd.A3"],
        scenario: "examples/arrive-then-end.tide",
        shows: &["expect violation amd.drop.race", "expect machine ok"],
    },
    Observation {
        id: "amd.O22",
        title: "Divergent barriers state no consequence",
        statement: "`s_barrier` can be performed only in wave-uniform control flow. The document does not say what happens otherwise. Tidegate reports a violation.",
        document: EXECUTION,
        section: "s_barrier",
        concerns: &["amd.barrier.wave-uniform"],
        scenario: "examples/divergent-lanes.tide",
        shows: &["expect violation amd.barrier.wave-uniform"],
    },
    Observation {
        id: "amd.O23",
        title: "A wait instruction that no such target has",
        statement: "The sequence for targets without a back-off barrier contains `s_waitcnt_vscnt null, 0x0`. That instruction exists only on GFX10 and GFX11, and both have the back-off barrier. No target both needs the sequence and encodes it.",
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
        statement: "A wave that arrives in two phases and waits once may use its wait for the first phase. By phase separation, its second arrive then shares a phase with no other operation. A wait of another wave on the second phase can depend on nothing, although the counts complete that phase.",
        document: EXECUTION,
        section: "Barrier phase separation",
        concerns: &["amd.phase.separation", "amd.wait.never-completes"],
        scenario: "tests/conformance/observations/a-late-wait-starves-another.tide",
        shows: &["expect deadlock amd.wait.never-completes", "expect schedules some"],
    },
    Observation {
        id: "amd.O25",
        title: "Two widths of the count in m0",
        statement: "For *init*, the count is the upper half of `m0`, sixteen bits. For *arrive*, it is bits 22 to 16, seven bits. Taken literally, the scenario initialises the barrier with 129 and deadlocks. Hardware has seven bits, which is the default reading for both.",
        document: EXECUTION,
        section: "s_barrier GFX12",
        concerns: &["amd.A18", "amd.machine.count-width", "amd.init.positive"],
        scenario: "tests/conformance/observations/counts-of-two-widths.tide",
        shows: &["expect ok", "expect machine ok", "expect ambiguous amd.A18"],
    },
    Observation {
        id: "amd.O26",
        title: "An undocumented instruction",
        statement: "`s_get_barrier_state` exists wherever *arrive* and *wait* are separate instructions. The document does not name it.",
        document: EXECUTION,
        section: "s_barrier GFX12",
        concerns: &["amd.operation.unsupported"],
        scenario: "tests/conformance/observations/state-is-readable.tide",
        shows: &["expect ok"],
    },
    Observation {
        id: "amd.O27",
        title: "Availability of unreachable code",
        statement: "The document defines availability for operations, which are dynamic instances. It says nothing about code that never executes. An assembler has to encode such code, so Tidegate counts it.",
        document: EXECUTION,
        section: "s_barrier IDs GFX12",
        concerns: &["amd.object.unsupported", "amd.operation.unsupported"],
        scenario: "tests/conformance/observations/never-reached.tide",
        shows: &["expect unsupported amd.object.unsupported"],
    },
    Observation {
        id: "amd.O28",
        title: "Model operations without an instruction",
        statement: "In the model, an operation can drop any barrier. No instruction drops the workgroup or cluster barrier before a wave ends, and none initialises them again.",
        document: EXECUTION,
        section: "s_barrier GFX6-11; s_barrier GFX12",
        concerns: &["amd.operation.unsupported"],
        scenario: "tests/conformance/observations/drop-without-code.tide",
        shows: &["expect gfx12: unsupported amd.operation.unsupported"],
    },
    Observation {
        id: "amd.O29",
        title: "The instance that a name refers to",
        statement: "Objects exist within an instance of their scope. For model barriers without an ID, the document does not say to which instance an operation refers. Tidegate uses the instance of the thread's own workgroup if that workgroup initialises one.",
        document: EXECUTION,
        section: "Barrier Objects",
        concerns: &["amd.object.scope"],
        scenario: "tests/conformance/amd/plain-object-in-each-workgroup.tide",
        shows: &["expect ok"],
    },
    Observation {
        id: "amd.O30",
        title: "The hardware model loses completions: two arrives",
        statement: "By the specification, a wait after two arrives of one wave may need a phase that never completes. The hardware model has one completion bit. It lets the wait return at the first completion and loses one of two.",
        document: EXECUTION,
        section: "Barrier-participates-in",
        concerns: &["amd.machine.lost-completion", "amd.wait.never-completes"],
        scenario: "tests/conformance/amd/arrive-twice-then-wait.tide",
        shows: &["expect deadlock amd.wait.never-completes", "expect machine ok"],
    },
    Observation {
        id: "amd.O31",
        title: "The hardware model passes a wait without a join",
        statement: "The wait is undefined by the specification. In the public hardware model, a wait with no joined barrier is a no-op.",
        document: EXECUTION,
        section: "Join and Wait Ordering",
        concerns: &["amd.join.before-wait"],
        scenario: "tests/conformance/amd/named-wait-without-join.tide",
        shows: &["expect ub amd.join.before-wait", "expect machine ok"],
    },
    Observation {
        id: "amd.O32",
        title: "A wave that lags by a generation hangs in the hardware model",
        statement: "By the specification, a wave may use the first completion of the cluster barrier after the second one. One completion bit holds only one completion, so the wave hangs in some schedules. ROCm/rocm-libraries pull requests 9061 and 8996 report this as a random hang.",
        document: EXECUTION,
        section: "Barrier-participates-in",
        concerns: &["amd.machine.never-completes", "amd.machine.lost-completion"],
        scenario: "tests/conformance/amd/cluster-lagging-waiter.tide",
        shows: &["expect ok", "expect machine deadlock"],
    },
    Observation {
        id: "amd.O33",
        title: "A workgroup barrier between generations prevents lagging",
        statement: "This is the same program with a workgroup barrier between the two generations. It completes in every schedule, in the hardware model and by the specification.",
        document: EXECUTION,
        section: "Barrier-participates-in",
        concerns: &["amd.machine.never-completes"],
        scenario: "tests/conformance/amd/cluster-lagging-waiter-held-back.tide",
        shows: &["expect ok", "expect machine ok"],
    },
    Observation {
        id: "amd.O34",
        title: "isfirst in a workgroup of one wave leaves SCC unchanged",
        statement: "By the specification, the only wave of a workgroup is always the first to arrive. In the public hardware model, its workgroup barrier is absent, and `isfirst` leaves SCC unchanged.",
        document: EXECUTION,
        section: "s_barrier GFX12",
        concerns: &["amd.machine.never-completes"],
        scenario: "tests/conformance/amd/machine-lone-wave-asks-who-is-first.tide",
        shows: &["expect ok", "expect machine deadlock amd.machine.never-completes"],
    },
    Observation {
        id: "amd.O35",
        title: "Assembled where the specification has no such barrier",
        statement: "The table lists named barriers and the cluster barrier for GFX12.5. LLVM 22.1.8 also assembles their instructions and IDs for gfx1200, gfx1201 and gfx12-generic.",
        document: EXECUTION,
        section: "s_barrier IDs GFX12",
        concerns: &["amd.object.unsupported"],
        scenario: "tests/conformance/observations/assembled-all-the-same.tide",
        shows: &["expect unsupported amd.object.unsupported", "expect compiler ok"],
    },
    Observation {
        id: "amd.O36",
        title: "Half a barrier crashes the compiler",
        statement: "Before GFX12, neither half of the workgroup barrier is available by itself. Given the intrinsic of one half for such a processor, the compiler of LLVM 22.1.8 crashes. It does so even if the other half follows directly.",
        document: EXECUTION,
        section: "s_barrier GFX6-11",
        concerns: &["amd.operation.unsupported"],
        scenario: "tests/conformance/observations/halves-crash-the-compiler.tide",
        shows: &["expect compiler crash"],
    },
    Observation {
        id: "amd.O37",
        title: "Counts that are equal and then reset",
        statement: "An operation that makes the arrive count equal to the expected count completes the barrier and resets the arrive count to zero. The operations that participate in a wait must leave both counts equal after the last one, which is the operation that completes the barrier. After the reset, the arrive count is zero and the expected count is not. Taken literally, no operation participates in any wait unless a drop leaves both counts at zero. The next phase begins at zero, as the reset ensures. Tidegate therefore compares the counts before the reset.",
        document: EXECUTION,
        section: "Barrier Objects; Barrier-participates-in",
        concerns: &["amd.wait.never-completes", "amd.A2"],
        scenario: "tests/conformance/observations/counts-that-are-equal-and-reset.tide",
        shows: &["expect ok", "expect participates-in unique"],
    },
    Observation {
        id: "amd.O38",
        title: "Compilers use named barriers without an init",
        statement: "The first modification of a barrier must be an *init*, otherwise the behavior is undefined. Triton's warp-specialised kernels for gfx1250 have no `s_barrier_init`: every arrive sets the expected count through `m0`. The hardware model completes such barriers. The document allows an arrive to update the expected count, but does not say that this initialises the barrier. By the text, these kernels are undefined.",
        document: EXECUTION,
        section: "Barrier-modification-order; Barrier Operations",
        concerns: &["amd.init.first"],
        scenario: "tests/conformance/observations/arrive-with-a-count-before-init.tide",
        shows: &["expect ub amd.init.first", "expect machine ok"],
    },
    Observation {
        id: "async.O1",
        title: "Async marks that LLVM 22.1.8 does not know",
        statement: "The document says that GFX9 and GFX10 support the operations. LLVM 22.1.8 knows none of the intrinsics. On every processor, marks, their waits and copies from global memory silently become calls of external functions. Copies from buffers are rejected as a load with a wrong suffix.",
        document: "amdgpu-async-operations",
        section: "Memory Accesses; Async Mark Operations",
        concerns: &["async.unsupported"],
        scenario: "tests/conformance/observations/marks-unknown-to-the-compiler.tide",
        shows: &["expect compiler external-call"],
    },
    Observation {
        id: "async.O2",
        title: "A copy over a copy",
        statement: "One sentence orders an asynchronous copy before a later overlapping operation only if the copy is completed before that operation. Another orders an operation before every later overlapping copy. For two copies, the first leaves them unordered unless the earlier copy is completed; the second orders them. Tidegate uses the stricter one.",
        document: "amdgpu-async-operations",
        section: "Memory Consistency Model",
        concerns: &["async.v1-v2", "async.race"],
        scenario: "tests/conformance/observations/copy-over-copy.tide",
        shows: &["expect race async.race"],
    },
    Observation {
        id: "async.O3",
        title: "A completed copy that no other wave may read",
        statement: "The first revision orders a completed copy only before later operations of its own thread. A wave may wait for the copy and release it to another wave; the copy is still unordered with the reads of that wave. The later revision orders the copy before the wait itself, and so before everything that follows the wait.",
        document: "amdgpu-async-operations",
        section: "Memory Consistency Model",
        concerns: &["async.v1-v2", "async.race"],
        scenario: "tests/conformance/async/publish-to-another-wave.tide",
        shows: &["expect ambiguous async.v1-v2"],
    },
    Observation {
        id: "async.O4",
        title: "A mark that one path waits for cannot be removed",
        statement: "The first implementation note allows the removal of a mark that no wait post-dominates. A wait on only one branch does not post-dominate the mark, but it completes the mark. Without the mark, that wait completes nothing, and a read after it races with the copy. The correct condition is that no wait count includes the mark; missing post-dominance does not imply it.",
        document: "amdgpu-async-operations",
        section: "Implementation notes",
        concerns: &["async.race", "async.redundant-mark"],
        scenario: "tests/conformance/async/a-mark-that-one-branch-waits-for.tide",
        shows: &["expect ok"],
    },
    Observation {
        id: "opencl.O1",
        title: "One extension under two names",
        statement: "In the section on named barriers, an application defines the macro `cl_khr_sub_group_named_barrier`. The synopsis of the header tests another name, without the middle underscore. Taken literally, the type is never declared. Tidegate requires neither macro.",
        document: OPENCL,
        section: "Header opencl_synchronization; Named barriers",
        concerns: &["opencl.named.type"],
        scenario: "tests/conformance/opencl/holds-named-type.tide",
        shows: &["expect ok"],
    },
    Observation {
        id: "opencl.O2",
        title: "More sub-groups than the count",
        statement: "A wait returns when as many sub-groups as the count are waiting. The document does not forbid more sub-groups. It does not say which of them synchronise.",
        document: OPENCL,
        section: "wait",
        concerns: &["opencl.over-subscribed", "opencl.named.over-subscribed"],
        scenario: "examples/opencl-more-than-the-count.tide",
        shows: &["expect ambiguous opencl.over-subscribed"],
    },
    Observation {
        id: "opencl.O3",
        title: "Divergence states no consequence",
        statement: "All work-items must execute a barrier, enter its conditional and execute the same iterations of its loop. The document does not say what happens otherwise. Later specifications make it undefined, and Tidegate reports that.",
        document: OPENCL,
        section: "work_group_barrier; sub_group_barrier; wait",
        concerns: &["opencl.barrier.all-encounter", "opencl.named.sub-group-uniform"],
        scenario: "tests/conformance/opencl/breaks-barrier-all-encounter.tide",
        shows: &["expect ub opencl.barrier.all-encounter"],
    },
    Observation {
        id: "opencl.O4",
        title: "A count of zero",
        statement: "The constructor accepts any unsigned number. With a count of zero, no wait makes the wait count equal to it. Taken literally, the sub-group waits forever.",
        document: OPENCL,
        section: "work_group_named_barrier; wait",
        concerns: &["opencl.named.never-completes"],
        scenario: "tests/conformance/observations/named-barrier-of-none.tide",
        shows: &["expect deadlock opencl.named.never-completes"],
    },
    Observation {
        id: "opencl.O5",
        title: "A scope narrower than the barrier",
        statement: "For a work-group barrier, the document defines the scopes work-group, device and all devices. It does not exclude narrower scopes. With one of those, the barrier synchronises work-items whose memory it does not order.",
        document: OPENCL,
        section: "work_group_barrier",
        concerns: &["mem.race"],
        scenario: "tests/conformance/observations/barrier-for-a-sub-group-alone.tide",
        shows: &["expect race mem.race"],
    },
    Observation {
        id: "opencl.O6",
        title: "Local memory: the sub-group or the work-group",
        statement: "With the local flag, a sub-group barrier makes accesses visible to the sub-group, but its scope is always the work-group. Tidegate reads it as a fence of work-group scope that the work-items of one sub-group execute together.",
        document: OPENCL,
        section: "sub_group_barrier; wait",
        concerns: &["opencl.fence.local-scope-ignored", "mem.race"],
        scenario: "tests/conformance/observations/fences-of-sub-groups.tide",
        shows: &["expect ok"],
    },
    Observation {
        id: "opencl.O7",
        title: "The device scope for images",
        statement: "A work-group barrier orders images with work-group or device scope. Its halves in cl_intel_split_work_group_barrier accept only work-group scope. Any other scope is undefined.",
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
    fn observations_are_numbered_and_concern_existing_rules() {
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
