//! Values of registers: for each lane an integer, with the bits that are known.

use crate::ir::{Comparison, ObjectId};
use alloc::rc::Rc;
use alloc::vec::Vec;
use core::hash::{Hash, Hasher};

/// The maximum number of lanes of a wave.
pub(crate) const MOST_LANES: u32 = 64;

/// One number per lane; stored once if it is the same in all lanes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Lanes {
    One(u64),
    Each(Rc<[u64]>),
}

impl Lanes {
    pub(crate) fn at(&self, lane: usize) -> u64 {
        match self {
            Self::One(value) => *value,
            Self::Each(values) => values.get(lane).copied().unwrap_or_default(),
        }
    }

    pub(crate) fn of(values: Vec<u64>) -> Self {
        match values.first() {
            Some(first) if values.iter().all(|value| value == first) => Self::One(*first),
            Some(_) => Self::Each(values.into()),
            None => Self::One(0),
        }
    }

    pub(crate) const fn one(&self) -> Option<u64> {
        match self {
            Self::One(value) => Some(*value),
            Self::Each(_) => None,
        }
    }

    /// Applies a function in every lane.
    pub(crate) fn map(&self, apply: impl Fn(u64) -> u64) -> Self {
        match self {
            Self::One(value) => Self::One(apply(*value)),
            Self::Each(values) => Self::of(values.iter().map(|&value| apply(value)).collect()),
        }
    }

    /// Combines two numbers in every lane.
    pub(crate) fn zip(&self, other: &Self, apply: impl Fn(u64, u64) -> u64) -> Self {
        match (self, other) {
            (Self::One(one), Self::One(other)) => Self::One(apply(*one, *other)),
            (Self::Each(values), _) => {
                let all = values.iter().enumerate();
                Self::of(all.map(|(lane, &value)| apply(value, other.at(lane))).collect())
            }
            (Self::One(one), Self::Each(values)) => {
                Self::of(values.iter().map(|&value| apply(*one, value)).collect())
            }
        }
    }

    /// These numbers in the lanes of a mask, the old ones in the others.
    pub(crate) fn masked(&self, mask: u64, old: &Self, lanes: usize) -> Self {
        if self == old {
            return self.clone();
        }
        let at = |lane: usize| if mask >> lane & 1 == 1 { self.at(lane) } else { old.at(lane) };
        Self::of((0..lanes).map(at).collect())
    }
}

/// A variable that values depend on: an argument, or the number of an iteration of a loop.
pub(crate) type Symbol = u16;

/// How a value depends on a symbol.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Slope {
    /// If the symbol grows by 1, the value grows by this much in each lane.
    Linear(Lanes),
    /// Each time the symbol grows by 1, the value grows by the same number, which depends on other symbols.
    Steady,
    /// If the symbol grows by a power of two, the bits below that power do not change. Only the bits of this mask depend on the
    /// symbol.
    Low(u64),
    /// If the symbol grows by this number, which is at most [`LONGEST_CYCLE`], the value does not change.
    Cyclic(u64),
    /// In some other way, but only in these bits.
    Bits(u64),
    /// In some other way.
    Other,
}

/// Identifies how a value is computed from arguments: equal terms are equal functions. 0 identifies nothing. Terms do not
/// affect what an agent does, so all are equal in comparisons of states.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Term(pub(crate) u64);

impl PartialEq for Term {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Term {}

impl Hash for Term {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// Longest cycle that is followed.
pub(crate) const LONGEST_CYCLE: u64 = 64;

impl Slope {
    pub(crate) const NONE: Self = Self::Linear(Lanes::One(0));

    /// How the result of a function of two values depends on a symbol. `by_bits` says that low bits of the result depend only
    /// on low bits of the values.
    pub(crate) fn joined(&self, other: &Self, by_bits: bool) -> Self {
        let cycle = |slope: &Self| match slope {
            Self::Cyclic(cycle) => Some(*cycle),
            none if *none == Self::NONE => Some(1),
            _ => None,
        };
        let low = |slope: &Self| matches!(slope, Self::Linear(_) | Self::Low(_));
        match (cycle(self), cycle(other)) {
            (Some(1), Some(1)) => Self::NONE,
            (Some(one), Some(other)) => Self::cyclic(common_multiple(one, other)),
            _ if by_bits && low(self) && low(other) => Self::Low(u64::MAX),
            _ => Self::Other,
        }
    }

    /// A cycle if it is short enough, otherwise `Other`. A cycle of 1 is no dependence.
    pub(crate) const fn cyclic(cycle: u64) -> Self {
        match cycle {
            1 => Self::NONE,
            2..=LONGEST_CYCLE => Self::Cyclic(cycle),
            _ => Self::Other,
        }
    }
}

/// The least common multiple of two numbers above 0.
pub(crate) const fn common_multiple(one: u64, other: u64) -> u64 {
    let (mut divisor, mut rest) = (one, other);
    while rest != 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    one / divisor * other
}

/// The object that a value is an address in, or the token that it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Origin {
    /// It is not computed from an address.
    #[default]
    None,
    /// It is computed from the address of this object.
    Object(ObjectId),
    /// It is computed from addresses of several objects.
    Several,
    /// It is the token of an arrival: the first number of the model's tokens in the lanes of the first mask, the second number
    /// in those of the second mask.
    Tokens([u16; 2], [u32; 2]),
}

impl Origin {
    /// The token of an arrival in some lanes.
    pub(crate) const fn token(number: u16, lanes: u64) -> Self {
        Self::Tokens([number; 2], [lanes as u32, 0])
    }

    /// The number of the token in a lane.
    pub(crate) fn token_in(self, lane: usize) -> Option<u16> {
        let Self::Tokens(numbers, lanes) = self else { return None };
        numbers
            .into_iter()
            .zip(lanes)
            .find(|(_, lanes)| lanes >> lane & 1 == 1)
            .map(|found| found.0)
    }

    /// Whether it is a token with a number in some lane.
    pub(crate) fn has_token(self, number: u16) -> bool {
        let Self::Tokens(numbers, lanes) = self else { return false };
        numbers.into_iter().zip(lanes).any(|(known, lanes)| known == number && lanes != 0)
    }

    /// The same origin in the lanes of a mask, and no token in the others.
    const fn in_lanes(self, mask: u64) -> Self {
        match self {
            Self::Tokens(numbers, [one, two]) => {
                Self::Tokens(numbers, [one & mask as u32, two & mask as u32])
            }
            other => other,
        }
    }

    pub(crate) fn join(self, other: Self) -> Self {
        match (self, other) {
            (Self::None, one) | (one, Self::None) => one,
            (one, other) if one == other => one,
            (Self::Tokens(one, in_one), Self::Tokens(two, in_two)) => {
                let of = |numbers: [u16; 2], lanes: [u32; 2]| numbers.into_iter().zip(lanes);
                let mut all: Vec<(u16, u32)> = Vec::new();
                for (number, lanes) in of(one, in_one).chain(of(two, in_two)) {
                    match all.iter_mut().find(|(known, _)| *known == number) {
                        Some((_, known)) => *known |= lanes,
                        None if lanes != 0 => all.push((number, lanes)),
                        None => {}
                    }
                }
                match all[..] {
                    [(one, in_one)] => Self::token(one, in_one.into()),
                    [(one, in_one), (two, in_two)] if in_one & in_two == 0 => {
                        Self::Tokens([one, two], [in_one, in_two])
                    }
                    _ => Self::Several,
                }
            }
            _ => Self::Several,
        }
    }
}

/// The value of a register.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Value {
    /// The bits; 0 where they are data.
    pub(crate) bits: Lanes,
    /// The bits that are data.
    pub(crate) unknown: Lanes,
    /// How it depends on symbols; a symbol that is not listed does not matter.
    pub(crate) slopes: Vec<(Symbol, Slope)>,
    /// The object that it is an address in.
    pub(crate) origin: Origin,
    /// Whether it is computed from the position of a work-item that is an agent by itself, so other agents have other values.
    pub(crate) varies: bool,
    /// How it is computed, if it depends on arguments.
    pub(crate) term: Term,
    /// The element of memory from which its data bits come, if each of these bits can be 0 or 1 independently of the others.
    pub(crate) element: Element,
    /// Identifies data that are the same in all lanes and for all agents: see [`crate::evaluate`]. 0 identifies nothing.
    pub(crate) agreed: u64,
    /// A mask of bits of lane numbers: lanes whose numbers differ only in these bits have the same data.
    pub(crate) alike: u8,
    /// Whether a lane with this value may be switched off instead: see [`crate::switched`].
    pub(crate) or_off: bool,
}

/// The number of threads of a warp.
pub(crate) const WARP: usize = 32;
/// All bits of the number of a thread in a warp.
pub(crate) const ALL_LANES: u8 = WARP as u8 - 1;

/// An element of memory that was read: the object, the offset and the number of bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Element(Option<(ObjectId, u32, u8)>);

impl Element {
    pub(crate) fn new(object: ObjectId, offset: u64, bytes: u8) -> Self {
        Self(u32::try_from(offset).ok().map(|offset| (object, offset, bytes)))
    }

    /// The object, the first byte and the byte after the last.
    pub(crate) fn bytes(self) -> Option<(ObjectId, u32, u32)> {
        self.0.map(|(object, at, bytes)| (object, at, at.saturating_add(bytes.into())))
    }
}

/// A mask of bits of lane numbers: `same` holds for all lanes that differ only in these bits. 0 if there are not 32 lanes.
pub(crate) fn even_bits(lanes: usize, same: impl Fn(usize, usize) -> bool) -> u8 {
    let bits =
        (0..5).filter(|bit| lanes == WARP && (0..lanes).all(|lane| same(lane, lane ^ 1 << bit)));
    bits.fold(0, |all, bit| all | 1 << bit)
}

/// All bits of a width.
pub(crate) const fn ones(width: u8) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// The low bits as a signed number.
pub(crate) const fn signed(value: u64, width: u8) -> i64 {
    let up = 64 - if width > 64 { 64 } else { width } as u32;
    if up >= 64 { 0 } else { (value << up) as i64 >> up }
}

impl Value {
    pub(crate) const fn known(bits: Lanes) -> Self {
        let origin = Origin::None;
        Self {
            bits,
            unknown: Lanes::One(0),
            slopes: Vec::new(),
            origin,
            varies: false,
            term: Term(0),
            element: Element(None),
            agreed: 0,
            alike: 0,
            or_off: false,
        }
    }

    pub(crate) const fn int(value: u64) -> Self {
        Self::known(Lanes::One(value))
    }

    pub(crate) const fn data(width: u8) -> Self {
        let unknown = Lanes::One(ones(width));
        let origin = Origin::None;
        Self {
            bits: Lanes::One(0),
            unknown,
            slopes: Vec::new(),
            origin,
            varies: false,
            term: Term(0),
            element: Element(None),
            agreed: 0,
            alike: 0,
            or_off: false,
        }
    }

    pub(crate) fn is_known(&self) -> bool {
        self.unknown == Lanes::One(0) && !self.or_off
    }

    pub(crate) fn known_in(&self, lane: usize) -> Option<u64> {
        (self.unknown.at(lane) == 0 && !self.or_off).then(|| self.bits.at(lane))
    }

    /// The value, if it is known and the same in all lanes of a mask.
    pub(crate) fn uniform(&self, mask: u64) -> Option<u64> {
        let lanes = (0..MOST_LANES as usize).filter(|lane| mask >> lane & 1 == 1);
        let mut all = lanes.map(|lane| self.known_in(lane));
        let first = all.next()??;
        all.all(|value| value == Some(first)).then_some(first)
    }

    /// The same value in the lanes of a mask. A slope that is equal in all of these lanes is stored once.
    pub(crate) fn within(&self, mask: u64) -> Self {
        let mut value = self.clone();
        for (_, slope) in &mut value.slopes {
            let Slope::Linear(Lanes::Each(all)) = slope else { continue };
            let active = (0..all.len()).filter(|lane| mask >> lane & 1 == 1);
            let found = Lanes::of(active.map(|lane| all[lane]).collect());
            if let Lanes::One(one) = found {
                *slope = Slope::Linear(Lanes::One(one));
            }
        }
        value
    }

    pub(crate) fn with_origin(mut self, origin: Origin) -> Self {
        self.origin = origin;
        self
    }

    /// The mask of bits of the lane number on which this value does not depend.
    pub(crate) fn even(&self) -> u8 {
        let steady = |(_, slope): &(Symbol, Slope)| matches!(slope, Slope::Linear(Lanes::One(_)));
        if !self.slopes.iter().all(steady) {
            return 0;
        }
        let mut even = self.even_data();
        for lanes in [&self.bits, &self.unknown] {
            let Lanes::Each(values) = lanes else { continue };
            even &= even_bits(values.len(), |one, other| values[one] == values[other]);
        }
        even
    }

    /// The mask of bits of the lane number on which the data in this value do not depend; all bits without data.
    fn even_data(&self) -> u8 {
        if self.is_known() { ALL_LANES } else { self.alike }
    }

    /// This value in the lanes of a mask, the old one in the others.
    pub(crate) fn masked(self, mask: u64, old: &Self, lanes: usize) -> Self {
        if mask & ones(lanes as u8) == ones(lanes as u8) || self == *old {
            return self;
        }
        let mut slopes = Vec::new();
        for symbol in symbols([&self, old]) {
            let slope = match (self.slope(symbol), old.slope(symbol)) {
                (Slope::Linear(one), Slope::Linear(other)) => {
                    Slope::Linear(one.masked(mask, &other, lanes))
                }
                (Slope::Steady, Slope::Steady | Slope::Linear(_))
                | (Slope::Linear(_), Slope::Steady) => Slope::Steady,
                (one, other) => one.joined(&other, true),
            };
            slopes.push((symbol, slope));
        }
        let mut value = Self {
            bits: self.bits.masked(mask, &old.bits, lanes),
            unknown: self.unknown.masked(mask, &old.unknown, lanes),
            slopes,
            origin: self.origin.in_lanes(mask).join(old.origin.in_lanes(!mask)),
            varies: self.varies || old.varies,
            term: Term(0),
            element: Element(None),
            agreed: 0,
            alike: 0,
            or_off: self.or_off || old.or_off,
        };
        let alike = self.even_data() & old.even_data();
        if alike != 0 && !value.is_known() {
            value.alike =
                alike & even_bits(WARP, |one, other| mask >> one & 1 == mask >> other & 1);
        }
        value
    }

    /// The common bits of two values of this width; bits that differ are data.
    pub(crate) fn merged(&self, other: &Self) -> Self {
        if self == other {
            return self.clone();
        }
        let differ = self.bits.zip(&other.bits, |one, other| one ^ other);
        let unknown = self.unknown.zip(&other.unknown, |one, other| one | other);
        let unknown = unknown.zip(&differ, |one, other| one | other);
        let bits = self.bits.zip(&unknown, |bits, unknown| bits & !unknown);
        let slopes =
            symbols([self, other]).into_iter().map(|symbol| (symbol, Slope::Other)).collect();
        let slopes = if self.slopes == other.slopes { self.slopes.clone() } else { slopes };
        let origin = self.origin.join(other.origin);
        let varies = self.varies || other.varies;
        let (term, element) = (Term(0), Element(None));
        let or_off = self.or_off || other.or_off;
        Self { bits, unknown, slopes, origin, varies, term, element, agreed: 0, alike: 0, or_off }
    }

    /// How the value depends on a symbol.
    pub(crate) fn slope(&self, symbol: Symbol) -> Slope {
        let found = self.slopes.iter().find(|(known, _)| *known == symbol);
        found.map_or(Slope::NONE, |(_, slope)| slope.clone())
    }

    /// Sets the dependence on a symbol.
    pub(crate) fn set_slope(&mut self, symbol: Symbol, slope: Slope) {
        self.slopes.retain(|(known, _)| *known != symbol);
        if slope != Slope::NONE {
            let at = self.slopes.partition_point(|(known, _)| *known < symbol);
            self.slopes.insert(at, (symbol, slope));
        }
    }
}

/// The symbols that some of these values depend on.
pub(crate) fn symbols<'a>(values: impl IntoIterator<Item = &'a Value>) -> Vec<Symbol> {
    let all = values.into_iter().flat_map(|value| value.slopes.iter().map(|(symbol, _)| *symbol));
    let mut all: Vec<Symbol> = all.collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Compares two integers of a width.
pub(crate) const fn compare(how: Comparison, width: u8, a: u64, b: u64) -> bool {
    let (ua, ub) = (a & ones(width), b & ones(width));
    let (sa, sb) = (signed(a, width), signed(b, width));
    match how {
        Comparison::Eq => ua == ub,
        Comparison::Ne => ua != ub,
        Comparison::Ult => ua < ub,
        Comparison::Ule => ua <= ub,
        Comparison::Ugt => ua > ub,
        Comparison::Uge => ua >= ub,
        Comparison::Slt => sa < sb,
        Comparison::Sle => sa <= sb,
        Comparison::Sgt => sa > sb,
        Comparison::Sge => sa >= sb,
    }
}
