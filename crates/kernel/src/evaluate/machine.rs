//! Memory order of AMDGPU machine code: accesses, waits for counters, and what is outstanding at an arrival.

use super::state::State;
use super::world::{Event, Run};
use crate::flight::Issued;
use crate::ir::{Access, Place, Style};
use alloc::vec::Vec;
use tidegate_model::mem::map::accesses;
use tidegate_model::mem::operation::{Counter, Memory, Space, Waits};
use tidegate_model::operation::{Action, Form, Operation};
use tidegate_model::target::{Family, Target};

impl Run<'_> {
    /// The target, if the module is AMDGPU machine code.
    pub(super) fn machine_code(&self) -> Option<&'static Target> {
        let target = self.world.module.target?.get();
        let machine = self.world.module.style == Style::Waves;
        (machine && matches!(target.family, Family::Amdgpu { .. })).then_some(target)
    }

    /// Records an access as outstanding. A copy gets its own mark.
    pub(super) fn issue(
        &self,
        state: &mut State,
        target: &Target,
        access: &Access,
        (event, place): (Option<Event>, Place),
        open: bool,
    ) -> Option<Event> {
        let (mut operations, place) = match event {
            Some(Event::Perform(operations, place)) => (operations, place),
            None => (Vec::new(), place),
            other => return other,
        };
        let copies = access.copies_to.is_some();
        let space = match access.space {
            crate::ir::Space::Local => Space::Local,
            _ => Space::Global,
        };
        let issued = Issued {
            engine: access.engine,
            space,
            writes: access.writes,
            returns: !access.to.is_empty(),
            copies,
            possible: open || state.is_possible(),
            operations: operations.clone(),
        };
        state.flight.issue(target, issued);
        if copies {
            operations.push(self.operation(state, Action::Memory(Memory::Mark), Form::Word, open));
        }
        (!operations.is_empty()).then_some(Event::Perform(operations, place))
    }

    /// A wait for counters. If `s_barrier` needs all counters at zero on the target, the model counts accesses itself.
    pub(super) fn complete(
        &self,
        state: &mut State,
        target: &Target,
        waits: Waits,
        (form, place): (Form, Place),
    ) -> Option<Event> {
        let left = state.flight.wait(waits);
        let mut actions = Vec::new();
        if !target.back_off_barrier {
            actions.push((Memory::Wait(waits), form));
        }
        actions.extend(left.map(|left| (Memory::WaitMarks(left), Form::Word)));
        let tensors = self.world.lds.is_used() && waits.most(Counter::Tensor) == Some(0);
        if tensors && !state.flight.has_copies() {
            actions.extend([Memory::Mark, Memory::WaitMarks(0)].map(|one| (one, Form::Word)));
        }
        let operation = |(memory, form)| self.operation(state, Action::Memory(memory), form, false);
        let operations: Vec<Operation> = actions.into_iter().map(operation).collect();
        (!operations.is_empty()).then_some(Event::Perform(operations, place))
    }

    /// Performs the outstanding operations again.
    pub(super) fn again(&self, state: &State, place: Place) -> Option<Event> {
        let operations = state.flight.outstanding();
        (!operations.is_empty()).then_some(Event::Perform(operations, place))
    }

    /// Drops outstanding accesses to global memory in a proof, because their addresses are not followed between iterations.
    /// Their objects count as accessed at addresses that depend on the iteration.
    pub(super) fn forget_moving(&self, state: &mut State) {
        let module = self.world.module;
        let declared = self.world.buffers.borrow().declared(module);
        let mut varying = self.world.varying.borrow_mut();
        state.flight.retain(|operation| {
            let all = accesses(operation.action);
            let objects: Vec<u32> = all
                .filter_map(|access| declared.get(usize::from(access.range.buffer)))
                .filter(|(buffer, _)| buffer.space == Space::Global)
                .map(|(_, object)| *object)
                .collect();
            for object in &objects {
                if !varying.contains(object) {
                    varying.push(*object);
                }
            }
            objects.is_empty()
        });
    }
}
