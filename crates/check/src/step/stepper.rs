//! The stepper: one execution with a cursor, of whichever machine the scenario is judged by.

use super::view::{CounterView, MemoryView, Move, View};
use super::walk::{StepError, Walking};
use crate::choice::specification_of;
use crate::graph::ExecutionGraph;
use crate::ledger::rows::LedgerRow;
use crate::scene::{Options, Scene};
use crate::subject::Subject;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// One execution of a scenario, with a cursor.
#[derive(Debug)]
pub struct Stepper(Box<dyn Walking>);

impl Clone for Stepper {
    fn clone(&self) -> Self {
        Self(self.0.copied())
    }
}

impl Stepper {
    /// Starts at launch; `None` when the scenario cannot be judged or is too large to be stepped.
    ///
    /// ```
    /// use tidegate_check::{Options, Scene, check, step::Stepper};
    ///
    /// let text = "target gfx1250\nlaunch waves=2\nwave 0 { arrive wg; wait wg }\nwave 1 { arrive wg }\n";
    /// let (scene, options) = (Scene::new("two-waves.tide", text), Options::default());
    /// let report = check(&scene, &options, &mut |_| true);
    /// let keys: Vec<String> = report.findings[0].witness.iter().map(|step| step.key.clone()).collect();
    ///
    /// // The witness of a finding can be performed step by step.
    /// let mut stepper = Stepper::new(&scene, &options).unwrap();
    /// assert_eq!(stepper.load(&keys), keys.len());
    /// ```
    #[must_use]
    pub fn new(scene: &Scene, options: &Options) -> Option<Self> {
        let context = scene.context()?;
        let subject = Subject::new(scene, &context, options);
        specification_of(subject).walk(subject).map(Self)
    }

    /// Starts at launch on the hardware model: on AMDGPU the one-bit machine, which has no memory, ledger or relations;
    /// on NVIDIA the parity hardware. `None` if the target has no model, or the model does not support the scenario.
    #[must_use]
    pub fn of_machine(scene: &Scene, options: &Options) -> Option<Self> {
        let context = scene.context()?;
        let subject = Subject::new(scene, &context, options);
        specification_of(subject).walk_on_hardware(subject).map(Self)
    }

    /// Performs the step of that key. Steps that were undone can be performed again afterwards only if this was the next
    /// of them.
    ///
    /// # Errors
    /// When there is no such step, or it cannot be performed now; nothing changes then.
    pub fn perform(&mut self, key: &str) -> Result<(), StepError> {
        self.0.perform(key)
    }

    /// Undoes the last step; `false` at launch.
    pub fn back(&mut self) -> bool {
        self.0.back()
    }

    /// Performs the last undone step again; `false` without one.
    pub fn forward(&mut self) -> bool {
        self.0.forward()
    }

    /// Moves the cursor so that `length` steps are performed, as far as there are steps.
    pub fn go_to(&mut self, length: usize) {
        while self.length() > length && self.back() {}
        while self.length() < length && self.forward() {}
    }

    /// Restarts at launch and performs the steps with these keys; returns the number of performed steps.
    pub fn load(&mut self, keys: &[String]) -> usize {
        self.go_to(0);
        self.0.forget();
        keys.iter().take_while(|key| self.perform(key).is_ok()).count()
    }

    /// The ledger of each barrier. Empty for OpenCL.
    #[must_use]
    pub fn ledger(&self) -> Vec<LedgerRow> {
        self.0.ledger()
    }

    /// The steps that are possible now.
    #[must_use]
    pub fn moves(&self) -> Vec<Move> {
        self.0.moves()
    }

    /// Where the host chooses its arguments, the shortest choice that performs most of the text.
    #[must_use]
    pub fn fullest(&self) -> Option<Move> {
        self.0.fullest()
    }

    /// The relations of the performed steps, on memory too if there are not too many operations; for NVIDIA and OpenCL
    /// only edges that are not implied. `None` if barriers of several documents are mixed, or for too many operations.
    #[must_use]
    pub fn graph(&self) -> Option<ExecutionGraph> {
        self.0.graph()
    }

    /// The agent of the last step; none at launch.
    #[must_use]
    pub fn last_agent(&self) -> Option<usize> {
        self.0.last_agent()
    }

    /// Number of performed steps.
    #[must_use]
    pub fn length(&self) -> usize {
        self.0.length()
    }

    /// The copies in flight after the performed steps, and the fences that synchronize. For NVIDIA and OpenCL only
    /// conflicting accesses.
    #[must_use]
    pub fn memory(&self) -> MemoryView {
        self.0.memory()
    }

    /// The counters of [`Self::memory`].
    #[must_use]
    pub fn counters(&self) -> Vec<CounterView> {
        self.0.counters()
    }

    /// The keys of the performed steps.
    #[must_use]
    pub fn keys(&self) -> Vec<String> {
        self.0.keys()
    }

    /// The keys of the undone steps; [`Self::forward`] performs the first.
    #[must_use]
    pub fn undone(&self) -> Vec<String> {
        self.0.undone()
    }

    /// The key of the step that [`Self::forward`] performs; `None` without an undone step.
    #[must_use]
    pub fn next_undone(&self) -> Option<&str> {
        self.0.next_undone()
    }

    /// Number of undone steps that can be redone.
    #[must_use]
    pub fn ahead(&self) -> usize {
        self.0.ahead()
    }

    /// [`Self::view`] with only the performed steps after the first ones and without undone ones. Its size for one step
    /// does not grow with the execution.
    #[must_use]
    pub fn view_since(&self, from: usize) -> View {
        self.0.view(from)
    }

    /// The execution so far, and its state.
    #[must_use]
    pub fn view(&self) -> View {
        View { undone: self.undone(), ..self.0.view(0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn an_alternative_is_named_by_its_first_operation() {
        let text = "launch waves=1\nwave 0 {\n  choose { arrive wg } or { wait wg } or { }\n}\n";
        let scene = Scene::new("choose.tide", text);
        let stepper = Stepper::new(&scene, &Options::default()).expect("steps");
        let labels: Vec<String> = stepper.moves().into_iter().map(|it| it.label).collect();
        let wanted = ["choose 1: arrive wg", "choose 2: wait wg", "choose 3: end"];
        assert_eq!(labels, wanted.map(|label| label.to_string()));
    }

    #[test]
    fn a_performed_choice_says_which_way_it_went() {
        let text = "launch waves=1\nwave 0 {\n  choose { arrive wg } or { wait wg }\n}\n";
        let scene = Scene::new("choose.tide", text);
        let mut stepper = Stepper::new(&scene, &Options::default()).expect("steps");
        let second = stepper.moves().into_iter().nth(1).expect("two ways");
        stepper.perform(&second.key).expect("it is enabled");
        let performed = stepper.view().performed;
        assert_eq!(
            (&*performed[0].label, &*performed[0].short),
            ("choose 2: wait wg", "choose 2: wait wg")
        );
    }

    #[test]
    fn the_fullest_choice_of_the_host_performs_most_of_the_text() {
        let text = "target opencl\nkernel void k(global int *a, int n) {\n\
            for (int i = 0; i < n; i++) barrier(CLK_GLOBAL_MEM_FENCE);\n}\n";
        let mut launching = tidegate_lang::launching::Launching::default();
        launching.add_launch("groups=1 threads=2").unwrap();
        let scene = Scene::launched("k.cl", text, &launching);
        let mut stepper = Stepper::new(&scene, &Options::default()).unwrap();
        let fullest = stepper.fullest().unwrap();
        assert!(stepper.moves().len() > 1 && fullest.short.contains("n = 1"), "{}", fullest.short);
        stepper.perform(&fullest.key).unwrap();
        assert_eq!(stepper.fullest(), None);
    }

    #[test]
    fn other_agents_have_not_started_before_the_host_chooses() {
        let text = "target opencl\nlaunch groups=1 items=2\nkernel void k(int n) {\n  if (n > 3) barrier(CLK_LOCAL_MEM_FENCE);\n}\n";
        let scene = Scene::new("host.tide", text);
        let mut stepper = Stepper::new(&scene, &Options::default()).expect("steps");
        let stands = |stepper: &Stepper| -> Vec<(String, usize)> {
            let agents = stepper.view().agents.into_iter();
            agents.map(|agent| (agent.status, agent.moves.len())).collect()
        };
        let ways = stepper.moves().len();
        assert!(ways > 1, "the host chooses");
        assert_eq!(stands(&stepper), [("ready".to_string(), ways), ("not started".to_string(), 0)]);
        let first = stepper.moves().remove(0);
        stepper.perform(&first.key).expect("it is enabled");
        assert!(stands(&stepper).iter().all(|(status, _)| status == "ready"));
    }
}
