//! A program with the properties that the relations need besides its performed operations.

use crate::barrier::Barrier;
use crate::context::Context;
use crate::instance::InstanceId;
use crate::operation::Object;
use crate::reading::{ReadingId, Readings};
use alloc::rc::Rc;

/// A program and the readings under which it is judged.
#[derive(Clone, Debug)]
pub struct Text {
    /// The program.
    pub context: Rc<Context>,
    /// The readings.
    pub readings: Readings,
    /// Disabled rules, by number: a subset of [`super::rules::CAN_BE_LEFT_OUT`].
    pub without: u64,
}

impl Text {
    /// A program under readings.
    #[must_use]
    pub const fn new(context: Rc<Context>, readings: Readings) -> Self {
        Self { context, readings, without: 0 }
    }

    /// The same program without some rules, by number: they neither exclude executions nor produce findings.
    #[must_use]
    pub const fn leaving_out(mut self, rules: u64) -> Self {
        self.without = rules;
        self
    }

    /// An object at launch: workgroup and cluster barriers are initialised, others are not.
    #[must_use]
    pub fn launched(&self, instance: InstanceId) -> Barrier {
        let launch = self.context.program.launch;
        match self.context.object(instance) {
            Object::Workgroup => Barrier::launched(launch.waves as i32),
            Object::Cluster => Barrier::launched(launch.workgroups_per_cluster() as i32),
            _ => Barrier::default(),
        }
    }

    /// Whether a reading has its default choice.
    #[must_use]
    pub fn usual(&self, id: ReadingId) -> bool {
        self.readings.is_default(id)
    }

    /// Number of objects in the program.
    #[must_use]
    pub fn objects(&self) -> InstanceId {
        self.context.instances.list.len() as InstanceId
    }
}
