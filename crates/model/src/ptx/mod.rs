//! NVIDIA: mbarrier objects, the barriers of a CTA, the cluster barrier, asynchronous copies.
//!
//! Sources: PTX ISA 9.1, `sass-syncs`, `tlx-barriers`. The submodules named after rules hold one rule each.

pub mod action;
pub mod async_copy;
pub mod bar;
pub mod cluster;
pub mod machine;
pub mod mbarrier;
pub mod object;
pub mod sizes;
pub mod support;
pub mod tile;
pub mod transition;
pub mod warp;
pub mod word;
