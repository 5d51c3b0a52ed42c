//! Rules on named barriers.

pub mod image;
pub mod kernel_only;
pub mod limit;
pub mod never_completes;
pub mod over_subscribed;
pub mod sub_group_uniform;
pub mod r#type;
pub mod uniform;
