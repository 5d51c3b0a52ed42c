//! Rules on mbarrier objects.

pub mod count_range;
pub mod cp_async_overflow;
pub mod drop_to_zero;
pub mod first_parity;
pub mod foreign_access;
pub mod init_on_valid;
pub mod late_expect_tx;
pub mod missing_wait;
pub mod no_complete;
pub mod over_arrival;
pub mod parity_value;
pub mod pending_count_token;
pub mod phase_window;
pub mod remote_operation;
pub mod tx_range;
pub mod valid_object;
