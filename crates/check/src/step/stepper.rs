//! The stepper: one execution with a cursor, of whichever machine the scenario is judged by.

use super::{CounterView, MemoryView, View, amdgpu};
use crate::nvidia;
use crate::opencl;
use crate::scene::{Options, Scene};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// A step that was not performed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepError {
    /// No agent and alternative has this key.
    Unknown(String),
    /// The step is not the next one of its agent.
    NotNext(String),
    /// The step is the next one of its agent and cannot be performed now.
    Blocked(String),
}

impl fmt::Display for StepError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(key) => write!(out, "there is no step {key}"),
            Self::NotNext(key) => write!(out, "step {key} is not the next step of its agent"),
            Self::Blocked(key) => write!(out, "step {key} is blocked"),
        }
    }
}

impl core::error::Error for StepError {}

/// One execution of a scenario, with a cursor.
#[derive(Clone, Debug)]
pub struct Stepper(Machine);

#[derive(Clone, Debug)]
enum Machine {
    Amdgpu(Box<amdgpu::Stepper>),
    Nvidia(Box<nvidia::stepper::Stepper>),
    Opencl(Box<opencl::stepper::Stepper>),
}

impl Stepper {
    /// Starts at launch; `None` when the scenario cannot be judged or is too large to be stepped.
    #[must_use]
    pub fn new(scene: &Scene, options: &Options) -> Option<Self> {
        let target = options.target_of(scene).get();
        let context = scene.context()?;
        Some(Self(if opencl::is_judged_here(&context, target) {
            Machine::Opencl(Box::new(opencl::stepper::Stepper::new(scene, options)?))
        } else if nvidia::is_judged_here(&context, target) {
            Machine::Nvidia(Box::new(nvidia::stepper::Stepper::new(scene, options)?))
        } else {
            Machine::Amdgpu(Box::new(amdgpu::Stepper::new(scene, options)?))
        }))
    }

    /// Performs the step of that key. Steps that were undone can be performed again afterwards only if this was the next
    /// of them.
    ///
    /// # Errors
    /// When there is no such step, or it cannot be performed now; nothing changes then.
    pub fn perform(&mut self, key: &str) -> Result<(), StepError> {
        match &mut self.0 {
            Machine::Amdgpu(stepper) => stepper.perform(key),
            Machine::Nvidia(stepper) => stepper.perform(key),
            Machine::Opencl(stepper) => stepper.perform(key),
        }
    }

    /// Undoes the last step; `false` at launch.
    pub fn back(&mut self) -> bool {
        match &mut self.0 {
            Machine::Amdgpu(stepper) => stepper.back(),
            Machine::Nvidia(stepper) => stepper.back(),
            Machine::Opencl(stepper) => stepper.back(),
        }
    }

    /// Performs the step undone last again; `false` where there is none.
    pub fn forward(&mut self) -> bool {
        match &mut self.0 {
            Machine::Amdgpu(stepper) => stepper.forward(),
            Machine::Nvidia(stepper) => stepper.forward(),
            Machine::Opencl(stepper) => stepper.forward(),
        }
    }

    /// Moves the cursor so that `length` steps are performed, as far as there are steps.
    pub fn go_to(&mut self, length: usize) {
        while self.length() > length && self.back() {}
        while self.length() < length && self.forward() {}
    }

    /// Starts again at launch and performs the steps of the keys; yields how many could be performed.
    pub fn load(&mut self, keys: &[String]) -> usize {
        self.go_to(0);
        match &mut self.0 {
            Machine::Amdgpu(stepper) => stepper.forget(),
            Machine::Nvidia(stepper) => stepper.forget(),
            Machine::Opencl(stepper) => stepper.forget(),
        }
        keys.iter().take_while(|key| self.perform(key).is_ok()).count()
    }

    fn length(&self) -> usize {
        match &self.0 {
            Machine::Amdgpu(stepper) => stepper.length(),
            Machine::Nvidia(stepper) => stepper.length(),
            Machine::Opencl(stepper) => stepper.length(),
        }
    }

    /// What is in flight after the performed steps, and which fences synchronize. Empty where PTX or OpenCL judges.
    #[must_use]
    pub fn memory(&self) -> MemoryView {
        match &self.0 {
            Machine::Amdgpu(stepper) => stepper.memory(),
            Machine::Nvidia(_) | Machine::Opencl(_) => MemoryView::default(),
        }
    }

    /// The counters of [`Self::memory`] alone.
    #[must_use]
    pub fn counters(&self) -> Vec<CounterView> {
        match &self.0 {
            Machine::Amdgpu(stepper) => stepper.counters(),
            Machine::Nvidia(_) | Machine::Opencl(_) => Vec::new(),
        }
    }

    /// The keys of the performed steps.
    #[must_use]
    pub fn keys(&self) -> Vec<String> {
        match &self.0 {
            Machine::Amdgpu(stepper) => stepper.keys(),
            Machine::Nvidia(stepper) => stepper.keys(),
            Machine::Opencl(stepper) => stepper.keys(),
        }
    }

    /// The execution so far, and where it stands.
    #[must_use]
    pub fn view(&self) -> View {
        match &self.0 {
            Machine::Amdgpu(stepper) => stepper.view(),
            Machine::Nvidia(stepper) => stepper.view(),
            Machine::Opencl(stepper) => stepper.view(),
        }
    }
}
