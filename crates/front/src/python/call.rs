//! Calls of functions of the file and of `triton.language`.

use super::lexer::Kind as Is;
use super::value::{Given, Value};
use super::{Done, Reader};
use alloc::format;
use alloc::vec::Vec;
use tidegate_kernel::ir::{Access, Edge, End, Kind, Operand, Place, Space, Special};

/// Functions with effects that are not modelled.
const EFFECTS: [&str; 6] = [
    "inline_asm_elementwise",
    "debug_barrier",
    "device_function",
    "extern_elementwise",
    "call",
    "dispatch",
];

impl<'t> Reader<'_, 't> {
    /// Calls of functions of the file around the statement.
    pub(super) fn calls(&self) -> usize {
        self.frames.len()
    }

    pub(super) fn choices_at_call(&self) -> usize {
        self.frames.last().copied().unwrap_or(0)
    }

    /// The arguments in brackets.
    pub(super) fn arguments(&mut self) -> Done<Given<'t>> {
        self.expect("(")?;
        let mut given = Vec::new();
        while !self.eat(")") {
            let keyword =
                if self.is(Is::Name) && self.ahead(1) == "=" { Some(self.name()?) } else { None };
            self.at += usize::from(keyword.is_some());
            let value = self.expression()?;
            if self.text() == "for" {
                return self.wrong("a kernel cannot have a comprehension");
            }
            given.push((keyword, value));
            if !self.eat(",") {
                self.expect(")")?;
                break;
            }
        }
        Ok(given)
    }

    pub(super) fn called(&mut self, module: &str, name: &'t str, place: Place) -> Done<Value> {
        let token = self.at;
        let given = self.arguments()?;
        self.builder.at(place);
        if let Some(&start) = self.functions.get(name).filter(|_| module.is_empty()) {
            return self.expanded(name, start, given, (token, place));
        }
        if module == "tlx" {
            return self.tlx(name, &given, (token, Place { start: place.start, end: self.back() }));
        }
        if let Some(names) = super::gluon::parameters(module, name) {
            let place = Place { start: place.start, end: self.back() };
            return self.gluon((module, name), names, &given, (token, place));
        }
        let first = given.first().map_or(Value::Data, |(_, value)| value.clone());
        let second = given.get(1).map_or(Value::Data, |(_, value)| value.clone());
        Ok(match name {
            "constexpr"
            | "int"
            | "bool"
            | "to_tensor"
            | "multiple_of"
            | "max_contiguous"
            | "assume_uniform"
            | "make_tensor_descriptor"
            | "make_block_ptr"
            | "advance" => first,
            "cdiv" => match (&first, &second) {
                // A quotient of an argument is a number of the host by itself.
                (Value::Host(host), Value::Int(by)) => Value::Host(format!("cdiv({host}, {by})")),
                _ => {
                    let less = self.binary("-", &second, &Value::Int(1));
                    let sum = self.binary("+", &first, &less);
                    self.binary("//", &sum, &second)
                }
            },
            "min" | "max" | "minimum" | "maximum" if given.len() >= 2 => match (&first, &second) {
                (Value::Int(one), Value::Int(other)) => Value::Int(if name.starts_with("min") {
                    *one.min(other)
                } else {
                    *one.max(other)
                }),
                _ => self.binary(&name[..3], &first, &second),
            },
            "program_id" | "num_programs" => {
                let axis = first.int().unwrap_or(0).clamp(0, 2) as u8;
                let of =
                    if name == "program_id" { Special::Group(axis) } else { Special::Groups(axis) };
                Value::Number(Operand::Special(of))
            }
            "len" => match first {
                Value::List(parts) => Value::Int(parts.len() as i64),
                _ => Value::Data,
            },
            "assume" => {
                let on = self.bit(&first);
                if on != Operand::Data {
                    let [next, never] = [self.builder.block(), self.builder.block()];
                    let edge = |to| Edge { to, moves: Vec::new() };
                    self.builder.end(End::Branch { on, then: edge(next), other: edge(never) });
                    self.builder.go_to(next);
                }
                Value::None
            }
            "get_bufidx_phase" if module.is_empty() => {
                let index = self.binary("%", &first, &second);
                let round = self.binary("//", &first, &second);
                Value::List(alloc::vec![index, self.binary("&", &round, &Value::Int(1))])
            }
            "where" => match first.truth() {
                Some(true) => second,
                Some(false) => given.get(2).map_or(Value::Data, |(_, value)| value.clone()),
                None => {
                    let other = given.get(2).map_or(Value::Data, |(_, value)| value.clone());
                    self.selected(&first, &second, &other)
                }
            },
            "load" | "store" => self.global(name, &first),
            _ if name.starts_with("atomic_") => self.global(name, &first),
            "range" => self.counted(&given),
            _ if EFFECTS.contains(&name) || !self.computes(module, name) => {
                self.unknown(&format!(
                    "`{name}` may access memory or synchronise, and is not modelled"
                ));
                Value::Data
            }
            _ => self.passed(),
        })
    }

    /// The end of the last token.
    fn back(&self) -> u32 {
        self.at.checked_sub(1).and_then(|at| self.tokens.get(at)).map_or(0, |token| token.place.end)
    }

    /// Whether a function only computes data.
    fn computes(&self, module: &str, name: &str) -> bool {
        const PLAIN: [&str; 9] =
            ["float", "str", "tuple", "list", "print", "isinstance", "abs", "zip", "to_tensor"];
        const MODULES: [&str; 5] = ["language", "triton", "libdevice", "torch", "math"];
        match module {
            // The compiler executes a function of the file without a decorator of kernels.
            "" => {
                let defines =
                    |two: &[super::Token<'_>]| two[0].text == "def" && two[1].text == name;
                PLAIN.contains(&name)
                    || name.ends_with("Layout")
                    || name.starts_with("get_tmem")
                    || self.tokens.windows(2).any(defines)
            }
            _ => MODULES.contains(&module) || name.ends_with("Layout"),
        }
    }

    /// The values of `range` with known bounds.
    fn counted(&mut self, given: &Given<'t>) -> Value {
        let number = |at: usize| given.get(at).and_then(|(_, value)| value.int());
        let (lo, hi) = match given.len() {
            1 => (Some(0), number(0)),
            _ => (number(0), number(1)),
        };
        match (lo, hi) {
            (Some(lo), Some(hi)) if given.len() < 3 && hi - lo <= 128 => {
                Value::List((lo..hi).map(Value::Int).collect())
            }
            _ => Value::Data,
        }
    }

    /// Something that only computes data.
    fn passed(&mut self) -> Value {
        if self.active() {
            self.builder.push(Kind::Opaque { to: Vec::new() });
        }
        Value::Data
    }

    /// An access to global memory through a pointer or a descriptor.
    pub(super) fn global(&mut self, name: &str, pointer: &Value) -> Value {
        let Value::Global(object) = pointer else {
            self.unknown(&format!("the memory that `{name}` accesses is not known"));
            return Value::Data;
        };
        if self.active() {
            let address = Operand::Object(*object, 0);
            let access = match name {
                "load" | "gather" => Access::load(address, Space::Global, 4, Vec::new()),
                "store" | "scatter" => Access::store(address, Space::Global, 4, Vec::new()),
                _ => Access::atomic(address, Space::Global, 4, Vec::new()),
            };
            self.push(Kind::Access(Access { anywhere: true, ..access }));
        }
        Value::Data
    }

    pub(super) fn method(&mut self, of: Value, name: &'t str, place: Place) -> Done<Value> {
        let token = self.at;
        let given = self.arguments()?;
        self.builder.at(place);
        if let Value::View(view) = &of
            && let Some(value) = self.view_method(view, name, &given, place)?
        {
            return Ok(value);
        }
        let accesses =
            matches!(name, "load" | "store" | "gather" | "scatter") || name.starts_with("atomic_");
        Ok(match of {
            Value::Global(_) if name == "store" => {
                let offsets = given.first().map_or(Value::Data, |(_, value)| value.clone());
                self.staged_store(&of, &offsets, token);
                Value::Data
            }
            Value::Global(_) if accesses => self.global(name, &of),
            _ if self.functions.contains_key(name) => {
                self.unknown(&format!("`{name}` is a method of a class, which is not read"));
                Value::Data
            }
            _ if accesses || matches!(of, Value::View(_) | Value::Mixed | Value::Global(_)) => {
                self.unknown(&format!(
                    "`{name}` may access memory or synchronise, and is not modelled"
                ));
                Value::Data
            }
            _ if of.is_number() && name == "to" => of,
            _ => self.passed(),
        })
    }

    /// A call of a function of the file, as its body.
    pub(super) fn expanded(
        &mut self,
        name: &str,
        start: usize,
        given: Given<'t>,
        (token, place): (usize, Place),
    ) -> Done<Value> {
        let after = self.at;
        let mut variables = alloc::collections::BTreeMap::new();
        self.at = start;
        self.expect("(")?;
        let mut names = Vec::new();
        while !self.eat(")") {
            if self.eat("*") || self.eat("/") {
                self.eat(",");
                continue;
            }
            let parameter = self.name()?;
            if self.eat(":") {
                while !matches!(self.text(), "=" | "," | ")") && self.token().is_some() {
                    self.skip();
                }
            }
            if self.eat("=") {
                let value = self.expression()?;
                variables.insert(parameter, value);
            }
            names.push(parameter);
            if !self.eat(",") {
                self.expect(")")?;
                break;
            }
        }
        for (at, (keyword, value)) in given.into_iter().enumerate() {
            let parameter = keyword.or_else(|| names.get(at).copied());
            let Some(parameter) = parameter.filter(|it| names.contains(it)) else {
                return Err((place, format!("`{name}` has no such parameter")));
            };
            let kept = self.kept(&value);
            variables.insert(parameter, kept);
        }
        if self.eat("->") {
            self.expression()?;
        }
        let outer = core::mem::replace(&mut self.variables, variables);
        let fixed = core::mem::take(&mut self.fixed);
        let loops = core::mem::take(&mut self.loops);
        self.path.push(token);
        self.frames.push(self.choices);
        let read = self.deeper(Self::block);
        self.frames.pop();
        self.path.pop();
        (self.fixed, self.loops) = (fixed, loops);
        self.variables = outer;
        self.at = after;
        let value = self.returned.take();
        read.map(|()| value.unwrap_or(Value::None))
    }
}
