//! Expressions as flat code in postfix order. There is no tree, so neither depth nor length can exhaust the stack.

use crate::diagnostic::Span;
use alloc::vec::Vec;
use arithmetic::{arithmetic, exact};
use bits::Bits;
use counted::Counted;
use linear::{Linear, Reach};
use machine::Typed;
use tidegate_model::operation::Object;
use types::Type;

mod arithmetic;
pub(crate) mod bits;
pub(crate) mod comparison;
pub(crate) mod constants;
pub(crate) mod counted;
pub(crate) mod linear;
pub(crate) mod machine;
pub(crate) mod memory;
pub(crate) mod types;

/// The value of an expression or a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Value {
    /// A number.
    Int(i64),
    /// A number that depends on an argument of the kernel.
    Linear(Linear),
    /// A barrier object.
    Object(Object),
    /// An mbarrier object, or an array of them.
    Mbarrier(Mbarrier),
    /// The register of a token.
    Token(u16),
    /// A number that only an execution knows.
    Counted(Counted),
    /// A named barrier of OpenCL, by number of its declaration.
    NamedBarrier(u16),
    /// A value computed from data, by number.
    Data(u32),
}

/// Declared mbarrier objects with consecutive numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Mbarrier {
    /// The first of them.
    pub(crate) first: u16,
    /// Number of objects.
    pub(crate) count: u16,
    /// The rank of their CTA in the cluster; `None` for the agent's own CTA.
    pub(crate) rank: Option<u32>,
}

/// The position of the agent in the launch, and the size of the launch, as visible to a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Builtin {
    WaveId,
    WorkgroupId,
    LaneId,
    Clusters,
    Workgroups,
    Waves,
    Lanes,
}

/// One element of postfix code. Jumps are relative to the next element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Atom {
    /// A number.
    Int(i64),
    /// A number with a C type.
    Literal(i64, Type),
    /// The address of a byte of a memory, as [`memory`] encodes it.
    Memory(i64),
    /// An unresolved name, given by its position.
    Name,
    /// The register after the one at its position.
    NextName,
    /// A variable without a name in the text.
    Hidden(&'static str),
    /// A variable of the body.
    Slot(u16),
    /// A property of the position of the agent.
    Builtin(Builtin),
    /// A barrier object.
    Object(Object),
    /// Mbarrier objects.
    Mbarrier(Mbarrier),
    /// A named barrier of OpenCL.
    NamedBarrier(u16),
    /// The address of the operand: named barriers and other values here have none.
    Address,
    /// The same mbarrier object in the CTA of a rank: the object, then the rank.
    Remote,
    /// A unary operator.
    Unary(Unary),
    /// A binary operator.
    Binary(Binary),
    /// Converts the operand to a C type.
    Convert(Type),
    /// Checks that the operand fits into a C type.
    Checked(Type),
    /// A binary operator on unsigned 64-bit operands.
    Unsigned(Binary),
    /// A binary operator in the type of an instruction.
    Machine(Typed),
    /// An instruction's operator, with its operands in its type.
    Bits(Bits),
    /// If the operand is zero: keeps zero and jumps; otherwise drops it.
    And(u32),
    /// If the operand is not zero: leaves one and jumps; otherwise drops it.
    Or(u32),
    /// Maps every nonzero number to one.
    Truth,
    /// Drops the operand; jumps if it was zero.
    Unless(u32),
    /// Jumps.
    Jump(u32),
    /// An element of an array of objects: the array, then the index.
    Element,
    /// The object with an index after the first, and the number of objects.
    ElementOf(Object, u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unary {
    Negate,
    Not,
    Complement,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    /// A quotient rounded down, as in Python.
    FloorDivide,
    /// The remainder with the sign of the divisor, as in Python.
    FloorRemainder,
    ShiftLeft,
    ShiftRight,
    And,
    Or,
    Xor,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Least,
    Most,
}

/// An expression: its code, each element with its position.
#[derive(Clone, Debug, Default)]
pub(crate) struct Expression {
    pub(crate) code: Vec<(Atom, Span)>,
    pub(crate) span: Span,
}

/// Why an expression has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    Overflow,
    /// Overflow of a signed C type, which is undefined.
    SignedOverflow,
    DivisionByZero,
    ShiftRange,
    NotANumber,
    NotAnArray,
    OutsideArray,
    NotAnMbarrier,
    NoSuchRank,
    Unset,
    /// A number of a program in the range that [`memory`] uses for addresses.
    LikeAddress,
    /// It depends on whether the number in a register is at least a limit, which only an execution knows.
    Undecided(u16, u32),
    /// It depends on a number that may exceed its maximum.
    Uncounted,
}

/// The environment of an evaluation.
pub(crate) trait Environment {
    /// The variable's value, if it has one.
    fn slot(&self, slot: u16) -> Option<Value>;
    /// A property of the position of the agent.
    fn builtin(&self, builtin: Builtin) -> i64;
    /// The ranges of arguments on which the evaluation depends.
    fn reach(&self) -> &Reach;
    /// The value that stands for a number in the range of addresses.
    fn untracked(&self) -> Option<Value> {
        None
    }
    /// The result of an operator with data among its operands; `fixed` if the last operand is a literal number.
    fn computed(&self, _: Operator, _: &[Value], _fixed: bool) -> Option<Value> {
        None
    }
}

/// An operator on data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Unary(Unary),
    Binary(Binary),
    Convert(Type),
}

impl Expression {
    /// An integer.
    pub(crate) fn int(number: i64, span: Span) -> Self {
        Self { code: alloc::vec![(Atom::Int(number), span)], span }
    }

    /// Its value, or the fault and its position.
    pub(crate) fn evaluate(&self, environment: &impl Environment) -> Result<Value, (Fault, Span)> {
        // The two shapes that loops evaluate again and again need no stack.
        match self.code[..] {
            [(atom, span)] => return single(atom, environment).map_err(|fault| (fault, span)),
            [
                (left, left_span),
                (right, right_span),
                (atom @ (Atom::Binary(operator) | Atom::Unsigned(operator)), span),
            ] => {
                let left = single(left, environment).map_err(|fault| (fault, left_span))?;
                let right = single(right, environment).map_err(|fault| (fault, right_span))?;
                if let (Value::Data(_), _) | (_, Value::Data(_)) = (left, right) {
                    let fixed = matches!(self.code[1].0, Atom::Int(_));
                    return computed(atom, &[left, right], fixed, environment)
                        .map_err(|fault| (fault, span));
                }
                let value = match atom {
                    Atom::Unsigned(_) => types::unsigned,
                    _ => binary,
                }(operator, left, right, environment.reach());
                return tracked(value, environment).map_err(|fault| (fault, span));
            }
            _ => {}
        }
        let mut stack: Vec<Value> = Vec::new();
        let mut at = 0;
        while let Some(&(atom, span)) = self.code.get(at) {
            at += 1;
            if let Some(count) = operands(atom)
                && let Some(from) = stack.len().checked_sub(count)
                && (stack[from..].iter().any(|value| matches!(value, Value::Data(_)))
                    || matches!(atom, Atom::Convert(Type::Data)))
            {
                let before = |by: usize| self.code.get(at.checked_sub(by)?).map(|&(atom, _)| atom);
                let converted = matches!(before(2), Some(Atom::Convert(_)));
                let literal = before(if converted { 3 } else { 2 });
                let fixed = matches!(literal, Some(Atom::Int(_)));
                let value = computed(atom, &stack[from..], fixed, environment);
                stack.truncate(from);
                stack.push(value.map_err(|fault| (fault, span))?);
                continue;
            }
            match step(atom, &mut stack, environment) {
                Ok(jump) => at += jump as usize,
                Err(fault) => {
                    stack.push(tracked(Err(fault), environment).map_err(|fault| (fault, span))?);
                }
            }
        }
        stack.pop().ok_or((Fault::Unset, self.span))
    }

    /// Its value, used where something depends on it: the value of each argument in it is fixed for this case.
    pub(crate) fn settled(&self, environment: &impl Environment) -> Result<Value, (Fault, Span)> {
        match self.evaluate(environment)? {
            Value::Counted(count) => {
                count.number().map(Value::Int).map_err(|fault| (fault, self.span))
            }
            value => Ok(linear::settled(value, environment.reach())),
        }
    }

    /// Its value, which must be a number.
    pub(crate) fn number(&self, environment: &impl Environment) -> Result<i64, (Fault, Span)> {
        number(self.settled(environment)?).map_err(|fault| (fault, self.span))
    }

    /// Whether its value, which must be a number, is not zero.
    pub(crate) fn truth(&self, environment: &impl Environment) -> Result<bool, (Fault, Span)> {
        let value = self.evaluate(environment)?;
        linear::truth(value, environment.reach()).map_err(|fault| (fault, self.span))
    }

    /// The slots that it reads.
    pub(crate) fn slots(&self) -> impl Iterator<Item = u16> + '_ {
        self.code.iter().filter_map(|&(atom, _)| match atom {
            Atom::Slot(slot) => Some(slot),
            _ => None,
        })
    }
}

/// Number of operands of an element that computes.
fn operands(atom: Atom) -> Option<usize> {
    match atom {
        Atom::Unary(_) | Atom::Convert(_) | Atom::Checked(_) => Some(1),
        Atom::Binary(_) | Atom::Unsigned(_) => Some(2),
        _ => None,
    }
}

/// The result of an element with data among its operands.
fn computed(
    atom: Atom,
    values: &[Value],
    fixed: bool,
    environment: &impl Environment,
) -> Result<Value, Fault> {
    let operator = match atom {
        Atom::Checked(_) => return values.first().copied().ok_or(Fault::Unset),
        Atom::Unary(operator) => Operator::Unary(operator),
        Atom::Convert(to) => Operator::Convert(to),
        Atom::Binary(operator) | Atom::Unsigned(operator) => Operator::Binary(operator),
        _ => return Err(Fault::Unset),
    };
    environment.computed(operator, values, fixed).ok_or(Fault::Unset)
}

/// A result that may be a number in the range of addresses, which the environment may replace.
fn tracked(value: Result<Value, Fault>, environment: &impl Environment) -> Result<Value, Fault> {
    match value {
        Err(Fault::LikeAddress) => environment.untracked().ok_or(Fault::LikeAddress),
        value => value,
    }
}

/// The value of an element without operands.
fn single(atom: Atom, environment: &impl Environment) -> Result<Value, Fault> {
    match atom {
        Atom::Int(value) | Atom::Literal(value, _) => {
            tracked(memory::plain(value).map(Value::Int), environment)
        }
        Atom::Memory(address) => Ok(Value::Int(address)),
        Atom::Slot(slot) => environment.slot(slot).ok_or(Fault::Unset),
        Atom::Builtin(builtin) => Ok(Value::Int(environment.builtin(builtin))),
        Atom::Object(object) => Ok(Value::Object(object)),
        Atom::Mbarrier(object) => Ok(Value::Mbarrier(object)),
        Atom::NamedBarrier(object) => Ok(Value::NamedBarrier(object)),
        _ => Err(Fault::Unset),
    }
}

/// Performs one element; returns the number of elements to skip.
fn step(atom: Atom, stack: &mut Vec<Value>, environment: &impl Environment) -> Result<u32, Fault> {
    let reach = environment.reach();
    match atom {
        Atom::Name
        | Atom::NextName
        | Atom::Hidden(_)
        | Atom::Int(_)
        | Atom::Literal(..)
        | Atom::Memory(_)
        | Atom::Slot(_)
        | Atom::Builtin(_)
        | Atom::Object(_)
        | Atom::Mbarrier(_)
        | Atom::NamedBarrier(_) => {
            stack.push(single(atom, environment)?);
        }
        Atom::Address => {}
        Atom::Unary(operator) => {
            let value = unary(operator, stack.pop().ok_or(Fault::Unset)?, reach)?;
            stack.push(value);
        }
        Atom::Binary(operator) => {
            let (right, left) =
                (stack.pop().ok_or(Fault::Unset)?, stack.pop().ok_or(Fault::Unset)?);
            stack.push(binary(operator, left, right, reach)?);
        }
        Atom::Convert(to) => {
            let value = types::converted(stack.pop().ok_or(Fault::Unset)?, to, reach)?;
            stack.push(value);
        }
        Atom::Checked(to) => {
            let value = types::checked(stack.pop().ok_or(Fault::Unset)?, to, reach)?;
            stack.push(value);
        }
        Atom::Unsigned(operator) => {
            let (right, left) =
                (stack.pop().ok_or(Fault::Unset)?, stack.pop().ok_or(Fault::Unset)?);
            stack.push(types::unsigned(operator, left, right, reach)?);
        }
        Atom::Machine(typed) => {
            let (right, left) =
                (stack.pop().ok_or(Fault::Unset)?, stack.pop().ok_or(Fault::Unset)?);
            stack.push(typed.apply(left, right, reach)?);
        }
        Atom::Bits(bits) => {
            let from = stack.len().checked_sub(bits.count()).ok_or(Fault::Unset)?;
            let value = bits.apply(&stack[from..], reach)?;
            stack.truncate(from);
            stack.push(value);
        }
        Atom::And(jump) => {
            if !popped_truth(stack, reach)? {
                stack.push(Value::Int(0));
                return Ok(jump);
            }
        }
        Atom::Or(jump) => {
            if popped_truth(stack, reach)? {
                stack.push(Value::Int(1));
                return Ok(jump);
            }
        }
        Atom::Truth => {
            let value = popped_truth(stack, reach)?;
            stack.push(Value::Int(i64::from(value)));
        }
        Atom::Unless(jump) => return Ok(if popped_truth(stack, reach)? { 0 } else { jump }),
        Atom::Jump(jump) => return Ok(jump),
        Atom::Element => {
            let index = pop(stack, reach)?;
            let element = element(stack.pop().ok_or(Fault::Unset)?, index)?;
            stack.push(element);
        }
        Atom::Remote => {
            let rank = u32::try_from(pop(stack, reach)?).map_err(|_| Fault::NoSuchRank)?;
            let clusters = environment.builtin(Builtin::Clusters).max(1);
            let ranks = environment.builtin(Builtin::Workgroups) / clusters;
            if ranks > 0 && i64::from(rank) >= ranks {
                return Err(Fault::NoSuchRank);
            }
            let value = stack.pop();
            stack.push(memory::remote(value, rank).ok_or(Fault::NotAnMbarrier)?);
        }
        Atom::ElementOf(first, count) => {
            let index = pop(stack, reach)?;
            let index = u32::try_from(index).ok().filter(|index| *index < count);
            stack.push(Value::Object(following(first, index.ok_or(Fault::OutsideArray)?)));
        }
    }
    Ok(0)
}

/// The address of the first declared mbarrier object in shared memory; the system reserves lower addresses. The others
/// follow, eight bytes each.
const FIRST_ADDRESS: i64 = 0x400;

/// The mbarrier object at an address of shared memory, which may be after the last declared one.
pub(crate) fn at_address(address: i64) -> Option<Mbarrier> {
    let offset = address.checked_sub(FIRST_ADDRESS)?;
    let first = u16::try_from(offset / 8).ok()?;
    (offset >= 0 && offset % 8 == 0).then_some(Mbarrier { first, count: 1, rank: None })
}

/// An element of an array of objects.
fn element(array: Value, index: i64) -> Result<Value, Fault> {
    let Value::Mbarrier(array) = array else { return Err(Fault::NotAnArray) };
    match u16::try_from(index) {
        Ok(index) if index < array.count => {
            Ok(Value::Mbarrier(Mbarrier { first: array.first + index, count: 1, ..array }))
        }
        _ => Err(Fault::OutsideArray),
    }
}

/// The objects of an array from a byte offset; each has eight bytes.
fn at_offset(array: Mbarrier, bytes: i64) -> Result<Value, Fault> {
    match u16::try_from(bytes / 8) {
        Ok(index) if bytes % 8 == 0 && index < array.count => {
            let (first, count) = (array.first + index, array.count - index);
            Ok(Value::Mbarrier(Mbarrier { first, count, ..array }))
        }
        _ => Err(Fault::OutsideArray),
    }
}

/// The object of an array at an index.
fn following(first: Object, index: u32) -> Object {
    match first {
        Object::Plain(number) => Object::Plain(number.saturating_add(index as u16)),
        other => Object::from_id(other.id().unwrap_or(0).saturating_add(i64::from(index))),
    }
}

fn pop(stack: &mut Vec<Value>, reach: &Reach) -> Result<i64, Fault> {
    number(linear::settled(stack.pop().ok_or(Fault::Unset)?, reach))
}

fn popped_truth(stack: &mut Vec<Value>, reach: &Reach) -> Result<bool, Fault> {
    linear::truth(stack.pop().ok_or(Fault::Unset)?, reach)
}

fn number(value: Value) -> Result<i64, Fault> {
    match value {
        Value::Int(value) => Ok(value),
        Value::Counted(value) => value.number(),
        _ => Err(Fault::NotANumber),
    }
}

fn unary(operator: Unary, value: Value, reach: &Reach) -> Result<Value, Fault> {
    match operator {
        Unary::Negate => binary(Binary::Subtract, Value::Int(0), value, reach),
        Unary::Not => linear::truth(value, reach).map(|value| Value::Int(i64::from(!value))),
        Unary::Complement => binary(Binary::Subtract, Value::Int(-1), value, reach),
    }
}

/// Applies a binary operator. Objects can only be compared for equality.
pub(crate) fn binary(
    operator: Binary,
    left: Value,
    right: Value,
    reach: &Reach,
) -> Result<Value, Fault> {
    if matches!((left, right), (Value::Linear(_), _) | (_, Value::Linear(_))) {
        return linear::binary(operator, left, right, reach);
    }
    if let (Binary::Add, Value::Mbarrier(array), Value::Int(bytes))
    | (Binary::Add, Value::Int(bytes), Value::Mbarrier(array)) = (operator, left, right)
    {
        return at_offset(array, bytes);
    }
    if let Some(result) = counted::binary(operator, left, right) {
        return result;
    }
    match operator {
        Binary::Equal => return Ok(Value::Int(i64::from(left == right))),
        Binary::NotEqual => return Ok(Value::Int(i64::from(left != right))),
        _ => {}
    }
    let (left, right) = (number(left)?, number(right)?);
    let result = arithmetic(operator, left, right)?;
    match memory::plain(left).and(memory::plain(right)) {
        Ok(_) => memory::plain(result).map(Value::Int),
        Err(_) => Ok(Value::Int(result)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_have_consecutive_addresses() {
        let first = |address| at_address(address).map(|object| object.first);
        assert_eq!(first(0x400), Some(0));
        assert_eq!(first(0x418), Some(3));
        for address in [0, 0x3f8, 0x3ff, 0x404, -8, i64::MIN, i64::MAX] {
            assert_eq!(first(address), None, "{address}");
        }
    }

    #[test]
    fn objects_can_only_be_compared() {
        let (a, b) = (Value::Object(Object::Workgroup), Value::Object(Object::Cluster));
        let on = |operator, a, b| binary(operator, a, b, &Reach::default());
        assert_eq!(on(Binary::Equal, a, b), Ok(Value::Int(0)));
        assert_eq!(on(Binary::NotEqual, a, Value::Int(0)), Ok(Value::Int(1)));
        assert_eq!(on(Binary::Add, a, b), Err(Fault::NotANumber));
    }
}
