//! One step of one agent: its enabledness and its effect.

use super::Spec;
use super::choice::{Choice, bit, indices};
use super::state::{Lack, MAX_CHOICES, State, Stop};
use crate::agent::Joined;
use crate::amd::{cluster, join, object};
use crate::barrier::{Effect, Modification};
use crate::instance::{InstanceId, NO_INSTANCE};
use crate::operation::{Action, Object, Operation};
use crate::program::Node;
use crate::reading::ReadingId;
use crate::rule::RuleId;
use alloc::vec::Vec;

/// The target of a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitsOn {
    /// A barrier object.
    Instance(InstanceId),
    /// The NULL barrier.
    Null,
}

/// How much a state may keep of what no later operation can distinguish.
#[derive(Clone, Copy, Debug)]
pub(super) struct Garbage {
    /// Tokens of accesses, with those that later operations can distinguish.
    pub tokens: usize,
    /// Slots of phases, with those that later operations can distinguish.
    pub slots: usize,
}

impl Garbage {
    /// Equal futures have equal states.
    pub(super) const NONE: Self = Self { tokens: 0, slots: 0 };
}

impl Spec {
    /// The number of outcomes of the next step of an agent: the alternatives of a `choose`, otherwise one; 0 if it has ended or
    /// is blocked, or the path has stopped.
    #[must_use]
    pub fn ways(&self, state: &State, agent: usize) -> usize {
        if state.stop.is_some() {
            return 0;
        }
        let first = self.context.program.host_chooses && state.agents[0].node == 0;
        match self.node(state, agent) {
            None => 0,
            Some(_) if agent > 0 && first => 0,
            Some(Node::Choose { next }) => next.len(),
            Some(Node::Operation { operation, .. }) => {
                usize::from(!self.is_blocked(state, agent, *operation))
            }
            Some(Node::Divergent | Node::End) => 1,
        }
    }

    fn is_blocked(&self, state: &State, agent: usize, operation: Operation) -> bool {
        let Action::Wait { object } = operation.action else { return false };
        match self.waits_on(state, agent, object) {
            WaitsOn::Null => false,
            WaitsOn::Instance(NO_INSTANCE) => true,
            WaitsOn::Instance(instance) => {
                !self.uninitialised_use(state, instance)
                    && self.in_scope(agent, instance)
                    && Self::candidates(state, agent, instance) == 0
            }
        }
    }

    /// The object of a wait of an agent: for a named barrier, the one joined last (reading `amd.A7`), or the operand if none was
    /// joined.
    #[must_use]
    pub fn waits_on(&self, state: &State, agent: usize, operand: Object) -> WaitsOn {
        if operand.is_named() && self.usual(ReadingId::AmdA7) {
            match state.agents[agent].joined {
                Joined::Null => return WaitsOn::Null,
                Joined::Named(instance, _) => return WaitsOn::Instance(instance),
                Joined::Nothing => {}
            }
        }
        if operand == Object::Null {
            return WaitsOn::Null;
        }
        WaitsOn::Instance(self.context.instances.at(agent, state.agents[agent].node))
    }

    /// Whether an action is a wait for another barrier than the one that its agent joined last, so that `amd.A7` decides which
    /// of the two it waits for.
    pub(super) fn joined_another(&self, state: &State, agent: usize, action: Action) -> bool {
        let Action::Wait { object } = action else { return false };
        let named = self.context.instances.at(agent, state.agents[agent].node);
        object.is_named()
            && match state.agents[agent].joined {
                Joined::Null => object != Object::Null,
                Joined::Named(joined, _) => joined != named,
                Joined::Nothing => false,
            }
    }

    /// The named barrier that an agent waits on without a join of its own that is *barrier-joined-before* the wait. No later
    /// event can supply that join, so the wait is undefined whether it passes or stays blocked.
    #[must_use]
    pub fn waits_without_join(&self, state: &State, agent: usize) -> Option<InstanceId> {
        let Some(Node::Operation { operation, .. }) = self.node(state, agent) else { return None };
        let Action::Wait { object } = operation.action else { return None };
        let WaitsOn::Instance(instance) = self.waits_on(state, agent, object) else { return None };
        let named = self.context.instances.list.get(usize::from(instance))?.object.is_named();
        let bound = state.agents[agent].joined == Joined::Named(instance, true);
        (named && !bound).then_some(instance)
    }

    pub(super) fn in_scope(&self, agent: usize, instance: InstanceId) -> bool {
        object::scope::check(
            self.context.program.agents[agent].workgroup,
            self.context.instances.list[usize::from(instance)],
        )
        .is_ok()
    }

    /// Reading `amd.A17`: whether a use other than a modification finds the object uninitialised and is undefined.
    fn uninitialised_use(&self, state: &State, instance: InstanceId) -> bool {
        !self.usual(ReadingId::AmdA17) && !state.objects[usize::from(instance)].barrier.initialised
    }

    /// Performs the next step of an agent; `way` chooses among the alternatives of a `choose`. The step must be one of
    /// [`Spec::ways`].
    #[must_use]
    pub fn perform(&self, state: &State, agent: usize, way: usize) -> State {
        let mut next = state.clone();
        self.advance(&mut next, agent, way, Garbage::NONE);
        next
    }

    /// The same on the state itself. It may keep some of what no later operation can distinguish.
    pub(super) fn advance(&self, state: &mut State, agent: usize, way: usize, most: Garbage) {
        match self.node(state, agent) {
            None => {}
            Some(Node::Choose { .. })
                if self.context.program.host_chooses && state.agents[0].node == 0 =>
            {
                let program = &self.context.program;
                for (at, one) in state.agents.iter_mut().enumerate() {
                    one.node = program.host_choice(at, way);
                }
            }
            Some(Node::Choose { next: ways }) => {
                state.agents[agent].node = ways[way.min(ways.len() - 1)]
            }
            Some(Node::Divergent) => state.break_rule(RuleId::AmdBarrierWaveUniform, true),
            Some(Node::End) => self.end(state, agent),
            Some(Node::Operation { operation, next: successors }) => {
                let outcome = self.operate(state, agent, *operation);
                state.agents[agent].node = successors[outcome];
            }
        }
        self.after_memory(state, agent);
        state.stop_if_undefined();
        if state
            .memory
            .as_ref()
            .is_some_and(|all| most.tokens == 0 || all.tokens.len() > most.tokens)
        {
            self.forget_memory(state);
        }
        if most.slots == 0 || state.slots.len() > most.slots || state.choices.len() > 1 {
            self.collect(state);
        }
    }

    /// Performs an operation; returns its outcome (1 if an arrive tested for the first arrival and was the first).
    fn operate(&self, state: &mut State, agent: usize, operation: Operation) -> usize {
        let action = operation.action;
        let instance = self.context.instances.at(agent, state.agents[agent].node);
        if let Some(object) = action.object()
            && instance != NO_INSTANCE
            && !matches!(action, Action::Join { .. } | Action::ReadState { .. })
            && !(object.is_named() && matches!(action, Action::Wait { .. }))
            && !self.in_scope(agent, instance)
        {
            state.break_rule(RuleId::AmdObjectScope, true);
            return 0;
        }
        match action {
            Action::Init { .. } => {
                let expected = operation.initial(self.readings);
                self.modify(state, agent, instance, Modification::Init(expected))
            }
            Action::Arrive { expected, is_first, .. } => {
                self.arrives(state, agent, instance, operation.form);
                let first = instance != NO_INSTANCE
                    && state.objects[usize::from(instance)].barrier.is_first();
                self.arrive(state, agent, instance, expected);
                return usize::from(is_first && first);
            }
            Action::Wait { object } => self.wait(state, agent, object),
            Action::Drop { object } => self.drop(state, agent, object, instance),
            Action::Leave => self.leave(state, agent),
            Action::Join { object } => self.join(state, agent, object, instance),
            Action::ReadState { .. }
            | Action::Caches
            | Action::Condition(_)
            | Action::Ptx(..)
            | Action::Opencl(_) => {}
            Action::Memory(memory) => self.on_memory(state, agent, memory),
        }
        0
    }

    /// *arrive*. Operations on the NULL barrier are no-ops.
    fn arrive(&self, state: &mut State, agent: usize, instance: InstanceId, expected: Option<i64>) {
        if instance == NO_INSTANCE {
            return;
        }
        if self.context.instances.list[usize::from(instance)].object == Object::Cluster {
            let workgroup = self.context.program.agents[agent].workgroup;
            let arrivals = &mut state.objects[usize::from(instance)].arrivals;
            let broken = cluster::one_arrival::check(arrivals, workgroup, self.readings);
            if let Err(at) = arrivals.binary_search(&workgroup) {
                arrivals.insert(at, workgroup);
            }
            if let Err(rule) = broken {
                state.break_rule(rule, false);
            }
        }
        self.modify(state, agent, instance, Modification::Arrive(expected));
    }

    /// Applies a modification to an object and takes the agent into the phase.
    fn modify(
        &self,
        state: &mut State,
        agent: usize,
        instance: InstanceId,
        modification: Modification,
    ) {
        if instance == NO_INSTANCE {
            return;
        }
        let index = usize::from(instance);
        let (barrier, effect) =
            match state.objects[index].barrier.apply(modification, self.readings) {
                Ok(outcome) => outcome,
                Err(rule) => return state.break_rule(rule, true),
            };
        state.objects[index].barrier = barrier;
        match effect {
            Effect::Outside => {}
            Effect::Abandons => state.abandon(instance),
            Effect::Joins | Effect::Completes => {
                let Some(slot) = state.open_slot(instance) else {
                    return state.stop = Some(Stop::Overflow(Lack::Phases));
                };
                let same = state.slots_of(instance);
                let is_arrive = matches!(modification, Modification::Arrive(_));
                state
                    .choices
                    .iter_mut()
                    .for_each(|choice| choice.take_part(agent, slot, same, is_arrive));
                if effect == Effect::Completes {
                    state.complete(instance, slot);
                }
            }
        }
    }

    /// *wait*: every choice splits into one for each phase that the wait can depend on.
    fn wait(&self, state: &mut State, agent: usize, operand: Object) {
        let instance = match self.waits_on(state, agent, operand) {
            WaitsOn::Null if self.usual(ReadingId::AmdA6) => return,
            WaitsOn::Null => return state.break_rule(RuleId::AmdJoinBeforeWait, true),
            WaitsOn::Instance(instance) => instance,
        };
        if !self.in_scope(agent, instance) {
            return state.break_rule(RuleId::AmdObjectScope, true);
        }
        if self.uninitialised_use(state, instance) {
            return state.break_rule(RuleId::AmdInitFirst, true);
        }
        let (same, completed) = (state.slots_of(instance), state.completed_of(instance));
        let named = self.context.instances.list[usize::from(instance)].object.is_named();
        let bound = state.agents[agent].joined == Joined::Named(instance, true);
        let depend = |choice: &mut Choice, slot: usize| {
            if named && !join::before_wait::holds(bound, self.joiner(agent), &choice.phases[slot]) {
                choice.broken |= RuleId::AmdJoinBeforeWait.bit();
            }
            choice.wait(agent, slot, same);
        };
        let of = |choice: &Choice| {
            let can = indices(completed).filter(|&slot| choice.can_wait(agent, slot));
            can.fold(0, |set, slot| set | bit(slot))
        };
        if let [choice] = state.choices.as_mut_slice()
            && let slots = of(choice)
            && slots.is_power_of_two()
        {
            return depend(choice, slots.trailing_zeros() as usize);
        }
        let mut choices = Vec::new();
        for choice in &state.choices {
            for slot in indices(of(choice)) {
                let mut next = choice.clone();
                depend(&mut next, slot);
                choices.push(next);
            }
        }
        if choices.len() > MAX_CHOICES {
            return state.stop = Some(Stop::Overflow(Lack::Choices));
        }
        state.choices = choices;
    }

    /// *drop* of an object named by a word of the model.
    fn drop(&self, state: &mut State, agent: usize, object: Object, instance: InstanceId) {
        if object == Object::Null {
            return;
        }
        if object.is_named() && !join::before_drop::holds(state.agents[agent].joined, instance) {
            return state.break_rule(RuleId::AmdJoinBeforeDrop, true);
        }
        self.drop_instance(state, agent, instance);
    }

    /// `s_barrier_leave`: drops the joined named barrier (reading `amd.A15` if there is none).
    fn leave(&self, state: &mut State, agent: usize) {
        match state.agents[agent].joined {
            Joined::Named(instance, true) => self.drop_instance(state, agent, instance),
            Joined::Null => {}
            Joined::Nothing | Joined::Named(_, false) if self.usual(ReadingId::AmdA15) => {
                state.break_rule(RuleId::AmdJoinBeforeDrop, true);
            }
            Joined::Nothing | Joined::Named(_, false) => {}
        }
    }

    fn drop_instance(&self, state: &mut State, agent: usize, instance: InstanceId) {
        if instance == NO_INSTANCE {
            return;
        }
        let same = state.slots_of(instance);
        state.choices.iter_mut().for_each(|choice| choice.drops(agent, same));
        self.modify(state, agent, instance, Modification::Drop);
        if let Joined::Named(joined, bound) = &mut state.agents[agent].joined
            && *joined == instance
        {
            *bound = false;
        }
    }

    /// *join*.
    fn join(&self, state: &mut State, agent: usize, object: Object, instance: InstanceId) {
        if let Err(rule) = join::named_only::check(object) {
            return state.break_rule(rule, true);
        }
        if object == Object::Null {
            state.agents[agent].joined = Joined::Null;
        } else if self.uninitialised_use(state, instance) {
            return state.break_rule(RuleId::AmdInitFirst, true);
        } else {
            state.agents[agent].joined = Joined::Named(instance, true);
        }
        if let Some(joiner) = self.joiner(agent) {
            state.choices.iter_mut().for_each(|choice| choice.joins(agent, joiner));
        }
    }

    /// The end of a wave drops the workgroup barrier. The end of the last wave of a workgroup, or of each wave (reading
    /// `amd.A4`), drops the cluster barrier. Literally, neither happens (reading `amd.A3`). Named barriers keep their counts.
    fn end(&self, state: &mut State, agent: usize) {
        state.agents[agent].ended = true;
        if !self.usual(ReadingId::AmdA3) {
            return;
        }
        self.drop_instance(state, agent, self.context.instances.workgroup_of(agent));
        let workgroup = self.context.program.agents[agent].workgroup;
        let mut alive = self
            .context
            .program
            .agents
            .iter()
            .zip(&state.agents)
            .filter(|(who, at)| who.workgroup == workgroup && !at.ended);
        if state.stop.is_none() && (alive.next().is_none() || !self.usual(ReadingId::AmdA4)) {
            self.drop_instance(state, agent, self.context.instances.cluster_of(agent));
        }
    }
}

impl State {
    /// Breaks a rule under every choice; `ends` when nothing after it is defined.
    pub(super) fn break_rule(&mut self, rule: RuleId, ends: bool) {
        self.choices.iter_mut().for_each(|choice| choice.broken |= rule.bit());
        if ends {
            self.stop = Some(Stop::Undefined);
        }
    }

    /// Stops if every choice has undefined behaviour.
    fn stop_if_undefined(&mut self) {
        let undefined = |choice: &Choice| {
            choice.broken != 0
                && RuleId::of_amdgpu()
                    .any(|rule| rule.ends_paths() && choice.broken & rule.bit() != 0)
        };
        if self.stop.is_none() && self.choices.iter().all(undefined) {
            self.stop = Some(Stop::Undefined);
        }
    }

    fn complete(&mut self, instance: InstanceId, slot: usize) {
        self.slots[slot].completed = true;
        let object = &mut self.objects[usize::from(instance)];
        object.completed += 1;
        object.open = None;
        object.arrivals.clear();
    }

    fn abandon(&mut self, instance: InstanceId) {
        let object = &mut self.objects[usize::from(instance)];
        object.arrivals.clear();
        if let Some(slot) = object.open.take() {
            let others = (0..self.slots.len()).filter(|&other| other != usize::from(slot));
            let keep = others.fold(0, |set, other| set | bit(other));
            self.keep_slots(keep);
        }
    }
}
