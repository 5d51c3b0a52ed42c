//! Rules of the AMDGPU barrier execution model, one module per rule. The path of a module is the identifier of its rule.

pub mod arrive;
pub mod cluster;
pub mod drop;
pub mod init;
pub mod join;
pub mod object;
