//! Operations of NVIDIA.

use super::Stop;
use super::run::{Event, Run};
use super::state::State;
use crate::ir::{Nvidia, NvidiaKind, Operand, Place};
use alloc::string::String;
use tidegate_model::operation::{Action, Form};
use tidegate_model::ptx::action::Action as Ptx;

impl Run<'_> {
    pub(super) fn nvidia(
        &self,
        state: &mut State,
        nvidia: &Nvidia,
        place: Place,
        active: (u64, bool),
    ) -> Result<Option<Event>, Stop> {
        let at = (place, active.0);
        let operand = |at: usize| nvidia.operands.get(at).copied().unwrap_or(Operand::Int(0));
        let aligned = |aligned: bool| aligned.then_some(place.start);
        let action = match nvidia.kind {
            NvidiaKind::Bar { kind, reduce: None, aligned } => {
                let Some(id) = self.certain(state, operand(0), at)? else { return Ok(None) };
                let Some(threads) = self.certain(state, operand(1), at)? else { return Ok(None) };
                let threads = (threads != 0).then_some(threads as i64);
                let id = id as i64;
                Ptx::Bar { id, threads, kind, reduction: None, aligned, site: place.start }
            }
            NvidiaKind::ClusterArrive { order, aligned: all } => {
                Ptx::ClusterArrive { order, aligned: aligned(all) }
            }
            NvidiaKind::ClusterWait { order, aligned: all } => {
                Ptx::ClusterWait { order, aligned: aligned(all) }
            }
            NvidiaKind::FenceInit => Ptx::FenceInit,
            NvidiaKind::Fence { release, acquire, cluster } => {
                Ptx::Fence { release, acquire, cluster }
            }
            NvidiaKind::Nothing => return Ok(None),
            _ => {
                self.forget(state, &nvidia.results, active);
                let why = String::from("this operation of NVIDIA is not modelled");
                self.world.note(place, why);
                return Ok(None);
            }
        };
        let action = Action::Ptx(action, nvidia.spelling);
        let operation = self.operation(state, action, Form::Word, active.1);
        Ok(Some(Event::Perform(alloc::vec![operation], place)))
    }
}
