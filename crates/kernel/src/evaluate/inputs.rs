//! Values of arguments, and the comparisons that depend on them.
//!
//! An evaluation uses one value for each argument. Each comparison that depends on an argument limits how far the value can
//! change, down and up, with the same answer. All values within this reach are one case.

use super::guards::{Guards, Site};
#[cfg(feature = "proofs")]
use super::reaches::Reach;
use super::reaches::{self, Compared};
use super::split::{self, Split};
use crate::ir::{ArgumentId, Comparison, Module, Passed};
use crate::value::{
    Lanes, Origin, Slope, Symbol, Term, Value, common_multiple, ones, signed, symbols,
};
use alloc::vec::Vec;
use core::cell::{Cell, RefCell};

/// The values that the host passes, and how far each can change.
#[derive(Debug)]
pub(crate) struct Inputs {
    /// The value of each argument.
    values: Vec<Value>,
    /// For each argument, the distances below and above its value within which all answers stay the same.
    reach: RefCell<Vec<(u64, u64)>>,
    /// In a proof, for each argument, the distance above its value within which all answers must stay the same.
    proof: Option<Vec<u64>>,
    /// Whether comparisons with arguments that may differ between lanes or work-items are data.
    coarse: Coarse,
    /// Whether there were such comparisons.
    by_lane: Cell<bool>,
    /// Whether only the first iterations of a loop that data end were evaluated.
    cut: Cell<bool>,
    /// Whether there were signed comparisons with arguments.
    signed: Cell<bool>,
    /// Whether an argument ended a loop.
    ended: Cell<bool>,
    /// The step by which some arguments grow in a proof; 1 if a proof covers all their values.
    step: u64,
    /// The arguments, one bit each, for which a proof failed that could succeed for each remainder of their values.
    hints: Cell<u128>,
    /// The arguments, one bit each, that are strides which keep rows far apart.
    spaced: u128,
    /// The number of answers of each agent that were evaluated: see `evaluate/agreed.rs`.
    judged: u32,
    /// How the loop of a proof grows with the arguments that end it.
    pace: Cell<Pace>,
    /// The first argument that is a number of the workgroup, which the host does not choose.
    numbers: Symbol,
    /// The number of arguments. Remainders of arguments that are split follow them.
    pub(super) arguments: Symbol,
    /// How far each remainder can change.
    #[cfg(feature = "proofs")]
    pub(super) rests: Vec<Reach>,
    /// A remainder of which a proof covers too many values, and the number of steps that it can cover.
    pub(super) cut_at: Cell<Option<(Symbol, u64)>>,
    /// The comparisons of a proof.
    pub(crate) guards: Guards,
}

/// How a loop grows with the arguments that end it; zeros if none does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pace {
    /// How many rounds one step of an argument adds, if it adds any.
    rounds: u64,
    /// How many steps of an argument add one period.
    pub(crate) steps: u64,
}

impl Pace {
    /// The pace of a loop that depends on two comparisons, or on a loop inside it.
    const fn with(self, other: Self) -> Self {
        const fn both(one: u64, other: u64) -> u64 {
            if one == 0 || other == 0 { one + other } else { common_multiple(one, other) }
        }
        Self { rounds: both(self.rounds, other.rounds), steps: both(self.steps, other.steps) }
    }
}

/// Whether comparisons with arguments that may differ between lanes or work-items are data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coarse {
    /// They are known.
    No,
    /// They are data. Only the first iterations of a loop that they end are evaluated.
    Exact,
    /// They are data, and values that differ between the iterations of a loop become data, too.
    Widened,
}

/// The answer to a comparison.
pub(crate) enum Answer {
    /// It is known in each lane.
    Known,
    /// The host decides, for all lanes together.
    Host,
    /// It is treated as data in the proof.
    Data,
    /// The proof fails.
    Fails,
}

impl Inputs {
    /// Inputs with these values of integer arguments, and the remainders of those that are split. Values in `given` are fixed
    /// by the request. `proof` is the distance for which a proof must hold, for each argument.
    pub(crate) fn new(
        module: &Module,
        (integers, split): (&[i64], &Split),
        given: &[(ArgumentId, i64)],
        proof: Option<Vec<u64>>,
    ) -> Self {
        let count = module.arguments.len();
        let number = |at: usize| integers.get(at).copied().unwrap_or_default();
        let value = |(at, argument): (usize, &crate::ir::Argument)| match argument.passed {
            Passed::Data => Value::data(argument.width),
            Passed::Object(id) => {
                let base = module.objects.get(id as usize).map_or(0, |object| object.base);
                Value::int(base).with_origin(Origin::Object(id))
            }
            Passed::Integer => {
                if let Some((bits, rest)) = split.parts(at, count) {
                    return split::joined(argument, (number(at), at), (number(rest), rest), bits);
                }
                let mut value = Value::int(number(at) as u64 & ones(argument.width));
                if given.iter().all(|(known, _)| *known as usize != at) {
                    value.set_slope(at as Symbol, Slope::Linear(Lanes::One(1)));
                    value.term = Term(at as u64 + 1);
                }
                value
            }
        };
        let mut values: Vec<Value> = module.arguments.iter().enumerate().map(value).collect();
        values.extend(split.remainders().map(|_| Value::int(0)));
        #[cfg(feature = "proofs")]
        let rests = {
            let rest = |(at, most): (usize, i64)| {
                let value = number(count + at);
                (value.unsigned_abs(), most.abs_diff(value))
            };
            split.remainders().enumerate().map(rest).collect()
        };
        let reach = RefCell::new(alloc::vec![(u64::MAX, u64::MAX); values.len()]);
        let (by_lane, hints) = (Cell::new(false), Cell::new(0));
        let (spaced, pace) = (0, Cell::default());
        Self {
            values,
            reach,
            proof,
            coarse: Coarse::No,
            by_lane,
            cut: Cell::new(false),
            signed: Cell::new(false),
            ended: Cell::new(false),
            step: 1,
            hints,
            spaced,
            judged: u32::MAX,
            pace,
            numbers: Symbol::MAX,
            arguments: count as Symbol,
            #[cfg(feature = "proofs")]
            rests,
            cut_at: Cell::new(None),
            guards: Guards::default(),
        }
    }

    /// The same inputs. The arguments from this one on are workgroup numbers.
    #[cfg(feature = "proofs")]
    pub(crate) const fn numbered(mut self, first: Symbol) -> Self {
        self.numbers = first;
        self
    }

    /// The same inputs. These arguments are strides that keep rows far apart.
    pub(crate) fn spaced(mut self, arguments: impl Iterator<Item = usize>) -> Self {
        self.spaced = arguments.filter(|at| *at < 128).fold(0, |all, at| all | 1 << at);
        self
    }

    /// The same inputs. This number of answers of each agent was evaluated.
    pub(crate) const fn judged(mut self, judged: u32) -> Self {
        self.judged = judged;
        self
    }

    /// Whether an agent has more answers than were evaluated.
    pub(crate) const fn is_beyond(&self, asks: u32) -> bool {
        asks > self.judged
    }

    /// Whether a symbol is a stride that keeps rows far apart.
    pub(crate) fn is_spaced(&self, symbol: Symbol) -> bool {
        symbol < self.first_round().min(128) && self.spaced >> symbol & 1 == 1
    }

    /// Starts the proof of a loop. The result is the pace of the enclosing loop so far.
    pub(crate) fn begin_loop(&self) -> Pace {
        self.pace.take()
    }

    /// Ends the proof of a loop. If the proof holds, the enclosing loop depends on it, too. The result is the pace of the inner
    /// loop.
    pub(crate) fn end_loop(&self, outer: Pace, holds: bool) -> Pace {
        let own = self.pace.replace(outer);
        self.pace.set(self.pace.get().with(if holds { own } else { Pace::default() }));
        own
    }

    /// Whether a period is a whole number of steps of the arguments.
    pub(crate) const fn is_whole(&self, period: u64, pace: Pace) -> bool {
        period.is_multiple_of(if pace.rounds == 0 { self.step } else { pace.rounds })
    }

    /// Records a comparison of the number of a period with arguments.
    fn count_rounds(&self, moving: &[(Symbol, Option<Lanes>)], width: u8) {
        let by = |(_, slope): &(Symbol, Option<Lanes>)| {
            let slope = slope.as_ref().and_then(Lanes::one)?;
            Some(signed(slope, width).unsigned_abs()).filter(|by| *by > 0)
        };
        let whole: Vec<_> =
            moving.iter().filter(|(symbol, _)| !self.is_remainder(*symbol)).collect();
        let of = match whole[..] {
            [argument, round] => by(argument).zip(by(round)),
            _ => None,
        };
        let (rounds, steps) = match of {
            Some((argument, round)) if argument % round == 0 => (argument / round, 1),
            Some((argument, round)) if round % argument == 0 => (1, round / argument),
            Some((_, round)) => (self.step, round),
            None => (self.step, 1),
        };
        self.pace.set(self.pace.get().with(Pace { rounds, steps }));
    }

    /// The same inputs. The arguments that are given by one bit each grow by `step`.
    pub(crate) fn stepped(mut self, step: u64, arguments: u128) -> Self {
        self.step = step;
        for (at, value) in (0..128).zip(&mut self.values) {
            if arguments >> at & 1 == 1
                && let Slope::Linear(by) = value.slope(at)
            {
                value.set_slope(at, Slope::Linear(by.map(|by| by.wrapping_mul(step))));
            }
        }
        self
    }

    /// Whether some arguments grow by more than 1.
    #[cfg(feature = "proofs")]
    pub(crate) const fn is_stepped(&self) -> bool {
        self.step > 1
    }

    /// The same inputs. `coarse` says whether comparisons with arguments that may differ between lanes or work-items are data.
    pub(crate) fn coarse(mut self, coarse: Coarse) -> Self {
        self.coarse = coarse;
        self
    }

    /// Whether comparisons with arguments that may differ between lanes or work-items are data.
    pub(crate) const fn how_coarse(&self) -> Coarse {
        self.coarse
    }

    /// Records that only the first iterations of a loop that data end are evaluated.
    pub(crate) fn cut(&self) {
        self.cut.set(true);
    }

    /// Whether only the first iterations of a loop that data end were evaluated.
    pub(crate) const fn is_cut(&self) -> bool {
        self.cut.get()
    }

    /// Whether arguments end loops of a proof, and the sign of an argument may decide which.
    pub(crate) fn depends_on_signs(&self) -> bool {
        self.signed.get() && self.ended.get()
    }

    /// Whether there were comparisons with arguments that may differ between lanes or work-items.
    pub(crate) fn differ_by_lane(&self) -> bool {
        self.by_lane.get()
    }

    /// The arguments, one bit each, for which a proof failed that could succeed for each remainder of their values.
    pub(crate) fn hints(&self) -> u128 {
        self.hints.get()
    }

    /// Records that a proof fails because a value does not grow steadily with these symbols.
    pub(crate) fn hint(&self, symbols: impl IntoIterator<Item = Symbol>) {
        let arguments = symbols.into_iter().filter(|symbol| *symbol < self.arguments.min(128));
        self.hints.set(arguments.fold(self.hints.get(), |all, symbol| all | 1 << symbol));
    }

    pub(crate) fn argument(&self, at: u32) -> Value {
        self.values.get(at as usize).cloned().unwrap_or_else(|| Value::data(64))
    }

    pub(crate) const fn is_proof(&self) -> bool {
        self.proof.is_some()
    }

    /// The first symbol that is not an argument.
    pub(crate) const fn first_round(&self) -> Symbol {
        self.values.len() as Symbol
    }

    /// For each argument, how far its value can change, down and up.
    pub(crate) fn reach(&self) -> Vec<(u64, u64)> {
        self.reach.borrow().clone()
    }

    /// The distance above the value of an argument for which a proof must hold; `None` outside of a proof.
    pub(super) fn limit(&self, symbol: Symbol) -> Option<u64> {
        let limits = self.proof.as_ref()?;
        Some(limits.get(usize::from(symbol)).copied().unwrap_or(u64::MAX))
    }

    pub(super) fn narrow(&self, symbol: Symbol, down: u64, up: u64) {
        if let Some(reach) = self.reach.borrow_mut().get_mut(usize::from(symbol)) {
            *reach = (reach.0.min(down), reach.1.min(up));
        }
    }

    /// Records that the exact value is used, so the arguments that it depends on cannot change. Returns whether a proof can
    /// continue.
    pub(crate) fn exact(&self, value: &Value) -> bool {
        for (symbol, _) in &value.slopes {
            self.narrow(*symbol, 0, 0);
        }
        let fails = self.is_proof() && !value.slopes.is_empty();
        if fails {
            self.hint(value.slopes.iter().map(|(symbol, _)| *symbol));
        }
        !fails
    }

    /// Limits arguments so that a value of this width does not wrap around. The value is extended, shifted or divided, so it
    /// grows steadily only until then. Returns whether a proof can continue. Growing numbers of 32 bits or more are assumed not
    /// to overflow, unless they grow with a workgroup number. If they pass zero, their upper bits change.
    pub(crate) fn between_wraps(
        &self,
        value: &Value,
        (width, signed_end): (u8, bool),
        mask: u64,
    ) -> bool {
        let first = self.first_round();
        let linear = value.slopes.iter().filter_map(|(symbol, slope)| match slope {
            // Strides with which rows overlap, such as negative ones, are reported elsewhere.
            Slope::Linear(by) if *symbol < first && !self.is_spaced(*symbol) => Some((*symbol, by)),
            _ => None,
        });
        let linear: Vec<(Symbol, &Lanes)> = linear.collect();
        let lanes = if matches!((&value.bits, &value.unknown), (Lanes::One(_), Lanes::One(_))) {
            1
        } else {
            mask
        };
        let mut holds = true;
        for (symbol, by) in &linear {
            let (mut down, mut up) = (u64::MAX, u64::MAX);
            for lane in (0..64).filter(|lane| lanes >> lane & 1 == 1) {
                let Some(bits) = value.known_in(lane) else { continue };
                let (step, bits) = (i128::from(signed(by.at(lane), 64)), bits & ones(width));
                let near = width < 32 || *symbol >= self.numbers;
                let (number, [least, most]) = wraps(bits, (width, near), signed_end);
                let room = |to: Option<i128>| {
                    let room = to.map(|to| (to - number).abs() / step.abs().max(1));
                    room.and_then(|room| u64::try_from(room).ok()).unwrap_or(u64::MAX)
                };
                let (low, high) = if step > 0 { (least, most) } else { (most, least) };
                if step != 0 {
                    (down, up) = (down.min(room(low)), up.min(room(high)));
                }
            }
            let (down, up) = reaches::shared((down, up), linear.len());
            match self.limit(*symbol) {
                Some(limit) => {
                    holds &= up >= limit;
                }
                None => self.narrow(*symbol, down, up),
            }
        }
        holds
    }

    /// Whether the difference of two values is linear in every symbol.
    pub(crate) fn bounds(of: [&Value; 2]) -> bool {
        let mut all = symbols(of).into_iter().filter_map(|symbol| difference(of, symbol));
        all.all(|(_, slope)| slope.is_some())
    }

    /// How far each symbol can change with the same answer. Remainders are first, because they change least.
    #[cfg(feature = "proofs")]
    fn reaches(
        &self,
        mut moving: Vec<(Symbol, Option<Lanes>)>,
        compared: &Compared<'_>,
    ) -> (Vec<(Symbol, Option<Lanes>)>, Vec<Reach>) {
        moving.sort_by_key(|(symbol, _)| !self.is_remainder(*symbol));
        let needed = |(symbol, slope): &(Symbol, Option<Lanes>)| {
            slope.clone().map(|slope| (slope, self.needs(*symbol)))
        };
        let slopes: Option<Vec<(Lanes, Reach)>> = moving.iter().map(needed).collect();
        let found = match slopes {
            Some(slopes) => reaches::reaches(compared, &slopes),
            None => alloc::vec![(0, 0); moving.len()],
        };
        (moving, found)
    }

    /// Compares two values in the lanes of a mask.
    pub(crate) fn ask(
        &self,
        (how, width): (Comparison, u8),
        of: [&Value; 2],
        mask: u64,
        site: impl FnOnce() -> Site,
    ) -> Answer {
        let all = symbols(of);
        let moving: Vec<(Symbol, Option<Lanes>)> =
            all.into_iter().filter_map(|symbol| difference(of, symbol)).collect();
        if moving.is_empty() {
            return Answer::Known;
        }
        let linear = moving.iter().all(|(_, slope)| slope.is_some());
        let rounds = moving.iter().filter(|(symbol, _)| *symbol >= self.first_round()).count();
        let lanes = if matches!(of[0].bits, Lanes::One(_)) && matches!(of[1].bits, Lanes::One(_)) {
            1
        } else {
            mask
        };
        let is_chosen = rounds < moving.len();
        self.signed.set(self.signed.get() || is_chosen && is_signed(how));
        let by_lane = !lanes.is_power_of_two() || of.iter().any(|value| value.varies);
        self.by_lane.set(self.by_lane.get() || is_chosen && by_lane);
        if self.coarse != Coarse::No && is_chosen && by_lane {
            return Answer::Data;
        }
        if self.is_proof() && linear && rounds > 0 && is_chosen {
            self.ended.set(true);
            self.count_rounds(&moving, width);
            let arguments = moving.iter().map(|(symbol, _)| *symbol);
            let arguments = arguments.filter(|symbol| *symbol < self.first_round());
            self.guards.ends(site(), arguments);
            return if by_lane { Answer::Data } else { Answer::Host };
        }
        if self.is_proof() && linear && !is_chosen && is_far(how, of) {
            return Answer::Known;
        }
        let compared = Compared { how, width, of, mask: lanes };
        #[cfg(feature = "proofs")]
        let (moving, found) = self.reaches(moving, &compared);
        let site = (self.is_proof() && rounds == 0).then(site);
        #[cfg(not(feature = "proofs"))]
        let found = moving.iter().map(|(_, slope)| match slope {
            Some(slope) => reaches::share(&compared, slope, moving.len()),
            None => (0, 0),
        });
        for ((symbol, slope), reach) in moving.iter().zip(found) {
            let reach = if linear { reach } else { (0, 0) };
            if let Some(limit) = self.limit(*symbol) {
                if reach.1 < limit {
                    self.hint(slope.is_none().then_some(*symbol));
                    return Answer::Fails;
                }
                if let Some(site) = site {
                    self.guards.asks(site, *symbol, reach);
                }
            } else {
                self.narrow(*symbol, reach.0, reach.1);
            }
        }
        Answer::Known
    }
}

/// Whether a number is below a bound that is so large that no iteration is assumed to reach it, such as the size of a buffer of
/// unknown size.
fn is_far(how: Comparison, of: [&Value; 2]) -> bool {
    let bound = of[1].bits.one().filter(|_| of[1].is_known() && of[1].slopes.is_empty());
    let below = || (0..64).all(|lane| of[0].known_in(lane).is_some_and(|value| value < FAR));
    how == Comparison::Ult && bound.is_some_and(|bound| bound >= 2 * FAR) && below()
}

/// The number that the bits represent, and the minimum and maximum before it wraps around, `None` if that limit does not
/// matter: see [`Inputs::between_wraps`].
fn wraps(bits: u64, (width, near): (u8, bool), signed_end: bool) -> (i128, [Option<i128>; 2]) {
    let half = 1_i128 << (width.clamp(1, 64) - 1);
    if signed_end {
        return (
            i128::from(signed(bits, width)),
            [near.then_some(-half), near.then_some(half - 1)],
        );
    }
    let number = i128::from(bits);
    let (low, high) = (near || number < half, near || number >= half);
    (number, [low.then_some(0), high.then_some(2 * half - 1)])
}

const fn is_signed(how: Comparison) -> bool {
    matches!(how, Comparison::Slt | Comparison::Sle | Comparison::Sgt | Comparison::Sge)
}

/// Half of the smallest bound that counts as far away.
const FAR: u64 = 1 << 29;

/// How the difference of two values depends on a symbol; `None` if it does not. The slope is `None` if the dependence is not
/// linear.
fn difference(of: [&Value; 2], symbol: Symbol) -> Option<(Symbol, Option<Lanes>)> {
    match (of[0].slope(symbol), of[1].slope(symbol)) {
        (Slope::Linear(one), Slope::Linear(other)) => {
            let slope = one.zip(&other, u64::wrapping_sub);
            (slope != Lanes::One(0)).then_some((symbol, Some(slope)))
        }
        _ => Some((symbol, None)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::Builder;
    use crate::ir::{Machine, Style};

    #[test]
    fn a_loop_that_steps_like_its_argument_has_one_round_more() {
        let module = Builder::new(Machine::Amdgpu, Style::Lanes).finish();
        let inputs =
            Inputs::new(&module, (&[], &Split::default()), &[], Some(Vec::new())).stepped(4, 0);
        let moving = |round| [(0, Some(Lanes::One(4))), (1, Some(Lanes::One(round)))];
        for (round, rate) in [(4, 1), (2, 2), (1, 4), (3, 4), (8, 1)] {
            for period in 1..9 {
                let outer = inputs.begin_loop();
                inputs.count_rounds(&moving(round), 32);
                let own = inputs.end_loop(outer, true);
                let whole = inputs.is_whole(period, own);
                assert_eq!(whole, period.is_multiple_of(rate), "{round} {period}");
            }
        }
        let none = Pace::default();
        assert!(!inputs.is_whole(2, none) && inputs.is_whole(4, none));
    }

    #[cfg(feature = "proofs")]
    #[test]
    fn indices_that_grow_with_the_workgroup_may_wrap() {
        let mut module = Builder::new(Machine::Nvidia, Style::Lanes).finish();
        module.arguments.push(crate::ir::Argument {
            name: "blockIdx.x".into(),
            place: crate::ir::Place::default(),
            width: 32,
            passed: Passed::Integer,
        });
        let holds = |distance, signed| {
            let mut index = Value::int(0);
            index.set_slope(0, Slope::Linear(Lanes::One(distance)));
            let split = Split::default();
            let inputs = Inputs::new(&module, (&[], &split), &[], Some(alloc::vec![4095]));
            inputs.numbered(0).between_wraps(&index, (32, signed), 1)
        };
        // There are 4096 workgroups.
        assert!(holds(1 << 20, false) && !holds(1 << 21, false));
        assert!(holds(1 << 19, true) && !holds(1 << 20, true));
    }
}
