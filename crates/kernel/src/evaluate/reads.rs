//! The results of reads of shared, constant and tabulated memory.

use super::memory::{self, Spot};
use super::state::State;
use super::world::Run;
use crate::ir::{Access, Content, Op};
use crate::switched::compute;
use crate::value::{Element, Lanes, Origin, Value, WARP, ones};
use alloc::vec::Vec;
use core::cmp::Ordering;

impl Run<'_> {
    /// Writes the registers of a read of shared or constant memory.
    pub(super) fn loaded(
        &self,
        state: &mut State,
        access: &Access,
        address: &Value,
        spots: &[Spot],
        active: (u64, bool),
    ) {
        let mut offset = 0;
        for &register in &access.to {
            let width = self.width(state, register);
            let bytes = width.div_ceil(8);
            let value = match spots {
                [Spot::At(id, at)] if !access.writes => {
                    self.constant(state, *id, at + offset, bytes)
                }
                _ => self.table(address, access, offset, bytes),
            };
            let value = value.or_else(|| self.known(state, access, address, (offset, bytes)));
            let mut value = value.unwrap_or_else(|| match spots {
                [Spot::At(id, at)] if !access.writes && access.atomic.is_none() => Value {
                    element: Element::new(*id, at + offset, bytes),
                    agreed: self.agree_on_load(
                        state,
                        access,
                        address,
                        (Spot::At(*id, at + offset), bytes),
                    ),
                    ..Value::data(width)
                },
                _ => Value::data(width),
            });
            if self.standing.lanes == WARP && access.atomic.is_none() && !value.is_known() {
                // Lanes that read the same bytes get the same value, unless there is a race.
                value.alike = address.even();
            }
            self.write(state, register, value, active);
            offset += u64::from(bytes);
        }
    }

    /// The contents of constant memory. Bytes of several pieces are joined, and other bytes are data.
    fn constant(&self, state: &State, id: u32, offset: u64, bytes: u8) -> Option<Value> {
        let object = &self.world.module.objects[id as usize];
        let Content::Pieces(_) = object.content else {
            return memory::constant(object, offset, bytes).map(Value::int);
        };
        let width = bytes.saturating_mul(8);
        let end = offset.saturating_add(u64::from(bytes));
        let mut holes = ones(width);
        let mut joined: Option<Value> = None;
        for (at, covered, operand) in memory::pieces(object, offset, bytes) {
            let value = self.operand(state, operand);
            if (at, covered) == (offset, 8) && bytes == 8 {
                return Some(value);
            }
            let origin = value.origin;
            let value = match at + covered < end {
                true => compute(Op::Copy, covered as u8 * 8, &[value]),
                false => value,
            };
            let moved = match at.cmp(&offset) {
                Ordering::Less => (Op::ShrUnsigned, (offset - at) * 8),
                Ordering::Equal => (Op::Copy, 0),
                Ordering::Greater => (Op::Shl, (at - offset) * 8),
            };
            let part = match moved {
                (Op::Copy, _) => value,
                (op, by) => compute(op, 64, &[value, Value::int(by)]),
            };
            let part = compute(Op::Copy, width, &[part]).with_origin(origin);
            let first = at.saturating_sub(offset).min(8) * 8;
            let last = at.saturating_add(covered).saturating_sub(offset).min(8) * 8;
            holes &= !(ones(last as u8) & !ones(first as u8));
            joined = Some(match joined {
                Some(before) => compute(Op::Or, width, &[before, part]),
                None => part,
            });
        }
        let joined = joined?;
        if holes == 0 {
            return Some(joined);
        }
        let mut unknown = Value::int(0);
        unknown.unknown = Lanes::One(holes);
        Some(compute(Op::Or, width, &[joined, unknown]))
    }

    /// A read of a table of constants at an offset that may differ between lanes; `None` if a lane reads other memory.
    fn table(&self, address: &Value, access: &Access, offset: u64, bytes: u8) -> Option<Value> {
        if access.writes || !address.is_known() {
            return None;
        }
        let module = self.world.module;
        let at = |lane: usize| {
            let address = address.bits.at(lane).wrapping_add(offset);
            let spot = self.world.objects.spot(module, access.space, address, Origin::None);
            let Spot::At(id, at) = spot else { return None };
            memory::constant(&module.objects[id as usize], at, bytes)
        };
        let values: Option<Vec<u64>> = (0..self.standing.lanes).map(at).collect();
        Some(Value::known(Lanes::of(values?)))
    }
}
