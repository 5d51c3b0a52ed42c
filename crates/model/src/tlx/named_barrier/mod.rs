//! Rules on named barriers of TLX.

pub mod unsupported;
