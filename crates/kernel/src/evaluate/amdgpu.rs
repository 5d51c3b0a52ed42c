//! Barrier operations of AMDGPU.

use super::memory::Objects;
use super::request::Stop;
use super::state::State;
use super::world::{Event, Run};
use crate::ir::{Amdgpu, BARRIER_BYTES, Operand, Place, Space};
use crate::value::{Origin, Value, signed};
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::operation::{Action, Form, Object, Operation};

impl Run<'_> {
    pub(super) fn amdgpu(
        &self,
        state: &mut State,
        amdgpu: &Amdgpu,
        form: Form,
        (place, active): (Place, (u64, bool)),
    ) -> Result<Option<Event>, Stop> {
        if active.0 != self.alive(state) && !matches!(amdgpu, Amdgpu::ReadState { .. }) {
            return Ok(Some(Event::Divergent(place)));
        }
        let at = (place, active.0);
        let actions: Vec<Action> = match amdgpu {
            Amdgpu::Barrier => {
                let object = Object::Workgroup;
                let arrive = Action::Arrive { object, expected: None, is_first: false };
                alloc::vec![arrive, Action::Wait { object }]
            }
            Amdgpu::Leave => alloc::vec![Action::Leave],
            Amdgpu::Init { barrier, count } => {
                let Some(object) = self.barrier(state, *barrier, at)? else { return Ok(None) };
                let Some(count) = self.certain(state, *count, at)? else { return Ok(None) };
                alloc::vec![Action::Init { object, expected: signed(count, 32) }]
            }
            Amdgpu::Arrive { barrier, count, is_first } => {
                let Some(object) = self.barrier(state, *barrier, at)? else { return Ok(None) };
                let Some(count) = self.certain(state, *count, at)? else { return Ok(None) };
                let expected = (count != 0).then_some(signed(count, 32));
                let first = is_first.is_some();
                let action = Action::Arrive { object, expected, is_first: first };
                if let Some(to) = is_first.filter(|_| !self.world.lds.is_used()) {
                    let operation = self.operation(state, action, form, active.1);
                    self.pass(state, &[operation]);
                    let states = [0, 1].map(|outcome| {
                        let mut next = state.clone();
                        self.write(&mut next, to, Value::int(outcome), active);
                        next
                    });
                    return Ok(Some(Event::Outcome(operation.into(), place, states.into())));
                }
                alloc::vec![action]
            }
            Amdgpu::Wait { barrier } => {
                let Some(object) = self.barrier(state, *barrier, at)? else { return Ok(None) };
                alloc::vec![Action::Wait { object }]
            }
            Amdgpu::Join { barrier } => {
                let Some(object) = self.barrier(state, *barrier, at)? else { return Ok(None) };
                alloc::vec![Action::Join { object }]
            }
            Amdgpu::ReadState { barrier, to } => {
                let object = self.barrier(state, *barrier, at)?;
                self.forget(state, &[*to], active);
                let Some(object) = object else { return Ok(None) };
                alloc::vec![Action::ReadState { object }]
            }
        };
        if self.world.lds.is_used() {
            return Ok(self.beside_words(state, actions, (place, active.1)));
        }
        let operation = |action| self.operation(state, action, form, active.1);
        let operations: Vec<Operation> = actions.into_iter().map(operation).collect();
        self.pass(state, &operations);
        Ok(Some(Event::Perform(operations, place)))
    }

    /// The barrier that an operand names; `None` if it is not known.
    fn barrier(
        &self,
        state: &State,
        operand: Operand,
        at: (Place, u64),
    ) -> Result<Option<Object>, Stop> {
        let value = self.operand(state, operand);
        if let Origin::Object(id) = value.origin {
            let object = self.world.module.objects.get(id as usize);
            let Some((first, object)) = object.and_then(|one| Some((one.barrier?, one))) else {
                let why = "it is not known which named barrier this pointer names";
                self.world.note(at.0, String::from(why));
                return Ok(None);
            };
            let several = object.size.is_some_and(|size| size > BARRIER_BYTES);
            let offset = match several {
                false => Some(0),
                true => {
                    let address = self.certain(state, operand, at)?;
                    address.map(|address| {
                        Objects::resolve(Space::Generic, address).1.wrapping_sub(object.base)
                    })
                }
            };
            let id = offset.and_then(|offset| u8::try_from(offset / BARRIER_BYTES).ok());
            return Ok(id.map(|by| Object::Named(first.saturating_add(by))));
        }
        let known = self.certain(state, operand, at)?;
        Ok(known.map(|id| Object::from_id(signed(id, 32))))
    }
}
