//! Barriers of OpenCL.

use super::request::Stop;
use super::state::State;
use super::world::{Event, Run};
use crate::ir::{Opencl, Operand, Place};
use crate::value::Value;
use tidegate_model::opencl::action::{Action as Barrier, Arguments, Flags, Instance, Scope};
use tidegate_model::operation::{Action, Form};

/// The scopes by their numbers (OpenCL C 3.0, `memory_scope`).
const SCOPES: [Scope; 5] =
    [Scope::WorkItem, Scope::WorkGroup, Scope::Device, Scope::AllDevices, Scope::SubGroup];

impl Run<'_> {
    pub(super) fn opencl(
        &self,
        state: &mut State,
        opencl: &Opencl,
        place: Place,
        active: (u64, bool),
    ) -> Result<Option<Event>, Stop> {
        let (Opencl::Barrier { flags, scope, .. }
        | Opencl::Arrive { flags, scope }
        | Opencl::Await { flags, scope }) = opencl;
        let Some(arguments) = self.arguments(state, *flags, *scope, place)? else {
            return Ok(None);
        };
        let others = match opencl {
            Opencl::Barrier { same, .. } => self.identity(state, same),
            _ => 0,
        };
        let arguments = Arguments { others, ..arguments };
        let at = self.instance(state, place);
        let action = match opencl {
            Opencl::Barrier { group, .. } => Barrier::Barrier { group: *group, arguments, at },
            Opencl::Arrive { .. } => Barrier::Arrive { arguments, at },
            Opencl::Await { .. } => Barrier::Await { arguments, at },
        };
        let operations = [self.operation(state, Action::Opencl(action), Form::Word, false)];
        if let Opencl::Barrier { shares: Some(to), .. } = opencl {
            let agreed = self.agree_on_vote(state, &operations[0]);
            let result = Value { agreed, ..Value::data(self.width(state, *to)) };
            self.write(state, *to, result, active);
        }
        self.pass(state, &operations);
        Ok(Some(Event::Perform(operations.into(), place)))
    }

    fn arguments(
        &self,
        state: &State,
        flags: Operand,
        scope: Option<Operand>,
        place: Place,
    ) -> Result<Option<Arguments>, Stop> {
        let at = (place, 1);
        let Some(flags) = self.certain(state, flags, at)? else { return Ok(None) };
        let number = match scope {
            Some(scope) => self.certain(state, scope, at)?,
            None => Some(1),
        };
        let scope_of = number.and_then(|number| SCOPES.get(usize::try_from(number).ok()?).copied());
        Ok(scope_of.map(|found| Arguments {
            flags: Flags::new(flags as u8),
            scope: found,
            given: scope.is_some(),
            others: 0,
        }))
    }

    /// Identifies the values of operands. Data of two work-items are assumed to be equal.
    fn identity(&self, state: &State, operands: &[Operand]) -> u32 {
        let values = operands.iter().map(|&operand| self.operand(state, operand));
        Arguments::identify(values.map(|value| (value.bits, value.unknown, value.slopes)))
    }

    /// The dynamic instance of a barrier: its place, the calls that lead to it, and the number of times that it was reached.
    fn instance(&self, state: &mut State, place: Place) -> Instance {
        let calls = state.frames.iter().rev().skip(1).filter_map(|frame| frame.parts.last());
        let site = calls.fold(place.start, |site, part| {
            site.wrapping_mul(31).wrapping_add(part.block << 10 | part.index as u32)
        });
        let round = state.rounds.entry(site).or_default();
        *round += 1;
        Instance { site, round: *round }
    }
}
