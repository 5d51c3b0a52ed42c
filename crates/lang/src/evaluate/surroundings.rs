//! The environment of a lane.

use super::arguments::Arguments;
use super::instances::Instances;
use super::terms::Part;
use crate::diagnostic::Span;
use crate::expression::Value;
use crate::expression::linear::{now, shift};
use crate::lower::code::Code;
use tidegate_model::program::Launch;

/// The position of an agent, as far as its body can observe it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Standing {
    pub(crate) workgroup: u32,
    pub(crate) wave: u32,
    /// The lane, if each lane is an agent.
    pub(crate) lane: u32,
}

/// The environment of a lane.
#[derive(Clone, Copy)]
pub(crate) struct Surroundings<'a> {
    pub(crate) code: &'a Code,
    pub(crate) launch: Launch,
    pub(crate) standing: Standing,
    pub(crate) lane: u32,
    pub(crate) instances: &'a Instances,
    /// The arguments of the kernel.
    pub(crate) arguments: &'a Arguments,
}

impl Surroundings<'_> {
    /// The answer, in the current case, to a condition on a term at that position.
    pub(crate) fn answer(&self, asked: u32, span: Span) -> bool {
        self.instances.terms.answer(asked, span, (self.arguments, self.code))
    }

    /// A value as an operand of a term.
    pub(crate) fn operand(&self, value: Value) -> Value {
        let Some((argument, factor)) = shift(value) else { return value };
        let passed = self.arguments.values.get(usize::from(argument)).copied().unwrap_or(0);
        let summand = now(value).wrapping_sub(factor.wrapping_mul(passed));
        Value::Data(self.instances.terms.number_of_host(argument, factor, summand))
    }

    /// A value as a part of a term.
    pub(crate) fn part(&self, value: Value) -> Part {
        Part::of(self.operand(value))
    }
}
