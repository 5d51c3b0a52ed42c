//! Expressions.

use super::lexer::{Kind, OPERATORS};
use super::symbol::{Is, Symbol, Value};
use super::types::{GENERIC, INT, Type};
use super::unit::{Line, Unit};
use super::{Parsed, Problem};
use crate::llvm::NO_ORDER;
use alloc::format;
use alloc::rc::Rc;
use alloc::vec::Vec;

/// Operators that assign.
const ASSIGNING: [&str; 10] = ["+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="];

impl Unit {
    pub(super) fn expression(&mut self) -> Parsed<Value> {
        let mut value = self.nested(Self::assignment)?;
        while self.eat(",") {
            value = self.nested(Self::assignment)?;
        }
        Ok(value)
    }

    pub(super) fn assignment(&mut self) -> Parsed<Value> {
        let (mark, start) = (self.peek().at, self.body.lines.len());
        let first = self.body.touched.len();
        let left = self.conditional()?;
        let middle = self.body.touched.len();
        if self.eat("=") {
            // The right side is evaluated first.
            let lines = self.body.lines.split_off(start);
            let right = match self.is("{") {
                true => self.braced(&left.of.clone())?,
                false => {
                    let right = self.nested(Self::assignment)?;
                    self.scalar_or_place(right)
                }
            };
            let right = self.kept(right, &lines);
            self.body.lines.extend(lines);
            self.mark = mark;
            self.unsequenced_assignment((first, middle), &left);
            self.assign(&left, right)?;
            return Ok(left);
        }
        let shifts = self.is(">") && self.ahead(1).is(">=") && self.ahead(1).glued;
        let found = ASSIGNING.iter().find(|op| self.is(op) || shifts && **op == ">>=");
        let Some(op) = found.and_then(|op| op.strip_suffix('=')) else { return Ok(left) };
        self.at += 1 + usize::from(shifts);
        let lines = self.body.lines.split_off(start);
        let right = self.nested(Self::assignment)?;
        let right = self.rvalue(right);
        let right = self.kept(right, &lines);
        self.body.lines.extend(lines);
        self.mark = mark;
        self.unsequenced_assignment((first, middle), &left);
        if self.overloaded_on(&format!("{op}="), &[&left, &right])?.is_some() {
            return Ok(left);
        }
        let old = self.rvalue(left.clone());
        let new = self.operation(op, old, right)?;
        self.assign(&left, new)?;
        Ok(left)
    }

    /// Notes operands of an assignment whose order matters. C gives them no order; in C++, the right one is first.
    fn unsequenced_assignment(&mut self, (first, middle): (usize, usize), left: &Value) {
        if !self.opencl {
            return;
        }
        let right = self.body.touched[middle..].iter();
        let target = |name: &Rc<str>| left.is == Is::Register(name.clone());
        if right.clone().any(|(name, writes)| *writes && target(name)) {
            self.note_no_order();
        }
        self.unsequenced(first, middle);
    }

    /// Notes that one of two operands changes a variable that the other reads or changes, if the language gives them no order.
    pub(super) fn unsequenced(&mut self, first: usize, middle: usize) {
        let Some((left, right)) =
            self.body.touched.get(first..).and_then(|all| all.split_at_checked(middle - first))
        else {
            return;
        };
        let meets = |(name, writes): &(Rc<str>, bool)| {
            right.iter().any(|(other, also)| name == other && (*writes || *also))
        };
        if left.iter().any(meets) {
            self.note_no_order();
        }
    }

    fn note_no_order(&mut self) {
        self.effect(format!("call void @{NO_ORDER}()"));
    }

    /// Copies a value that is used after these lines, if they may change the variable that contains it.
    fn kept(&mut self, value: Value, lines: &[Line]) -> Value {
        let changed = lines.iter().any(|line| line.text.contains(" = freeze "));
        if !changed || !matches!(value.is, Is::Operand(_)) {
            return value;
        }
        let typed = self.typed(&value);
        self.compute(value.of, format!("freeze {typed}"))
    }

    /// `c ? a : b`
    pub(super) fn conditional(&mut self) -> Parsed<Value> {
        let condition = self.binary(1)?;
        if !self.eat("?") {
            return Ok(condition);
        }
        let on = self.truth(condition)?;
        if let Is::Int(value) = on.is {
            return self.chosen(value != 0);
        }
        let effects = self.body.effects;
        let (one_lines, one) = self.captured(|unit| {
            let value = unit.nested(Self::assignment)?;
            Ok(unit.scalar_or_place(value))
        })?;
        self.expect(":")?;
        let (other_lines, other) = self.captured(|unit| {
            let value = unit.nested(Self::assignment)?;
            Ok(unit.scalar_or_place(value))
        })?;
        self.joined(&on, (one_lines, one), (other_lines, other), effects)
    }

    /// Reads two expressions of which only one is executed, and returns its value.
    fn chosen(&mut self, first: bool) -> Parsed<Value> {
        self.dry += u32::from(!first);
        let one = self.nested(Self::assignment)?;
        self.dry -= u32::from(!first);
        self.expect(":")?;
        self.dry += u32::from(first);
        let other = self.nested(Self::assignment)?;
        self.dry -= u32::from(first);
        Ok(if first { one } else { other })
    }

    fn scalar_or_place(&mut self, value: Value) -> Value {
        if self.types_in_memory(&value.of) && !matches!(value.of, Type::Array(..)) {
            return value;
        }
        self.rvalue(value)
    }

    /// Reads an expression and returns the lines that it writes separately.
    fn captured<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<(Vec<Line>, T)> {
        let start = self.body.lines.len();
        let value = read(self)?;
        Ok((self.body.lines.split_off(start), value))
    }

    /// The value of `c ? a : b`.
    fn joined(
        &mut self,
        on: &Value,
        one: (Vec<Line>, Value),
        other: (Vec<Line>, Value),
        effects: u32,
    ) -> Parsed<Value> {
        let (one_of, other_of) = (&one.1.of, &other.1.of);
        let of = match (one_of, other_of) {
            (one, other) if one == other => one.clone(),
            (one, other) if one.is_number() && other.is_number() => Self::common(one, other),
            (Type::Void, _) | (_, Type::Void) => Type::Void,
            (Type::Pointer(of, _), _) | (_, Type::Pointer(of, _)) => {
                Type::Pointer(of.clone(), GENERIC)
            }
            _ => return Err(self.mismatch(&other.1, &one.1.of)),
        };
        let of = match of {
            Type::Pointer(to, _) => Type::Pointer(to, GENERIC),
            other => other,
        };
        if self.body.effects == effects && !self.types_in_memory(&of) && of != Type::Void {
            self.body.lines.extend(one.0);
            let one = self.convert(one.1, &of)?;
            self.body.lines.extend(other.0);
            let other = self.convert(other.1, &of)?;
            if matches!(of, Type::Float(_)) {
                return Ok(Value { of, is: Is::Data });
            }
            let on = self.operand(on);
            let (one, other) = (self.typed(&one), self.typed(&other));
            return Ok(self.compute(of, format!("select i1 {on}, {one}, {other}")));
        }
        let result = match of {
            Type::Void => Value { of, is: Is::Nothing },
            of => self.variable("choice", &of),
        };
        let [yes, no, done] = [(); 3].map(|()| self.label());
        self.branch(on, &yes, &no);
        for (label, (lines, value)) in [(&yes, one), (&no, other)] {
            self.place(label);
            self.body.lines.extend(lines);
            if result.of != Type::Void {
                self.assign(&result, value)?;
            }
            self.jump(&done);
        }
        self.place(&done);
        Ok(match result.of {
            _ if self.types_in_memory(&result.of) => result,
            Type::Void => result,
            _ => self.rvalue(result),
        })
    }

    /// The next binary operator, with its precedence and its number of tokens.
    fn operator(&self) -> Option<(&'static str, u8, usize)> {
        let twice = self.is(">") && self.ahead(1).glued;
        if twice && self.ahead(1).is(">=") {
            return None;
        }
        let shifts = twice && self.ahead(1).is(">");
        let found = OPERATORS.iter().find(|(op, _)| match *op {
            ">>" => shifts,
            ">" => !shifts && self.is(">"),
            op => self.is(op),
        });
        found.map(|&(op, strength)| (op, strength, 1 + usize::from(shifts)))
    }

    /// Reads operators of at least this precedence.
    pub(super) fn binary(&mut self, least: u8) -> Parsed<Value> {
        let first = self.body.touched.len();
        let mut left = self.nested(Self::unary)?;
        while let Some((op, strength, tokens)) = self.operator() {
            if strength < least {
                break;
            }
            self.at += tokens;
            if matches!(op, "&&" | "||") {
                left = self.short(op, left, strength)?;
                continue;
            }
            let left_value = self.rvalue(left);
            let middle = self.body.touched.len();
            let right = self.nested(|unit| unit.binary(strength + 1))?;
            if let Is::Register(name) = &right.is {
                self.body.touched.push((name.clone(), false));
            }
            self.unsequenced(first, middle);
            left = self.operation(op, left_value, right)?;
        }
        Ok(left)
    }

    /// `a && b`, `a || b`
    fn short(&mut self, op: &str, left: Value, strength: u8) -> Parsed<Value> {
        let all = op == "&&";
        let left = self.truth(left)?;
        if let Is::Int(value) = left.is {
            let decided = (value != 0) != all;
            self.dry += u32::from(decided);
            let right = self.nested(|unit| unit.binary(strength + 1))?;
            let right = self.truth(right)?;
            self.dry -= u32::from(decided);
            return Ok(if decided { left } else { right });
        }
        let effects = self.body.effects;
        let (lines, right) = self.captured(|unit| {
            let right = unit.nested(|unit| unit.binary(strength + 1))?;
            unit.truth(right)
        })?;
        let typed = self.typed(&left);
        if self.body.effects == effects {
            self.body.lines.extend(lines);
            let right = self.operand(&right);
            let word = if all { "and" } else { "or" };
            return Ok(self.compute(Type::Bool, format!("{word} {typed}, {right}")));
        }
        let result = self.fresh();
        self.emit(format!("{result} = freeze {typed}"));
        let [more, done] = [(); 2].map(|()| self.label());
        let (yes, no) = if all { (&more, &done) } else { (&done, &more) };
        self.branch(&left, yes, no);
        self.place(&more);
        self.body.lines.extend(lines);
        let typed = self.typed(&right);
        self.emit(format!("{result} = freeze {typed}"));
        self.place(&done);
        Ok(Value { of: Type::Bool, is: Is::Operand(result) })
    }

    fn unary(&mut self) -> Parsed<Value> {
        let token = self.peek().clone();
        if token.kind != Kind::Mark {
            return match &*token.text {
                "sizeof" | "alignof" => self.size_of(),
                "new" | "delete" | "throw" | "co_await" if token.kind == Kind::Word => {
                    Err(self.unsupported(&format!("`{}`", token.text)))
                }
                _ => self.postfix(),
            };
        }
        match &*token.text {
            "+" | "-" | "~" => {
                self.at += 1;
                let value = self.nested(Self::unary)?;
                let value = self.rvalue(value);
                if let Some(value) = self.overloaded_on(&token.text, &[&value])? {
                    return Ok(value);
                }
                match &*token.text {
                    "-" => self.operation("-", Self::integer(0, INT), value),
                    "~" => self.operation("^", value, Self::integer(-1, INT)),
                    _ => Ok(value),
                }
            }
            "!" => {
                self.at += 1;
                let value = self.nested(Self::unary)?;
                let on = self.truth(value)?;
                if let Is::Int(value) = on.is {
                    return Ok(Self::integer(i64::from(value == 0), Type::Bool));
                }
                let typed = self.typed(&on);
                Ok(self.compute(Type::Bool, format!("xor {typed}, 1")))
            }
            "*" => {
                self.at += 1;
                let pointer = self.nested(Self::unary)?;
                self.at_address(pointer)
            }
            "&" => {
                self.at += 1;
                let value = self.nested(Self::unary)?;
                if value.is_known_code() {
                    return Ok(value);
                }
                self.address(value)
            }
            "++" | "--" => {
                self.at += 1;
                let mark = token.at;
                let value = self.nested(Self::unary)?;
                self.mark = mark;
                self.step(&value, &token.text)?;
                Ok(value)
            }
            "(" if self.begins_type(self.at + 1) && !self.makes_value() => self.cast(),
            _ => self.postfix(),
        }
    }

    /// Whether the type after this parenthesis begins an expression, as in `(int(x) + 1)`.
    fn makes_value(&self) -> bool {
        let (_, after) = self.path_at(self.at + 1);
        let is = |at: usize, text: &str| self.tokens.get(at).is_some_and(|next| next.is(text));
        let written = ["decltype", "__attribute__", "__attribute", "alignas", "__align__"];
        let named = !written.iter().any(|word| self.ahead(1).is(word));
        named && is(after, "(") && !is(after + 1, "*") && !is(after + 1, "&")
    }

    /// `++` or `--`. Returns the old value.
    fn step(&mut self, place: &Value, op: &str) -> Parsed<Value> {
        let old = self.rvalue(place.clone());
        let old = match (&place.is, &old.of) {
            (Is::Register(_), of) if !matches!(of, Type::Float(_)) => {
                let typed = self.typed(&old);
                self.compute(old.of.clone(), format!("freeze {typed}"))
            }
            _ => old,
        };
        let op = if op == "++" { "+" } else { "-" };
        let new = self.operation(op, old.clone(), Self::integer(1, INT))?;
        self.assign(place, new)?;
        Ok(old)
    }

    fn size_of(&mut self) -> Parsed<Value> {
        let word = self.take().text;
        let of = match self.is("(") && self.begins_type(self.at + 1) {
            true => {
                self.at += 1;
                let of = self.type_name()?;
                self.expect(")")?;
                of
            }
            false => {
                self.dry += 1;
                let value = self.nested(Self::unary);
                self.dry -= 1;
                value?.of
            }
        };
        let (size, align) = self.types.size(&of.value());
        let value = if &*word == "sizeof" { size } else { align };
        Ok(Self::integer(value as i64, Type::Int(64, false)))
    }

    /// The type of `decltype(…)`.
    pub(super) fn type_of_operand(&mut self) -> Parsed<Type> {
        self.expect("(")?;
        self.dry += 1;
        let value = self.expression();
        self.dry -= 1;
        let of = value?.of;
        self.expect(")")?;
        Ok(of)
    }

    /// `(T)x`
    fn cast(&mut self) -> Parsed<Value> {
        self.at += 1;
        let of = self.type_name()?;
        self.expect(")")?;
        if self.is("{") {
            return self.braced(&of);
        }
        if self.is("(")
            && let Some(value) = self.vector_literal(&of)?
        {
            return Ok(value);
        }
        let value = self.nested(Self::unary)?;
        self.cast_to(value, &of)
    }

    pub(super) fn cast_to(&mut self, value: Value, of: &Type) -> Parsed<Value> {
        match of {
            Type::Reference(to, _) => {
                let address = self.address(value)?;
                let space = if let Type::Pointer(_, space) = address.of { space } else { GENERIC };
                let address = Value { of: Type::Pointer(to.clone(), space), ..address };
                self.at_address(address)
            }
            // A pointer stays in its address space if the type names none.
            Type::Pointer(to, GENERIC) => {
                let value = self.rvalue(value);
                match value.of {
                    Type::Pointer(_, space) => {
                        Ok(Value { of: Type::Pointer(to.clone(), space), is: value.is })
                    }
                    _ => self.convert(value, of),
                }
            }
            Type::Struct(_) if value.of == *of => Ok(value),
            _ => self.convert(value, of),
        }
    }

    fn postfix(&mut self) -> Parsed<Value> {
        let mut value = self.primary()?;
        loop {
            let token = self.peek().clone();
            if token.kind != Kind::Mark {
                return Ok(value);
            }
            match &*token.text {
                "(" if let Some(all) = self.operators_of(&value.of, "()") => {
                    let all = all.to_vec();
                    let given = self.arguments()?;
                    self.mark = token.at;
                    value = self.call_one_of(&all, given, Vec::new(), Some(value))?;
                }
                "[" => {
                    self.at += 1;
                    let base = self.rvalue(value);
                    let index = self.expression()?;
                    self.expect("]")?;
                    if let Some(found) = self.overloaded_on("[]", &[&base, &index])? {
                        value = found;
                        continue;
                    }
                    let index = self.rvalue(index);
                    let (base, index) = match base.of {
                        Type::Pointer(..) => (base, index),
                        _ => (index, base),
                    };
                    let element = self.element(base, index)?;
                    value = self.at_address(element)?;
                }
                "." => {
                    self.at += 1;
                    value = self.member(value)?;
                }
                "->" => {
                    self.at += 1;
                    let place = self.at_address(value)?;
                    value = self.member(place)?;
                }
                "++" | "--" => {
                    self.at += 1;
                    value = self.step(&value, &token.text)?;
                }
                "(" if value.of.returns().is_some() => value = self.call_code(value)?,
                _ => return Ok(value),
            }
        }
    }

    /// Reads a member after `.` or `->`.
    pub(super) fn member(&mut self, value: Value) -> Parsed<Value> {
        self.eat("template");
        if self.eat("~") {
            // An explicit call of a destructor has no effect here.
            self.name()?;
            self.expect("(")?;
            self.expect(")")?;
            return Ok(Value { of: Type::Void, is: Is::Data });
        }
        let name = self.name()?;
        let Type::Struct(at) = value.of else {
            let message = format!("`{}` has no member `{name}`", self.shown(&value.of));
            return Err(Problem::at(&self.tokens[self.at - 1], message));
        };
        if let Some(field) = self.types.field(at, &name).cloned() {
            return self.part(&value, &field);
        }
        if let Some(elements) = self.elements_of(&value, &name)? {
            return Ok(elements);
        }
        let key = format!("{}::{name}", self.types.structs[at].name);
        if self.lookup(&key).is_none()
            && let Some(base) = self.base_with(at, &name)
        {
            let base = self.part(&value, &base)?;
            self.at -= 1;
            return self.nested(|unit| unit.member(base));
        }
        match self.lookup(&key).cloned() {
            Some(Symbol::Functions(all)) => {
                let explicit = self.explicit_arguments(&all)?;
                let mark = self.tokens[self.at - 1].at;
                let given = self.arguments()?;
                self.mark = mark;
                self.call_one_of(&all, given, explicit, Some(value))
            }
            Some(Symbol::Value(value)) => Ok(value),
            _ => {
                let message = format!("`{}` has no member `{name}`", self.shown(&value.of));
                Err(Problem::at(&self.tokens[self.at - 1], message))
            }
        }
    }

    /// A field of a structure.
    pub(super) fn part(&mut self, value: &Value, field: &super::types::Field) -> Parsed<Value> {
        let Is::Place(address, space) = &value.is else {
            return Err(Problem::at(self.peek(), "this structure is not in memory"));
        };
        let mut address = address.clone();
        if field.offset != 0 {
            let pointer = self.types.spelled(&Type::Void.pointer(*space));
            let text = format!("getelementptr i8, {pointer} {address}, i64 {}", field.offset);
            let made = self.compute(Type::Void.pointer(*space), text);
            address = self.operand(&made);
        }
        Ok(Value { of: field.of.clone(), is: Is::Place(address, *space) })
    }
}
