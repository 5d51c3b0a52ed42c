//! PTX: the instructions on barriers and asynchronous copies.
//!
//! To add an instruction:
//!
//! 1. Add a row to `ROWS`: its name without modifiers, the compute capability that introduced it, its operands in order,
//!    its kind. Recognition, highlighting and completion follow the row.
//! 2. Add its modifiers to `allowed`, and the effects of new ones to `modify`, or to `SILENT` if they have none.
//! 3. If no [`Kind`] describes it, add one. The compiler names the places that then need a branch: its action in
//!    `evaluate/nvidia.rs`, its hover text in `assist/meaning.rs`, and its operands in `crates/front/src/ptx/sync.rs` and
//!    `copies.rs` for pasted kernels.
//! 4. Add a valid and an invalid use, with the diagnostic, to `crates/lang/tests/diagnostics.txt`.

use super::effect::{Condition, Effect};
use super::nvidia::{Flags, Kind, Part};
use super::row::{Place, Row};
use tidegate_model::operation::Form;
use tidegate_model::ptx::action::{Bar, Order, Patience, Queue, Reduce, Spelling};

/// An instruction: its name, its operands, and its effect.
#[derive(Clone, Copy, Debug)]
pub struct Instruction {
    pub(crate) row: Row,
    pub(crate) parts: &'static [Part],
    /// The processors that have it, and how it is written.
    pub spelling: Spelling,
}

impl Instruction {
    /// Its name, without modifiers.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.row.name
    }

    /// Its effect; `None` if it is not one of NVIDIA's.
    #[must_use]
    pub const fn kind(&self) -> Option<Kind> {
        match self.row.effect {
            Effect::Nvidia(kind) => Some(kind),
            _ => None,
        }
    }

    /// The spelling that determines target support: a modifier or an explicit count can require more than the instruction.
    #[must_use]
    pub fn spelled(&self, flags: Flags, counted: bool) -> Spelling {
        match self.spelling {
            Spelling::Ptx(since) => {
                Spelling::Ptx(since.max(flags.since).max(if counted { 90 } else { 0 }))
            }
            other => other,
        }
    }
}

const fn row(name: &'static str, since: u16, parts: &'static [Part], kind: Kind) -> Instruction {
    let row = Row { name, operands: &[], effect: Effect::Nvidia(kind), form: Form::Word };
    Instruction { row, parts, spelling: Spelling::Ptx(since) }
}

/// A tensor core instruction that later processors do not have.
const fn between(
    name: &'static str,
    (since, before): (u16, u16),
    parts: &'static [Part],
    kind: Kind,
) -> Instruction {
    let spelling = Spelling::PtxBetween(since, before);
    Instruction { spelling, ..row(name, since, parts, kind) }
}

use Part::{
    Address, Bytes, Ignored, Mask, Maybe, Reduced, Rest, Result as Out, Skipped, Tile, Value,
};

/// The instructions; if one name is a prefix of another, the longer is first.
pub(crate) static ROWS: &[Instruction] = &[
    row("mbarrier.init", 80, &[Address, Value], Kind::Init),
    row("mbarrier.inval", 80, &[Address], Kind::Inval),
    row("mbarrier.arrive_drop", 80, &[Out, Address, Maybe], Kind::Arrive),
    row("mbarrier.arrive", 80, &[Out, Address, Maybe], Kind::Arrive),
    row("mbarrier.expect_tx", 90, &[Address, Value], Kind::Expect),
    row("mbarrier.complete_tx", 90, &[Address, Value], Kind::Complete),
    row("mbarrier.test_wait", 80, &[Out, Address, Value], Kind::Wait(Patience::Test)),
    row("mbarrier.try_wait", 90, &[Out, Address, Value, Ignored], Kind::Wait(Patience::Try)),
    row("mbarrier.pending_count", 80, &[Out, Value], Kind::PendingCount),
    row("bar.warp.sync", 70, &[Value], Kind::WarpSync),
    row("bar.cta.sync", 70, &[Value, Maybe], Kind::Bar(Bar::Sync)),
    row("bar.cta.arrive", 70, &[Value, Value], Kind::Bar(Bar::Arrive)),
    row("bar.cta.red", 70, &[Out, Value, Reduced], Kind::Bar(Bar::Red)),
    row("bar.sync", 70, &[Value, Maybe], Kind::Bar(Bar::Sync)),
    row("bar.arrive", 70, &[Value, Value], Kind::Bar(Bar::Arrive)),
    row("bar.red", 70, &[Out, Value, Reduced], Kind::Bar(Bar::Red)),
    row("barrier.cluster.arrive", 90, &[], Kind::ClusterArrive),
    row("barrier.cluster.wait", 90, &[], Kind::ClusterWait),
    row("barrier.cta.sync", 70, &[Value, Maybe], Kind::Bar(Bar::Sync)),
    row("barrier.cta.arrive", 70, &[Value, Value], Kind::Bar(Bar::Arrive)),
    row("barrier.cta.red", 70, &[Out, Value, Reduced], Kind::Bar(Bar::Red)),
    row("barrier.sync", 70, &[Value, Maybe], Kind::Bar(Bar::Sync)),
    row("barrier.arrive", 70, &[Value, Value], Kind::Bar(Bar::Arrive)),
    row("barrier.red", 70, &[Out, Value, Reduced], Kind::Bar(Bar::Red)),
    row("fence.mbarrier_init", 90, &[], Kind::FenceInit),
    row("fence", 70, &[Rest], Kind::Fence),
    row("membar", 70, &[Rest], Kind::Fence),
    row("nanosleep", 70, &[Rest], Kind::Nothing),
    row("pmevent", 70, &[Rest], Kind::Nothing),
    row("cp.async.mbarrier.arrive", 80, &[Address], Kind::CopyArrive),
    row("cp.async.bulk.commit_group", 90, &[], Kind::Commit { queue: Queue::Bulk }),
    row("cp.async.bulk.wait_group", 90, &[Value], Kind::WaitGroup { queue: Queue::Bulk }),
    row("cp.async.bulk.prefetch", 90, &[Rest], Kind::Nothing),
    row("cp.async.bulk.tensor", 90, &[Bytes, Bytes, Address, Mask, Rest], Kind::Copy),
    row("cp.async.bulk", 90, &[Bytes, Bytes, Value, Address, Mask, Rest], Kind::Copy),
    row("cp.reduce.async.bulk.tensor", 90, &[Bytes, Bytes, Rest], Kind::Copy),
    row("cp.reduce.async.bulk", 90, &[Bytes, Bytes, Value, Address, Rest], Kind::Copy),
    row("cp.async.commit_group", 80, &[], Kind::Commit { queue: Queue::Thread }),
    row("cp.async.wait_group", 80, &[Value], Kind::WaitGroup { queue: Queue::Thread }),
    row("cp.async.wait_all", 80, &[], Kind::WaitAll),
    row("cp.async", 80, &[Bytes, Bytes, Value, Rest], Kind::CopyOfThread),
    row("red.async", 90, &[Bytes, Ignored, Address], Kind::StoreAsync),
    row("st.async", 90, &[Bytes, Ignored, Address], Kind::StoreAsync),
    between("tcgen05.commit", (100, 120), &[Address, Mask], Kind::CommitArrive),
    between("tcgen05.mma", (100, 120), &[Skipped, Tile, Tile, Rest], Kind::Tensor),
    between("tcgen05.cp", (100, 120), &[Skipped, Tile, Rest], Kind::Tensor),
    between("tcgen05", (100, 120), &[Rest], Kind::Nothing),
    between("wgmma.mma_async", (90, 100), &[Skipped, Tile, Tile, Rest], Kind::Tensor),
    between("wgmma.commit_group", (90, 100), &[], Kind::Commit { queue: Queue::Tensor }),
    between("wgmma.wait_group", (90, 100), &[Value], Kind::WaitGroup { queue: Queue::Tensor }),
    between("wgmma", (90, 100), &[Rest], Kind::Nothing),
    row("mov", 70, &[Out, Value], Kind::Move),
    row("cvta", 70, &[Out, Value], Kind::Move),
    row("cvt", 70, &[Out, Value], Kind::Move),
    row("mapa", 90, &[Out, Value, Value], Kind::Move),
];

/// `bra`.
pub(crate) static BRANCH: Row = Row {
    name: "bra",
    operands: &[Place::Label],
    effect: Effect::Jump(Condition::Always),
    form: Form::Word,
};

/// Computations on numbers, which are not operations.
pub(crate) static SUM: Instruction = row("setp", 70, &[Out, Value], Kind::Move);

/// Instructions that may access memory or synchronise and are not modelled.
pub(crate) static OTHER: Instruction =
    row("an instruction that is not modelled", 70, &[Rest], Kind::Unmodelled);

/// A load or store that does not race with others of its kind.
pub(crate) static STRONG: Instruction = row("a strong access", 70, &[Bytes], Kind::Nothing);

/// An access to the memory of an mbarrier object that is not an operation on it.
pub(crate) static ACCESS: Instruction = row("access", 70, &[Address], Kind::Access);

/// Modifiers without an effect on the check: state spaces, types, hints.
const SILENT: [&str; 40] = [
    "const",
    "L2",
    "b128",
    "s16",
    "u16",
    "local",
    "param",
    "b8",
    "shared",
    "shared::cta",
    "shared::cluster",
    "global",
    "b32",
    "b16",
    "u32",
    "s32",
    "f16",
    "pred",
    "xor",
    "add",
    "inc",
    "dec",
    "min",
    "max",
    "ca",
    "tile",
    "async",
    "alias",
    "generic",
    "mbarrier::complete_tx::bytes",
    "uni",
    "tensor",
    "sync",
    "async::generic",
    "to",
    "weak",
    "f32",
    "mbarrier::arrive::one",
    "bf16",
    "noftz",
];

/// Why a head is not one of these instructions.
#[derive(Debug)]
pub enum Unknown {
    /// No instruction starts with it.
    Instruction,
    /// The instruction has no such modifier.
    Modifier(&'static Instruction, usize),
    /// The instruction has that modifier, but not together with `.noComplete`.
    Beside(&'static Instruction, usize),
    /// Memory semantics without a scope, or a scope without semantics.
    Half(&'static Instruction, usize),
}

/// PTX instructions that compute from registers and from memory that no instruction of a kernel writes, such as textures.
/// If `expression::machine` has no value for one, its result is unknown.
pub const COMPUTES: [&str; 92] = [
    "abs",
    "activemask",
    "add",
    "addc",
    "alloca",
    "and",
    "bfe",
    "bfi",
    "bfind",
    "bmsk",
    "brev",
    "clz",
    "cnot",
    "copysign",
    "cos",
    "createpolicy",
    "cvt",
    "div",
    "dp2a",
    "dp4a",
    "ex2",
    "fma",
    "fns",
    "getctarank",
    "isspacep",
    "istypep",
    "lg2",
    "lop3",
    "mad",
    "mad24",
    "madc",
    "match",
    "max",
    "min",
    "mma",
    "movmatrix",
    "mul",
    "mul24",
    "neg",
    "not",
    "or",
    "popc",
    "prmt",
    "rcp",
    "redux",
    "rem",
    "rsqrt",
    "sad",
    "set",
    "setp",
    "shf",
    "shfl",
    "shl",
    "shr",
    "sin",
    "slct",
    "sqrt",
    "stacksave",
    "sub",
    "subc",
    "suq",
    "szext",
    "tanh",
    "testp",
    "tex",
    "tld4",
    "txq",
    "vabsdiff",
    "vabsdiff2",
    "vabsdiff4",
    "vadd",
    "vadd2",
    "vadd4",
    "vavrg2",
    "vavrg4",
    "vmad",
    "vmax",
    "vmax2",
    "vmax4",
    "vmin",
    "vmin2",
    "vmin4",
    "vote",
    "vset",
    "vset2",
    "vset4",
    "vshl",
    "vshr",
    "vsub",
    "vsub2",
    "vsub4",
    "xor",
];

/// PTX instructions without a checked effect: hints, and instructions that do not affect the threads of this grid.
pub const IDLE: [&str; 8] = [
    "applypriority",
    "brkpt",
    "griddepcontrol",
    "pmevent",
    "prefetch",
    "prefetchu",
    "setmaxnreg",
    "stackrestore",
];

/// PTX instructions that access memory or synchronise in ways that are not modelled, or end more than their thread.
pub(crate) const UNMODELLED: [&str; 17] = [
    "atom",
    "brx",
    "clusterlaunchcontrol",
    "discard",
    "ld",
    "ldmatrix",
    "ldu",
    "multimem",
    "red",
    "st",
    "stmatrix",
    "suld",
    "sured",
    "sust",
    "tensormap",
    "trap",
    "wmma",
];

/// The bits of a PTX floating-point constant: `0f3F800000`, `0dBFF0000000000000`.
#[must_use]
pub fn float_bits(word: &str) -> Option<i64> {
    let digits = match (word.get(..2)?, word.len()) {
        ("0f" | "0F", 10) | ("0d" | "0D", 18) => &word[2..],
        _ => return None,
    };
    u64::from_str_radix(digits, 16).ok().map(|bits| bits as i64)
}

/// Elects one lane of a warp.
pub(crate) const ELECT: &str = "elect.sync";

/// Whether a head is that of a PTX instruction that is not on barriers: it computes or accesses memory.
pub(crate) fn is_beside(head: &str) -> bool {
    let first = head.split_once('.').map(|(first, _)| first);
    first.is_some_and(|first| matches!(first, "ld" | "st" | "selp") || COMPUTES.contains(&first))
}

/// The row of a head.
fn row_of(head: &str) -> Option<&'static Instruction> {
    let begins = |row: &&Instruction| {
        head.strip_prefix(row.row.name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    ROWS.iter().find(begins)
}

/// Whether an instruction with this head is PTX. A single word such as `fence` has another meaning.
pub(crate) fn recognises(head: &str) -> bool {
    /// Names that start with one of these and have no row are errors.
    const FAMILIES: [&str; 4] = ["mbarrier.", "bar.", "barrier.", "cp.reduce.async."];
    head == "pmevent"
        || head.contains('.')
            && (FAMILIES.iter().any(|start| head.starts_with(start)) || row_of(head).is_some())
}

/// Finds the instruction of a head with its modifiers, such as `mbarrier.init.shared::cta.b64`.
pub fn find(head: &str) -> Result<(&'static Instruction, Flags), Unknown> {
    let instruction = row_of(head).ok_or(Unknown::Instruction)?;
    let name = instruction.row.name;
    let mut flags = Flags {
        // `bar.warp.sync` names its members by a mask, at any position in the code.
        aligned: name.starts_with("bar.") && name != "bar.warp.sync",
        drop: name == "mbarrier.arrive_drop",
        relaxed: false,
        ..Flags::default()
    };
    let mut at = name.len() + 1;
    if name.starts_with("wgmma") || name.starts_with("tcgen05") && name != "tcgen05.commit" {
        // Shapes and types of computations are ignored.
        flags.pair = head.contains(".cta_group::2");
        return Ok((instruction, flags));
    }
    for part in head.get(at..).unwrap_or("").split('.').filter(|part| !part.is_empty()) {
        let known = allowed(name).is_none_or(|allowed| allowed.contains(&part));
        if !known || !modify(&mut flags, part) {
            return Err(Unknown::Modifier(instruction, at));
        }
        flags.remote |= part == "shared::cluster" && name.starts_with("mbarrier.arrive");
        at += part.len() + 1;
    }
    if flags.no_complete
        && let Some(at) = beside_no_complete(head, name.len() + 1)
    {
        return Err(Unknown::Beside(instruction, at));
    }
    let has = |words: &[&str]| place_of(head, name.len() + 1, words);
    match (has(&SEMANTICS), has(&SCOPES)) {
        (Some(at), None) | (None, Some(at)) if name.starts_with("mbarrier.") => {
            Err(Unknown::Half(instruction, at))
        }
        _ => Ok((instruction, flags)),
    }
}

/// Memory semantics of an operation on an mbarrier object; one of [`SCOPES`] follows.
pub(crate) const SEMANTICS: [&str; 3] = ["release", "acquire", "relaxed"];

/// The scope of the semantics.
pub(crate) const SCOPES: [&str; 2] = ["cta", "cluster"];

/// The position of a modifier that is not allowed together with `.noComplete`.
fn beside_no_complete(head: &str, first: usize) -> Option<usize> {
    place_of(head, first, &NOT_WITH_NO_COMPLETE)
}

/// The position of one of these words among the modifiers.
fn place_of(head: &str, first: usize, words: &[&str]) -> Option<usize> {
    let mut at = first;
    head.get(first..)?.split('.').find_map(|part| {
        let here = at;
        at += part.len() + 1;
        words.contains(&part).then_some(here)
    })
}

/// The likely intended modifier for one that an instruction does not have.
pub(crate) fn likely(word: &str, allowed: &[&'static str]) -> Option<&'static str> {
    let meant = match word {
        "gpu" | "sys" => "cluster",
        "acquire" => "release",
        "release" => "acquire",
        "b32" | "u64" => "b64",
        "shared::cluster" => "shared::cta",
        _ => return None,
    };
    allowed.iter().copied().find(|known| *known == meant)
}

/// The modifiers that PTX allows for an instruction on barriers; `None` if they are not checked in detail.
pub(crate) fn allowed(name: &str) -> Option<&'static [&'static str]> {
    Some(match name {
        "mbarrier.init" | "mbarrier.inval" => &["shared", "shared::cta", "b64"],
        "mbarrier.arrive" | "mbarrier.arrive_drop" => &[
            "expect_tx",
            "noComplete",
            "release",
            "relaxed",
            "cta",
            "cluster",
            "shared",
            "shared::cta",
            "shared::cluster",
            "b64",
        ],
        "mbarrier.expect_tx" | "mbarrier.complete_tx" => {
            &["relaxed", "cta", "cluster", "shared", "shared::cta", "shared::cluster", "b64"]
        }
        "mbarrier.test_wait" | "mbarrier.try_wait" => {
            &["parity", "acquire", "relaxed", "cta", "cluster", "shared", "shared::cta", "b64"]
        }
        "mbarrier.pending_count" => &["b64"],
        "cp.async.mbarrier.arrive" => &["noinc", "shared", "shared::cta", "b64"],
        "bar.red" | "bar.cta.red" => &["popc", "and", "or", "u32", "pred"],
        "barrier.red" | "barrier.cta.red" => &["popc", "and", "or", "u32", "pred", "aligned"],
        "barrier.sync" | "barrier.cta.sync" | "barrier.arrive" | "barrier.cta.arrive" => {
            &["aligned"]
        }
        "bar.sync" | "bar.cta.sync" | "bar.arrive" | "bar.cta.arrive" | "bar.warp.sync" => &[],
        "barrier.cluster.arrive" => &["release", "relaxed", "aligned"],
        "barrier.cluster.wait" => &["acquire", "aligned"],
        "fence.mbarrier_init" => &["release", "cluster"],
        "st.async" => &[
            "weak",
            "shared::cluster",
            "mbarrier::complete_tx::bytes",
            "v2",
            "v4",
            "b32",
            "b64",
            "u32",
            "u64",
            "s32",
            "s64",
            "f32",
            "f64",
        ],
        "tcgen05.commit" => &[
            "cta_group::1",
            "cta_group::2",
            "mbarrier::arrive::one",
            "shared::cluster",
            "multicast::cluster",
            "b64",
        ],
        "mapa" => &["shared::cluster", "u32", "u64"],
        _ => return None,
    })
}

/// Modifiers not allowed with `.noComplete`, which is for the agent's own CTA and releases.
const NOT_WITH_NO_COMPLETE: [&str; 4] = ["expect_tx", "relaxed", "cluster", "shared::cluster"];

/// Applies a modifier; `false` if the name is unknown.
fn modify(flags: &mut Flags, part: &str) -> bool {
    match part {
        "noComplete" => flags.no_complete = true,
        "expect_tx" => (flags.expect, flags.since) = (true, 90),
        "parity" => flags.parity = true,
        "popc" => flags.reduce = Some(Reduce::Count),
        "and" => flags.reduce = Some(Reduce::All),
        "or" => flags.reduce = Some(Reduce::Any),
        "noinc" => flags.no_increment = true,
        "aligned" => flags.aligned = true,
        "bulk_group" => flags.bulk_group = true,
        "relaxed" => (flags.relaxed, flags.since) = (true, 90),
        "release" => flags.release = true,
        "acquire" => flags.acquire = true,
        "acq_rel" | "sc" => (flags.release, flags.acquire) = (true, true),
        "proxy" => flags.proxy = true,
        "read" => flags.read = true,
        "b64" | "u64" | "s64" | "f64" => flags.wide = true,
        "v2" => flags.elements = 2,
        "v4" => flags.elements = 4,
        "cg" => flags.whole = true,
        "gl" => flags.order = Some(Order::Cluster),
        "cta" => flags.order = Some(Order::Cta),
        "cluster" => (flags.order, flags.since) = (Some(Order::Cluster), 90),
        "gpu" | "sys" => flags.order = Some(Order::Cluster),
        "shared::cluster" => flags.since = 90,
        "tile::gather4" | "tile::scatter4" => flags.scattered = true,
        _ if part.starts_with("im2col") => flags.scattered = true,
        _ if part.starts_with("multicast") => flags.multicast = true,
        _ if part.starts_with("cta_group") => {}
        _ => {
            let dimensions = part.len() == 2 && part.ends_with('d');
            return dimensions
                || SILENT.contains(&part)
                || part.starts_with("tensormap")
                || part.starts_with("L1::")
                || part.starts_with("L2::")
                || part.starts_with("proxy")
                || part.starts_with("sync_restrict");
        }
    }
    true
}

/// Modifiers, for suggestions.
pub(crate) fn modifiers() -> impl Iterator<Item = &'static str> {
    const KNOWN: [&str; 12] = [
        "noComplete",
        "expect_tx",
        "parity",
        "noinc",
        "aligned",
        "relaxed",
        "release",
        "acquire",
        "acq_rel",
        "sc",
        "proxy",
        "read",
    ];
    KNOWN.into_iter().chain(SILENT)
}
