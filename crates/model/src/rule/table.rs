//! The table of rules. A row makes the identifier, the entry of the catalogue and the documentation of a rule.
//!
//! A row has the identifier, the kind and the class of a finding; the document and its section; the statement, in our own
//! words; and the usual fix. The position of a rule is its number, which no file stores.

use super::row::{Force, Rule};
use crate::verdict::Class::{Deadlock, Hazard, Lint, Race, Ub, Unsupported, Violation};

const AMDGPU: &str = "amdgpu-execution-synchronization";
const ASYNC: &str = "amdgpu-async-operations";
const PTX: &str = "PTX ISA 9.1";
const TLX: &str = "tlx-barriers";
const OPENCL: &str = "opencl-cpp-synchronization";

macro_rules! rules {
    ($($name:ident $id:literal: $force:ident $class:expr;
        $document:expr, $section:literal; $statement:literal; $remedy:literal;)*) => {
        /// A rule with a permanent identifier, by its index in [`RULES`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum RuleId {
            $(#[doc = $statement] $name,)*
        }

        impl RuleId {
            /// Every identifier.
            pub const ALL: [Self; RULES.len()] = [$(Self::$name,)*];
        }

        /// Every rule, in the order of [`RuleId`].
        pub static RULES: [Rule; [$($id),*].len()] = [$(Rule {
            id: $id,
            class: $class,
            force: Force::$force,
            statement: $statement,
            document: $document,
            section: $section,
            remedy: $remedy,
        },)*];
    };
}

rules! {
    // The barrier execution model of AMDGPU, its targets and its hardware model.
    AmdInitFirst "amd.init.first": Requires Some(Ub);
        AMDGPU, "Barrier-modification-order";
        "The first modification of a barrier object must be an init. Arriving at or dropping an object that was never initialised is undefined.";
        "Initialise the object and order the init before every other use, for example with a workgroup barrier.";
    AmdInitPositive "amd.init.positive": Requires Some(Violation);
        AMDGPU, "Barrier Objects; Barrier Operations";
        "An init must set a positive expected count.";
        "Initialise the object with the number of arrivals in a phase, at least 1.";

    AmdDropNonNegative "amd.drop.non-negative": Requires Some(Ub);
        AMDGPU, "Barrier Operations";
        "A drop decrements the expected count and must not make it negative.";
        "Drop at most as many times as the expected count.";

    AmdArriveExpected "amd.arrive.expected": Requires Some(Ub);
        AMDGPU, "Barrier Operations";
        "An arrive that sets a new expected count must set it greater than the current arrive count.";
        "Set the expected count greater than the number of arrivals so far.";

    AmdWaitNeverCompletes "amd.wait.never-completes": Requires Some(Deadlock);
        AMDGPU, "Informational Notes";
        "Every wait must complete. A wait that is blocked when no agent can continue is stuck; the specification calls this undefined.";
        "Add the missing arrive, or wait once for each phase.";

    AmdDropRace "amd.drop.race": Requires Some(Violation);
        AMDGPU, "Barrier drop races";
        "An agent that arrived at an object may drop it only after a wait that its arrive participates in. An arrive that no wait ever depends on is exempt.";
        "Wait for the phase between the arrive and the drop.";

    AmdPhaseSeparation "amd.phase.separation": Constrains None;
        AMDGPU, "Barrier phase separation";
        "No operation of another phase of an object may occur between a wait on the object and an operation that participates in it. A phase that no wait depends on is exempt.";
        "";

    AmdJoinNamedOnly "amd.join.named-only": Requires Some(Ub);
        AMDGPU, "Named Barriers Model Extensions: Barrier Operations";
        "Only named barrier objects can be joined.";
        "Join a named barrier, or remove the join: other objects need none.";
    AmdJoinBeforeDrop "amd.join.before-drop": Requires Some(Ub);
        AMDGPU, "Join and Drop Ordering";
        "A drop of a named barrier object requires a join by the same agent that is barrier-joined-before the drop.";
        "Join the object before the drop, with no other join or drop in between.";
    AmdJoinBeforeWait "amd.join.before-wait": Requires Some(Ub);
        AMDGPU, "Join and Wait Ordering";
        "A wait on a named barrier object requires a join that is barrier-joined-before it and executes before an operation that participates in the wait.";
        "Order the join before an arrive of the phase that the wait depends on.";

    AmdObjectScope "amd.object.scope": Requires Some(Violation);
        AMDGPU, "Barrier Objects";
        "A barrier object belongs to one instance of its scope; only agents in that instance may use it.";
        "Use a cluster barrier to synchronise workgroups.";
    AmdObjectUnsupported "amd.object.unsupported": Requires Some(Unsupported);
        AMDGPU, "s_barrier IDs GFX12";
        "A program may use only barrier objects that its target provides.";
        "Use a target that provides the object, or an object that this target provides.";

    AmdOperationUnsupported "amd.operation.unsupported": Requires Some(Unsupported);
        AMDGPU, "s_barrier GFX6-11; s_barrier GFX12";
        "A program may use only operations that its target provides, in the form and on the object that it provides them for.";
        "Use a target that provides the operation, or a form that this target provides.";
    AmdOperationPrivileged "amd.operation.privileged": Requires Some(Unsupported);
        AMDGPU, "s_barrier IDs GFX12";
        "The trap barriers, IDs -2 and -4, are reserved for the trap handler.";
        "Use ID -1 or -3.";

    AmdClusterOneArrival "amd.cluster.one-arrival": Requires Some(Violation);
        AMDGPU, "s_barrier GFX12: arrive";
        "In each phase of the cluster barrier, only one wave of a workgroup may arrive, on behalf of the whole workgroup.";
        "Arrive from one wave of the workgroup only; any wave may wait.";

    AmdBarrierWaveUniform "amd.barrier.wave-uniform": Requires Some(Violation);
        AMDGPU, "s_barrier";
        "A wave must execute a barrier operation in wave-uniform control flow: all its lanes execute the same operation.";
        "Move the operation out of the divergent branch.";

    AmdMachineNeverCompletes "amd.machine.never-completes": Requires Some(Deadlock);
        "hardware model", "public, not measured";
        "On the hardware model, every wait must eventually find its completion bit set.";
        "Make every wave join before the completion that it waits for, and wait for it before the next one can occur.";
    AmdMachineLostCompletion "amd.machine.lost-completion": Requires Some(Hazard);
        "hardware model", "public, not measured";
        "On the hardware model, a wave must wait for each completion before the next one sets its completion bit.";
        "Wait for each phase before the next one can complete.";
    AmdMachineCountWidth "amd.machine.count-width": Requires Some(Hazard);
        "hardware model", "public, not measured";
        "Counts must fit in the seven bits of the hardware counter: at most 127.";
        "Use a count of at most 127.";

    AmdBarrierOutstandingMemory "amd.barrier.outstanding-memory": Requires Some(Violation);
        AMDGPU, "s_barrier GFX6-11";
        "On a target without the back-off barrier, no memory operation may be outstanding when s_barrier issues.";
        "Wait for the counters before the barrier: s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0).";


    // Memory, and asynchronous operations of AMDGPU.
    MemRace "mem.race": Requires Some(Race);
        AMDGPU, "Execution Model";
        "Two accesses by different agents to the same bytes must be ordered by happens-before if one of them is a write.";
        "Add a release fence before an arrive and an acquire fence after the wait that it participates in, at a scope that includes both agents.";

    AsyncRace "async.race": Requires Some(Race);
        ASYNC, "Memory Consistency Model";
        "An asynchronous copy must be ordered by happens-before with every conflicting access to the bytes that it reads or writes.";
        "Place an asyncmark after the copy, and wait for that mark before the bytes are used.";
    AsyncUnmarked "async.unmarked": Requires Some(Lint);
        ASYNC, "Async Mark Operations";
        "Every asynchronous copy must be covered by a mark.";
        "Add an asyncmark after the copy.";
    AsyncRedundantWait "async.redundant-wait": Requires Some(Lint);
        ASYNC, "Optimization";
        "A wait for marks should find more marks outstanding than it allows.";
        "Remove the wait, or lower the number of marks that it allows.";
    AsyncRedundantMark "async.redundant-mark": Requires Some(Lint);
        ASYNC, "Optimization";
        "Some later wait of the same function body must be able to complete each mark.";
        "Remove the mark, or wait for it.";
    AsyncStrictWait "async.strict-wait": Requires Some(Lint);
        ASYNC, "Software pipeline";
        "A wait for marks should allow as many outstanding marks as the accesses after it permit.";
        "Raise the number of marks that the wait allows.";
    AsyncCalleeUnspecified "async.callee-unspecified": Requires Some(Lint);
        ASYNC, "Optimization";
        "The operations that a wait completes must not depend on whether a call is inlined.";
        "Let each function wait for its own marks before it returns, and leave no mark outstanding.";
    AsyncUnsupported "async.unsupported": Requires Some(Unsupported);
        ASYNC, "LDS DMA Operations (GFX9, GFX10); a later revision of LLVM's page (GFX12.5)";
        "Asynchronous copies and their marks are supported only on GFX9, GFX10 and GFX12.5.";
        "";


    // PTX, and SASS and TLX through it.
    PtxMbarrierValidObject "ptx.mbarrier.valid-object": Requires Some(Ub);
        PTX, "Parallel Synchronization and Communication Instructions: mbarrier support";
        "Only a valid mbarrier object, initialised and not invalidated, may be operated on.";
        "Order the init before every use, for example with a barrier of all warps after it.";
    PtxMbarrierInitOnValid "ptx.mbarrier.init-on-valid": Requires Some(Ub);
        PTX, "mbarrier.init";
        "A location that holds a valid mbarrier object must not be initialised again before it is invalidated.";
        "Invalidate the object first, or initialise it only once.";
    PtxMbarrierForeignAccess "ptx.mbarrier.foreign-access": Requires Some(Ub);
        PTX, "Parallel Synchronization and Communication Instructions: mbarrier support";
        "Only mbarrier operations may access memory that holds a valid mbarrier object.";
        "Invalidate the object before its memory is used for anything else.";
    PtxMbarrierCountRange "ptx.mbarrier.count-range": Requires Some(Violation);
        PTX, "mbarrier.init, mbarrier.arrive";
        "The count of an init, an arrive or a drop must be between 1 and 2^20-1.";
        "Use a count between 1 and 2^20-1.";
    PtxMbarrierNoComplete "ptx.mbarrier.no-complete": Requires Some(Ub);
        PTX, "mbarrier.arrive";
        "An arrive marked .noComplete must not complete the phase.";
        "Remove .noComplete, or let a later arrive complete the phase.";
    PtxMbarrierPhaseWindow "ptx.mbarrier.phase-window": Requires Some(Violation);
        PTX, "mbarrier.test_wait, mbarrier.try_wait";
        "A wait by token must ask for the current phase or the phase immediately before it.";
        "Wait with the token of the latest arrive, before the next phase ends.";
    PtxMbarrierParityAlias "ptx.mbarrier.parity-alias": Requires Some(Hazard);
        PTX, "mbarrier.test_wait, phaseParity";
        "A wait by parity cannot distinguish a phase from the phase two later. A wait that can see either returns too early or never.";
        "Order each wait before the end of the phase that follows the one it waits for.";
    PtxMbarrierMissingWait "ptx.mbarrier.missing-wait": Requires Some(Violation);
        PTX, "Phase Completion of the mbarrier object";
        "No agent may arrive in a phase before a wait has observed the completion of the previous phase.";
        "Wait for the current phase before arriving in the next one.";
    PtxMbarrierOverArrival "ptx.mbarrier.over-arrival": Requires Some(Violation);
        PTX, "mbarrier.arrive";
        "A phase must not receive more arrivals than are pending in it.";
        "Match the init count with the arrivals of each phase.";
    PtxMbarrierTxRange "ptx.mbarrier.tx-range": Requires Some(Violation);
        PTX, "Tracking asynchronous operations by the mbarrier object";
        "The tx-count must stay between -(2^20-1) and 2^20-1.";
        "Expect and copy fewer bytes in one phase.";
    PtxMbarrierDropToZero "ptx.mbarrier.drop-to-zero": Requires Some(Ub);
        "PTX ISA 9.4", "mbarrier.arrive_drop";
        "A drop must leave an expected count of at least 1 for later phases.";
        "Keep one participant, or invalidate the object instead.";
    PtxMbarrierRemoteOperation "ptx.mbarrier.remote-operation": Requires Some(Ub);
        PTX, "mbarrier.init, mbarrier.test_wait";
        "Only expect_tx, complete_tx and arrives without a token, .noComplete or cp.async may operate on an mbarrier object of another CTA.";
        "Perform the operation in the CTA that owns the object; from another CTA, arrive without a token or expect bytes.";
    PtxMbarrierPendingCountToken "ptx.mbarrier.pending-count-token": Requires Some(Ub);
        PTX, "mbarrier.pending_count";
        "`mbarrier.pending_count` requires the token of an arrive marked .noComplete.";
        "Use the token of a .noComplete arrive.";
    PtxMbarrierCpAsyncOverflow "ptx.mbarrier.cp-async-overflow": Requires Some(Ub);
        PTX, "cp.async.mbarrier.arrive";
        "A cp.async.mbarrier.arrive without .noinc must not raise the pending count above 2^20-1.";
        "Use .noinc and include these arrivals in the init count.";
    PtxMbarrierInitVisibility "ptx.mbarrier.init-visibility": Requires Some(Ub);
        PTX, "fence.mbarrier_init";
        "Every use of an mbarrier object by another agent must be ordered after its init.";
        "Place a barrier of all warps between the init and the first use; across CTAs, a cluster barrier with release and acquire.";
    PtxMbarrierNeverCompletes "ptx.mbarrier.never-completes": Requires Some(Deadlock);
        PTX, "Phase Completion of the mbarrier object";
        "Every wait on an mbarrier object must eventually return.";
        "Check which arrivals are missing, and how many bytes are still expected.";
    PtxMbarrierFirstParity "ptx.mbarrier.first-parity": Requires Some(Lint);
        PTX, "mbarrier.test_wait, phaseParity";
        "The first wait on parity 1 of a fresh object returns at once. The specification does not say so, but programs rely on it.";
        "";
    PtxMbarrierParityValue "ptx.mbarrier.parity-value": Requires Some(Lint);
        PTX, "mbarrier.test_wait, phaseParity";
        "The parity that a wait asks for must be 0 or 1.";
        "Keep the phase as 0 or 1: flip it with `phase ^= 1`, or take `& 1` of a phase count.";
    PtxMbarrierLateExpectTx "ptx.mbarrier.late-expect-tx": Requires Some(Hazard);
        PTX, "expect-tx operation";
        "An expect_tx that makes the tx-count zero while no arrival is pending does not complete the phase. The specification checks for completion only on arrive and complete_tx.";
        "Expect the bytes before the last arrive, preferably with arrive.expect_tx.";

    PtxAsyncCopyAccess "ptx.async-copy.access": Requires Some(Race);
        PTX, "Async proxy, cp.async.bulk";
        "The destination of an asynchronous copy must not be read, nor its source written, before the copy is known to be complete.";
        "Wait for the phase that the copied bytes complete before accessing the data.";
    PtxAsyncCopySize "ptx.async-copy.size": Requires Some(Ub);
        PTX, "cp.async.bulk";
        "A bulk copy must copy a multiple of 16 bytes between addresses that are multiples of 16.";
        "Copy a multiple of 16 bytes between 16-byte aligned addresses, and the rest with ordinary loads and stores.";
    PtxAsyncCopyOutstandingAtExit "ptx.async-copy.outstanding-at-exit": Requires Some(Ub);
        PTX, "Shared State Space; cp.async.bulk";
        "A CTA must not exit while a bulk copy or an asynchronous store still reads or writes its shared memory.";
        "Wait for the copy before the CTA exits: on its mbarrier, or with `cp.async.bulk.commit_group` and `cp.async.bulk.wait_group.read 0`.";

    PtxBarId "ptx.bar.id": Requires Some(Violation);
        PTX, "bar, barrier";
        "The barriers of a CTA have IDs 0 to 15.";
        "Use an ID from 0 to 15.";
    PtxBarCountMultiple "ptx.bar.count-multiple": Requires Some(Violation);
        PTX, "bar, barrier";
        "The thread count of a barrier must be a non-zero multiple of the warp size.";
        "Count whole warps of 32 threads each.";
    PtxBarCountMismatch "ptx.bar.count-mismatch": Requires Some(Violation);
        PTX, "bar, barrier";
        "All warps that use a barrier at the same time must name the same thread count.";
        "Give every sync and arrive of the barrier the same count.";
    PtxBarLeftover "ptx.bar.leftover": Requires Some(Hazard);
        PTX, "bar, barrier";
        "When a CTA ends, no barrier may hold arrivals of an incomplete phase: the next use of that ID would count them.";
        "Pair each arrive with a sync of the same generation.";
    PtxBarDoubleArrive "ptx.bar.double-arrive": Requires Some(Violation);
        PTX, "bar, barrier";
        "A warp that arrived at a barrier must not use that barrier again before it completes.";
        "Synchronise with the completion of the barrier first, or use another ID.";
    PtxBarRedMix "ptx.bar.red-mix": Requires Some(Ub);
        PTX, "bar, barrier";
        "One barrier must not mix reductions with sync or arrive.";
        "Use .red in every warp, or in none.";
    PtxBarAligned "ptx.bar.aligned": Requires Some(Ub);
        PTX, "bar, barrier";
        "All threads of a warp must execute the same aligned barrier instruction.";
        "Move the barrier out of the branch, or use the form without .aligned.";
    PtxBarAlignedSite "ptx.bar.aligned-site": Requires Some(Ub);
        PTX, "bar, barrier";
        "Under the strict reading, all warps of a barrier must execute the same aligned instruction.";
        "Use the same instruction in all warps, or the form without .aligned.";
    PtxBarWarpMember "ptx.bar.warp-member": Requires Some(Ub);
        PTX, "bar.warp.sync";
        "A thread that executes `bar.warp.sync` must be in its membermask.";
        "Include every lane that executes the instruction in the mask, as 0xffffffff does, or keep the other lanes from executing it.";
    PtxBarNeverCompletes "ptx.bar.never-completes": Requires Some(Deadlock);
        PTX, "bar, barrier";
        "Every barrier on which a warp is blocked must eventually complete. A barrier that counts all threads of the CTA does not wait for exited warps; a barrier with another count waits for that many arrivals.";
        "Check which warps have not arrived, and the thread count.";

    PtxClusterArriveOnce "ptx.cluster.arrive-once": Requires Some(Violation);
        PTX, "barrier.cluster";
        "Each thread must alternate arrives and waits at the cluster barrier, beginning with an arrive.";
        "Alternate arrive and wait.";
    PtxClusterExitedCta "ptx.cluster.exited-cta": Requires Some(Ub);
        PTX, "Shared State Space";
        "An operation on shared memory of another CTA must be performed before that CTA exits.";
        "Make the other CTA wait for the operation before it exits, for example with the cluster barrier.";

    PtxOperationUnsupported "ptx.operation.unsupported": Requires Some(Unsupported);
        PTX, "Target ISA notes";
        "A program may use only instructions and barriers that its target supports.";
        "Use a target that supports the operation.";


    // TLX.
    TlxArriveCount "tlx.arrive-count": Requires Some(Lint);
        TLX, "Barrier APIs";
        "The arrive_count of an allocated barrier must equal the number of arrivals that its users make in a phase.";
        "Set arrive_count to the arrivals of one phase: 1 for a transaction or outside async tasks, one per warp group inside them, one per wave on AMD.";
    TlxSingleArrive "tlx.single-arrive": Requires Some(Lint);
        TLX, "Barrier APIs";
        "Each call of `tlx.barrier_arrive` should arrive once; the allocation gives the number of arrivals.";
        "Arrive with arrive_count=1, and allocate the barrier with the number of calls that complete a phase.";

    TlxNamedBarrierUnsupported "tlx.named-barrier.unsupported": Requires Some(Unsupported);
        TLX, "Named Barriers";
        "Named barriers exist only on NVIDIA targets.";
        "Use a barrier in shared memory instead.";


    // OpenCL C++.
    OpenclBarrierAllEncounter "opencl.barrier.all-encounter": Requires Some(Ub);
        OPENCL, "work_group_barrier; sub_group_barrier";
        "All work-items of the group must execute the same dynamic instance of a barrier: the same call, call path and loop iteration.";
        "Move the barrier out of the conditional or loop, or make the control flow uniform across the group.";
    OpenclBarrierUniformArguments "opencl.barrier.uniform-arguments": Requires Some(Ub);
        OPENCL, "work_group_barrier; sub_group_barrier; wait";
        "All work-items that execute a barrier, an asynchronous copy of a work-group or a wait for copies must pass the same arguments.";
        "Compute the arguments from values that are the same for every work-item of the group.";

    OpenclFenceImageAlone "opencl.fence.image-alone": Requires Some(Violation);
        OPENCL, "work_group_barrier; sub_group_barrier";
        "A barrier must not combine the image flag with the local or the global flag.";
        "Use two barriers, one for images and one for the other address spaces.";
    OpenclFenceImageScope "opencl.fence.image-scope": Requires Some(Violation);
        OPENCL, "work_group_barrier; sub_group_barrier";
        "A barrier with the image flag must have work-group or device scope.";
        "Use memory_scope_work_group or memory_scope_device.";
    OpenclFenceLocalScopeIgnored "opencl.fence.local-scope-ignored": Requires Some(Lint);
        OPENCL, "work_group_barrier; sub_group_barrier; wait";
        "A scope argument with only the local flag has no effect: local memory is always ordered for the work-group.";
        "Remove the scope argument.";

    OpenclNamedKernelOnly "opencl.named.kernel-only": Requires Some(Violation);
        OPENCL, "work_group_named_barrier";
        "A named barrier must be constructed in a kernel, not in a function that a kernel calls.";
        "Construct it in the kernel and pass it to the function by reference.";
    OpenclNamedUniform "opencl.named.uniform": Requires Some(Ub);
        OPENCL, "work_group_named_barrier";
        "Every work-item of the work-group must construct a named barrier at the same place, in the same loop iteration, with the same count.";
        "Construct the barrier in uniform control flow, with a count that is the same for all work-items.";
    OpenclNamedImage "opencl.named.image": Requires Some(Violation);
        OPENCL, "wait";
        "A wait on a named barrier must not use the image flag.";
        "Order images with work_group_barrier.";
    OpenclNamedType "opencl.named.type": Requires Some(Violation);
        OPENCL, "Named barriers, Restrictions; Header opencl_synchronization";
        "A named barrier must be a separate variable in local memory, constructed with a count. It must not be a field, pointer, array, return type, program-scope variable, or variable in global, private or constant memory. It has no default constructor, no assignment and no address.";
        "Declare it in the kernel as local<work_group_named_barrier> NAME(COUNT).";
    OpenclNamedLimit "opencl.named.limit": Requires Some(Lint);
        OPENCL, "Named barriers";
        "Every implementation provides at least eight named barriers per work-group; it need not provide more.";
        "Use at most eight, or query CL_DEVICE_MAX_NAMED_BARRIER_COUNT_KHR.";
    OpenclNamedSubGroupUniform "opencl.named.sub-group-uniform": Requires Some(Ub);
        OPENCL, "wait";
        "All work-items of a sub-group must execute the same dynamic instance of a wait on a named barrier.";
        "Make the control flow uniform in the sub-group: branch on get_sub_group_id(), not on the work-item.";
    OpenclNamedOverSubscribed "opencl.named.over-subscribed": Requires Some(Violation);
        OPENCL, "wait";
        "No more sub-groups than the count of a named barrier may wait for one phase: the specification does not say which of them synchronise.";
        "Give each set of sub-groups its own barrier, or raise the count.";
    OpenclNamedNeverCompletes "opencl.named.never-completes": Requires Some(Deadlock);
        OPENCL, "wait";
        "A sub-group that waits on a named barrier continues only when as many sub-groups wait there as its count.";
        "Make as many sub-groups as the count wait, the same number of times each.";

    OpenclSplitArriveTwice "opencl.split.arrive-twice": Requires Some(Ub);
        "cl_intel_split_work_group_barrier", "Built-in Work-group Synchronization Functions";
        "A work-item must wait between two arrives at a work-group barrier.";
        "Wait before arriving again; work_group_barrier also arrives.";
    OpenclSplitWaitFirst "opencl.split.wait-first": Requires Some(Ub);
        "cl_intel_split_work_group_barrier", "Built-in Work-group Synchronization Functions";
        "A work-item may wait at a split work-group barrier only after it arrives there, once for each arrive.";
        "Arrive before the wait.";
    OpenclSplitFlagsDiffer "opencl.split.flags-differ": Requires Some(Lint);
        "cl_intel_split_work_group_barrier", "Built-in Work-group Synchronization Functions";
        "If an arrive and its wait pass different flags or scopes, only what both name is ordered, at the narrower scope.";
        "Pass the same flags and scope to both.";
    OpenclSplitImageScope "opencl.split.image-scope": Requires Some(Ub);
        "cl_intel_split_work_group_barrier", "Built-in Work-group Synchronization Functions";
        "A split work-group barrier with the image flag must have work-group scope.";
        "Use memory_scope_work_group.";
}
