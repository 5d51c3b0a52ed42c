//! Rules of the AMDGPU barrier execution model: one module a rule, its path the rule's identifier.

pub mod arrive;
pub mod barrier;
pub mod cluster;
pub mod drop;
pub mod init;
pub mod join;
pub mod machine;
pub mod object;
pub mod operation;
pub mod phase;
pub mod wait;
