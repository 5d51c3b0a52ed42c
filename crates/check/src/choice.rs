//! The choice of the specification that judges a program.

use crate::amdgpu::Amdgpu;
use crate::nvidia::Nvidia;
use crate::opencl::Opencl;
use crate::specification::Specification;
use crate::subject::Subject;
use tidegate_model::target::Family;
use tidegate_model::{opencl, ptx};

/// The specification that judges a program on its target.
pub(crate) fn specification_of(subject: Subject<'_>) -> &'static dyn Specification {
    let of_opencl =
        subject.target.family == Family::Opencl || subject.context.program.part.is_some();
    if of_opencl || opencl::support::uses(subject.context) {
        &Opencl
    } else if subject.target.family == Family::Nvidia || ptx::support::uses(subject.context) {
        &Nvidia
    } else {
        &Amdgpu
    }
}
