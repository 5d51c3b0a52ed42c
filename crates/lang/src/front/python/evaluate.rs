//! Expressions, and the functions of `triton.language`.

use super::lower::Lowering;
use super::parse::Parsed;
use super::roles::Active;
use super::tree::{Expression, Kind, Passed, Sign};
use super::value::{Host, Storage, Value, View};
use crate::vocabulary::tlx::bytes_of;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_kernel::ir::{Access, NvidiaKind, Op, Operand, Place, Space, Special};
use tidegate_model::ptx::action::{Queue, Spelling};

/// Bytes of an element of a tensor whose type the text does not give.
pub(super) const ELEMENT: i64 = 2;

/// Functions of `triton.language` with effects, which are not modelled.
const EFFECTS: [&str; 6] = [
    "inline_asm_elementwise",
    "device_function",
    "extern_elementwise",
    "dispatch",
    "call",
    "fence",
];
/// Methods of pointers and tensors that only compute data.
const ATOMICS: [&str; 9] = [
    "atomic_add",
    "atomic_max",
    "atomic_min",
    "atomic_and",
    "atomic_or",
    "atomic_xor",
    "atomic_xchg",
    "atomic_cas",
    "store",
];

/// The arguments of a call by the names of parameters.
pub(super) struct Arguments<'t> {
    pub(super) values: Vec<Option<Value>>,
    /// The first keyword that is not a parameter.
    pub(super) unknown: Option<&'t str>,
}

impl Arguments<'_> {
    pub(super) fn get(&self, at: usize) -> Value {
        self.values.get(at).cloned().flatten().unwrap_or(Value::None)
    }

    pub(super) fn has(&self, at: usize) -> bool {
        !matches!(self.get(at), Value::None)
    }
}

impl<'a, 't> Lowering<'a, 't> {
    pub(super) fn evaluate(&mut self, one: &'a Expression<'t>) -> Parsed<Value> {
        Ok(match &one.kind {
            Kind::Name(name) => self.named(name).unwrap_or(Value::Data),
            Kind::Int(value) => Value::Int(*value),
            Kind::Float | Kind::Other => Value::Data,
            Kind::Text(text) => Value::Text(String::from(*text)),
            Kind::None => Value::None,
            Kind::Tuple(parts) => {
                Value::Tuple(parts.iter().map(|part| self.evaluate(part)).collect::<Parsed<_>>()?)
            }
            Kind::Attribute(of, name) => self.attribute(of, name)?,
            Kind::Subscript(of, index) => {
                let of = self.evaluate(of)?;
                let index = self.evaluate(index)?;
                self.subscript(of, &index, one.place)?
            }
            Kind::Call(of, passed) => self.call(of, passed, one.place)?,
            Kind::Minus(of) => {
                let of = self.evaluate(of)?;
                self.binary(Sign::Sub, Value::Int(0), of)
            }
            Kind::Invert(of) => match self.evaluate(of)? {
                Value::Int(value) => Value::Int(!value),
                Value::Bit(bit) => Value::Bit(self.builder.compute(1, Op::Not, &[bit])),
                of @ Value::Scalar(_) => self.binary(Sign::Xor, of, Value::Int(-1)),
                _ => Value::Data,
            },
            Kind::Not(of) => match self.evaluate(of)? {
                Value::Int(value) => Value::Int(i64::from(value == 0)),
                Value::None => Value::Int(1),
                Value::Data | Value::Mixed => Value::Data,
                of => {
                    let bit = self.bit(&of);
                    if bit == Operand::Data {
                        Value::Data
                    } else {
                        Value::Bit(self.builder.compute(1, Op::Not, &[bit]))
                    }
                }
            },
            Kind::Binary(sign, left, right) => {
                let left = self.evaluate(left)?;
                let right = self.evaluate(right)?;
                self.binary(*sign, left, right)
            }
            Kind::Logic(both, left, right) => self.logic(*both, left, right)?,
            Kind::Choice(three) => self.choice(three)?,
        })
    }

    fn logic(
        &mut self,
        both: bool,
        left: &'a Expression<'t>,
        right: &'a Expression<'t>,
    ) -> Parsed<Value> {
        let left = self.evaluate(left)?;
        match left {
            Value::Int(value) if (value != 0) != both => return Ok(left),
            Value::None if both => return Ok(Value::None),
            Value::Int(_) | Value::None => return self.evaluate(right),
            _ => {}
        }
        let right = self.evaluate(right)?;
        let of = [self.bit(&left), self.bit(&right)];
        if of.contains(&Operand::Data) {
            return Ok(Value::Data);
        }
        let op = if both { Op::And } else { Op::Or };
        Ok(Value::Bit(self.builder.compute(1, op, &of)))
    }

    fn choice(&mut self, three: &'a [Expression<'t>; 3]) -> Parsed<Value> {
        let [value, condition, other] = three;
        let condition = self.evaluate(condition)?;
        match condition {
            Value::Int(0) | Value::None => return self.evaluate(other),
            Value::Int(_) => return self.evaluate(value),
            _ => {}
        }
        let value = self.evaluate(value)?;
        let other = self.evaluate(other)?;
        if value == other {
            return Ok(value);
        }
        let on = self.bit(&condition);
        Ok(self.selected(on, &value, &other))
    }

    fn selected(&mut self, on: Operand, value: &Value, other: &Value) -> Value {
        match (value, other) {
            (Value::View(one), Value::View(two)) => {
                let same = View { index: one.index.clone(), ..(**two).clone() } == **one;
                let index = self.selected(on, &one.index, &two.index);
                if same {
                    Value::View(Box::new(View { index, ..(**one).clone() }))
                } else {
                    Value::Mixed
                }
            }
            (Value::View(_), _) | (_, Value::View(_)) => Value::Mixed,
            _ => {
                let of = [on, self.operand(value), self.operand(other)];
                if of.contains(&Operand::Data) {
                    return Value::Data;
                }
                Value::Scalar(self.builder.compute(32, Op::Select, &of))
            }
        }
    }

    fn attribute(&mut self, of: &'a Expression<'t>, name: &'t str) -> Parsed<Value> {
        if let Kind::Name("tl" | "tlx" | "ttgl" | "gl" | "torch") = of.kind {
            return Ok(match type_of(name) {
                Some(bytes) => Value::Type(bytes),
                None => Value::Text(String::from(name)),
            });
        }
        if matches!(name, "tmem" | "smem" | "smemCluster") {
            return Ok(Value::Text(String::from(name)));
        }
        let of = self.evaluate(of)?;
        Ok(match (name, &of) {
            ("value" | "T", _) => of,
            ("dtype" | "element_ty", Value::View(view)) => Value::Type(view.element),
            ("shape", Value::View(view)) => {
                Value::Tuple(view.shape.iter().map(|&size| Value::Int(size)).collect())
            }
            ("dtype", Value::Global(_)) => Value::Type(ELEMENT),
            _ => Value::Data,
        })
    }

    fn subscript(&mut self, of: Value, index: &Value, place: Place) -> Parsed<Value> {
        Ok(match (&of, index) {
            (Value::Tuple(values), Value::Int(at)) => {
                let length = values.len() as i64;
                let at = if *at < 0 { at + length } else { *at };
                let value = usize::try_from(at).ok().and_then(|at| values.get(at).cloned());
                return value.ok_or_else(|| {
                    (place, format!("this index is out of range: there are {length} values"))
                });
            }
            (Value::View(view), _) => self.indexed(view, index, place)?,
            (Value::Tuple(_), _) => Value::Mixed,
            _ => Value::Data,
        })
    }

    /// One buffer of several.
    pub(super) fn indexed(&mut self, view: &View, index: &Value, place: Place) -> Parsed<Value> {
        let Some(count) = view.count else { return Ok(Value::Mixed) };
        if let Some(at) = index.int()
            && !(0..count).contains(&at)
        {
            return Err((
                place,
                format!("buffer {at} is out of range: valid buffers are 0 to {}", count - 1),
            ));
        }
        let index = self.kept(index, false);
        Ok(Value::View(Box::new(View { index, count: None, ..view.clone() })))
    }

    /// Binds the arguments of a call to names; `|` separates names of the same parameter.
    pub(super) fn bound(
        &mut self,
        passed: &'a [Passed<'t>],
        names: &[&str],
    ) -> Parsed<Arguments<'t>> {
        let mut arguments =
            Arguments { values: names.iter().map(|_| None).collect(), unknown: None };
        for (at, (keyword, value)) in passed.iter().enumerate() {
            let value = self.evaluate(value)?;
            let named = |keyword: &str| {
                names.iter().position(|name| name.split('|').any(|one| one == keyword))
            };
            let place = keyword.map_or(Some(at), named);
            match place.and_then(|place| arguments.values.get_mut(place)) {
                Some(slot) => *slot = Some(value),
                None => {
                    arguments.unknown =
                        arguments.unknown.or(Some(keyword.unwrap_or("of another position")))
                }
            }
        }
        Ok(arguments)
    }

    fn call(
        &mut self,
        of: &'a Expression<'t>,
        passed: &'a [Passed<'t>],
        place: Place,
    ) -> Parsed<Value> {
        match &of.kind {
            Kind::Name(name) => {
                let functions = self.functions;
                if let Some(function) = functions.iter().find(|one| one.name == *name) {
                    let mut values = Vec::new();
                    for (keyword, value) in passed {
                        values.push((*keyword, self.evaluate(value)?));
                    }
                    return self.call_of(function, values, place);
                }
                self.built_in(name, passed, place)
            }
            Kind::Attribute(module, name) => match module.kind {
                Kind::Name("tlx") => self.tlx(name, passed, place),
                Kind::Name("tl" | "triton" | "libdevice" | "math") => {
                    self.built_in(name, passed, place)
                }
                _ => self.method(module, name, passed, place),
            },
            _ => self.opaque(passed),
        }
    }

    /// A call that only computes data.
    fn opaque(&mut self, passed: &'a [Passed<'t>]) -> Parsed<Value> {
        passed.iter().try_for_each(|(_, value)| self.evaluate(value).map(|_| ()))?;
        Ok(Value::Data)
    }

    fn built_in(&mut self, name: &'t str, passed: &'a [Passed<'t>], place: Place) -> Parsed<Value> {
        let first = |lowering: &mut Self| match passed.first() {
            Some((_, value)) => lowering.evaluate(value),
            None => Ok(Value::Data),
        };
        match name {
            "constexpr" | "int" | "bool" | "multiple_of" | "max_contiguous" | "to_tensor"
            | "assume_uniform" => first(self),
            "cdiv" => {
                let given = self.bound(passed, &["x", "div|y"])?;
                let less = self.binary(Sign::Sub, given.get(1), Value::Int(1));
                let sum = self.binary(Sign::Add, given.get(0), less);
                Ok(self.binary(Sign::Floor, sum, given.get(1)))
            }
            "min" | "max" | "minimum" | "maximum" if passed.len() >= 2 => {
                let given = self.bound(passed, &["x|input", "y|axis"])?;
                Ok(self.extreme(name.starts_with("min"), &given.get(0), &given.get(1)))
            }
            "program_id" | "num_programs" => {
                let given = self.bound(passed, &["axis"])?;
                let axis = given.get(0).int().unwrap_or(0).clamp(0, 2) as u8;
                let (of, local) = match name {
                    "program_id" => (Special::Group(axis), true),
                    _ => (Special::Groups(axis), false),
                };
                let known = Some(Operand::Special(of));
                Ok(Value::Host(Host { key: format!("{name}({axis})"), known, local }, 0))
            }
            "len" => Ok(match first(self)? {
                Value::Tuple(values) => Value::Int(values.len() as i64),
                _ => Value::Data,
            }),
            "load" | "store" | "make_tensor_descriptor" | "make_block_ptr" | "advance" => {
                self.global(name, passed, place)
            }
            _ if name.starts_with("atomic_") => self.global(name, passed, place),
            _ if EFFECTS.contains(&name) => {
                let value = self.opaque(passed)?;
                self.unknown(format!(
                    "`{name}` may access memory or synchronise, and is not modelled"
                ));
                Ok(value)
            }
            _ => self.opaque(passed),
        }
    }

    /// A load, a store or an atomic operation of global memory, or a descriptor of it.
    fn global(&mut self, name: &'t str, passed: &'a [Passed<'t>], place: Place) -> Parsed<Value> {
        let Some((first, rest)) = passed.split_first() else { return Ok(Value::Data) };
        let pointer = self.evaluate(&first.1)?;
        self.opaque(rest)?;
        self.builder.at(place);
        if matches!(name, "make_tensor_descriptor" | "make_block_ptr" | "advance") {
            return Ok(pointer);
        }
        if self.active == Active::All {
            self.access_global(name, &pointer);
        }
        Ok(Value::Data)
    }

    fn access_global(&mut self, name: &str, pointer: &Value) {
        let Value::Global(object) = pointer else {
            return self.unknown(format!("the memory that `{name}` accesses is not known"));
        };
        let address = Operand::Object(*object, 0);
        let access = match name {
            "load" => Access::load(address, Space::Global, 4, Vec::new()),
            "store" => Access::store(address, Space::Global, 4, Vec::new()),
            _ => Access::atomic(address, Space::Global, 4, Vec::new()),
        };
        self.builder.access(Access { anywhere: true, ..access });
    }

    fn method(
        &mut self,
        of: &'a Expression<'t>,
        name: &'t str,
        passed: &'a [Passed<'t>],
        place: Place,
    ) -> Parsed<Value> {
        let value = self.evaluate(of)?;
        match (&value, name) {
            (Value::Global(object), "load" | "gather") => {
                self.opaque(passed)?;
                if self.active == Active::All {
                    self.builder.at(place);
                    self.access_global("load", &Value::Global(*object));
                }
                Ok(Value::Data)
            }
            (Value::Global(object), "store" | "scatter") => {
                self.stored(*object, name, passed, place)
            }
            (Value::Global(_), "atomic_add" | "atomic_min" | "atomic_max") => {
                self.opaque(passed)?;
                if self.active == Active::All {
                    self.builder.at(place);
                    self.access_global(name, &value);
                }
                Ok(Value::Data)
            }
            (Value::Global(_), _) => {
                self.opaque(passed)?;
                self.unknown(format!("`{name}` of a descriptor is not modelled"));
                Ok(Value::Data)
            }
            (Value::Int(_) | Value::Host(..) | Value::Scalar(_) | Value::Bit(_), "to") => {
                let given = self.bound(passed, &["dtype", "fp_downcast_rounding", "bitcast"])?;
                let integer = matches!(&passed.first(), Some((_, Expression { kind: Kind::Attribute(_, name), .. })) if name.contains("int"));
                Ok(if integer && given.unknown.is_none() { value } else { Value::Data })
            }
            _ => {
                let unknown =
                    matches!(value, Value::Data | Value::Mixed) && ATOMICS.contains(&name);
                self.opaque(passed)?;
                if unknown || matches!(value, Value::View(_)) {
                    self.unknown(format!(
                        "`{name}` may access memory or synchronise, and is not modelled"
                    ));
                }
                Ok(Value::Data)
            }
        }
    }

    /// `desc.store([y, x], value)`: a copy from a buffer of its own, which the compiler makes.
    fn stored(
        &mut self,
        object: u32,
        name: &str,
        passed: &'a [Passed<'t>],
        place: Place,
    ) -> Parsed<Value> {
        let given = self.bound(passed, &["offsets", "value"])?;
        if self.active != Active::All {
            return Ok(Value::Data);
        }
        self.builder.at(place);
        let Value::Tuple(offsets) = given.get(0) else {
            self.access_global("store", &Value::Global(object));
            return Ok(Value::Data);
        };
        if name == "scatter" {
            self.access_global("store", &Value::Global(object));
            return Ok(Value::Data);
        }
        let mut key = self.path.clone();
        key.extend([place.start, self.role.task.unwrap_or(0), self.role.replica as u32]);
        let buffer = match self.allocations.get(&key) {
            Some(Value::Global(buffer)) => *buffer,
            _ => {
                let buffer =
                    self.module.object("a buffer of the compiler", place, Space::Local, Some(256));
                self.allocations.insert(key, Value::Global(buffer));
                buffer
            }
        };
        let mut operands =
            alloc::vec![Operand::Object(buffer, 0), Operand::Object(object, 0), Operand::Int(0)];
        for offset in offsets.iter().rev() {
            operands.push(self.operand(offset));
        }
        self.nvidia(NvidiaKind::CopyTensorOut { reduces: false }, operands, Spelling::TlxCopy);
        self.nvidia(NvidiaKind::Commit(Queue::Bulk), Vec::new(), Spelling::TlxCopy);
        let wait = NvidiaKind::WaitGroup(Queue::Bulk, true);
        self.nvidia(wait, alloc::vec![Operand::Int(0)], Spelling::TlxCopy);
        Ok(Value::Data)
    }

    /// The bounds and the step of a range, and whether its loop is unrolled; `None` for another expression.
    pub(super) fn range(&mut self, over: &'a Expression<'t>) -> Parsed<Option<(bool, [Value; 3])>> {
        let Kind::Call(of, passed) = &over.kind else { return Ok(None) };
        let (Kind::Name(name) | Kind::Attribute(_, name)) = &of.kind else { return Ok(None) };
        if !matches!(*name, "range" | "static_range") {
            return Ok(None);
        }
        let mut all = Vec::new();
        for (keyword, value) in passed {
            // Others are hints to the compiler.
            if keyword.is_none_or(|name| matches!(name, "arg1" | "arg2" | "step")) {
                all.push(self.evaluate(value)?);
            }
        }
        let bounds = match &all[..] {
            [hi] => [Value::Int(0), hi.clone(), Value::Int(1)],
            [lo, hi] => [lo.clone(), hi.clone(), Value::Int(1)],
            [lo, hi, step] => [lo.clone(), hi.clone(), step.clone()],
            _ => return Err((over.place, String::from("a range has one to three arguments"))),
        };
        Ok(Some((*name == "static_range", bounds)))
    }

    /// Whether a view can be accessed, with the address of its first byte.
    pub(super) fn address(&mut self, view: &View) -> Operand {
        let local = match &view.index {
            Value::Int(at) => Operand::Object(view.object, at * view.stage + view.part.0),
            index => {
                let index = self.operand(index);
                if index == Operand::Data {
                    return Operand::Data;
                }
                let wide = self.builder.compute(64, Op::SignExtend(32), &[index]);
                let distance =
                    self.builder.compute(64, Op::Mul, &[wide, Operand::Int(view.stage as u64)]);
                self.builder.compute(
                    64,
                    Op::Add,
                    &[Operand::Object(view.object, view.part.0), distance],
                )
            }
        };
        let Some(rank) = &view.rank else { return local };
        let rank = self.operand(rank);
        let high = self.builder.compute(64, Op::Shl, &[rank, Operand::Int(24)]);
        let low = self.builder.compute(64, Op::And, &[local, Operand::Int(0xff_ffff)]);
        let both = self.builder.compute(64, Op::Or, &[high, low]);
        self.builder.compute(64, Op::Or, &[both, Operand::Int(1 << 31)])
    }

    /// Whether a view is of mbarrier objects.
    pub(super) const fn is_barrier(view: &View) -> bool {
        matches!(view.storage, Storage::Barriers(_))
    }
}

/// Bytes of a type of Triton.
fn type_of(name: &str) -> Option<i64> {
    match name {
        "int1" => Some(1),
        "bfloat16" => Some(2),
        _ if name.starts_with("float8") || name.starts_with("fp8") => Some(1),
        _ if ["int", "uint", "float", "fp"].iter().any(|kind| {
            name.strip_prefix(kind)
                .is_some_and(|bits| bits.starts_with(|it: char| it.is_ascii_digit()))
        }) =>
        {
            bytes_of(name)
        }
        _ => None,
    }
}
