//! Shuffles, votes and ballots of the lanes of a wave or warp.

use super::Parsed;
use super::symbol::Value;
use super::types::{INT, Type, UNSIGNED};
use super::unit::Unit;
use alloc::format;

impl Unit {
    fn lane(&mut self) -> Value {
        self.compute(INT, "call i32 @llvm.nvvm.read.ptx.sreg.laneid()".into())
    }

    /// The number of lanes of a wave or warp.
    pub(super) fn lanes(&mut self) -> Value {
        if !self.amdgpu {
            return Self::integer(32, INT);
        }
        self.compute(INT, "call i32 @llvm.amdgcn.wavefrontsize()".into())
    }

    fn ballot(&mut self, on: &Value) -> Value {
        let (bits, name) = if self.amdgpu { (64, "i64") } else { (32, "i32") };
        let typed = self.typed(on);
        let of = Type::Int(bits, false);
        self.body.effects += 1;
        self.compute(of, format!("call {name} @llvm.amdgcn.ballot.{name}({typed})"))
    }

    pub(super) fn lane_builtin(&mut self, name: &str, given: &[Value]) -> Parsed<Option<Value>> {
        let (base, synced) = match name.strip_suffix("_sync") {
            Some(base) => (base, 1),
            None => (name, 0),
        };
        let waits = synced == 1 && !self.amdgpu;
        let collects = base.starts_with("__match_")
            || base.starts_with("__reduce_")
            || matches!(base, "__ballot" | "__any" | "__all");
        if waits && collects {
            self.wait_for_mask(given)?;
        }
        if let Some(how) = base.strip_prefix("__shfl") {
            // Without a mask, the shuffle waits for no thread: the mask is data.
            let mask = match waits {
                true => self.given_as(given, 0, &UNSIGNED)?,
                false => self.data(UNSIGNED),
            };
            return self.shuffle(how, &mask, &given[synced.min(given.len())..]).map(Some);
        }
        let all = matches!(base, "__all");
        match base {
            "__ballot" | "__any" | "__all" => {
                let value = self.given(given, synced)?;
                let mut on = self.truth(value)?;
                if all {
                    on = self.operation("==", on, Self::integer(0, INT))?;
                }
                let mut lanes = self.ballot(&on);
                if synced == 1 {
                    let mask = self.given_as(given, 0, &lanes.of.clone())?;
                    lanes = self.operation("&", lanes, mask)?;
                }
                let zero = Self::integer(0, lanes.of.clone());
                Ok(Some(match base {
                    "__ballot" => lanes,
                    "__any" => self.operation("!=", lanes, zero)?,
                    _ => self.operation("==", lanes, zero)?,
                }))
            }
            "__activemask" => {
                let on = Self::integer(1, Type::Bool);
                Ok(Some(self.ballot(&on)))
            }
            "__lane_id" | "__laneid" => Ok(Some(self.lane())),
            "__match_any" | "__match_all" | "__reduce_add" | "__reduce_min" | "__reduce_max"
            | "__reduce_and" | "__reduce_or" | "__reduce_xor" => Ok(Some(self.data(UNSIGNED))),
            _ => Ok(None),
        }
    }

    /// A vote at which the threads of the mask wait for each other.
    fn wait_for_mask(&mut self, given: &[Value]) -> Parsed<()> {
        let mask = self.given_as(given, 0, &UNSIGNED)?;
        let yes = Self::integer(1, Type::Bool);
        self.call_value("llvm.nvvm.vote.any.sync", Type::Bool, &[&mask, &yes]);
        Ok(())
    }

    /// `__shfl_down(value, by, width)`
    fn shuffle(&mut self, how: &str, mask: &Value, given: &[Value]) -> Parsed<Value> {
        let value = self.given(given, 0)?;
        if !value.of.is_integer() {
            return Ok(self.data(value.of));
        }
        let by = self.given_as(given, 1, &INT)?;
        let lane = self.lane();
        let width = match given.len() {
            0..=2 => self.lanes(),
            _ => self.given_as(given, 2, &INT)?,
        };
        let below = self.operation("-", width, Self::integer(1, INT))?;
        let last = self.operation("|", lane.clone(), below.clone())?;
        let inverse = self.operation("^", below.clone(), Self::integer(-1, INT))?;
        let first = self.operation("&", lane.clone(), inverse)?;
        let from = match how {
            "" => {
                let inside = self.operation("&", by, below)?;
                self.operation("|", first, inside)?
            }
            "_up" => {
                let from = self.operation("-", lane.clone(), by)?;
                let outside = self.operation("<", from.clone(), first)?;
                self.select(&outside, &lane, &from)
            }
            "_down" | "_xor" => {
                let op = if how == "_xor" { "^" } else { "+" };
                let from = self.operation(op, lane.clone(), by)?;
                let outside = self.operation(">", from.clone(), last)?;
                self.select(&outside, &lane, &from)
            }
            _ => return Err(self.unsupported(&format!("`__shfl{how}`"))),
        };
        let of = value.of.clone();
        if of.bits() > 32 {
            // This would be two shuffles of halves, so the result is data.
            return Ok(self.data(of));
        }
        let zero = Self::integer(31, INT);
        let wide = self.convert(value, &Type::Int(of.bits().max(32), of.is_signed()))?;
        let name = "llvm.nvvm.shfl.sync.idx.i32";
        let moved = self.call_value(name, wide.of.clone(), &[mask, &wide, &from, &zero]);
        self.convert(moved, &of)
    }

    pub(super) fn select(&mut self, on: &Value, one: &Value, other: &Value) -> Value {
        let list = [on, one, other].map(|value| self.typed(value));
        self.compute(one.of.clone(), format!("select {}", list.join(", ")))
    }
}
