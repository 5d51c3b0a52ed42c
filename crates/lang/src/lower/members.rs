//! Members of structures in memory.

use super::data::Place;
use super::unit::Lowering;
use crate::diagnostic::Span;
use crate::expression::{Atom, Binary};
use crate::tree::{Member, Value};

impl Lowering<'_, '_, '_> {
    /// A member of the structure at a place; all of it if indices are missing.
    pub(super) fn member(
        &mut self,
        place: Place,
        member: &Member,
        indices: &[Value],
        span: Span,
    ) -> Place {
        let mut offset = place.offset.clone();
        offset.code.push((Atom::Int(i64::from(member.offset)), span));
        offset.code.push((Atom::Binary(Binary::Add), span));
        let missing: u32 = member.sizes[indices.len().min(member.sizes.len())..].iter().product();
        for (at, index) in indices.iter().enumerate() {
            let inner: u32 = member.sizes[at + 1..].iter().product();
            let index = self.evaluated(index).0;
            offset.code.extend(index.code);
            offset.code.push((Atom::Int(i64::from(inner) * i64::from(member.bytes)), span));
            offset.code.push((Atom::Binary(Binary::Multiply), span));
            offset.code.push((Atom::Binary(Binary::Add), span));
        }
        let (bytes, scalar, of) = (member.bytes * missing.max(1), member.scalar, member.of);
        Place { offset, bytes, scalar, of, parts: None, span, ..place }
    }
}
