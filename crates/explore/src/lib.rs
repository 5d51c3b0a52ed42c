//! Bounded, deterministic, cancellable search of state spaces.
//!
//! This crate knows nothing about GPUs: a system gives packed states and their successors, the search visits them.
#![no_std]

extern crate alloc;
