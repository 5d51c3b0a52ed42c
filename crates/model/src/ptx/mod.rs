//! NVIDIA synchronisation: so far the word of a mbarrier object.

pub mod word;
