//! The causes of findings as data: agents, operations, objects, counts, phases, bytes and missing edges.
//!
//! A cause is also a fact below another cause. Only [`crate::tell`] has words for them.

pub(crate) mod amd;
pub(crate) mod common;
pub(crate) mod field;
pub(crate) mod memory;
pub(crate) mod open;
pub(crate) mod opencl;
pub(crate) mod ptx;
pub(crate) mod target;

use crate::report::{self, Edit, Fix, Related};
use crate::scene::Scene;
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
pub(crate) use amd::Amd;
pub(crate) use common::Common;
pub(crate) use memory::Memory;
pub(crate) use open::Open;
pub(crate) use opencl::Opencl;
pub(crate) use ptx::{Ptx, PtxFact, PtxRace};
pub(crate) use target::Lack;
use tidegate_model::program::NodeId;

/// An operation: its agent and its node.
pub(crate) type At = (usize, u32);

/// A kind of cause, for documentation.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Its name, as in [`report::Cause::kind`].
    pub name: &'static str,
    /// Its meaning.
    pub about: &'static str,
    /// Its fields: each is one field of that name, or the named parts.
    fields: &'static [(&'static str, &'static [&'static str])],
}

impl Kind {
    /// The names of its fields.
    pub fn fields(&self) -> impl Iterator<Item = &'static str> {
        self.fields
            .iter()
            .flat_map(|(name, parts)| match parts {
                [] => core::slice::from_ref(name),
                parts => parts,
            })
            .copied()
    }
}

/// Declares a family of causes: the variants with their kinds and fields.
macro_rules! causes {
    ($(#[doc = $family:literal])* $name:ident {
        $($(#[doc = $about:literal])* $variant:ident $kind:literal
            $({ $($field:ident: $ty:ty),* $(,)? })?;)*
    }) => {
        $(#[doc = $family])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub(crate) enum $name {
            $($(#[doc = $about])* $variant $({ $($field: $ty),* })?,)*
        }

        impl $name {
            /// Every kind.
            pub(crate) const KINDS: &'static [$crate::cause::Kind] = &[$($crate::cause::Kind {
                name: $kind,
                about: concat!($($about),*),
                fields: &[$($((stringify!($field), <$ty as $crate::cause::field::Field>::PARTS)),*)?],
            }),*];

            /// The kind of a cause.
            pub(crate) const fn kind(&self) -> &'static str {
                match self {
                    $(Self::$variant { .. } => $kind,)*
                }
            }

            /// Writes the fields of a cause.
            pub(crate) fn write(&self, out: &mut $crate::cause::field::Fields<'_>) {
                match self {
                    $(Self::$variant $({ $($field),* })? => {
                        $($(out.field(stringify!($field), $field);)*)?
                    })*
                }
                let _ = out;
            }
        }
    };
}
pub(crate) use causes;

macro_rules! families {
    ($($family:ident),*) => {
        /// A cause of a finding, or a fact below one.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub(crate) enum Cause {
            $($family($family),)*
        }

        $(impl From<$family> for Cause {
            fn from(cause: $family) -> Self {
                Self::$family(cause)
            }
        })*

        impl Cause {
            const fn kind(&self) -> &'static str {
                match self {
                    $(Self::$family(cause) => cause.kind(),)*
                }
            }

            fn write(&self, out: &mut field::Fields<'_>) {
                match self {
                    $(Self::$family(cause) => cause.write(out),)*
                }
            }
        }

        /// Every kind of cause, for documentation.
        #[must_use]
        pub fn kinds() -> Vec<Kind> {
            [$($family::KINDS),*].concat()
        }
    };
}
families!(Common, Amd, Memory, Ptx, PtxFact, PtxRace, Opencl, Lack);

impl Cause {
    /// The cause as reported, with the facts below it.
    pub(crate) fn report(&self, scene: &Scene, facts: &[Self]) -> report::Cause {
        let mut fields = field::Fields::new(scene);
        self.write(&mut fields);
        report::Cause {
            kind: self.kind().to_owned(),
            fields: fields.found,
            facts: facts.iter().map(|fact| fact.report(scene, &[])).collect(),
        }
    }
}

/// A finding before it is put into words.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    /// The cause, which is the title.
    pub cause: Cause,
    /// The facts that make it so, which are the notes.
    pub facts: Vec<Cause>,
    /// The operation that breaks the rule.
    pub at: Option<At>,
    /// The help for this execution; without it, the finding has the general help of the rule.
    pub help: Option<String>,
    /// Other places of the finding.
    pub related: Vec<Related>,
    /// Edits that fix it.
    pub fix: Option<Fix>,
    /// Alternative changes; the first one that fixes the finding is offered.
    pub offers: Vec<Offer>,
}

impl Finding {
    /// A finding with a cause and facts, each once, at an operation.
    pub(crate) fn new(cause: impl Into<Cause>, all: Vec<Cause>, at: Option<At>) -> Self {
        let mut facts: Vec<Cause> = Vec::with_capacity(all.len());
        for fact in all {
            if !facts.contains(&fact) {
                facts.push(fact);
            }
        }
        let (help, related, fix, offers) = (None, Vec::new(), None, Vec::new());
        Self { cause: cause.into(), facts, at, help, related, fix, offers }
    }

    /// The same with a help, if there is one.
    pub(crate) fn with_help(self, help: Option<String>) -> Self {
        Self { help, ..self }
    }
}

/// A change that may fix a race.
#[derive(Clone, Debug)]
pub(crate) struct Offer {
    /// The help.
    pub remedy: String,
    /// The edits; none if the text has no number to change.
    pub edits: Vec<Edit>,
    /// The wait that leaves another number of marks outstanding, if that is the change.
    pub number: Option<((usize, NodeId), u16)>,
}
