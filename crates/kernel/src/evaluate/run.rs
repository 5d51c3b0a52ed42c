//! Runs one agent up to the next event.

use super::facts::Question;
use super::guards::Site;
use super::inputs::{Answer, Inputs};
use super::registers::Registers;
use super::request::Stop;
use super::state::{Frame, Part, Side, Sides, State};
use super::world::{DEEPEST, Event, Run};
use crate::compute::identify;
use crate::exchanges::alike;
use crate::ir::{
    Comparison, Edge, End, FunctionId, Guard, Instruction, Kernel, Kind, Op, Operand, Place, Reg,
    Style,
};
use crate::switched::{self, compute};
use crate::value::{Lanes, Origin, Slope, Value, WARP, ones};
use alloc::string::String;
use alloc::vec::Vec;

impl Run<'_> {
    /// The state in which a kernel starts.
    pub(crate) fn start(&self, kernel: &Kernel) -> Option<State> {
        let mut state = State::default();
        let arguments = kernel.arguments.iter().map(|&one| self.operand(&state, one)).collect();
        self.enter(&mut state, kernel.function, arguments, Vec::new(), self.standing.mask)?;
        Some(state)
    }

    pub(super) fn enter(
        &self,
        state: &mut State,
        function: FunctionId,
        arguments: Vec<Value>,
        results: Vec<Reg>,
        mask: u64,
    ) -> Option<()> {
        let code = self.world.module.functions.get(function as usize)?;
        let mut registers: Registers =
            code.widths.iter().map(|&width| Value::data(width)).collect();
        for (&parameter, value) in code.parameters.iter().zip(arguments) {
            if let Some(register) = registers.get_mut(parameter) {
                *register = value;
            }
        }
        let possible = state.is_possible();
        let side = Side::None;
        let part = Part { block: 0, index: 0, mask, until: None, possible, side, chosen: None };
        let parts = alloc::vec![part];
        let (returned, sides) = (Vec::new(), Vec::new());
        state.frames.push(Frame { function, registers, parts, results, returned, sides });
        Some(())
    }

    /// Runs up to the next event.
    pub(crate) fn advance(&self, state: &mut State) -> Result<Event, Stop> {
        loop {
            if let Some(event) = self.step(state)? {
                return Ok(event);
            }
        }
    }

    /// Performs one instruction, or goes to the next block.
    pub(super) fn step(&self, state: &mut State) -> Result<Option<Event>, Stop> {
        let Some(frame) = state.frame() else { return Ok(Some(Event::Done)) };
        let function = &self.world.module.functions[frame.function as usize];
        let Some(part) = frame.parts.last() else {
            self.leave(state);
            return Ok(None);
        };
        if part.mask == 0 || part.until == Some(part.block) && part.index == 0 {
            self.finish_part(state);
            return Ok(None);
        }
        let left = self.world.steps.get();
        self.world.steps.set(left.checked_sub(1).ok_or(Stop::TooLong)?);
        let block = &function.blocks[part.block as usize];
        match block.instructions.get(part.index) {
            Some(instruction) => self.perform(state, instruction),
            None => self.end(state, &block.end, block.place),
        }
    }

    /// Removes a part whose lanes have ended or wait for others.
    fn finish_part(&self, state: &mut State) {
        let Some(part) = state.frame_mut().and_then(|frame| frame.parts.pop()) else { return };
        let Some(sides) = (match part.side {
            Side::None => None,
            _ => state.frame_mut().and_then(|frame| frame.sides.pop()),
        }) else {
            return;
        };
        match part.side {
            Side::First => {
                let block = sides.block;
                if let Some(other) = state.exchange(sides.other)
                    && let Some(frame) = state.frame_mut()
                {
                    frame.sides.push(Sides { block, other });
                }
            }
            _ => state.merge(&sides.other),
        }
    }

    /// Returns from the innermost function, in all lanes.
    fn leave(&self, state: &mut State) {
        let Some(frame) = state.frames.pop() else { return };
        let Some(mask) = state.part().map(|part| part.mask) else { return };
        let moves = frame.results.into_iter().zip(frame.returned).collect();
        state.assign(moves, mask, self.standing.lanes);
    }

    /// The lanes that may perform an instruction, and those that certainly do; `None` if the proof fails.
    pub(super) fn guarded(
        &self,
        state: &State,
        guard: Option<Guard>,
        mask: u64,
    ) -> Option<(u64, u64)> {
        let (value, holds, lane_bits) = match guard {
            None => {
                self.world.without_off.set(false);
                return Some((mask, mask));
            }
            Some(Guard::Bit(operand, holds)) => (self.operand_or_off(state, operand), holds, false),
            Some(Guard::Mask(operand)) => (self.operand_or_off(state, operand), true, true),
        };
        if !self.inputs.exact(&value) {
            return None;
        }
        self.world.without_off.set(value.or_off && holds);
        let (mut active, mut certain) = (0, 0);
        for lane in (0..self.standing.lanes).filter(|lane| mask >> lane & 1 == 1) {
            let bit = if lane_bits { lane } else { 0 };
            let unknown = value.unknown.at(lane) >> bit & 1 == 1;
            let set = (value.bits.at(lane) >> bit & 1 == 1) == holds;
            active |= u64::from(unknown || set) << lane;
            certain |= u64::from(!unknown && set) << lane;
        }
        Some((active, certain))
    }

    fn perform(&self, state: &mut State, instruction: &Instruction) -> Result<Option<Event>, Stop> {
        let Some(part) = state.part_mut() else { return Ok(None) };
        part.index += 1;
        let (mask, chosen) = (part.mask, part.chosen.take());
        let (active, certain) = match chosen {
            Some(lanes) => (lanes, lanes),
            None => self.guarded(state, instruction.guard, mask).ok_or(Stop::NoProof)?,
        };
        if active == 0 {
            return Ok(None);
        }
        let open = active != certain;
        if open && self.must_choose(state, &instruction.kind) {
            return Ok(Some(self.choose_lanes(state, [active, certain], instruction.place)));
        }
        match &instruction.kind {
            Kind::Compute { to, op, of } => {
                return self.compute(state, (*to, *op, of), (active, open));
            }
            Kind::Opaque { to } => self.forget(state, to, (active, open)),
            Kind::Call { function, arguments, results } => {
                if state.frames.len() >= DEEPEST {
                    return Err(Stop::TooDeep(instruction.place));
                }
                let values = arguments.iter().map(|&one| self.operand(state, one)).collect();
                self.enter(state, *function, values, results.clone(), active);
                if let Some(part) = state.part_mut().filter(|_| open) {
                    part.possible = true;
                }
            }
            Kind::Unknown { why, to } => {
                self.world.note(instruction.place, why.clone());
                self.forget(state, to, (active, open));
            }
            kind => {
                let mut event = self.operate(state, kind, instruction.place, (active, open))?;
                match &mut event {
                    Some(Event::Outcome(.., states) | Event::Data(states, _)) => {
                        states.iter_mut().for_each(|state| state.acted = true);
                    }
                    event => state.acted |= event.is_some(),
                }
                return Ok(event);
            }
        }
        Ok(None)
    }

    fn compute(
        &self,
        state: &mut State,
        (to, op, of): (Reg, Op, &[Operand]),
        (mask, open): (u64, bool),
    ) -> Result<Option<Event>, Stop> {
        let width = self.width(state, to);
        let values = of.iter().map(|&one| self.operand_or_off(state, one));
        let mut values: Vec<Value> = values.collect();
        let votes = op == Op::Ballot && values.iter().all(Value::is_condition);
        let marked = values.iter().any(|value| value.or_off);
        if marked && !votes && switched::computed(op, width, &values).is_none() {
            values = values.into_iter().map(Value::settled).collect();
        }
        let op = match op {
            Op::MinSigned | Op::MaxSigned | Op::MinUnsigned | Op::MaxUnsigned
                if values.iter().any(|value| !value.slopes.is_empty())
                    && Inputs::bounds([&values[0], &values[1]]) =>
            {
                let how = match op {
                    Op::MinSigned => Comparison::Slt,
                    Op::MaxSigned => Comparison::Sgt,
                    Op::MinUnsigned => Comparison::Ult,
                    _ => Comparison::Ugt,
                };
                let condition = match self.decide(state, (how, width), &values, mask)? {
                    Decided::Value(value) => value,
                    Decided::Host => Value::data(1),
                };
                values.insert(0, condition);
                Op::Select
            }
            other => other,
        };
        if let Op::Compare(how, width) = op {
            let value = match self.decide(state, (how, width), &values, mask)? {
                Decided::Value(value) => value,
                Decided::Host => {
                    let question = Question::of(how, width, [&values[0], &values[1]]);
                    let known = question.as_ref().and_then(|it| state.facts.answer(it));
                    if let Some(answer) = known {
                        self.write(state, to, Value::int(answer.into()), (mask, open));
                        return Ok(None);
                    }
                    let states = [false, true].map(|answer| {
                        let mut other = state.clone();
                        question.iter().for_each(|it| other.facts.note(it, answer));
                        self.write(&mut other, to, Value::int(answer.into()), (mask, open));
                        other
                    });
                    return Ok(Some(Event::Host(states.into())));
                }
            };
            self.write(state, to, value, (mask, open));
            return Ok(None);
        }
        let mut value = match self.across(op, &values, state.get(to), mask, width) {
            Some(value) => value,
            None => self.computed(state, (op, width), &values, mask),
        };
        if self.standing.lanes == WARP && !value.is_known() {
            value.alike = alike(op, &values, mask);
        }
        if !self.grows(state, (op, width, of), &values, (&value, mask)) {
            return Err(Stop::NoProof);
        }
        self.write(state, to, value, (mask, open));
        Ok(None)
    }

    /// Limits arguments to values for which the result of an operation grows steadily. Returns whether a proof can continue.
    fn grows(
        &self,
        state: &State,
        (op, width, of): (Op, u8, &[Operand]),
        values: &[Value],
        (result, mask): (&Value, u64),
    ) -> bool {
        if values.iter().all(|value| value.slopes.is_empty()) {
            return true;
        }
        let zero = |at: usize| {
            values
                .get(at)
                .is_some_and(|value| value.slopes.is_empty() && value.uniform(mask) == Some(0))
        };
        let is_linear = result.slopes.iter().all(|(_, slope)| matches!(slope, Slope::Linear(_)));
        let (count, from) = match op {
            Op::Copy => match of.first() {
                Some(&operand) if self.width_of(state, operand) < width => {
                    (1, (self.width_of(state, operand), false))
                }
                _ => return true,
            },
            Op::SignExtend(from) => (1, (from, true)),
            Op::Concat if zero(1) => (1, (width / 2, false)),
            Op::And if is_linear && !result.slopes.is_empty() => (2, (width, false)),
            Op::ShrUnsigned | Op::ShrSigned if is_linear => (1, (width, false)),
            Op::DivUnsigned | Op::DivSigned | Op::RemUnsigned | Op::RemSigned if is_linear => {
                (1, (width, false))
            }
            Op::MulHighUnsigned | Op::MulHighSigned if is_linear => (2, (width, false)),
            _ => return true,
        };
        // In machine code, the upper half of a number that grows steadily as a whole is a register of its own.
        if self.world.module.style == Style::Waves && from.0 >= 32 {
            return true;
        }
        let moves = |value: &&Value| !matches!(value.origin, Origin::Object(_) | Origin::Several);
        values
            .iter()
            .take(count)
            .filter(moves)
            .all(|value| self.inputs.between_wraps(value, from, mask))
    }

    /// The width of an operand; 64 if it has none of its own.
    fn width_of(&self, state: &State, operand: Operand) -> u8 {
        match operand {
            Operand::Register(register) => self.width(state, register),
            Operand::Argument(at) => {
                self.world.module.arguments.get(at as usize).map_or(64, |argument| argument.width)
            }
            _ => 64,
        }
    }

    /// Compares two values. The answer may depend on arguments.
    fn decide(
        &self,
        state: &State,
        (how, width): (Comparison, u8),
        values: &[Value],
        mask: u64,
    ) -> Result<Decided, Stop> {
        let [a, b] = [0, 1].map(|at| values.get(at).cloned().unwrap_or_else(|| Value::int(0)));
        if self.differ_in_origin(&a, &b) {
            return Ok(Decided::Value(Value::data(1)));
        }
        match self.inputs.ask((how, width), [&a, &b], mask, || Site::of(state)) {
            Answer::Known => {}
            Answer::Host => return Ok(Decided::Host),
            Answer::Data => return Ok(Decided::Value(Value::data(1))),
            Answer::Fails => return Err(Stop::NoProof),
        }
        let mut value = compute(Op::Compare(how, width), 1, &[a, b]);
        value.slopes.clear();
        Ok(Decided::Value(value))
    }

    /// Whether values are addresses in different objects, whose comparison has no meaning.
    fn differ_in_origin(&self, a: &Value, b: &Value) -> bool {
        let null = |value: &Value| value.origin == Origin::None && value.uniform(1) == Some(0);
        match (a.origin, b.origin) {
            (Origin::None, Origin::None) => false,
            (one, other) if one == other && one != Origin::Several => false,
            _ => !null(a) && !null(b),
        }
    }

    /// Operations across lanes; `None` for all others.
    fn across(&self, op: Op, of: &[Value], old: Value, mask: u64, width: u8) -> Option<Value> {
        let lanes = self.standing.lanes;
        let get = |at: usize| of.get(at).cloned().unwrap_or_else(|| Value::int(0));
        let first = mask.trailing_zeros() as usize;
        let spread = |from: &Value, lane: usize| {
            let mut value = Value::known(Lanes::One(from.bits.at(lane)));
            value.unknown = Lanes::One(from.unknown.at(lane));
            for (symbol, slope) in &from.slopes {
                let slope = match slope {
                    Slope::Linear(slope) => Slope::Linear(Lanes::One(slope.at(lane))),
                    other => other.clone(),
                };
                value.set_slope(*symbol, slope);
            }
            value.term = from.term;
            let same = matches!((&from.bits, &from.unknown), (Lanes::One(_), Lanes::One(_)));
            value.agreed = if same { from.agreed } else { 0 };
            value.with_origin(from.origin)
        };
        Some(match op {
            Op::ReadFirst => spread(&get(0), first),
            Op::ReadLane => match get(1).uniform(mask) {
                Some(lane) => spread(&get(0), lane as usize % lanes),
                None => Value::data(width),
            },
            Op::WriteLane => match get(2).uniform(mask) {
                Some(lane) => get(1).masked(1 << (lane % 64), &get(0), lanes),
                None => old.merged(&get(1)),
            },
            Op::Ballot => {
                let value = get(0);
                let (mut bits, mut unknown) = (0, 0);
                for lane in (0..lanes).filter(|lane| mask >> lane & 1 == 1) {
                    bits |= (value.bits.at(lane) & 1) << lane;
                    unknown |= (value.unknown.at(lane) & 1) << lane;
                }
                let mut ballot = Value::int(bits & !unknown);
                ballot.unknown = Lanes::One(unknown);
                ballot.or_off = value.or_off && unknown != 0;
                if value.agreed != 0 && unknown != 0 {
                    ballot.agreed = identify((op, mask, value.agreed));
                }
                value.slopes.iter().for_each(|(symbol, _)| ballot.set_slope(*symbol, Slope::Other));
                ballot
            }
            Op::Shuffle => {
                let (value, from) = (get(0), get(1));
                let pick = |lane: usize| from.known_in(lane).map(|from| from as usize % lanes);
                let bits = (0..lanes).map(|lane| pick(lane).map_or(0, |from| value.bits.at(from)));
                let open = |lane| pick(lane).map_or(ones(width), |from| value.unknown.at(from));
                let mut result = Value::known(Lanes::of(bits.collect()));
                result.unknown = Lanes::of((0..lanes).map(open).collect());
                value.slopes.iter().for_each(|(symbol, _)| result.set_slope(*symbol, Slope::Other));
                result.with_origin(value.origin)
            }
            Op::Exchange(how) => {
                let own = get(0);
                let other = self.across(Op::Shuffle, of, old, mask, width)?;
                truncated(compute(how.op(), width, &[own, other]), width)
            }
            Op::Elect => {
                let bit = |lane: usize| u64::from(lane == first);
                Value::known(Lanes::of((0..lanes).map(bit).collect()))
            }
            _ => return None,
        })
    }

    fn end(&self, state: &mut State, end: &End, place: Place) -> Result<Option<Event>, Stop> {
        let mask = state.part().map_or(0, |part| part.mask);
        match end {
            End::Jump(edge) => Ok(self.take(state, edge)),
            End::Branch { on, then, other } => {
                let value = self.operand(state, *on);
                if !self.inputs.exact(&value) {
                    return Err(Stop::NoProof);
                }
                Ok(self.branch_on(state, (*on, &value), [then, other], place))
            }
            End::Return(values) => {
                let values: Vec<Value> =
                    values.iter().map(|&one| self.operand(state, one)).collect();
                let lanes = self.standing.lanes;
                if state.frames.len() > 1
                    && let Some(frame) = state.frame_mut()
                {
                    let old = core::mem::take(&mut frame.returned);
                    let join = |(at, value): (usize, Value)| match old.get(at) {
                        Some(old) => value.masked(mask, old, lanes),
                        None => value,
                    };
                    frame.returned = values.into_iter().enumerate().map(join).collect();
                }
                let ends = state.frames.len() == 1;
                if ends {
                    self.continue_with(state, mask);
                }
                state.end_lanes(mask, ends);
                Ok(None)
            }
            End::Exit => {
                self.continue_with(state, mask);
                state.end_lanes(mask, true);
                Ok(None)
            }
            End::Unreachable => {
                if let Some(part) = state.part_mut() {
                    part.mask = 0;
                }
                Ok(None)
            }
            End::Unknown(_) | End::Switch { .. } => {
                let why = match end {
                    End::Unknown(why) => why.clone(),
                    _ => String::from("a switch that is not written as branches"),
                };
                self.world.note(place, why);
                state.end_lanes(mask, true);
                Ok(None)
            }
        }
    }

    /// Follows an edge with all lanes of the part.
    pub(super) fn take(&self, state: &mut State, edge: &Edge) -> Option<Event> {
        let mask = state.part()?.mask;
        self.moves(state, edge, mask);
        let part = state.part_mut()?;
        (part.block, part.index) = (edge.to, 0);
        let is_end = part.until == Some(part.block);
        (!is_end && self.is_header(state)).then_some(Event::Header)
    }

    pub(super) fn moves(&self, state: &mut State, edge: &Edge, mask: u64) {
        let moves = edge.moves.iter().map(|&(to, from)| (to, self.operand(state, from))).collect();
        state.assign(moves, mask, self.standing.lanes);
    }

    /// Whether a branch has just led to a loop header.
    pub(super) fn comes_to_header(&self, state: &State) -> bool {
        let part = state.part();
        part.is_some_and(|part| part.index == 0 && part.until != Some(part.block))
            && self.is_header(state)
    }

    fn is_header(&self, state: &State) -> bool {
        let Some((frame, part)) =
            state.frame().and_then(|frame| Some((frame, frame.parts.last()?)))
        else {
            return false;
        };
        self.world.flows[frame.function as usize].header[part.block as usize]
    }
}

enum Decided {
    Value(Value),
    Host,
}

/// A value truncated to a width.
pub(super) fn truncated(mut value: Value, width: u8) -> Value {
    if width < 64 {
        value.bits = value.bits.map(|bits| bits & ones(width));
        value.unknown = value.unknown.map(|bits| bits & ones(width));
    }
    value
}
