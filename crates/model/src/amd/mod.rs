//! Rules of the AMDGPU barrier execution model, one module per rule. The path of a module is the identifier of its rule.

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
