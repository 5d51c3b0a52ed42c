//! Branches: lanes that diverge, and branches on data.

use super::graph::MOST_DECIDED_ROUNDS;
use super::inputs::Coarse;
use super::state::{Part, Side, Sides, State};
use super::world::{DEEPEST, Event, Run};
use crate::flow::Flow;
use crate::ir::{BlockId, Edge, End, Function, Kind, Machine, NvidiaKind, Place, Reg, Style};
use crate::value::Value;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

/// The lateness of lanes that wait for others: see [`Run::lateness`].
const HOLDS: u8 = 2;

impl Run<'_> {
    /// Each lane takes the edge that its condition selects.
    pub(super) fn branch(
        &self,
        state: &mut State,
        on: &Value,
        ways: [&Edge; 2],
        place: Place,
    ) -> Option<Event> {
        let part = state.part()?.clone();
        if ways[0] == ways[1] {
            return self.take(state, ways[0]);
        }
        let (mut sides, mut open) = ([0_u64; 2], false);
        for lane in (0..self.standing.lanes).filter(|lane| part.mask >> lane & 1 == 1) {
            let unknown = on.unknown.at(lane) & 1 == 1;
            let way = usize::from(on.bits.at(lane) & 1 == 0);
            sides[way] |= 1 << lane;
            if unknown {
                sides[1 - way] |= 1 << lane;
            }
            open |= unknown;
        }
        match (open, sides) {
            (true, _) => self.data_branch(state, on, (ways, sides), place),
            (_, [_, 0]) => self.take(state, ways[0]),
            (_, [0, _]) => self.take(state, ways[1]),
            _ if self.world.module.style == Style::Waves => {
                let why = String::from("a branch of a whole wave differs between its lanes");
                self.world.note(place, why);
                self.take(state, ways[0])
            }
            _ => {
                self.split(state, ways, sides, None);
                None
            }
        }
    }

    /// Two groups of lanes take different edges and reconverge at the nearest post-dominator.
    fn split(&self, state: &mut State, ways: [&Edge; 2], sides: [u64; 2], data: Option<Sides>) {
        let moves = ways.map(|edge| {
            let moves = edge.moves.iter().map(|&(to, from)| (to, self.operand(state, from)));
            moves.collect::<Vec<_>>()
        });
        let outermost = state.frames.len() == 1;
        let Some(frame) = state.frame_mut() else { return };
        let Some(part) = frame.parts.pop() else { return };
        let function = frame.function;
        let code = &self.world.module.functions[function as usize];
        let flow = &self.world.flows[function as usize];
        let (after, until) = match data {
            Some(_) => (flow.after[part.block as usize], flow.after[part.block as usize]),
            None => {
                // Lanes that reach a block in which all lanes end do not wait there for the others.
                let waits = |block: &BlockId| !self.world.ends_at_once(function, *block, outermost);
                let certain = flow.after[part.block as usize];
                // Lanes that branch directly to the join do not wait there if the other lanes may wait for them.
                let held = |join: BlockId| {
                    let way = (0..2).find(|&way| ways[way].to == join);
                    way.is_some_and(|way| {
                        self.lateness(code, flow, (ways[1 - way].to, Some(join))) == HOLDS
                    })
                };
                let is_join = |join: &BlockId| Some(*join) == certain || !held(*join);
                let join = flow.joins[part.block as usize].filter(is_join).or(certain);
                let after = join.filter(waits);
                (after, after.or(part.until))
            }
        };
        let possible = part.possible || data.is_some();
        if let Some(block) = after
            && (part.until != after || part.side != Side::None)
        {
            frame.parts.push(Part { block, index: 0, ..part.clone() });
        } else if part.side != Side::None {
            // Both groups end without reconverging. The side ends after both.
            frame.parts.push(Part { mask: 0, ..part.clone() });
        }
        let side = |side| if data.is_some() { side } else { Side::None };
        let new = |way: usize, side| Part {
            block: ways[way].to,
            index: 0,
            mask: sides[way],
            until,
            possible,
            side,
            chosen: None,
        };
        // Lanes that wait run last, because the lanes on the other edge may do what they wait for. Lanes that synchronise in
        // other ways run before them, because lanes that have ended no longer count.
        let lateness = |way: usize| self.lateness(code, flow, (ways[way].to, after));
        let first = usize::from(data.is_none() && lateness(0) > lateness(1));
        frame.parts.push(new(1 - first, side(Side::Second)));
        frame.parts.push(new(first, side(Side::First)));
        let lanes = self.standing.lanes;
        let [first, second] = moves;
        match data {
            None => {
                state.assign(second, sides[1], lanes);
                state.assign(first, sides[0], lanes);
            }
            Some(mut data) => {
                // The second side starts with its own moves.
                let Some(before) = state.snapshot() else { return };
                state.assign(second, sides[1], lanes);
                if let Some(start) = state.exchange(before) {
                    data.other = start;
                }
                state.assign(first, sides[0], lanes);
                if let Some(frame) = state.frame_mut() {
                    frame.sides.push(data);
                }
            }
        }
    }

    /// The order in which lanes run from a block up to another: 2 if they wait for others, 1 if they synchronise in other ways,
    /// otherwise 0. Lanes with a larger number run later.
    fn lateness(
        &self,
        code: &Function,
        flow: &Flow,
        (to, until): (BlockId, Option<BlockId>),
    ) -> u8 {
        let late = |&block: &BlockId| {
            let mut all = code.blocks[block as usize].instructions.iter();
            match all.any(|one| crate::flow::holds(one, &self.world.holding)) {
                true => HOLDS,
                false => u8::from(flow.synchronises[block as usize]),
            }
        };
        flow.region(code, &[to], until).iter().map(late).max().unwrap_or(0)
    }

    /// A branch on data. If nothing synchronises before its sides join, both sides are run, and their accesses are possible.
    /// Otherwise the whole agent takes one side or the other.
    fn data_branch(
        &self,
        state: &mut State,
        on: &Value,
        (ways, sides): ([&Edge; 2], [u64; 2]),
        place: Place,
    ) -> Option<Event> {
        let frame = state.frame()?;
        let (function, part) = (frame.function, frame.parts.last()?.clone());
        let flow = &self.world.flows[function as usize];
        let after = flow.after[part.block as usize];
        let code = &self.world.module.functions[function as usize];
        let region = flow.region(code, &ways.map(|edge| edge.to), after);
        let waits = !self.waits_alone(state) || Flow::is_decided_by_loads(code, &region);
        let synchronises = |block: usize| flow.synchronises[block] || waits && flow.waits[block];
        if region.iter().any(|&block| synchronises(block as usize))
            || self.exits(code, &region, state)
        {
            let continues = self.continues(state, ways, sides);
            if let Some(way) = continues.filter(|_| self.may_end(state)) {
                state.make_possible();
                return self.take(state, ways[way]);
            }
            let stays = |edge: &Edge| flow.region(code, &[edge.to], after).contains(&part.block);
            let leaves = (0..2).find(|&way| !stays(ways[way]));
            if let Some(event) = self.agree(state, on, ways, leaves) {
                return event;
            }
            self.decides(state, Some(on), place);
            return self.choose(state, ways, (sides, continues), place);
        }
        let rounds = frame.sides.iter().filter(|one| one.block == part.block).count();
        let watches = self.watches(code, &region);
        if self.inputs.how_coarse() == Coarse::Exact && !watches && region.contains(&part.block) {
            if self.inputs.is_proof() {
                let leaves =
                    |edge: &Edge| !flow.region(code, &[edge.to], after).contains(&part.block);
                let [first, second] = ways;
                let ways = if leaves(second) { [second, first] } else { ways };
                return self.leave_or_continue(state, ways, place);
            }
            if rounds > MOST_DECIDED_ROUNDS {
                self.inputs.cut();
                return self.leave_loop(state, ways, after);
            }
        } else if rounds > 0 {
            // The loop has run once with data in its registers. That covers all further iterations.
            return self.leave_loop(state, ways, after);
        } else if region.contains(&part.block) {
            if watches {
                // The code after the loop is ordered after the awaited store, also in agents that synchronise with this one.
                self.decides(state, Some(on), place);
                state.make_possible();
                state.decided = true;
            }
            self.havoc(state, &region);
        }
        let other = state.snapshot()?;
        self.split(state, ways, sides, Some(Sides { block: part.block, other }));
        None
    }

    /// The side that all lanes may take, if lanes on the other side only end and no barrier counts lanes; otherwise `None`.
    fn continues(&self, state: &State, ways: [&Edge; 2], sides: [u64; 2]) -> Option<usize> {
        let (lanes, function) = (state.part()?.mask, state.frame()?.function);
        let outermost = state.frames.len() == 1;
        let ends = |way: usize| self.world.ends_at_once(function, ways[way].to, outermost);
        let continues = |way: &usize| sides[*way] == lanes && ends(1 - way) && !ends(*way);
        (0..2).find(continues).filter(|_| self.world.ends.counts_waves)
    }

    /// Whether an agent that continues performs at least what an agent that ends here performs.
    const fn may_end(&self, state: &State) -> bool {
        !state.acted && self.world.ends.gathers_all
    }

    /// Records that data decide a branch.
    fn decides(&self, state: &State, on: Option<&Value>, place: Place) {
        let bytes = on.and_then(|value| value.element.bytes());
        let bytes = bytes.filter(|_| !state.loops && self.standing.lanes == 1);
        self.world.decisions.borrow_mut().add(self.standing.id(), place, bytes);
    }

    /// In a proof, all lanes leave a loop or all continue it. Lanes that leave it in another iteration do the same as these.
    fn leave_or_continue(&self, state: &State, ways: [&Edge; 2], place: Place) -> Option<Event> {
        self.decides(state, None, place);
        let mut states = Vec::new();
        for edge in ways {
            let mut next = state.clone();
            let mask = next.part()?.mask;
            self.moves(&mut next, edge, mask);
            let part = next.part_mut()?;
            (part.block, part.index) = (edge.to, 0);
            states.push(next);
        }
        Some(Event::Data(states, place))
    }

    /// Whether waits for counters affect only outstanding operations of the wave itself.
    fn waits_alone(&self, state: &State) -> bool {
        self.machine_code().is_some_and(|target| target.back_off_barrier)
            && !state.flight.has_copies()
    }

    /// Whether a region, or a function that it calls, has atomic accesses. If a loop waits for a value, the code after the loop
    /// is ordered after the store of that value. This order is not modelled.
    fn watches(&self, code: &Function, region: &[BlockId]) -> bool {
        let mut all = region.iter().flat_map(|block| &code.blocks[*block as usize].instructions);
        all.any(|one| crate::flow::is_atomic(one, &self.world.atomic))
    }

    /// Whether lanes can end in a region of the outermost function, before others synchronise.
    fn exits(&self, code: &Function, region: &[BlockId], state: &State) -> bool {
        let ends = |block: &BlockId| match &code.blocks[*block as usize].end {
            End::Exit | End::Unknown(_) => true,
            End::Return(_) => state.frames.len() == 1,
            _ => false,
        };
        let split = region.iter().any(ends);
        split && region.iter().any(|block| !ends(block)) && self.others_wait(state)
    }

    /// Whether other lanes of the agent wait at a block that synchronises.
    fn others_wait(&self, state: &State) -> bool {
        let frame = state.frame();
        let flow = frame.map(|frame| &self.world.flows[frame.function as usize]);
        let waiting =
            frame.map_or(&[][..], |frame| &frame.parts[..frame.parts.len().saturating_sub(1)]);
        let sync = |part: &Part| flow.is_some_and(|flow| flow.synchronises[part.block as usize]);
        waiting.iter().any(sync)
    }

    fn leave_loop(
        &self,
        state: &mut State,
        ways: [&Edge; 2],
        after: Option<BlockId>,
    ) -> Option<Event> {
        if let Some(edge) = ways.into_iter().find(|edge| Some(edge.to) == after) {
            return self.take(state, edge);
        }
        let part = state.part_mut()?;
        part.mask = 0;
        None
    }

    /// Everything that a region can change becomes data.
    fn havoc(&self, state: &mut State, region: &[BlockId]) {
        let Some(function) = state.frame().map(|frame| frame.function) else { return };
        let code = &self.world.module.functions[function as usize];
        let mut written: Vec<Reg> = Vec::new();
        let mut stores = false;
        for &block in region {
            let block = &code.blocks[block as usize];
            for instruction in &block.instructions {
                written.extend(crate::flow::writes(&instruction.kind));
                stores |= matches!(&instruction.kind, Kind::Access(access) if access.writes)
                    || matches!(instruction.kind, Kind::Call { .. });
            }
            let edges = crate::flow::edges(&block.end);
            written.extend(edges.iter().flat_map(|edge| edge.moves.iter().map(|(to, _)| *to)));
        }
        for register in written {
            let origin = state.get(register).origin;
            let width = self.width(state, register);
            state.set(register, Value::data(width).with_origin(origin));
        }
        if stores {
            for (bytes, value) in Rc::make_mut(&mut state.private).values_mut() {
                *value = Value::data(bytes.saturating_mul(8)).with_origin(value.origin);
            }
        }
    }

    /// The agent takes one side or the other with all its active lanes. In machine code, the whole wave branches. If the lanes
    /// of one side only end, the operations of lanes that continue are possible, not certain.
    fn choose(
        &self,
        state: &State,
        ways: [&Edge; 2],
        (sides, continues): ([u64; 2], Option<usize>),
        place: Place,
    ) -> Option<Event> {
        let lanes = state.part()?.mask;
        let mut states = Vec::new();
        for (way, (edge, side)) in ways.into_iter().zip(sides).enumerate() {
            if side != lanes && continues.is_none() {
                let why = String::from("data decide which lanes of a wave synchronise");
                self.world.note_choice(place, why);
            }
            let mut next = state.clone();
            next.decided = true;
            self.moves(&mut next, edge, lanes);
            let part = next.part_mut()?;
            (part.block, part.index) = (edge.to, 0);
            if continues == Some(way) {
                next.make_possible();
            }
            states.push(next);
        }
        if continues.is_none() {
            self.takes_lanes_to_agree(place);
        }
        Some(Event::Data(states, place))
    }

    fn takes_lanes_to_agree(&self, place: Place) {
        let apart = self.standing.lanes > 1 && self.world.module.style != Style::Waves;
        if apart && self.world.module.machine != Machine::Opencl {
            let why = String::from(
                "data decide whether lanes synchronise; assuming that the lanes of one wave agree",
            );
            self.world.note_choice(place, why);
        }
    }

    /// Whether an instruction does more than compute and access memory, so that other agents depend on whether it is performed.
    pub(super) fn must_choose(&self, state: &State, kind: &Kind) -> bool {
        match kind {
            Kind::Compute { .. } | Kind::Opaque { .. } | Kind::Unknown { .. } | Kind::Access(_) => {
                false
            }
            Kind::Call { function, .. } => {
                state.frames.len() < DEEPEST
                    && self.world.flows.get(*function as usize).is_none_or(Flow::may_synchronise)
            }
            // The group of these copies also completes without them.
            Kind::Nvidia(nvidia) => !matches!(
                nvidia.kind,
                NvidiaKind::FenceProxy
                    | NvidiaKind::WarpSync { orders: false }
                    | NvidiaKind::CopyAsync
                    | NvidiaKind::CopyBulkOut { .. }
                    | NvidiaKind::CopyTensorOut { .. }
                    | NvidiaKind::Tensor { .. }
                    | NvidiaKind::PendingCount
            ),
            Kind::Amdgpu(..)
            | Kind::Opencl(_)
            | Kind::Fence(_)
            | Kind::Memory(..)
            | Kind::Caches(_)
            | Kind::Outstanding => true,
        }
    }

    /// Data decide which lanes perform the last instruction: all that may, or only those that certainly do.
    pub(super) fn choose_lanes(&self, state: &State, lanes: [u64; 2], place: Place) -> Event {
        let mask = state.part().map_or(0, |part| part.mask);
        if lanes != [mask, 0] {
            let why = String::from("data decide which lanes of a wave synchronise");
            self.world.note_choice(place, why);
        }
        self.takes_lanes_to_agree(place);
        self.decides(state, None, place);
        let chosen = |lanes| {
            let mut next = state.clone();
            next.decided = true;
            if let Some(part) = next.part_mut() {
                (part.index, part.chosen) = (part.index - 1, Some(lanes));
            }
            next
        };
        Event::Data(Vec::from(lanes.map(chosen)), place)
    }
}
