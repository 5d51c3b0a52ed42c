//! The kernel IR: what every front end for compiled code lowers to, and its evaluation.
//!
//! A front end reads LLVM IR, AMDGPU machine code, PTX or SASS and builds a [`ir::Module`] with a [`builder::Builder`]. The
//! IR contains only what can affect synchronisation: integer computation, memory accesses, fences, barriers and control
//! flow. Everything else is [`ir::Kind::Opaque`]: its results are data, which this crate does not follow.
//!
//! # Values
//!
//! A register has a width of 1 to 64 bits and holds one value per lane. Every value is a known integer, or some of its bits
//! are *data*: they come from memory or from computation that is not modelled.
//!
//! An address is a known integer too. Each memory object has a base address in its address space (see [`ir::Object::base`]),
//! which is invented but fixed. An access looks up the object at its address. So a front end needs no special case for the
//! halves of an address, for carries, or for casts between integers and pointers.
//!
//! An argument of a kernel has an unknown value that is the same for all agents: see [`ir::Argument`].
//!
//! # Control flow
//!
//! [`ir::Style::Lanes`]: a branch splits the lanes of a wave or warp. Each part runs until the parts reconverge at the
//! immediate post-dominator of the branch. [`ir::Style::Waves`]: the whole wave takes one side of a branch, and instructions
//! name the mask of active lanes as their [`ir::Guard`].
#![no_std]

extern crate alloc;

mod bounds;
pub mod builder;
mod compute;
pub mod evaluate;
mod exchanges;
mod flight;
mod flow;
mod hash;
mod idle;
pub mod ir;
#[cfg(feature = "proofs")]
mod logic;
#[cfg(feature = "proofs")]
mod owned;
mod polled;
mod switched;
mod switches;
mod value;
