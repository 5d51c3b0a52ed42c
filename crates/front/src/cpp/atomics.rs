//! Atomic operations.

use super::Parsed;
use super::symbol::{Is, Value};
use super::types::Type;
use super::unit::Unit;
use alloc::format;
use alloc::string::String;

impl Unit {
    pub(super) fn atomic_builtin(&mut self, name: &str, given: &[Value]) -> Parsed<Option<Value>> {
        if let Some(rest) = name.strip_prefix("atomic") {
            let (rest, scope) = match rest {
                rest if rest.ends_with("_block") => (rest.trim_end_matches("_block"), "workgroup"),
                rest if rest.ends_with("_system") => (rest.trim_end_matches("_system"), ""),
                rest => (rest, "agent"),
            };
            let op = match rest {
                "Add" => "add",
                "Sub" => "sub",
                "Min" => "min",
                "Max" => "max",
                "And" => "and",
                "Or" => "or",
                "Xor" => "xor",
                "Exch" => "xchg",
                "Inc" => "uinc_wrap",
                "Dec" => "udec_wrap",
                "CAS" => {
                    let (_, old) = self.exchange_if(given, scope, false)?;
                    return Ok(Some(old));
                }
                _ => return Ok(None),
            };
            return self.modify(op, given, scope).map(Some);
        }
        let families = ["__hip_atomic_", "__scoped_atomic_", "__atomic_"];
        let found = families.iter().find_map(|family| Some((*family, name.strip_prefix(family)?)));
        let Some((family, what)) = found else { return Ok(None) };
        let scope = match (family, given.last().map(|last| last.is.clone())) {
            ("__atomic_", _) => "",
            (_, Some(Is::Int(number))) => scope_name(family == "__hip_atomic_", number),
            _ => "",
        };
        self.atomic_operation(what, given, scope).map(Some)
    }

    fn atomic_operation(&mut self, what: &str, given: &[Value], scope: &str) -> Parsed<Value> {
        let synced = match scope {
            "" => String::new(),
            scope => format!(" syncscope(\"{scope}\")"),
        };
        match what {
            "load" | "load_n" => {
                let pointer = self.given(given, 0)?;
                let place = self.at_address(pointer)?;
                let Is::Place(address, space) = &place.is else { return Ok(place) };
                let (of, at) =
                    (self.types.stored(&place.of), self.types.spelled(&Type::Void.pointer(*space)));
                let name = self.fresh();
                self.effect(format!("{name} = load atomic {of}, {at} {address}{synced} acquire"));
                let is = match place.of {
                    Type::Float(_) => Is::Data,
                    _ => Is::Operand(name),
                };
                Ok(Value { of: place.of, is })
            }
            "store" | "store_n" => {
                let pointer = self.given(given, 0)?;
                let place = self.at_address(pointer)?;
                let value = self.given_as(given, 1, &place.of)?;
                let Is::Place(address, space) = &place.is else { return Ok(place) };
                let typed = self.typed(&value);
                let at = self.types.spelled(&Type::Void.pointer(*space));
                self.effect(format!("store atomic {typed}, {at} {address}{synced} release"));
                Ok(Self::nothing())
            }
            "compare_exchange_strong"
            | "compare_exchange_weak"
            | "compare_exchange_n"
            | "compare_exchange" => {
                let (done, old) = self.exchange_if(given, scope, true)?;
                let expected = self.given(given, 1)?;
                let place = self.at_address(expected)?;
                self.assign(&place, old)?;
                Ok(done)
            }
            "exchange" | "exchange_n" => self.modify("xchg", given, scope),
            "thread_fence" => {
                let order = self.given(given, 0)?;
                let order = if let Is::Int(order) = order.is { ordering(order) } else { "seq_cst" };
                self.fence(order, scope);
                Ok(Self::nothing())
            }
            other => {
                let op = other.strip_prefix("fetch_").or_else(|| other.strip_suffix("_fetch"));
                let op = op.filter(|op| {
                    ["add", "sub", "min", "max", "and", "or", "xor", "nand"].contains(op)
                });
                match op {
                    Some(op) => self.modify(op, given, scope),
                    None => Err(self.unsupported(&format!("the atomic operation `{other}`"))),
                }
            }
        }
    }

    /// An atomic read and write. Returns the old value, which is data.
    fn modify(&mut self, op: &str, given: &[Value], scope: &str) -> Parsed<Value> {
        let pointer = self.given(given, 0)?;
        let place = self.at_address(pointer.clone())?;
        let value = self.given_as(given, 1, &place.of)?;
        if !place.of.is_scalar() {
            return Err(self.unsupported("an atomic operation on this type"));
        }
        let op = match (&place.of, op) {
            (Type::Float(_), "add" | "sub" | "min" | "max") => format!("f{op}"),
            (Type::Int(_, false), "min" | "max") => format!("u{op}"),
            _ => op.into(),
        };
        let (pointer, value) = (self.typed(&pointer), self.typed(&value));
        let scope =
            if scope.is_empty() { scope.into() } else { format!("syncscope(\"{scope}\") ") };
        let text = format!("atomicrmw {op} {pointer}, {value} {scope}monotonic");
        if matches!(place.of, Type::Float(_)) {
            self.effect(text);
            return Ok(Value { of: place.of, is: Is::Data });
        }
        self.body.effects += 1;
        Ok(self.compute(place.of, text))
    }

    /// A compare-and-exchange. Returns whether it took place, and the old value.
    fn exchange_if(
        &mut self,
        given: &[Value],
        scope: &str,
        by_address: bool,
    ) -> Parsed<(Value, Value)> {
        let pointer = self.given(given, 0)?;
        let of = self.at_address(pointer.clone())?.of;
        let mut expected = self.given(given, 1)?;
        if by_address {
            let place = self.at_address(expected)?;
            expected = self.rvalue(place);
        }
        let expected = self.convert(expected, &of)?;
        let desired = self.given_as(given, 2, &of)?;
        let list = [&pointer, &expected, &desired].map(|value| self.typed(value));
        let scope =
            if scope.is_empty() { scope.into() } else { format!("syncscope(\"{scope}\") ") };
        let pair = self.fresh();
        self.effect(format!("{pair} = cmpxchg {} {scope}monotonic monotonic", list.join(", ")));
        let pair = format!("extractvalue {{ {}, i1 }} {pair}", self.types.spelled(&of));
        let done = self.compute(Type::Bool, format!("{pair}, 1"));
        let old = self.compute(of, format!("{pair}, 0"));
        Ok((done, old))
    }
}

/// The memory order with a number.
pub(super) const fn ordering(number: i64) -> &'static str {
    match number {
        0 => "monotonic",
        1 | 2 => "acquire",
        3 => "release",
        4 => "acq_rel",
        _ => "seq_cst",
    }
}

/// The scope with a number of HIP or clang; empty for all agents.
const fn scope_name(hip: bool, number: i64) -> &'static str {
    match (hip, number) {
        (true, 1) | (false, 4) => "singlethread",
        (true, 2) | (false, 3) => "wavefront",
        (true, 3) | (false, 2) => "workgroup",
        (true, 4) | (false, 1) => "agent",
        (true, 6) => "cluster",
        _ => "",
    }
}
