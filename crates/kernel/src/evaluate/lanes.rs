//! Records what each thread of a warp accesses.

use super::buffers::Buffers;
use super::memory::Spot;
use super::offsets;
use super::state::State;
use super::touches::{Stored, Touch};
use super::world::Run;
use crate::hash::WordHasher;
use crate::ir::{Access, Content, Machine, Space};
use crate::value::{Lanes, Slope, Symbol, Value};
use alloc::vec::Vec;
use core::hash::{Hash, Hasher};
use tidegate_model::mem::operation::Range;
use tidegate_model::operation::Action;
use tidegate_model::ptx::action::{Action as Ptx, Place as Where};

/// The bytes that a copy of a tile certainly copies if its box is not known.
const LEAST_TILE: u32 = 16;

impl Run<'_> {
    /// Records which bytes each lane accesses, where lanes are threads of a warp.
    pub(super) fn touch(
        &self,
        access: &Access,
        (address, to): (&Value, Option<&(Value, Space)>),
        (state, stored): (&State, &[(Value, u8)]),
        mask: u64,
    ) {
        if self.world.module.machine == Machine::Opencl {
            return;
        }
        let pieces = stored.iter().map(|(value, bytes)| {
            let bytes = if stored.len() == 1 { access.bytes } else { u32::from(*bytes) };
            identified(value, bytes, state, mask)
        });
        self.world.touches.borrow_mut().stored = pieces.collect();
        if self.world.module.machine != Machine::Nvidia || self.standing.lanes < 2 {
            return;
        }
        let stored = match stored {
            [(value, _)] => Some(value),
            _ => None,
        };
        let first_round = self.inputs.first_round();
        let numbered = |address: &Value| {
            let shift = offsets::shift(&address.within(mask), first_round);
            self.world.touches.borrow_mut().number(shift)
        };
        let (from, into) = (numbered(address), to.map(|(to, _)| numbered(to)));
        let mut set = Vec::new();
        for lane in (0..self.standing.lanes).filter(|lane| mask >> lane & 1 == 1) {
            let source = access.writes && to.is_none();
            let own = self.touched(access, (address, access.space), lane, source);
            let number = stored.and_then(|stored| stored.known_in(lane));
            let class =
                stored.filter(|_| number.is_none()).map(|stored| lane as u8 & !stored.even());
            set.extend(own.map(|own| {
                let number = number.filter(|_| self.is_shared(&own));
                Touch { number, class: class.filter(|_| !own.atomic), shift: from, ..own }
            }));
            if let Some((to, space)) = to {
                let to = self.touched(access, (to, *space), lane, true);
                set.extend(to.map(|to| Touch { shift: into.unwrap_or(from), ..to }));
            }
        }
        self.world.touches.borrow_mut().set(set);
    }

    /// Whether an access is one to shared memory.
    fn is_shared(&self, touch: &Touch) -> bool {
        let of = |(id, _): (u32, Option<u32>)| &self.world.module.objects[id as usize];
        touch.object.is_some_and(|object| of(object).space == Space::Local)
    }

    fn touched(
        &self,
        access: &Access,
        (address, space): (&Value, Space),
        lane: usize,
        writes: bool,
    ) -> Option<Touch> {
        let module = self.world.module;
        let all = (0, u64::MAX);
        let of = |at: u64| if access.anywhere { all } else { (at, at + u64::from(access.bytes)) };
        let (object, (start, end)) = match self.spot(address, space, lane)? {
            Spot::At(id, at) => (Some((id, self.owner(id, None))), of(at)),
            Spot::Remote(id, at, rank) => (Some((id, self.owner(id, Some(rank)))), of(at)),
            Spot::Within(id, first, last) => {
                let (start, end) = (of(first).0, of(last).1);
                (Some((id, self.owner(id, None))), (start, end))
            }
            Spot::In(id) => (Some((id, self.owner(id, None))), all),
            Spot::Anywhere(Space::Private) | Spot::Nowhere | Spot::Outside(_) => return None,
            Spot::Anywhere(_) => (None, all),
        };
        let fixed = |(id, _): (u32, Option<u32>)| {
            let object = &module.objects[id as usize];
            matches!(object.space, Space::Private | Space::Constant)
                || object.content != Content::Data
                || object.read_only && !writes
        };
        let (atomic, number, class) = (access.atomic.is_some(), None, None);
        let (lane, shift) = (lane as u8, 0);
        let touch = Touch { lane, object, start, end, writes, atomic, number, class, shift };
        (!object.is_some_and(fixed)).then_some(touch)
    }

    /// Records which bytes each lane copies and which lanes perform each operation, where lanes are threads of a warp.
    pub(super) fn touch_of_lanes(&self, actions: &[(Action, u64, bool)]) {
        if self.standing.lanes < 2 {
            return;
        }
        let buffers = self.world.buffers.borrow();
        let mut set = Vec::new();
        for &(action, mask, _) in actions {
            for lane in (0..self.standing.lanes).filter(|lane| mask >> lane & 1 == 1) {
                set.extend(copied(action, lane, &buffers));
            }
        }
        self.world.touches.borrow_mut().set(set);
    }

    /// Records which lanes perform each operation.
    pub(super) fn performed_by(&self, lanes: impl Iterator<Item = u64>) {
        let lanes = lanes.map(|lanes| lanes as u32).collect();
        self.world.touches.borrow_mut().lanes = lanes;
    }
}

/// The value that all lanes store, if it is the same number or the same function of the arguments in all of them.
fn identified(value: &Value, bytes: u32, state: &State, mask: u64) -> Option<Stored> {
    let number = value.uniform(mask)?;
    let grows = |(_, slope): &(Symbol, Slope)| matches!(slope, Slope::Linear(Lanes::One(_)));
    let term = match &value.slopes {
        slopes if slopes.is_empty() => 0,
        slopes if slopes.iter().all(grows) => {
            let mut hasher = WordHasher::new();
            slopes.hash(&mut hasher);
            hasher.finish() | 1
        }
        _ if state.loops || value.term.0 == 0 => return None,
        _ => value.term.0,
    };
    Some(Stored { number, bytes, term })
}

/// The accesses of a copy of a lane to the memories of its CTA and to global memory.
fn copied(action: Action, lane: usize, buffers: &Buffers) -> impl Iterator<Item = Touch> {
    let (from, to, open) = match action {
        Action::Ptx(Ptx::Copy { name, ranks: None, to, from, reduces: false, tile, .. }, _)
            if name.is_none_or(|name| name.place == Where::Own) =>
        {
            (from, to, tile.is_some_and(|tile| tile.open))
        }
        _ => (None, None, false),
    };
    let touch = move |range: Option<Range>, writes| {
        let range = range?;
        let object = Some(buffers.key(range.buffer)?);
        let end = if open { range.end.min(range.start + LEAST_TILE) } else { range.end };
        let [start, end] = [range.start, end].map(u64::from);
        let (atomic, number, class) = (false, None, None);
        let lane = lane as u8;
        Some(Touch { lane, object, start, end, writes, atomic, number, class, shift: 0 })
    };
    touch(from, false).into_iter().chain(touch(to, true))
}
