//! The environment of all agents, and one agent in it.

use super::answers::Agreed;
use super::buffers::Buffers;
use super::decisions::Decisions;
use super::ends::Ends;
#[cfg(feature = "proofs")]
use super::grid::Grid;
use super::inputs::Inputs;
use super::known::Known;
use super::launch::Standing;
use super::lds::Lds;
use super::memory::Objects;
use super::offsets::Offsets;
use super::request::Note;
use super::rounds::Rounds;
use super::split::Quotients;
use super::state::State;
use super::strides::Factors;
use super::touches::Touches;
use crate::flow::Flow;
use crate::ir::{BlockId, End, FunctionId, Instruction, Module, Operand, Place, Reg};
use crate::value::{Origin, Value, ones};
use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::{Cell, RefCell};
use tidegate_model::operation::Operation;
use tidegate_model::ordered::OrderedMap;

/// The maximum depth of calls.
pub(super) const DEEPEST: usize = 64;

/// The next event.
pub(crate) enum Event {
    /// The agent performs operations.
    Perform(Vec<Operation>, Place),
    /// The agent performs an operation whose outcome decides: the states after outcomes 0 and 1.
    Outcome(Box<Operation>, Place, Vec<State>),
    /// Data decide between these states.
    Data(Vec<State>, Place),
    /// The host decides between these states, in a proof.
    Host(Vec<State>),
    /// The lanes are at a loop header.
    Header,
    /// The lanes of the wave are divergent at an operation that needs all of them.
    Divergent(Place),
    /// The agent ends.
    Done,
}

/// A module, and the facts that the evaluation of its agents collects.
pub(crate) struct World<'a> {
    pub(crate) module: &'a Module,
    pub(crate) flows: Vec<Flow>,
    /// For each function, whether it has atomic accesses.
    pub(crate) atomic: Vec<bool>,
    /// Whether a scope of an atomic access may not include all agents.
    pub(crate) narrow: bool,
    /// The functions in which a thread may wait for others.
    pub(crate) holding: Vec<bool>,
    pub(crate) objects: Objects,
    pub(crate) ends: Ends,
    /// Constructs that were reached and are not modelled.
    pub(crate) notes: RefCell<Vec<Note>>,
    /// Whether a note is about more than a choice that data make.
    pub(crate) doubts: Cell<bool>,
    /// The objects that an access leaves for some values of arguments, with the place of the access.
    pub(crate) overruns: RefCell<OrderedMap<u32, Place>>,
    /// Whether an access is outside its array for all values of arguments and data.
    pub(crate) outside: Cell<bool>,
    /// Objects that are accessed at addresses that depend on a symbol.
    pub(crate) varying: RefCell<Vec<u32>>,
    /// The numbers by which instructions multiply arguments in addresses of global memory.
    pub(crate) factors: RefCell<Factors>,
    /// The arguments that are divided.
    pub(crate) quotients: RefCell<Quotients>,
    /// How accesses move with arguments.
    pub(crate) offsets: RefCell<Offsets>,
    /// Mbarrier objects, in the order of their first use: the memory and the offset.
    pub(crate) mbarriers: RefCell<Vec<(u32, u64)>>,
    /// Barriers in LDS.
    pub(crate) lds: Lds,
    /// The buffer of each object that is accessed, and its name.
    pub(crate) buffers: RefCell<Buffers>,
    /// The addresses of the accesses in a proof.
    pub(crate) rounds: RefCell<Rounds>,
    /// The accesses to global memory of a workgroup that represents all; `None` if there is no such workgroup.
    #[cfg(feature = "proofs")]
    pub(crate) grid: Option<RefCell<Grid>>,
    /// The bytes that the threads of a warp access.
    pub(crate) touches: RefCell<Touches>,
    /// The decisions by data in the evaluation of a case.
    pub(crate) decisions: RefCell<Decisions>,
    /// The known contents of shared memory.
    pub(crate) known: RefCell<Rc<Known>>,
    /// Data that are the same for all agents.
    pub(crate) agreed: Agreed,
    /// Whether the guard of the current instruction excludes lanes that are switched off: see [`crate::switched`].
    pub(crate) without_off: Cell<bool>,
    /// Whether instances of local objects are separate memories, because other workgroups may access them.
    pub(crate) apart: bool,
    /// Whether there is only one agent.
    pub(crate) alone: bool,
    /// Instructions that may still be evaluated.
    pub(crate) steps: Cell<u64>,
}

/// One agent.
pub(crate) struct Run<'a> {
    pub(crate) world: &'a World<'a>,
    pub(crate) standing: &'a Standing,
    pub(crate) inputs: &'a Inputs,
}

/// For each function, whether it has an instruction of some kind. A call of such a function is also one.
pub(crate) fn functions_with(module: &Module, is: fn(&Instruction, &[bool]) -> bool) -> Vec<bool> {
    let mut found = alloc::vec![false; module.functions.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for (at, function) in module.functions.iter().enumerate() {
            let mut all = function.blocks.iter().flat_map(|block| &block.instructions);
            let now = all.any(|one| is(one, &found));
            changed |= now && !core::mem::replace(&mut found[at], now);
        }
    }
    found
}

impl<'a> World<'a> {
    pub(crate) fn new(module: &'a Module) -> Self {
        let sync = functions_with(module, crate::flow::is_sync);
        let flows = module.functions.iter().map(|function| Flow::of(function, &sync)).collect();
        let atomic = functions_with(module, crate::flow::is_atomic);
        let holding = functions_with(module, crate::flow::holds);
        Self {
            module,
            flows,
            atomic,
            narrow: crate::flow::is_narrow(module),
            holding,
            objects: Objects::of(module),
            ends: Ends::of(module),
            notes: RefCell::default(),
            doubts: Cell::new(false),
            overruns: RefCell::default(),
            outside: Cell::default(),
            varying: RefCell::default(),
            factors: RefCell::default(),
            quotients: RefCell::default(),
            offsets: RefCell::default(),
            rounds: RefCell::default(),
            #[cfg(feature = "proofs")]
            grid: None,
            touches: RefCell::default(),
            mbarriers: RefCell::default(),
            lds: Lds::default(),
            buffers: RefCell::default(),
            decisions: RefCell::default(),
            known: RefCell::default(),
            agreed: Agreed::default(),
            without_off: Cell::new(false),
            apart: false,
            alone: false,
            steps: Cell::new(0),
        }
    }

    /// Notes something that is not modelled, once for each place.
    pub(crate) fn note(&self, place: Place, message: String) {
        self.doubts.set(true);
        self.note_choice(place, message);
    }

    /// Notes a choice that data make, once for each place.
    pub(crate) fn note_choice(&self, place: Place, message: String) {
        let mut notes = self.notes.borrow_mut();
        if notes.len() < 20 && !notes.iter().any(|note| note.place == place) {
            notes.push(Note { place, message });
        }
    }

    /// Whether lanes that reach a block end without doing anything that matters to others.
    pub(super) fn ends_at_once(
        &self,
        function: FunctionId,
        block: BlockId,
        outermost: bool,
    ) -> bool {
        let Some(last) = self.flows[function as usize].lasts[block as usize] else { return false };
        match self.module.functions[function as usize].blocks[last as usize].end {
            End::Exit => true,
            End::Return(_) => outermost,
            _ => false,
        }
    }

    /// Records objects as accessed at addresses that depend on a symbol.
    pub(crate) fn vary_buffers(&self, buffers: &[u16]) {
        let known = self.buffers.borrow();
        let mut varying = self.varying.borrow_mut();
        for object in buffers.iter().filter_map(|&buffer| known.object(buffer)) {
            if !varying.contains(&object) {
                varying.push(object);
            }
        }
    }
}

impl Run<'_> {
    /// The value of an operand; data if it holds only for lanes that are not switched off.
    pub(super) fn operand(&self, state: &State, operand: Operand) -> Value {
        self.operand_or_off(state, operand).settled()
    }

    /// The value of an operand of a lane that may be switched off.
    pub(super) fn operand_or_off(&self, state: &State, operand: Operand) -> Value {
        #[cfg(feature = "proofs")]
        if let Some(at) = self.world.grid.as_ref().and_then(|it| it.borrow().argument(operand)) {
            return self.inputs.argument(at);
        }
        match operand {
            Operand::Register(register) => state.get(register),
            Operand::Int(value) => Value::int(value),
            Operand::Object(id, offset) => {
                let base = self.world.module.objects.get(id as usize).map_or(0, |one| one.base);
                Value::int(base.wrapping_add(offset as u64)).with_origin(Origin::Object(id))
            }
            Operand::Special(special) => {
                let mask = state.part().map_or(0, |part| part.mask);
                self.standing.special(special, mask)
            }
            Operand::Argument(argument) => self.inputs.argument(argument),
            Operand::Data => Value::data(64),
        }
    }

    /// Writes data to registers.
    pub(super) fn forget(&self, state: &mut State, to: &[Reg], active: (u64, bool)) {
        for &register in to {
            let width = self.width(state, register);
            self.write(state, register, Value::data(width), active);
        }
    }

    /// The lanes of the agent that exist, in any part of it.
    pub(super) fn alive(&self, state: &State) -> u64 {
        state.alive() & self.standing.mask & ones(self.standing.lanes as u8)
    }

    pub(super) fn width(&self, state: &State, register: Reg) -> u8 {
        let function = state.frame().map_or(0, |frame| frame.function);
        let widths = &self.world.module.functions[function as usize].widths;
        widths.get(register as usize).copied().unwrap_or(64)
    }

    /// Writes a register in some lanes. If data decide whether, only the bits that are equal before and after stay known.
    pub(super) fn write(
        &self,
        state: &mut State,
        to: Reg,
        value: Value,
        (mask, open): (u64, bool),
    ) {
        let old = state.get(to);
        let all = value.agreed != 0 && mask | !state.alive() == u64::MAX;
        let new = if all { value } else { value.masked(mask, &old, self.standing.lanes) };
        let new = if open { new.merged(&old) } else { new };
        state.set(to, new);
    }
}
