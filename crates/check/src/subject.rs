//! The subject of a judgement: the program of a scenario, on a target and under readings.

use crate::scene::{Options, Scene};
use alloc::rc::Rc;
use tidegate_model::context::Context;
use tidegate_model::reading::Readings;
use tidegate_model::spec::Spec;
use tidegate_model::target::Target;

/// A program, and how it is judged.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'a> {
    /// The scenario.
    pub scene: &'a Scene,
    /// The program.
    pub context: &'a Rc<Context>,
    /// The options.
    pub options: &'a Options,
    /// The target.
    pub target: &'static Target,
    /// The chosen readings.
    pub readings: Readings,
}

impl<'a> Subject<'a> {
    /// The program of a scenario, on the target and under the readings of the options.
    pub(crate) fn new(scene: &'a Scene, context: &'a Rc<Context>, options: &'a Options) -> Self {
        let target = options.target_of(scene).get();
        Self { scene, context, options, target, readings: options.readings_of(scene) }
    }

    /// The execution model of AMDGPU for the program; `None` if the program is too large for it.
    pub(crate) fn spec(&self) -> Option<Spec> {
        let spec = Spec::new(Rc::clone(self.context), self.readings).ok()?;
        Some(spec.on(self.target))
    }
}
