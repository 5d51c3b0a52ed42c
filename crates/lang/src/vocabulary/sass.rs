//! SASS: the `SYNCS` instructions of `sass-syncs`, and the instructions around them.
//!
//! To add an instruction: 1. add a row to `ROWS`: its full name, its operands in order, its kind, its PTX equivalent
//! and its description; 2. if no [`Kind`] describes it, add one and its meaning in `evaluate/nvidia.rs`; 3. add a
//! scenario that uses it, and an invalid one with its diagnostic, to `tests/diagnostics.txt`.

use super::effect::Effect;
use super::nvidia::{Flags, Kind, Part};
use super::ptx::Instruction;
use super::row::Row;
use tidegate_model::operation::Form;
use tidegate_model::ptx::action::{Bar, Patience, Spelling};

use Part::{Address, Rest, Result as Out, Value};

/// A row: the instruction, whether it drops, its PTX equivalent, and its description.
#[derive(Debug)]
pub(crate) struct Sass {
    pub(crate) instruction: Instruction,
    pub(crate) drop: bool,
    /// The PTX equivalent; empty if there is none.
    pub(crate) twin: &'static str,
    /// As the document prints it; otherwise as disassemblers do.
    pub(crate) printed: &'static str,
    /// Its description.
    pub(crate) meaning: &'static str,
    /// Whether the document contains it.
    pub(crate) document: InDocument,
}

/// Whether `sass-syncs` contains an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InDocument {
    /// The document prints it with operands.
    Prints,
    /// The document lists its name without operands.
    Lists,
    /// The document does not contain it: the name is composed of known parts, or known from disassemblers.
    Lacks,
}

impl InDocument {
    /// The word used in tables.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Prints => "prints it",
            Self::Lists => "lists it",
            Self::Lacks => "not included",
        }
    }
}

const fn row(
    name: &'static str,
    parts: &'static [Part],
    kind: Kind,
    twin: &'static str,
    printed: &'static str,
    meaning: &'static str,
) -> Sass {
    let row = Row { name, operands: &[], effect: Effect::Nvidia(kind), form: Form::Word };
    Sass {
        instruction: Instruction { row, parts, spelling: Spelling::Sass },
        drop: false,
        twin,
        printed,
        meaning,
        document: InDocument::Prints,
    }
}

const fn dropping(sass: Sass) -> Sass {
    Sass { drop: true, ..sass }
}

const fn listed(sass: Sass) -> Sass {
    Sass { document: InDocument::Lists, ..sass }
}

const fn lacked(sass: Sass) -> Sass {
    Sass { document: InDocument::Lacks, ..sass }
}

const ARRIVE: &[Part] = &[Out, Address, Value];
const REGISTER: &[Part] = &[Out, Value];

/// The instructions of the document.
const ROWS: &[Sass] = &[
    row(
        "SYNCS.EXCH.64",
        ARRIVE,
        Kind::InitWord,
        "mbarrier.init.shared::cta.b64",
        "SYNCS.EXCH.64 URZ, [UR4], UR6",
        "Writes the initial word from a pair of registers.",
    ),
    row(
        "SYNCS.ARRIVE.TRANS64.A1T0",
        ARRIVE,
        Kind::Arrive,
        "mbarrier.arrive.shared::cta.b64",
        "SYNCS.ARRIVE.TRANS64.A1T0 RZ, [UR4], RZ",
        "Arrives once and expects no bytes; `RZ` instead of a register is `_` in PTX.",
    ),
    row(
        "SYNCS.ARRIVE.TRANS64.ART0",
        ARRIVE,
        Kind::Arrive,
        "mbarrier.arrive.shared::cta.b64 with a count",
        "SYNCS.ARRIVE.TRANS64.ART0 RZ, [UR4], R2",
        "Arrives with the count in the register and expects no bytes.",
    ),
    listed(row(
        "SYNCS.ARRIVE.TRANS64.RED.A0TR",
        ARRIVE,
        Kind::Expect,
        "mbarrier.expect_tx.relaxed.cta.shared::cta.b64",
        "SYNCS.ARRIVE.TRANS64.RED.A0TR RZ, [UR4], R0",
        "Expects the number of bytes in the register; does not arrive and returns no token.",
    )),
    row(
        "SYNCS.ARRIVE.TRANS64.RED.A0TX",
        ARRIVE,
        Kind::Complete,
        "mbarrier.complete_tx.relaxed.cta.shared::cta.b64",
        "SYNCS.ARRIVE.TRANS64.RED.A0TX RZ, [UR4], R0",
        "Completes the number of bytes in the register; does not arrive and returns no token.",
    ),
    lacked(row(
        "SYNCS.ARRIVE.TRANS64.RED.A1T0",
        ARRIVE,
        Kind::Arrive,
        "mbarrier.arrive.release.cluster.shared::cluster.b64 with `_`",
        "SYNCS.ARRIVE.TRANS64.RED.A1T0 RZ, [UR4], RZ",
        "Arrives once, expects no bytes and returns no token.",
    )),
    lacked(row(
        "SYNCS.ARRIVE.TRANS64.RED.ART0",
        ARRIVE,
        Kind::Arrive,
        "mbarrier.arrive.release.cluster.shared::cluster.b64 with `_` and a count",
        "SYNCS.ARRIVE.TRANS64.RED.ART0 RZ, [UR4], R2",
        "Arrives with the count in the register, expects no bytes and returns no token.",
    )),
    lacked(row(
        "SYNCS.ARRIVE.TRANS64.RED",
        ARRIVE,
        Kind::ArriveExpect,
        "mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 with `_`",
        "SYNCS.ARRIVE.TRANS64.RED RZ, [UR4], R2",
        "Expects the number of bytes in the register, arrives once and returns no token.",
    )),
    dropping(row(
        "SYNCS.ARRIVE.TRANS64.OPTOUT.A1T0",
        ARRIVE,
        Kind::Arrive,
        "mbarrier.arrive_drop.shared::cta.b64",
        "SYNCS.ARRIVE.TRANS64.OPTOUT.A1T0 RZ, [UR4], RZ",
        "Arrives once; later phases expect one arrival fewer.",
    )),
    dropping(row(
        "SYNCS.ARRIVE.TRANS64.OPTOUT.ART0",
        ARRIVE,
        Kind::Arrive,
        "mbarrier.arrive_drop.shared::cta.b64 with a count",
        "SYNCS.ARRIVE.TRANS64.OPTOUT.ART0 R2, [UR4], R2",
        "Arrives with the count in the register; later phases expect that many arrivals fewer.",
    )),
    listed(dropping(row(
        "SYNCS.ARRIVE.TRANS64.OPTOUT",
        ARRIVE,
        Kind::ArriveExpect,
        "mbarrier.arrive_drop.expect_tx.shared::cta.b64",
        "SYNCS.ARRIVE.TRANS64.OPTOUT R2, [UR4], R2",
        "Expects bytes and arrives once; later phases expect one arrival fewer.",
    ))),
    listed(row(
        "SYNCS.ARRIVE.TRANS64",
        ARRIVE,
        Kind::ArriveExpect,
        "mbarrier.arrive.expect_tx.shared::cta.b64",
        "SYNCS.ARRIVE.TRANS64 R2, [UR4], R2",
        "Expects the number of bytes in the register and arrives once.",
    )),
    row(
        "SYNCS.PHASECHK.TRANS64.TRYWAIT",
        ARRIVE,
        Kind::WaitWord(Patience::Try),
        "mbarrier.try_wait.shared::cta.b64",
        "SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [UR4], R5",
        "Tests whether the phase in the register has completed, after waiting for a limited time.",
    ),
    row(
        "SYNCS.PHASECHK.TRANS64",
        ARRIVE,
        Kind::WaitWord(Patience::Test),
        "mbarrier.test_wait.shared::cta.b64",
        "SYNCS.PHASECHK.TRANS64 P0, [UR4], R3",
        "Tests whether the phase in the register has completed.",
    ),
    lacked(row(
        "SYNCS.CCTL.IV",
        &[Address],
        Kind::Inval,
        "mbarrier.inval.shared::cta.b64",
        "SYNCS.CCTL.IV [UR4]",
        "Invalidates the object.",
    )),
    lacked(row(
        "BAR.SYNC.DEFER_BLOCKING",
        &[Value, Part::Maybe],
        Kind::Bar(Bar::Sync),
        "barrier.cta.sync",
        "BAR.SYNC.DEFER_BLOCKING 0x1, 0x40",
        "Arrives at a barrier of the CTA and waits for the given number of threads.",
    )),
    lacked(row(
        "BAR.SYNC",
        &[Value, Part::Maybe],
        Kind::Bar(Bar::Sync),
        "barrier.cta.sync",
        "BAR.SYNC 0x1, 0x40",
        "Arrives at a barrier of the CTA and waits for the given number of threads.",
    )),
    lacked(row(
        "BAR.ARV",
        &[Value, Value],
        Kind::Bar(Bar::Arrive),
        "barrier.cta.arrive",
        "BAR.ARV 0x1, 0x40",
        "Arrives at a barrier of the CTA without waiting.",
    )),
    row(
        "FENCE.VIEW.ASYNC.S",
        &[],
        Kind::Nothing,
        "fence.proxy.async.shared::cta",
        "FENCE.VIEW.ASYNC.S",
        "Orders earlier accesses with asynchronous ones.",
    ),
    row(
        "NANOSLEEP.SYNCS",
        &[Rest],
        Kind::Nothing,
        "nanosleep",
        "NANOSLEEP.SYNCS 0x1234",
        "Sleeps for some time, or until a barrier wakes the warp.",
    ),
    lacked(row(
        LOAD,
        &[Part::Bytes, Part::Bytes, Part::Mask],
        Kind::Copy,
        "cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes",
        "UTMALDG.2D [UR8], [UR6]",
        "Loads a tile to the address in the first register; the next registers hold the object and the coordinates.",
    )),
    row(
        "DEPBAR.LE",
        &[Rest],
        Kind::Nothing,
        "",
        "DEPBAR.LE SB1, 0x0",
        "Waits for a scoreboard of the instruction schedule.",
    ),
    row(
        "S2UR",
        REGISTER,
        Kind::Move,
        "mov.u32 from %cluster_ctarank",
        "S2UR UR5, SR_CgaCtaId",
        "Reads the rank of the CTA, for a cluster-wide address.",
    ),
    row(
        "UPRMT",
        &[Out, Part::Permuted],
        Kind::Move,
        "mapa.shared::cluster.u32",
        "UPRMT UR4, UR5, 0x654, UR4",
        "Puts the rank of the CTA into the address.",
    ),
    row("UMOV", REGISTER, Kind::Move, "mov", "UMOV UR6, 0x1fffc0", "Sets a uniform register."),
    row("MOV", REGISTER, Kind::Move, "mov", "MOV R2, 0x4", "Sets a register."),
    row(
        "IMAD.MOV",
        &[Out, Part::Ignored, Part::Ignored, Value],
        Kind::Move,
        "mov",
        "IMAD.MOV R0, RZ, RZ, 0x20",
        "Sets a register through the multiplier.",
    ),
    row(
        "HFMA2.MMA",
        &[Out, Part::Halves],
        Kind::Move,
        "mov",
        "HFMA2.MMA R0, -RZ, RZ, 0, 5.9604644775390625e-08",
        "Sets a register to a small number, written as two half floats.",
    ),
];

/// The instructions of [`ROWS`] and whether they drop, without the descriptions: the front ends of the page do not need these.
pub(crate) static INSTRUCTIONS: [(Instruction, bool); ROWS.len()] = {
    let mut all = [(ROWS[0].instruction, ROWS[0].drop); ROWS.len()];
    let mut at = 1;
    while at < ROWS.len() {
        all[at] = (ROWS[at].instruction, ROWS[at].drop);
        at += 1;
    }
    all
};

/// The tile load of a tensor, here with two dimensions.
pub(crate) const LOAD: &str = "UTMALDG.2D";

/// For a tile load, the number of dimensions of its tensor, and whether it is multicast.
fn load(head: &str) -> Option<(u8, bool)> {
    let (dimensions, rest) = head.strip_prefix("UTMALDG.")?.split_once('D')?;
    let dimensions = dimensions.parse().ok().filter(|count| (1..=5).contains(count))?;
    matches!(rest, "" | ".MULTICAST").then_some((dimensions, !rest.is_empty()))
}

/// Finds the instruction of a name with its flags.
#[must_use]
pub fn find(head: &str) -> Option<(&'static Instruction, Flags)> {
    let load = load(head);
    let name = if load.is_some() { LOAD } else { head };
    let (instruction, drop) = INSTRUCTIONS.iter().find(|(one, _)| one.row.name == name)?;
    let (elements, multicast) = load.unwrap_or_default();
    let flags = Flags { drop: *drop, elements, multicast, ..Flags::default() };
    Some((instruction, flags))
}

/// Whether an instruction with this head is SASS.
pub(crate) fn recognises(head: &str) -> bool {
    head.starts_with("SYNCS.") || head == "BRA" || find(head).is_some()
}

/// Whether a name is a register that is always zero and discards writes.
pub(crate) fn is_zero(name: &str) -> bool {
    matches!(name, "RZ" | "URZ" | "PT" | "UPT")
}

/// A SASS instruction and its PTX equivalent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Twin {
    /// Its full name (`SYNCS.ARRIVE.TRANS64.A1T0`).
    pub sass: &'static str,
    /// As `sass-syncs` prints it, with operands; otherwise as a scenario contains it.
    pub printed: &'static str,
    /// Its PTX equivalent; empty if there is none.
    pub ptx: &'static str,
    /// Its description.
    pub meaning: &'static str,
    /// Whether `sass-syncs` contains it.
    pub document: InDocument,
}

/// Returns every instruction of `sass-syncs` and related ones, with its PTX equivalent.
pub fn twins() -> impl Iterator<Item = Twin> {
    let branch = Twin {
        sass: "BRA",
        printed: "BRA `(.L_x_0)",
        ptx: "bra",
        meaning: "Branches to a label.",
        document: InDocument::Prints,
    };
    let rows = ROWS.iter().map(|row| Twin {
        sass: row.instruction.row.name,
        printed: row.printed,
        ptx: row.twin,
        meaning: row.meaning,
        document: row.document,
    });
    rows.chain([branch])
}

/// The 32-bit word of two half floats, the first one in the upper half; `None` if a number is not exactly a half float.
#[must_use]
pub fn halves(high: &str, low: &str) -> Option<i64> {
    Some(i64::from(half(high)?) << 16 | i64::from(half(low)?))
}

/// Largest number of digits of a half float: the longest has 24.
const MOST_DIGITS: usize = 25;

/// The bits of a decimal number as a half float, if it is one up to the rounding of `f64`.
///
/// It is computed in integers: parsing `f64` needs a table of 10 kB in the page's engine.
fn half(text: &str) -> Option<u16> {
    let (sign, text) = text.strip_prefix('-').map_or((0, text), |rest| (0x8000, rest));
    let (digits, power) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let mut digits = whole.bytes().chain(part.bytes());
    if whole.is_empty()
        || whole.len() + part.len() > MOST_DIGITS
        || !digits.all(|c| c.is_ascii_digit())
    {
        return None;
    }
    let digits = whole.bytes().chain(part.bytes());
    let number = digits.fold(0_u128, |number, digit| number * 10 + u128::from(digit - b'0'));
    let power = power.parse::<i32>().ok()?.checked_sub(part.len() as i32)?;
    let ten = 10_u128.checked_pow(power.unsigned_abs())?;
    // The smallest half float is 2⁻²⁴; every other is a multiple of it.
    let (all, of) = match power >= 0 {
        true => ((number << 24).checked_mul(ten)?, 1),
        false => (number << 24, ten),
    };
    let steps = all.checked_add(of / 2)? / of;
    if all.abs_diff(steps * of) > all >> 52 {
        return None;
    }
    // Below 1024 steps, and at the first exponent, the steps are the bits.
    let shift = steps.checked_ilog2().unwrap_or(0).saturating_sub(10);
    let bits = (steps >> shift) + 1024 * u128::from(shift);
    (steps >> shift << shift == steps && bits < 31 << 10).then_some(sign | bits as u16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_floats_as_bits() {
        for (number, bits) in [
            ("0", 0),
            ("-0", 0x8000),
            ("5.9604644775390625e-08", 1),
            ("6.103515625e-05", 0x0400),
            ("0.00010001659393310546875", 0x068e),
            ("1.0001659393310547e-04", 0x068e),
            ("1", 0x3c00),
            ("-2.0", 0xc000),
            ("1.5", 0x3e00),
            ("6.5504E+4", 0x7bff),
        ] {
            assert_eq!(half(number), Some(bits), "{number}");
        }
        for number in [
            "0.1", "65536", "65520", "1e300", "1e-9", "1e-300", "inf", "NaN", "", "-", "1.2.3",
            "1e",
        ] {
            assert_eq!(half(number), None, "{number}");
        }
        assert_eq!(halves("1", "5.9604644775390625e-08"), Some(0x3c00_0001));
    }

    #[test]
    fn each_finite_half_float_is_read_back() {
        for bits in 0..31_u16 << 10 {
            let (exponent, fraction) = (i32::from(bits >> 10), f64::from(bits & 0x3ff));
            let least = 1.0 / 16_777_216.0;
            let size = match exponent {
                0 => fraction * least,
                _ => (fraction + 1024.0) * least * f64::from(1_u32 << (exponent - 1)),
            };
            assert_eq!(half(&alloc::format!("{size}")), Some(bits), "{size}");
            assert_eq!(half(&alloc::format!("{size:.16e}")), Some(bits), "{size}");
        }
    }
}
