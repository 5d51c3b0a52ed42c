//! Why two operations are related, and why not, in sentences.

use super::{Explained, Words, is_passed, lacks, path};
use crate::graph::{Explanation, RelationId};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// One agent performs its operations in sequence.
pub(super) const PROGRAM_ORDER: &str = "phases.program-order";
/// The same, on one object.
pub(super) const THREAD_ORDER: &str = "phases.thread-barrier-order";
/// An object observes what changes it one after another.
pub(super) const MODIFICATION_ORDER: &str = "phases.modification-order";
/// An operation that counts for a phase is before the waits that return on that phase.
pub(super) const PARTICIPATES_IN: &str = "phases.participates-in";
/// The instruction that starts a copy is before what the copy does.
pub(super) const STARTS: &str = "phases.starts";
/// A copy completes bytes of an object.
pub(super) const COMPLETES: &str = "phases.completes";
/// The agent of an access has observed the other one.
pub(super) const HAPPENS_BEFORE: &str = "phases.happens-before";
/// The transitive closure.
pub(super) const EXECUTES_BEFORE: &str = "phases.executes-before";
/// A relation without edges here.
pub(super) const ABSENT: &str = "phases.absent";

impl Explained<'_> {
    pub(super) fn why(&self, relation: RelationId, from: usize, to: usize) -> Explanation {
        if let Some(because) = lacks(relation) {
            return answer(false, ABSENT, because);
        }
        if from.max(to) >= self.names.len() {
            return answer(false, ABSENT, "There is no such operation.".into());
        }
        if relation.is_of_memory() {
            return self.why_on_memory(relation, from, to);
        }
        if relation != RelationId::ExecutesBefore {
            let clause = match relation {
                RelationId::ProgramOrder => PROGRAM_ORDER,
                RelationId::ThreadBarrierOrder => THREAD_ORDER,
                RelationId::ModificationOrder => MODIFICATION_ORDER,
                _ => PARTICIPATES_IN,
            };
            return match self.has(relation, from, to) {
                true => answer(true, clause, self.holds(relation, from, to)),
                false => answer(false, clause, self.missing(relation, from, to)),
            };
        }
        let Some(path) = path(&self.paths(from, to), to) else {
            return answer(false, EXECUTES_BEFORE, self.not_before(from, to));
        };
        self.along(&path)
    }

    /// Explains each step of a path.
    pub(super) fn along(&self, path: &[usize]) -> Explanation {
        let steps = path.windows(2).map(|pair| {
            let (from, to) = (pair[0], pair[1]);
            if self.fact(to).started == Some(Some(from)) {
                let because = format!("{} starts {}.", self.names[from], self.names[to]);
                return (STARTS, because);
            }
            if self.completes(from, to) {
                let because =
                    format!("{} completes bytes of {}.", self.names[to], self.names[from]);
                return (COMPLETES, because);
            }
            let follows = self.has(RelationId::ProgramOrder, from, to);
            let (relation, clause) = match follows {
                true => (RelationId::ProgramOrder, PROGRAM_ORDER),
                false => (RelationId::ParticipatesIn, PARTICIPATES_IN),
            };
            (clause, self.holds(relation, from, to))
        });
        let (clauses, because) = steps.unzip();
        Explanation { holds: true, clauses, because }
    }

    fn holds(&self, relation: RelationId, from: usize, to: usize) -> String {
        let (first, second) = (&self.names[from], &self.names[to]);
        match relation {
            RelationId::ProgramOrder => format!("{first} is before {second} in program-order."),
            RelationId::ThreadBarrierOrder => {
                format!("{first} is before {second} in program-order, on the same object.")
            }
            RelationId::ModificationOrder => {
                format!("{} observes {first} before {second}.", self.object(from))
            }
            _ => {
                let (does, phase) = (self.does(from), self.phase(from));
                format!(
                    "{first} {does} {phase}, and {second} returned because that phase completed."
                )
            }
        }
    }

    /// The effect of an operation on the phase that it counts for.
    fn does(&self, index: usize) -> &'static str {
        match (self.operation(index).kind, self.replayed.words) {
            ("complete", _) => "completes bytes of the tx-count in",
            ("expect", _) => "changes the tx-count of",
            ("end", _) => "ends the last missing agent of",
            (_, Words::Nvidia) => "arrives in",
            (_, Words::Opencl) => "reaches",
        }
    }

    fn object(&self, index: usize) -> &str {
        let object = self.operation(index).object;
        object.map_or("no object", |object| &self.graph.objects[object])
    }

    /// Names the phase of an operation.
    fn phase(&self, index: usize) -> String {
        match self.operation(index).phase {
            Some(phase) => format!("phase {phase} of {}", self.object(index)),
            None => format!("no phase of {}", self.object(index)),
        }
    }

    fn missing(&self, relation: RelationId, from: usize, to: usize) -> String {
        let (first, second) = (&self.names[from], &self.names[to]);
        let (one, other) = (self.operation(from), self.operation(to));
        let is_same = one.object.is_some() && self.base(from) == self.base(to);
        let objects =
            || format!("{first} is on {}, {second} on {}.", self.object(from), self.object(to));
        match relation {
            RelationId::ParticipatesIn => self.no_part(from, to),
            _ if from == to => format!("{first} is the same operation."),
            RelationId::ModificationOrder => {
                let still = [from, to].into_iter().find(|&it| !self.fact(it).changes);
                match still {
                    Some(still) => format!("{} changes no object.", self.names[still]),
                    None if !is_same => objects(),
                    None => format!(
                        "The order is reversed: {} observes {second} before {first}.",
                        self.object(from)
                    ),
                }
            }
            _ => {
                let flying = [from, to].into_iter().find(|&it| self.fact(it).started.is_some());
                match flying {
                    Some(flying) => format!(
                        "{} is performed by a copy in flight, which is in no program-order.",
                        self.names[flying]
                    ),
                    None if one.agent != other.agent => {
                        format!("{first} and {second} are of different agents.")
                    }
                    None if from > to => {
                        format!(
                            "The order is reversed: {second} is before {first} in program-order."
                        )
                    }
                    None => objects(),
                }
            }
        }
    }

    /// Why an operation does not count for the phase that a wait waited for.
    fn no_part(&self, from: usize, to: usize) -> String {
        let (first, second) = (&self.names[from], &self.names[to]);
        let (one, other) = (self.operation(from), self.operation(to));
        if other.kind != "wait" {
            let own = self.graph.graph.node_weights();
            let wait = format!("{}+wait", other.key);
            let wait = own.zip(self.names).find(|(it, _)| it.key == wait).map(|(_, name)| name);
            return match wait {
                Some(wait) => format!("{second} is an arrival here; its wait is {wait}."),
                None => format!("{second} is not a wait."),
            };
        }
        if !self.fact(from).counts {
            return match one.kind {
                "arrive" | "drop" | "complete" => {
                    format!("{first} counts for no completed or current phase.")
                }
                _ => {
                    format!("{first} counts for no phase: it neither arrives nor completes bytes.")
                }
            };
        }
        if one.object.is_some() && self.base(from) != self.base(to) {
            return format!(
                "{first} is on {}, {second} on {}.",
                self.object(from),
                self.object(to)
            );
        }
        if !is_passed(other) {
            return format!(
                "{second} has not returned: the phase that it waits for is incomplete."
            );
        }
        let Some(waited) = other.phase else {
            return format!("The phase that {second} waits for is incomplete.");
        };
        if one.object != other.object {
            return format!(
                "The object is initialised again in between: {first} is on {}, {second} on {}.",
                self.object(from),
                self.object(to)
            );
        }
        let Some(counted) = one.phase else {
            return format!("The phase that {first} counts for is incomplete.");
        };
        let closes = |index: usize| {
            let it = self.operation(index);
            it.completes && (it.object, it.phase) == (other.object, other.phase)
        };
        let relation = match waited < counted {
            true if (0..from).any(closes) => "which completed before it",
            true => "which completed without it",
            false => "a later one",
        };
        format!(
            "{first} {} {}, and {second} waited for phase {waited}, {relation}.",
            self.does(from),
            self.phase(from)
        )
    }

    fn not_before(&self, from: usize, to: usize) -> String {
        let (first, second) = (&self.names[from], &self.names[to]);
        if from == to {
            return format!("{first} is the same operation.");
        }
        if path(&self.paths(to, from), from).is_some() {
            return format!("The order is reversed: {second} executes before {first}.");
        }
        let mut because = format!(
            "No path of program-order and barrier-participates-in leads from {first} to {second}."
        );
        let pending = [from, to].into_iter().find(|&it| self.operation(it).pending);
        if let Some(pending) = pending {
            because.push_str(&format!(
                " In this execution, {} has not returned.",
                self.names[pending]
            ));
        } else if from > to {
            because.push_str(&format!(" In this execution, {first} is performed after {second}."));
        } else if self.fact(from).counts && self.operation(to).kind == "wait" {
            because.push(' ');
            because.push_str(&self.no_part(from, to));
        }
        because
    }
}

pub(super) fn answer(holds: bool, clause: &'static str, because: String) -> Explanation {
    Explanation { holds, clauses: Vec::from([clause]), because: Vec::from([because]) }
}
