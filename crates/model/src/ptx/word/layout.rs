//! The fields of the word under a layout.

/// The largest count of a 20-bit field.
pub const MOST: u32 = (1 << 20) - 1;

const LOW: u32 = 1;
const HIGH: u32 = 43;
const TX: u32 = 21;
const TX_BITS: u64 = (1 << 22) - 1;
const COUNT_BITS: u64 = MOST as u64;

/// A hypothesis about the order of the two count fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layout {
    /// Bits 1 to 20 count pending arrivals, as in `sass-syncs`.
    LowPending,
    /// Bits 43 to 62 count pending arrivals, next to the phase bit, as in public software implementations.
    HighPending,
}

impl Layout {
    /// Every layout.
    pub const ALL: [Self; 2] = [Self::LowPending, Self::HighPending];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::LowPending => "low-pending",
            Self::HighPending => "high-pending",
        }
    }

    /// The layout with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|layout| layout.name() == name)
    }

    const fn pending_at(self) -> u32 {
        match self {
            Self::LowPending => LOW,
            Self::HighPending => HIGH,
        }
    }

    const fn expected_at(self) -> u32 {
        match self {
            Self::LowPending => HIGH,
            Self::HighPending => LOW,
        }
    }
}

/// The confidence in a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Certainty {
    /// It follows from documented words.
    Certain,
    /// Several independent observations agree.
    Strong,
    /// One of several possibilities, given by the layout.
    Hypothesis,
    /// Not known.
    Unknown,
}

impl Certainty {
    /// Its name in output.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Certain => "certain",
            Self::Strong => "strong",
            Self::Hypothesis => "hypothesis",
            Self::Unknown => "unknown",
        }
    }
}

/// The fields of a word under a layout. Each combination of values belongs to exactly one word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fields {
    /// Bit 63: the parity of the current phase.
    pub parity: bool,
    /// Pending arrivals, 0 to [`MOST`].
    pub pending: u32,
    /// Expected arrivals of later phases, 0 to [`MOST`].
    pub expected: u32,
    /// Bits 21 to 42, unchanged: the tx-count has 21 of these 22 bits.
    pub tx_bits: u32,
    /// Bit 0.
    pub bit_0: bool,
}

impl Fields {
    /// The tx-count if it is in bits 21 to 41: a signed 21-bit number.
    #[must_use]
    pub const fn tx_low(self) -> i32 {
        signed(self.tx_bits)
    }

    /// The same fields with a tx-count in bits 21 to 41; bit 42 stays. Counts outside 21 bits wrap.
    #[must_use]
    pub const fn with_tx(self, tx: i32) -> Self {
        let low = tx as u32 & ((1 << 21) - 1);
        Self { tx_bits: self.tx_bits & 1 << 21 | low, ..self }
    }
}

/// The lowest 21 bits as a signed number.
const fn signed(bits: u32) -> i32 {
    ((bits << 11) as i32) >> 11
}

const fn count(word: u64, at: u32) -> u32 {
    ((word >> at & COUNT_BITS) as u32).wrapping_neg() & MOST
}

const fn negated(count: u32, at: u32) -> u64 {
    ((count.wrapping_neg() & MOST) as u64) << at
}

/// Decodes a word under a layout.
#[must_use]
pub const fn decode(layout: Layout, word: u64) -> Fields {
    Fields {
        parity: word >> 63 != 0,
        pending: count(word, layout.pending_at()),
        expected: count(word, layout.expected_at()),
        tx_bits: (word >> TX & TX_BITS) as u32,
        bit_0: word & 1 != 0,
    }
}

/// Encodes fields under a layout. Counts are taken modulo 2^20, the tx bits modulo 2^22.
#[must_use]
pub const fn encode(layout: Layout, fields: Fields) -> u64 {
    (fields.parity as u64) << 63
        | negated(fields.pending, layout.pending_at())
        | negated(fields.expected, layout.expected_at())
        | (fields.tx_bits as u64 & TX_BITS) << TX
        | fields.bit_0 as u64
}

/// The word that initialisation with a count writes under every layout; `None` outside 1 to [`MOST`].
#[must_use]
pub const fn initial(count: u32) -> Option<u64> {
    if count == 0 || count > MOST {
        return None;
    }
    Some(negated(count, HIGH) | negated(count, LOW))
}

/// One field as shown: its position, value and certainty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Its name.
    pub name: &'static str,
    /// Its highest and its lowest bit.
    pub bits: (u8, u8),
    /// Its value.
    pub value: i64,
    /// The certainty of the value.
    pub certainty: Certainty,
    /// The reason for the certainty, in one sentence.
    pub why: &'static str,
}

/// The fields of a word under a layout, from the highest bit down.
#[must_use]
pub fn describe(layout: Layout, word: u64) -> [Shown; 5] {
    let fields = decode(layout, word);
    let same = fields.pending == fields.expected;
    let (counts, why) = if same {
        (
            Certainty::Certain,
            "Both count fields have the same value, so their order does not matter.",
        )
    } else {
        (
            Certainty::Hypothesis,
            "The two counts differ; it is unknown which field holds which count.",
        )
    };
    let field = |name, at: u32, value: u32| Shown {
        name,
        bits: (at as u8 + 19, at as u8),
        value: i64::from(value),
        certainty: counts,
        why,
    };
    let pending = field("pending", layout.pending_at(), fields.pending);
    let expected = field("expected", layout.expected_at(), fields.expected);
    let (upper, lower) =
        if layout == Layout::HighPending { (pending, expected) } else { (expected, pending) };
    let parity = Shown {
        name: "parity",
        bits: (63, 63),
        value: i64::from(fields.parity),
        certainty: Certainty::Strong,
        why: "Compiled waits shift the requested parity to this bit.",
    };
    let tx = Shown {
        name: "tx-count",
        bits: (42, 21),
        value: i64::from(fields.tx_low()),
        certainty: Certainty::Unknown,
        why: "A signed 21-bit count is within these 22 bits at an unknown position; decoded here from bit 21.",
    };
    let bit_0 = Shown {
        name: "bit 0",
        bits: (0, 0),
        value: i64::from(fields.bit_0),
        certainty: Certainty::Unknown,
        why: "sass-syncs assumes that this bit is the parity, which contradicts bit 63.",
    };
    [parity, upper, tx, lower, bit_0]
}
