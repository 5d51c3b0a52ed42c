//! The certificate of a verdict that one run proves, in the words of the scenario.

use crate::finding::in_words;
use crate::judge::{KeepGoing, Progress, each_case};
use crate::replay::{Done, Steps};
use crate::report::{Certificate, CertifiedObject, CertifiedRun, CertifiedStep, CertifiedTouch};
use crate::scene::Scene;
use crate::space::Step;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use tidegate_model::context::Context;
use tidegate_model::one_run::touch::{Awaited, Part, Passes, Touch};
use tidegate_model::one_run::{self, Run};
use tidegate_model::program::{Body, NodeId};

/// The largest number of steps of a run that is written out.
const MOST_STEPS: u64 = 100_000;

/// The certificate of a program: one run for each choice of the host.
pub(crate) fn certified<M: Steps>(
    scene: &Scene,
    context: &Rc<Context>,
    machine: impl Fn(&Rc<Context>) -> M,
    keep_going: KeepGoing<'_>,
) -> Option<Certificate> {
    let mut runs = Vec::new();
    for (choice, chosen) in each_case(context) {
        let machine = machine(&chosen);
        let mut told = |states| keep_going(Progress { states, frontier: 1 });
        let run = one_run::run(&machine, MOST_STEPS, true, &mut told)?;
        let kept = |body: &Body| choice.map(|choice| body.reachable(choice));
        let kept: Vec<_> = context.program.bodies.iter().map(kept).collect();
        // The number in the text's program of a node of the chosen program.
        let node_of = |agent: usize, node: NodeId| {
            let body = context.program.agents[agent].body as usize;
            let kept = kept[body].as_ref().map(|kept| kept[node as usize]);
            kept.unwrap_or(node)
        };
        runs.push(CertifiedRun { choice, ..written(scene, &machine, &run, node_of)? });
    }
    Some(Certificate { runs })
}

fn written<M: Steps>(
    scene: &Scene,
    machine: &M,
    run: &Run<M>,
    node_of: impl Fn(usize, NodeId) -> NodeId,
) -> Option<CertifiedRun> {
    let phases = run.certificate.check().ok()?;
    let (mut state, mut steps) = (machine.initial(), Vec::new());
    for &actor in &run.steps {
        let step = Step { agent: actor as usize, way: 0 };
        let after = machine.perform(&state, step.agent, step.way);
        let node = machine.node_of(&state, step.agent);
        let note = machine.note(&state, step, &after);
        let mut done = Done { step, node, ordinal: 0, broke: Vec::new(), note };
        done.node = node_of(machine.agent_of(&done), node);
        let (agent, line, operation) = in_words(scene, machine, &done);
        steps.push(CertifiedStep { agent, line, operation });
        state = after;
    }
    let blocked = |&(agent, _): &(u32, Awaited)| {
        let agent = agent as usize;
        let source = scene.source(agent, node_of(agent, machine.node_of(&state, agent)));
        let name = scene.agent_name(agent).to_owned();
        CertifiedStep { agent: name, line: source.span.line, operation: source.text }
    };
    let object = |(object, &needs): (usize, &u32)| CertifiedObject {
        name: machine.object_name(scene, object),
        needs,
        first: machine.first_phase(object),
    };
    let touch = |((&(_, object, touch), &step), phase)| CertifiedTouch {
        step,
        object,
        phase,
        ..described(touch)
    };
    let touches = run.certificate.touches.iter().zip(&run.at).zip(phases);
    Some(CertifiedRun {
        choice: None,
        objects: run.certificate.needed.iter().enumerate().map(object).collect(),
        steps,
        touches: touches.map(touch).collect(),
        blocked: run.certificate.blocked.iter().map(blocked).collect(),
    })
}

/// A touch as data, without its place.
fn described(touch: Touch) -> CertifiedTouch {
    let (kind, flags) = match touch {
        Touch::Part(part) => ("participates", flags(part)),
        Touch::Wait(passes) => (passed(passes), Vec::new()),
        Touch::Member => ("changes-members", Vec::new()),
        Touch::Whole { forgets: true, .. } => ("initialises", Vec::new()),
        Touch::Whole { forgets: false, .. } => ("resets", Vec::new()),
        Touch::Use => ("uses", Vec::new()),
        Touch::Close => ("closes", Vec::new()),
    };
    let part = if let Touch::Part(part) = touch { part } else { Part::NONE };
    let needs = if let Touch::Whole { needed, .. } = touch { needed } else { part.needs };
    CertifiedTouch {
        step: 0,
        object: 0,
        kind: kind.to_owned(),
        phase: None,
        count: part.count,
        fewer: part.fewer,
        needs,
        expects: part.expects,
        completes: part.completes,
        flags: flags.into_iter().map(str::to_owned).collect(),
    }
}

fn flags(part: Part) -> Vec<&'static str> {
    let all = [
        (part.arrives, "arrives"),
        (part.keeps, "keeps-expected"),
        (part.flying, "copy"),
        (part.holds, "holds"),
        (part.observed, "after-wait"),
        (part.follows, "after-arrive"),
    ];
    all.into_iter().filter(|(is, _)| *is).map(|(_, word)| word).collect()
}

const fn passed(passes: Passes) -> &'static str {
    match passes {
        Passes::Next => "waits-next",
        Passes::Once => "waits-bit",
        Passes::Own => "waits-own",
        Passes::Parity => "waits-parity",
        Passes::Token(_) => "waits-token",
    }
}

impl CertifiedRun {
    /// One line for each phase of each object: who completes it, and who waits for it.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (object, about) in self.objects.iter().enumerate() {
            let touches = || self.touches.iter().filter(move |one| one.object as usize == object);
            let last = touches().filter_map(|one| one.phase).max();
            let Some(last) = last else { continue };
            // An operation can set the number of arrivals.
            let mut needs: Vec<u32> = touches().map(|one| one.needs).filter(|&it| it > 0).collect();
            if needs.is_empty() {
                needs.push(about.needs);
            }
            needs.sort_unstable();
            needs.dedup();
            let counts: Vec<String> = needs.iter().map(u32::to_string).collect();
            let arrivals = match needs.as_slice() {
                [1] => "1 arrival completes a phase".to_owned(),
                [_] => format!("{} arrivals complete a phase", counts[0]),
                _ => format!("{} arrivals complete a phase, as set before it", counts.join(" or ")),
            };
            lines.push(format!("{}: {arrivals}", about.name));
            for phase in 0..=last {
                let of = |waits: bool| {
                    let here = touches()
                        .filter(move |one| one.phase == Some(phase) && one.waits() == waits);
                    let named: Vec<_> = here.map(|one| self.step(one)).collect();
                    named.join(", ")
                };
                let (parts, waits) = (of(false), of(true));
                let after = if waits.is_empty() { waits } else { format!("; then {waits}") };
                let number = phase + about.first;
                lines.push(format!("  phase {number}: {parts}{after}"));
            }
        }
        for CertifiedStep { agent, line, .. } in &self.blocked {
            lines.push(format!("{agent} is blocked forever at line {line}"));
        }
        lines
    }

    fn step(&self, touch: &CertifiedTouch) -> String {
        let Some(step) = self.steps.get(touch.step as usize) else { return "?".to_owned() };
        match step.line {
            0 => format!("{} of {}", step.operation, step.agent),
            line => format!("{} line {line}", step.agent),
        }
    }
}

impl CertifiedTouch {
    /// Whether it is a wait.
    #[must_use]
    pub fn waits(&self) -> bool {
        self.kind.starts_with("waits-")
    }
}
