//! Rules on named barriers.

pub mod image;
pub mod limit;
pub mod over_subscribed;
pub mod sub_group_uniform;
pub mod uniform;
