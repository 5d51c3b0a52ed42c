//! From instructions to operations of the model.

use super::buffers::{FAR, Ranges};
use super::launch::Launch;
use super::memory::{self, Objects, Spot, shared};
use super::request::Stop;
use super::state::State;
use super::world::{Event, Run};
use crate::ir::{Access, Content, Kind, Machine, Op, Operand, Place, Space};
use crate::switched::compute;
use crate::value::{Lanes, Origin, Slope, Symbol, Value};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::mem::operation::{Memory, Range};
use tidegate_model::operation::{Action, Alike, Form, Operation};

/// Bytes of an object: the object, the workgroup of the instance, the start and the end, which is not included.
type Bytes = (u32, Option<u32>, u64, u64);

/// Merges adjacent and overlapping ranges.
fn merged(mut parts: Vec<Bytes>) -> Vec<Bytes> {
    parts.sort_unstable();
    let mut merged: Vec<Bytes> = Vec::new();
    for (id, group, start, end) in parts {
        match merged.last_mut() {
            Some((last, of, _, until)) if (*last, *of) == (id, group) && start <= *until => {
                *until = end.max(*until)
            }
            _ => merged.push((id, group, start, end)),
        }
    }
    merged
}

impl Run<'_> {
    /// An operation of the current part.
    pub(super) fn operation(
        &self,
        state: &State,
        action: Action,
        form: Form,
        open: bool,
    ) -> Operation {
        let mut operation = Operation::new(self.world.lds.translated(action), form);
        operation.possible = open || state.is_possible();
        operation.decided = state.decided;
        operation
    }

    /// Performs an instruction that is neither computation nor control flow.
    pub(super) fn operate(
        &self,
        state: &mut State,
        kind: &Kind,
        place: Place,
        active: (u64, bool),
    ) -> Result<Option<Event>, Stop> {
        self.world.touches.borrow_mut().clear();
        self.world.agreed.take();
        if !state.waiting.is_empty() {
            self.continue_with(state, active.0);
        }
        if let Kind::Access(access) = kind
            && let Some(event) = self.word(state, access, (place, active))?
        {
            return Ok(event);
        }
        let single = |action, form| {
            let operation = self.operation(state, action, form, active.1);
            Ok(Some(Event::Perform(alloc::vec![operation], place)))
        };
        if let Some(target) = self.machine_code() {
            match kind {
                Kind::Access(access) => {
                    let event = self.access(state, access, place, active)?;
                    return Ok(self.issue(state, target, access, (event, place), active.1));
                }
                Kind::Memory(Memory::Wait(waits), form) => {
                    return Ok(self.complete(state, target, *waits, (*form, place)));
                }
                Kind::Outstanding => return Ok(self.again(state, place)),
                _ => {}
            }
        }
        match kind {
            Kind::Access(access) if access.times.is_some() => match self.sized(state, access)? {
                Some(access) => self.access(state, &access, place, active),
                None => Ok(None),
            },
            Kind::Access(access) => self.access(state, access, place, active),
            Kind::Fence(fence) => single(Action::Memory(Memory::Fence(*fence)), Form::Word),
            Kind::Memory(memory, form) => single(Action::Memory(*memory), *form),
            Kind::Caches(form) => single(Action::Caches, *form),
            Kind::Amdgpu(amdgpu, form) => self.amdgpu(state, amdgpu, *form, (place, active)),
            Kind::Nvidia(nvidia) => self.nvidia(state, nvidia, place, active),
            Kind::Opencl(opencl) => self.opencl(state, opencl, place, active),
            _ => Ok(None),
        }
    }

    /// An access with the number of bytes that its operands give; `None` if it accesses no bytes.
    fn sized(&self, state: &State, access: &Access) -> Result<Option<Access>, Stop> {
        let Some(times) = access.times else { return Ok(Some(access.clone())) };
        let times = self.operand(state, times);
        if !self.inputs.exact(&times) {
            return Err(Stop::NoProof);
        }
        let times = times.uniform(self.standing.mask).and_then(|times| u32::try_from(times).ok());
        let bytes = times.and_then(|times| access.bytes.checked_mul(times));
        let access = Access { anywhere: bytes.is_none(), times: None, ..access.clone() };
        Ok((bytes != Some(0)).then(|| Access { bytes: bytes.unwrap_or(access.bytes), ..access }))
    }

    /// The value of an operand that must be known and the same in all active lanes; otherwise `None`, and a note.
    pub(super) fn certain(
        &self,
        state: &State,
        operand: Operand,
        (place, mask): (Place, u64),
    ) -> Result<Option<u64>, Stop> {
        let value = self.operand(state, operand);
        if !self.inputs.exact(&value) {
            return Err(Stop::NoProof);
        }
        let known = value.uniform(mask);
        if known.is_none() {
            let why =
                "an operand of a synchronisation is data, or differs between the lanes of a wave";
            self.world.note(place, String::from(why));
        }
        Ok(known)
    }

    pub(super) fn access(
        &self,
        state: &mut State,
        access: &Access,
        place: Place,
        active: (u64, bool),
    ) -> Result<Option<Event>, Stop> {
        let address = self.address(state, access.address, access.offset);
        let copy_to = access.copies_to.map(|(to, space)| (self.address(state, to, 0), space));
        let (private, mut spots) = self.spots(&address, access.space, access.anywhere, active.0);
        let possible = active.1 || state.is_possible();
        self.drop_outside(&mut spots, &address, (place, possible));
        if private != 0 && !self.inputs.exact(&address) {
            return Err(Stop::NoProof);
        }
        if private != 0 {
            self.private(state, access, &address, (private, active.1 || private != active.0));
            if private == active.0 {
                return Ok(None);
            }
        } else {
            self.loaded(state, access, &address, &spots, active);
        }
        self.moving(&address, &spots)?;
        let active_address = address.within(active.0);
        self.multiplied(&active_address, &spots, place);
        self.moved((&active_address, active.0), &spots, access.writes, Some(access));
        #[cfg(feature = "proofs")]
        self.follow_grid(
            (&address, active.0),
            (access, access.space),
            (access.writes, self.is_atomic_for_all(access, false)),
        );
        if self.inputs.is_proof() {
            self.follow_rounds(access, &address, active.0);
        }
        let stored: Vec<(Value, u8)> = match access.atomic.is_some() || access.anywhere {
            true => Vec::new(),
            false => {
                let all = access.values.iter();
                all.map(|&(value, bytes)| (self.operand(state, value), bytes)).collect()
            }
        };
        self.touch(access, (&address, copy_to.as_ref()), (state, &stored), active.0);
        let mut ranges =
            self.ranges(&spots, access.bytes, access.writes || copy_to.is_some(), place);
        if let ([(range, true)], [_, _, ..]) = (&ranges[..], &stored[..]) {
            ranges = parts(*range, &stored).unwrap_or(ranges);
        }
        let operations = match copy_to {
            None => {
                let guess = access.perhaps_atomic || self.is_guess(access, &address, &spots);
                let open = active.1 || guess;
                self.plain(state, access, &ranges, open)
            }
            Some((to, space)) => {
                let (_, mut spots) = self.spots(&to, space, false, active.0);
                self.drop_outside(&mut spots, &to, (place, possible));
                self.moving(&to, &spots)?;
                let active_address = to.within(active.0);
                self.multiplied(&active_address, &spots, place);
                self.moved((&active_address, active.0), &spots, true, None);
                #[cfg(feature = "proofs")]
                self.follow_grid((&to, active.0), (access, space), (true, false));
                let to = self.ranges(&spots, access.bytes, true, place);
                self.copies(state, &to, &ranges, active.1)
            }
        };
        Ok((!operations.is_empty()).then_some(Event::Perform(operations, place)))
    }

    /// Whether a conflict of an access is possible, not certain. Either an argument such as a stride decides its address in
    /// global memory, and the host is assumed not to pass strides with which rows overlap. Or it is an atomic access of OpenCL,
    /// which does not race with other atomic accesses.
    fn is_guess(&self, access: &Access, address: &Value, spots: &[Spot]) -> bool {
        let first = self.inputs.first_round();
        let chosen = address
            .slopes
            .iter()
            .any(|(symbol, _)| *symbol < first && !self.inputs.is_spaced(*symbol));
        chosen && !spots.iter().any(|spot| self.is_local(spot))
            || access.atomic.is_some() && self.world.module.machine == Machine::Opencl
    }

    fn plain(&self, state: &State, access: &Access, ranges: &Ranges, open: bool) -> Vec<Operation> {
        let memory = |range| match access.writes {
            true => Memory::Store(range),
            false => Memory::Load(range),
        };
        let operation = |&(range, certain): &(Range, bool)| {
            let action = Action::Memory(memory(range));
            let mut operation = self.operation(state, action, Form::Word, open || !certain);
            if let Some(reach) = self.reach(access) {
                operation.alike = Alike::Atomic(reach);
            } else if access.copied {
                operation.alike = Alike::Copied;
            }
            operation
        };
        ranges.iter().map(operation).collect()
    }

    pub(super) fn copies(
        &self,
        state: &State,
        to: &Ranges,
        from: &Ranges,
        open: bool,
    ) -> Vec<Operation> {
        let count = to.len().max(from.len());
        let at = |ranges: &Ranges, at: usize| ranges.get(at).or(ranges.last()).copied();
        let copy = |index: usize| {
            let (target, source) = (at(to, index), at(from, index));
            let (to, certain) = target.or(source.map(|(range, sure)| (range.emptied(), sure)))?;
            let (from, sure) = source.unwrap_or((to.emptied(), true));
            let action = Action::Memory(Memory::Copy { to, from });
            Some(self.operation(state, action, Form::Word, open || !certain || !sure))
        };
        (0..count).filter_map(copy).collect()
    }

    pub(super) fn address(&self, state: &State, address: Operand, offset: i64) -> Value {
        let value = self.operand_or_off(state, address);
        let value = if self.world.without_off.get() { value.unmarked() } else { value.settled() };
        match offset {
            0 => value,
            offset => {
                let origin = value.origin;
                compute(Op::Add, 64, &[value, Value::int(offset as u64)]).with_origin(origin)
            }
        }
    }

    /// Records the objects of an address that depends on an argument or on the number of an iteration. A proof allows only
    /// addresses in global memory that grow steadily. Other addresses repeat after some iterations, so a longer period may
    /// succeed. An address in LDS that repeats as arguments grow is evaluated for each of their values.
    pub(super) fn moving(&self, address: &Value, spots: &[Spot]) -> Result<(), Stop> {
        if address.slopes.is_empty() {
            return Ok(());
        }
        let first = self.inputs.first_round();
        let comes_back = |(symbol, slope): &(Symbol, Slope)| {
            *symbol >= first
                && (!matches!(slope, Slope::Linear(_) | Slope::Steady)
                    || spots.iter().any(|spot| self.is_local(spot)))
        };
        if self.inputs.is_proof() && address.slopes.iter().any(comes_back) {
            return Err(Stop::NoProof);
        }
        let local = spots.iter().any(|spot| self.is_local(spot));
        let comes_back = |(symbol, slope): &(Symbol, Slope)| {
            local && *symbol < first && matches!(slope, Slope::Cyclic(_))
        };
        if address.slopes.iter().all(comes_back) {
            return if self.inputs.exact(address) { Ok(()) } else { Err(Stop::NoProof) };
        }
        let is_spaced = |(symbol, slope): &(Symbol, Slope)| {
            !local && matches!(slope, Slope::Linear(_)) && self.inputs.is_spaced(*symbol)
        };
        if address.slopes.iter().all(is_spaced) {
            return Ok(());
        }
        let mut varying = self.world.varying.borrow_mut();
        for object in spots.iter().filter_map(|spot| spot.object()) {
            if !varying.contains(&object) {
                varying.push(object);
            }
        }
        Ok(())
    }

    /// The workgroup whose instance of a local object is accessed; `None` if instances are not separate memories.
    pub(super) fn owner(&self, id: u32, rank: Option<u32>) -> Option<u32> {
        let object = self.world.module.objects.get(id as usize)?;
        let apart = self.world.apart && object.space == Space::Local;
        apart.then(|| self.standing.group_of_rank(rank))
    }

    pub(super) fn is_local(&self, spot: &Spot) -> bool {
        if *spot == Spot::Nowhere {
            return false;
        }
        let Some(id) = spot.object() else { return true };
        let object = self.world.module.objects.get(id as usize);
        object.is_some_and(|object| object.space == Space::Local)
    }

    /// The place that an address refers to in a lane; `None` for private memory. The rank of the own CTA is treated as no rank.
    pub(super) fn spot(&self, address: &Value, space: Space, lane: usize) -> Option<Spot> {
        let module = self.world.module;
        let Some(at) = address.known_in(lane) else {
            let private = space == Space::Private || self.is_private(address.origin);
            return (!private).then(|| self.somewhere(address, space, lane));
        };
        let (space, at) = Objects::resolve(space, at);
        if space == Space::Private {
            return None;
        }
        let ranked = space == Space::Local && module.machine == Machine::Nvidia;
        let (at, rank) = if ranked { shared(at) } else { (at, None) };
        let spot = self.world.objects.spot(module, space, at, address.origin);
        Some(match (spot, rank) {
            (Spot::At(object, offset), Some(rank)) if rank != self.standing.rank() => {
                Spot::Remote(object, offset, rank)
            }
            (spot, _) => spot,
        })
    }

    /// The place that an address refers to if some of its bits are data.
    fn somewhere(&self, address: &Value, space: Space, lane: usize) -> Spot {
        let module = self.world.module;
        let (least, open) = (address.bits.at(lane), address.unknown.at(lane));
        let most = least | open;
        let (into, first) = Objects::resolve(space, least);
        let (same, last) = Objects::resolve(space, most);
        let ranked = into == Space::Local
            && module.machine == Machine::Nvidia
            && (shared(first).1.is_some() || shared(last).1.is_some());
        let between = match into == same && into != Space::Private && !ranked {
            true => self.world.objects.between(module, into, [first, last], address.origin),
            false => None,
        };
        between.unwrap_or_else(|| Objects::unknown(module, space, address.origin))
    }

    /// The lanes whose address is in private memory, and the places that the other lanes access.
    pub(super) fn spots(
        &self,
        address: &Value,
        space: Space,
        anywhere: bool,
        mask: u64,
    ) -> (u64, Vec<Spot>) {
        let uniform = matches!((&address.bits, &address.unknown), (Lanes::One(_), Lanes::One(_)));
        let (mut private, mut spots) = (0, Vec::new());
        for lane in (0..self.standing.lanes).filter(|lane| mask >> lane & 1 == 1) {
            let Some(spot) = self.spot(address, space, lane) else {
                private |= 1 << lane;
                continue;
            };
            let spot = match spot {
                Spot::At(object, _) | Spot::Within(object, ..) if anywhere => Spot::In(object),
                other => other,
            };
            if !spots.contains(&spot) || uniform {
                spots.push(spot);
            }
            if uniform {
                break;
            }
        }
        if uniform && private != 0 {
            private = mask;
        }
        (private, spots)
    }

    /// Removes accesses outside the object that an address was computed from: they are undefined. If neither arguments nor data
    /// decide whether they happen, the source has an error.
    fn drop_outside(
        &self,
        spots: &mut Vec<Spot>,
        address: &Value,
        (place, possible): (Place, bool),
    ) {
        let outside = |spot: &Spot| match spot {
            Spot::Outside(id) => Some(*id),
            _ => None,
        };
        let Some(id) = spots.iter().find_map(outside) else { return };
        spots.retain(|spot| outside(spot).is_none());
        let object = &self.world.module.objects[id as usize];
        let (name, size) = (&object.name, object.size.unwrap_or_default());
        if !address.slopes.is_empty() {
            self.world.overruns.borrow_mut().insert(id, place);
        } else if !possible {
            self.world.outside.set(true);
            let why = format!("this accesses memory outside `{name}`, which has {size} bytes");
            self.world.note(place, why);
        }
    }

    fn is_private(&self, origin: Origin) -> bool {
        let Origin::Object(id) = origin else { return false };
        let object = self.world.module.objects.get(id as usize);
        object.is_some_and(|object| object.space == Space::Private)
    }

    /// The bytes that all lanes access, with adjacent bytes merged into one range.
    pub(super) fn ranges(&self, spots: &[Spot], bytes: u32, writes: bool, place: Place) -> Ranges {
        let module = self.world.module;
        let mut buffers = self.world.buffers.borrow_mut();
        let (mut certain, mut possible): (Vec<Bytes>, Vec<Bytes>) = (Vec::new(), Vec::new());
        let mut all = Vec::new();
        let constant = |id: u32| {
            let object = &module.objects[id as usize];
            let fixed = object.space == Space::Constant || object.content != Content::Data;
            fixed || object.barrier.is_some() || object.read_only && !writes
        };
        let whole = |id: u32| {
            let size = module.objects[id as usize].size.unwrap_or(u64::from(FAR));
            u32::try_from(size.max(1)).unwrap_or(FAR).min(FAR)
        };
        for spot in spots {
            match *spot {
                Spot::At(id, _) | Spot::Within(id, ..) | Spot::In(id) | Spot::Outside(id)
                    if constant(id) => {}
                Spot::Nowhere => {}
                Spot::At(id, offset) => {
                    let group = self.owner(id, None);
                    certain.push((id, group, offset, offset + u64::from(bytes)));
                }
                Spot::Remote(id, offset, rank) => match self.owner(id, Some(rank)) {
                    None => self.world.note(place, not_followed(&self.standing.launch, rank)),
                    group => certain.push((id, group, offset, offset + u64::from(bytes))),
                },
                Spot::Within(id, first, last) => {
                    let group = self.owner(id, None);
                    possible.push((id, group, first, last + u64::from(bytes)));
                }
                Spot::In(id) | Spot::Outside(id) => {
                    let group = self.owner(id, None);
                    all.push((buffers.instance(id, group, 0, whole(id)), false));
                }
                Spot::Anywhere(space) => {
                    for id in (0..module.objects.len() as u32).filter(|&id| !constant(id)) {
                        let object = &module.objects[id as usize];
                        let may = object.space == space || space == Space::Generic;
                        if may && object.space != Space::Private {
                            let group = self.owner(id, None);
                            all.push((buffers.instance(id, group, 0, whole(id)), false));
                        }
                    }
                }
            }
        }
        let mut ranges: Ranges = Vec::new();
        for (parts, is_certain) in [(certain, true), (possible, false)] {
            ranges.extend(merged(parts).into_iter().map(|(id, group, start, end)| {
                let [start, end] = [start, end].map(|at| u32::try_from(at).unwrap_or(FAR));
                (buffers.instance(id, group, start, end), is_certain)
            }));
        }
        ranges.extend(all);
        ranges.sort_unstable();
        ranges.dedup();
        ranges
    }

    /// An access to private memory.
    fn private(&self, state: &mut State, access: &Access, address: &Value, active: (u64, bool)) {
        let at = address.uniform(active.0).map(|at| Objects::resolve(access.space, at).1);
        let Some(start) = at else {
            // The bytes are not known, so all of the object may change.
            if access.writes {
                let object = match address.origin {
                    Origin::Object(id) => self.world.module.objects.get(id as usize),
                    _ => None,
                };
                let (base, size) = object
                    .map_or((0, u64::MAX), |object| (object.base, object.size.unwrap_or(1 << 16)));
                memory::forget(state, base, size);
            }
            self.forget(state, &access.to, active);
            return;
        };
        let mut offset = start;
        for &register in &access.to {
            let width = self.width(state, register);
            let bytes = width.div_ceil(8);
            let value = memory::read(&state.private, offset, bytes);
            self.write(state, register, value, active);
            offset += u64::from(bytes);
        }
        let mut offset = start;
        for &(operand, bytes) in &access.values {
            let value = self.operand(state, operand);
            let old = memory::read(&state.private, offset, bytes);
            let value = value.masked(active.0, &old, self.standing.lanes);
            let value = if active.1 { value.merged(&old) } else { value };
            memory::write(state, offset, bytes, value);
            offset += u64::from(bytes);
        }
        if access.writes && access.values.is_empty() {
            memory::forget(state, start, u64::from(access.bytes));
        }
    }
}

/// Why an access to the shared memory of another CTA is not followed.
fn not_followed(launch: &Launch, rank: u32) -> String {
    match launch.cluster_size() {
        size if rank < size => "shared memory of another CTA beside multicast copies".into(),
        size => format!(
            "an access to shared memory of CTA {rank} of its cluster, but this launch has clusters of {size}: choose more with `launch cluster={}`",
            rank.saturating_add(1)
        ),
    }
}

/// The bytes of each part of a store; `None` if lanes store to different bytes.
fn parts(range: Range, stored: &[(Value, u8)]) -> Option<Ranges> {
    let mut start = range.start;
    let part = |(_, bytes): &(Value, u8)| {
        let end = start + u32::from(*bytes);
        let part = Range { start, end, ..range };
        start = end;
        (part, true)
    };
    let parts: Ranges = stored.iter().map(part).collect();
    (start == range.end).then_some(parts)
}
