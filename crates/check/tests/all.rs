//! The integration tests of this crate, in one binary to link once. Each file in this folder is a module here.

mod common;
#[path = "../../model/tests/support/mod.rs"]
mod support;

mod addresses;
mod amd_simulation;
mod bar_simulation;
mod edges;
mod effects;
mod engines;
mod fixes;
mod inlining;
mod kernels;
mod left_open;
mod limits;
mod loops;
mod lowering;
mod machine;
mod mbarrier_simulation;
mod memory_properties;
mod memory_view;
mod mutants;
mod nothing_panics;
mod offers;
mod pairs;
mod pipelines;
mod properties;
mod races;
mod restores;
mod sums;
mod tlx_pseudo_code;
mod waits;
