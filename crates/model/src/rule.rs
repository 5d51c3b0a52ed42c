//! The catalogue of rules. The path of a rule's module is its identifier.

use crate::verdict::Class;

/// The kind of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Force {
    /// Defines a relation.
    Defines,
    /// Constrains executions: a candidate that breaks the rule is not an execution.
    Constrains,
    /// Requires something of programs: a program that breaks the rule is incorrect.
    Requires,
}

impl Force {
    /// The word used in the catalogue.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Defines => "defines",
            Self::Constrains => "constrains",
            Self::Requires => "requires",
        }
    }
}

/// A rule with a permanent identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its permanent dotted identifier.
    pub id: &'static str,
    /// The class of a finding of this rule; `None` for a rule that constrains executions, which no program can break.
    pub class: Option<Class>,
    /// Its kind.
    pub force: Force,
    /// Its statement, in our own words.
    pub statement: &'static str,
    /// The document that states it.
    pub document: &'static str,
    /// The section or rubric of the document.
    pub section: &'static str,
    /// The usual fix for a scenario that breaks it; empty if there is none.
    pub remedy: &'static str,
}

/// A rule, by its index in [`RULES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)] // each is the rule with that identifier
pub enum RuleId {
    AmdInitFirst,
    AmdInitPositive,
    AmdDropNonNegative,
    AmdArriveExpected,
    AmdWaitNeverCompletes,
    AmdDropRace,
    AmdPhaseSeparation,
    AmdJoinNamedOnly,
    AmdJoinBeforeDrop,
    AmdJoinBeforeWait,
    AmdObjectScope,
    AmdObjectUnsupported,
    AmdOperationUnsupported,
    AmdOperationPrivileged,
    AmdClusterOneArrival,
    AmdBarrierWaveUniform,
    AmdMachineNeverCompletes,
    AmdMachineLostCompletion,
    AmdMachineCountWidth,
    AmdBarrierOutstandingMemory,
    MemRace,
    AsyncRace,
    AsyncUnmarked,
    AsyncRedundantWait,
    AsyncRedundantMark,
    AsyncStrictWait,
    AsyncCalleeUnspecified,
    AsyncUnsupported,
    PtxMbarrierValidObject,
    PtxMbarrierInitOnValid,
    PtxMbarrierForeignAccess,
    PtxMbarrierCountRange,
    PtxMbarrierNoComplete,
    PtxMbarrierPhaseWindow,
    PtxMbarrierParityAlias,
    PtxMbarrierMissingWait,
    PtxMbarrierOverArrival,
    PtxMbarrierTxRange,
    PtxMbarrierDropToZero,
    PtxMbarrierRemoteOperation,
    PtxMbarrierPendingCountToken,
    PtxMbarrierCpAsyncOverflow,
    PtxMbarrierInitVisibility,
    PtxMbarrierNeverCompletes,
    PtxMbarrierFirstParity,
    PtxMbarrierParityValue,
    PtxMbarrierLateExpectTx,
    PtxAsyncCopyAccess,
    PtxAsyncCopySize,
    PtxAsyncCopyOutstandingAtExit,
    PtxBarId,
    PtxBarCountMultiple,
    PtxBarCountMismatch,
    PtxBarLeftover,
    PtxBarDoubleArrive,
    PtxBarRedMix,
    PtxBarAligned,
    PtxBarAlignedSite,
    PtxBarWarpMember,
    PtxBarNeverCompletes,
    PtxClusterArriveOnce,
    PtxClusterExitedCta,
    PtxOperationUnsupported,
    TlxArriveCount,
    TlxSingleArrive,
    TlxNamedBarrierUnsupported,
    OpenclBarrierAllEncounter,
    OpenclBarrierUniformArguments,
    OpenclFenceImageAlone,
    OpenclFenceImageScope,
    OpenclFenceLocalScopeIgnored,
    OpenclNamedKernelOnly,
    OpenclNamedUniform,
    OpenclNamedImage,
    OpenclNamedType,
    OpenclNamedLimit,
    OpenclNamedSubGroupUniform,
    OpenclNamedOverSubscribed,
    OpenclNamedNeverCompletes,
    OpenclSplitArriveTwice,
    OpenclSplitWaitFirst,
    OpenclSplitFlagsDiffer,
    OpenclSplitImageScope,
}

/// Every rule, in the order of [`RuleId`].
pub static RULES: [&Rule; 83] = [
    &crate::amd::init::first::RULE,
    &crate::amd::init::positive::RULE,
    &crate::amd::drop::non_negative::RULE,
    &crate::amd::arrive::expected::RULE,
    &crate::amd::wait::never_completes::RULE,
    &crate::amd::drop::race::RULE,
    &crate::amd::phase::separation::RULE,
    &crate::amd::join::named_only::RULE,
    &crate::amd::join::before_drop::RULE,
    &crate::amd::join::before_wait::RULE,
    &crate::amd::object::scope::RULE,
    &crate::amd::object::unsupported::RULE,
    &crate::amd::operation::unsupported::RULE,
    &crate::amd::operation::privileged::RULE,
    &crate::amd::cluster::one_arrival::RULE,
    &crate::amd::barrier::wave_uniform::RULE,
    &crate::amd::machine::never_completes::RULE,
    &crate::amd::machine::lost_completion::RULE,
    &crate::amd::machine::count_width::RULE,
    &crate::amd::barrier::outstanding_memory::RULE,
    &crate::mem::race::RULE,
    &crate::r#async::race::RULE,
    &crate::r#async::unmarked::RULE,
    &crate::r#async::redundant_wait::RULE,
    &crate::r#async::redundant_mark::RULE,
    &crate::r#async::strict_wait::RULE,
    &crate::r#async::callee_unspecified::RULE,
    &crate::r#async::unsupported::RULE,
    &crate::ptx::mbarrier::valid_object::RULE,
    &crate::ptx::mbarrier::init_on_valid::RULE,
    &crate::ptx::mbarrier::foreign_access::RULE,
    &crate::ptx::mbarrier::count_range::RULE,
    &crate::ptx::mbarrier::no_complete::RULE,
    &crate::ptx::mbarrier::phase_window::RULE,
    &crate::ptx::mbarrier::parity_alias::RULE,
    &crate::ptx::mbarrier::missing_wait::RULE,
    &crate::ptx::mbarrier::over_arrival::RULE,
    &crate::ptx::mbarrier::tx_range::RULE,
    &crate::ptx::mbarrier::drop_to_zero::RULE,
    &crate::ptx::mbarrier::remote_operation::RULE,
    &crate::ptx::mbarrier::pending_count_token::RULE,
    &crate::ptx::mbarrier::cp_async_overflow::RULE,
    &crate::ptx::mbarrier::init_visibility::RULE,
    &crate::ptx::mbarrier::never_completes::RULE,
    &crate::ptx::mbarrier::first_parity::RULE,
    &crate::ptx::mbarrier::parity_value::RULE,
    &crate::ptx::mbarrier::late_expect_tx::RULE,
    &crate::ptx::async_copy::access::RULE,
    &crate::ptx::async_copy::size::RULE,
    &crate::ptx::async_copy::outstanding_at_exit::RULE,
    &crate::ptx::bar::id::RULE,
    &crate::ptx::bar::count_multiple::RULE,
    &crate::ptx::bar::count_mismatch::RULE,
    &crate::ptx::bar::leftover::RULE,
    &crate::ptx::bar::double_arrive::RULE,
    &crate::ptx::bar::red_mix::RULE,
    &crate::ptx::bar::aligned::RULE,
    &crate::ptx::bar::aligned_site::RULE,
    &crate::ptx::bar::warp_member::RULE,
    &crate::ptx::bar::never_completes::RULE,
    &crate::ptx::cluster::arrive_once::RULE,
    &crate::ptx::cluster::exited_cta::RULE,
    &crate::ptx::operation::unsupported::RULE,
    &crate::tlx::arrive_count::RULE,
    &crate::tlx::single_arrive::RULE,
    &crate::tlx::named_barrier::unsupported::RULE,
    &crate::opencl::barrier::all_encounter::RULE,
    &crate::opencl::barrier::uniform_arguments::RULE,
    &crate::opencl::fence::image_alone::RULE,
    &crate::opencl::fence::image_scope::RULE,
    &crate::opencl::fence::local_scope_ignored::RULE,
    &crate::opencl::named::kernel_only::RULE,
    &crate::opencl::named::uniform::RULE,
    &crate::opencl::named::image::RULE,
    &crate::opencl::named::r#type::RULE,
    &crate::opencl::named::limit::RULE,
    &crate::opencl::named::sub_group_uniform::RULE,
    &crate::opencl::named::over_subscribed::RULE,
    &crate::opencl::named::never_completes::RULE,
    &crate::opencl::split::arrive_twice::RULE,
    &crate::opencl::split::wait_first::RULE,
    &crate::opencl::split::flags_differ::RULE,
    &crate::opencl::split::image_scope::RULE,
];

const FIRST_NVIDIA: u32 = RuleId::PtxMbarrierValidObject as u32;
const LAST_NVIDIA: u32 = RuleId::TlxNamedBarrierUnsupported as u32;
const FIRST_OPENCL: u32 = RuleId::OpenclBarrierAllEncounter as u32;
const LAST_OPENCL: u32 = RuleId::OpenclSplitImageScope as u32;

impl RuleId {
    /// Every identifier.
    pub const ALL: [Self; RULES.len()] = [
        Self::AmdInitFirst,
        Self::AmdInitPositive,
        Self::AmdDropNonNegative,
        Self::AmdArriveExpected,
        Self::AmdWaitNeverCompletes,
        Self::AmdDropRace,
        Self::AmdPhaseSeparation,
        Self::AmdJoinNamedOnly,
        Self::AmdJoinBeforeDrop,
        Self::AmdJoinBeforeWait,
        Self::AmdObjectScope,
        Self::AmdObjectUnsupported,
        Self::AmdOperationUnsupported,
        Self::AmdOperationPrivileged,
        Self::AmdClusterOneArrival,
        Self::AmdBarrierWaveUniform,
        Self::AmdMachineNeverCompletes,
        Self::AmdMachineLostCompletion,
        Self::AmdMachineCountWidth,
        Self::AmdBarrierOutstandingMemory,
        Self::MemRace,
        Self::AsyncRace,
        Self::AsyncUnmarked,
        Self::AsyncRedundantWait,
        Self::AsyncRedundantMark,
        Self::AsyncStrictWait,
        Self::AsyncCalleeUnspecified,
        Self::AsyncUnsupported,
        Self::PtxMbarrierValidObject,
        Self::PtxMbarrierInitOnValid,
        Self::PtxMbarrierForeignAccess,
        Self::PtxMbarrierCountRange,
        Self::PtxMbarrierNoComplete,
        Self::PtxMbarrierPhaseWindow,
        Self::PtxMbarrierParityAlias,
        Self::PtxMbarrierMissingWait,
        Self::PtxMbarrierOverArrival,
        Self::PtxMbarrierTxRange,
        Self::PtxMbarrierDropToZero,
        Self::PtxMbarrierRemoteOperation,
        Self::PtxMbarrierPendingCountToken,
        Self::PtxMbarrierCpAsyncOverflow,
        Self::PtxMbarrierInitVisibility,
        Self::PtxMbarrierNeverCompletes,
        Self::PtxMbarrierFirstParity,
        Self::PtxMbarrierParityValue,
        Self::PtxMbarrierLateExpectTx,
        Self::PtxAsyncCopyAccess,
        Self::PtxAsyncCopySize,
        Self::PtxAsyncCopyOutstandingAtExit,
        Self::PtxBarId,
        Self::PtxBarCountMultiple,
        Self::PtxBarCountMismatch,
        Self::PtxBarLeftover,
        Self::PtxBarDoubleArrive,
        Self::PtxBarRedMix,
        Self::PtxBarAligned,
        Self::PtxBarAlignedSite,
        Self::PtxBarWarpMember,
        Self::PtxBarNeverCompletes,
        Self::PtxClusterArriveOnce,
        Self::PtxClusterExitedCta,
        Self::PtxOperationUnsupported,
        Self::TlxArriveCount,
        Self::TlxSingleArrive,
        Self::TlxNamedBarrierUnsupported,
        Self::OpenclBarrierAllEncounter,
        Self::OpenclBarrierUniformArguments,
        Self::OpenclFenceImageAlone,
        Self::OpenclFenceImageScope,
        Self::OpenclFenceLocalScopeIgnored,
        Self::OpenclNamedKernelOnly,
        Self::OpenclNamedUniform,
        Self::OpenclNamedImage,
        Self::OpenclNamedType,
        Self::OpenclNamedLimit,
        Self::OpenclNamedSubGroupUniform,
        Self::OpenclNamedOverSubscribed,
        Self::OpenclNamedNeverCompletes,
        Self::OpenclSplitArriveTwice,
        Self::OpenclSplitWaitFirst,
        Self::OpenclSplitFlagsDiffer,
        Self::OpenclSplitImageScope,
    ];

    /// The rules that the oracles for AMDGPU report: all except those of `ptx`, `tlx` and `opencl`.
    pub fn of_amdgpu() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|rule| !rule.is_nvidia() && !rule.is_opencl())
    }

    /// The rules of `opencl`, which are contiguous.
    pub fn of_opencl() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|rule| rule.is_opencl())
    }

    /// The rules of `ptx` and `tlx`, which are contiguous.
    pub fn of_nvidia() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|rule| rule.is_nvidia())
    }

    const fn is_nvidia(self) -> bool {
        self as u32 >= FIRST_NVIDIA && (self as u32) <= LAST_NVIDIA
    }

    const fn is_opencl(self) -> bool {
        self as u32 >= FIRST_OPENCL && (self as u32) <= LAST_OPENCL
    }

    /// Its number among the rules of its oracles, below 60: a set of broken rules is a word of bits.
    #[must_use]
    pub const fn number(self) -> u32 {
        let number = self as u32;
        if number < FIRST_NVIDIA {
            number
        } else if self.is_opencl() {
            number - FIRST_OPENCL
        } else if number > LAST_NVIDIA {
            number - (LAST_NVIDIA - FIRST_NVIDIA + 1) - (LAST_OPENCL - FIRST_OPENCL + 1)
        } else {
            number - FIRST_NVIDIA
        }
    }

    /// The rule.
    #[must_use]
    pub fn get(self) -> &'static Rule {
        RULES[self as usize]
    }

    /// The rule with this identifier (`amd.drop.race`).
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rule| rule.get().id == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_permanent_and_unique() {
        for (index, rule) in RuleId::ALL.into_iter().enumerate() {
            assert_eq!(rule as usize, index);
            assert_eq!(RuleId::from_name(rule.get().id), Some(rule));
            assert!(rule.number() < 60);
            let id = rule.get().id;
            assert_eq!(rule.is_nvidia(), id.starts_with("ptx.") || id.starts_with("tlx."));
            assert_eq!(rule.is_opencl(), id.starts_with("opencl."));
            assert!(rule.get().class.is_some() || rule.get().force != Force::Requires);
        }
    }
}
