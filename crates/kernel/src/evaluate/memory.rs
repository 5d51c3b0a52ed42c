//! The places that addresses refer to, and the contents of private and constant memory.

use super::state::{Private, State};
use crate::ir::{Content, Machine, Module, Object, ObjectId, Operand, Space, window};
use crate::value::{Lanes, Origin, Value, ones};
use alloc::rc::Rc;
use alloc::vec::Vec;

/// A size in bytes that is larger than the LDS of every AMDGPU target.
const NO_LDS: u32 = 1 << 20;

/// The objects of a module, by address.
#[derive(Debug)]
pub(crate) struct Objects {
    /// For each space, the addresses and objects, in order.
    spaces: [Vec<(u64, ObjectId)>; 3],
}

/// The place that a lane accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spot {
    /// At this offset of the object.
    At(ObjectId, u64),
    /// At this offset of the object in the workgroup of the cluster with this rank.
    Remote(ObjectId, u64, u32),
    /// Somewhere in the object, at an offset from the first to the second.
    Within(ObjectId, u64, u64),
    /// Somewhere in the object.
    In(ObjectId),
    /// Outside the object that the address was computed from.
    Outside(ObjectId),
    /// Somewhere in the address space.
    Anywhere(Space),
    /// At no byte: outside LDS, reads give zero and writes are dropped. Compilers switch lanes off by such an address.
    Nowhere,
}

impl Spot {
    /// The object that is accessed; `None` if it is not known, or the access is outside it.
    pub(crate) const fn object(self) -> Option<ObjectId> {
        match self {
            Self::At(object, _)
            | Self::Remote(object, ..)
            | Self::Within(object, ..)
            | Self::In(object) => Some(object),
            Self::Outside(_) | Self::Anywhere(_) | Self::Nowhere => None,
        }
    }
}

/// The index of the list of the objects of a space.
const fn list(space: Space) -> usize {
    match space {
        Space::Private => 0,
        Space::Local => 1,
        Space::Global | Space::Constant | Space::Generic => 2,
    }
}

impl Objects {
    pub(crate) fn of(module: &Module) -> Self {
        let mut spaces = [Vec::new(), Vec::new(), Vec::new()];
        for (id, object) in (0..).zip(&module.objects) {
            spaces[list(object.space)].push((object.base, id));
        }
        spaces.iter_mut().for_each(|space| space.sort_unstable());
        Self { spaces }
    }

    /// Splits a generic address into the space that it is in, and the address there.
    pub(crate) fn resolve(space: Space, address: u64) -> (Space, u64) {
        if space != Space::Generic {
            return (space, address);
        }
        for one in [Space::Local, Space::Private] {
            if address >> 56 == window(one) >> 56 {
                return (one, address - window(one));
            }
        }
        (Space::Global, address)
    }

    /// The place that an address refers to. `origin` is the object that it was computed from.
    pub(crate) fn spot(&self, module: &Module, space: Space, address: u64, origin: Origin) -> Spot {
        let (space, mut address) = Self::resolve(space, address);
        if space == Space::Local && module.machine == Machine::Amdgpu {
            // Addresses in LDS have 32 bits: a sum wraps around.
            address &= 0xffff_ffff;
            if (NO_LDS..NO_LDS.wrapping_neg()).contains(&(address as u32)) {
                return Spot::Nowhere;
            }
        }
        if let Origin::Object(id) = origin
            && let Some(object) = module.objects.get(id as usize)
            && list(object.space) == list(space)
        {
            let offset = address.wrapping_sub(object.base);
            return match object.size {
                Some(size) if size > 0 && offset >= size => Spot::Outside(id),
                _ if offset < 1 << 31 => Spot::At(id, offset),
                _ => Spot::In(id),
            };
        }
        let all = &self.spaces[list(space)];
        let after = all.partition_point(|(base, _)| *base <= address);
        match after.checked_sub(1).map(|at| all[at]) {
            Some((base, id)) if address - base < 1 << 31 => Spot::At(id, address - base),
            _ => Spot::Anywhere(space),
        }
    }

    /// The place that an address between these two refers to, if both are in one object.
    pub(crate) fn between(
        &self,
        module: &Module,
        space: Space,
        [least, most]: [u64; 2],
        origin: Origin,
    ) -> Option<Spot> {
        let end = |address| self.spot(module, space, address, origin);
        let Spot::At(object, first) = end(least) else { return None };
        let last = match end(most) {
            Spot::At(other, last) if other == object => last,
            // The rest would be outside, which is undefined.
            Spot::Outside(_) => module.objects.get(object as usize)?.size? - 1,
            _ => return None,
        };
        (first <= last).then_some(Spot::Within(object, first, last))
    }

    /// The place that an address refers to if it is data.
    pub(crate) fn unknown(module: &Module, space: Space, origin: Origin) -> Spot {
        match origin {
            Origin::Object(id)
                if module.objects.get(id as usize).is_some_and(|object| {
                    space == Space::Generic || list(object.space) == list(space)
                }) =>
            {
                Spot::In(id)
            }
            _ if space == Space::Local => {
                let mut local = (0..)
                    .zip(&module.objects)
                    .filter(|(_, object)| object.space == Space::Local)
                    .map(|(id, _)| id);
                match (local.next(), local.next()) {
                    (Some(only), None) => Spot::In(only),
                    _ => Spot::Anywhere(space),
                }
            }
            _ => Spot::Anywhere(space),
        }
    }
}

/// The bytes that constant memory holds at an offset; `None` if they are data or the operands of pieces.
pub(crate) fn constant(object: &Object, offset: u64, bytes: u8) -> Option<u64> {
    let Content::Bytes(content) = &object.content else { return None };
    let start = usize::try_from(offset).ok()?;
    let part = content.get(start..start.checked_add(usize::from(bytes))?)?;
    Some(part.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte)))
}

/// The pieces of a constant object that have some of these bytes: the offset, the size in bytes and the operand of each.
pub(crate) fn pieces(
    object: &Object,
    offset: u64,
    bytes: u8,
) -> impl Iterator<Item = (u64, u64, Operand)> + '_ {
    let pieces = match &object.content {
        Content::Pieces(pieces) => &pieces[..],
        _ => &[],
    };
    let end = offset.saturating_add(u64::from(bytes));
    let all = pieces.iter().map(|&(at, size, operand)| (u64::from(at), u64::from(size), operand));
    all.filter(move |(at, size, _)| *at < end && at + size > offset)
}

/// Reads private memory at an address that is the same in all lanes.
pub(crate) fn read(private: &Private, address: u64, bytes: u8) -> Value {
    let width = bytes.saturating_mul(8);
    if let Some((size, value)) = private.get(&address)
        && *size == bytes
    {
        return value.clone();
    }
    // The parts of several stores. Bytes that no store covers are data.
    let end = address + u64::from(bytes);
    let mut whole = Value::known(Lanes::One(0));
    let mut covered = 0;
    for (&start, (size, value)) in overlapping(private, address, end) {
        let (from, to) = (start.max(address), (start + u64::from(*size)).min(end));
        let (skip, shift) = ((from - start) * 8, (from - address) * 8);
        let mask = ones(((to - from) * 8) as u8);
        let place = |bits: u64| (bits >> skip & mask) << shift;
        let add = |old: &Lanes, new: &Lanes| old.zip(new, |old, new| old | place(new));
        whole.bits = add(&whole.bits, &value.bits);
        whole.unknown = add(&whole.unknown, &value.unknown);
        covered |= mask << shift;
        for (symbol, _) in &value.slopes {
            whole.set_slope(*symbol, crate::value::Slope::Other);
        }
        whole.origin = whole.origin.join(value.origin);
    }
    whole.unknown = whole.unknown.map(|unknown| unknown | ones(width) & !covered);
    whole
}

/// The contents of private memory that overlap with some bytes.
fn overlapping(
    private: &Private,
    start: u64,
    end: u64,
) -> impl Iterator<Item = (&u64, &(u8, Value))> {
    let near = private.range(start.saturating_sub(8)..end);
    near.filter(move |(at, (size, _))| **at + u64::from(*size) > start)
}

/// Writes private memory at an address that is the same in all lanes.
pub(crate) fn write(state: &mut State, address: u64, bytes: u8, value: Value) {
    let private = Rc::make_mut(&mut state.private);
    let end = address + u64::from(bytes);
    let old: Vec<(u64, u64)> = overlapping(private, address, end)
        .map(|(start, (size, _))| (*start, *start + u64::from(*size)))
        .collect();
    // The bytes before and after the written ones stay.
    let kept = old.iter().flat_map(|&(start, last)| [(start, address), (end, last)]);
    let kept = kept.filter(|(start, last)| start < last);
    let kept: Vec<(u64, u8, Value)> = kept
        .map(|(start, last)| {
            (start, (last - start) as u8, read(private, start, (last - start) as u8))
        })
        .collect();
    old.iter().for_each(|(start, _)| drop(private.remove(start)));
    private.insert(address, (bytes, value));
    private.extend(kept.into_iter().map(|(start, bytes, value)| (start, (bytes, value))));
}

/// Forgets the contents of a number of bytes of private memory at an address.
pub(crate) fn forget(state: &mut State, address: u64, bytes: u64) {
    if state.private.is_empty() {
        return;
    }
    let private = Rc::make_mut(&mut state.private);
    let end = address.saturating_add(bytes);
    private.retain(|start, (size, _)| *start >= end || *start + u64::from(*size) <= address);
}

/// The offset in shared memory of an address, and the rank of the CTA that it names.
pub(super) const fn shared(address: u64) -> (u64, Option<u32>) {
    let base = window(Space::Local);
    let address = if address >> 56 == base >> 56 { address - base } else { address };
    match address >> 31 & 1 {
        1 => (address & 0xff_ffff, Some((address >> 24 & 0x7f) as u32)),
        _ => (address, None),
    }
}
