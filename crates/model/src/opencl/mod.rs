//! OpenCL C++: barriers of work-groups and sub-groups, named barriers, and split work-group barriers.
//!
//! Sources: `opencl-cpp-synchronization`; for split barriers the extension cl_intel_split_work_group_barrier. The
//! submodules with lower-case rule names hold one rule each.

pub mod action;
pub mod barrier;
pub mod fence;
pub mod lowering;
pub mod machine;
pub mod named;
pub mod split;
pub mod support;
