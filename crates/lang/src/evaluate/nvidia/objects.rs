//! Mbarrier objects within a memory, which a PTX kernel names by their addresses.

use crate::diagnostic::{Diagnostic, Severity, Span};
use crate::expression::memory;
use crate::lower::code::Code;
use crate::scenario::Source;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::RefCell;
use tidegate_model::mem::operation::{Memory, Range, Space};
use tidegate_model::operation::Action as Any;
use tidegate_model::program::{Node, Program};
use tidegate_model::ptx::action::{Action, Name, Place};

/// Bytes of an object.
const BYTES: u32 = 8;
/// Largest number of objects.
const MOST: usize = 1024;

/// The objects found so far, in order; they are numbered after the declared ones.
#[derive(Debug, Default)]
pub(crate) struct Objects(RefCell<Vec<Range>>);

impl Objects {
    /// The object at an address of a kernel's shared memory.
    pub(super) fn at(&self, address: i64, code: &Code) -> Option<Name> {
        let at = memory::at(address).filter(|_| code.of_ptx)?;
        let buffer = code.buffers.get(usize::from(at.buffer))?;
        let start = u32::try_from(at.offset).ok()?;
        let end = start.checked_add(BYTES)?;
        if buffer.space != Space::Local || start % BYTES != 0 || end > buffer.size {
            return None;
        }
        let range = Range { buffer: at.buffer, start, end };
        let mut all = self.0.borrow_mut();
        let known = all.iter().position(|&known| known == range);
        let index = known.unwrap_or(all.len());
        let number = code.mbarriers.len() + index;
        if number >= MOST {
            return None;
        }
        if known.is_none() {
            all.push(range);
        }
        let place = at.rank.map_or(Place::Own, Place::Rank);
        Some(Name { index: number as u16, place })
    }

    /// The names of the objects.
    pub(crate) fn names(&self, code: &Code) -> Vec<String> {
        let name = |range: &Range| {
            let memory = code.buffer_names.get(usize::from(range.buffer));
            format!("{}+{}", memory.map_or("", String::as_str), range.start)
        };
        self.0.borrow().iter().map(name).collect()
    }

    /// Reports accesses of a program to the memory of an object that are not operations on it: whether they occur
    /// before its init or after its invalidation is not checked.
    pub(crate) fn touched(&self, program: &Program, sources: &[Rc<[Source]>]) -> Vec<Diagnostic> {
        let all = self.0.borrow();
        let mut found: Vec<Span> = Vec::new();
        let agents = if all.is_empty() { &[][..] } else { &program.agents };
        let mut seen = alloc::vec![false; program.bodies.len()];
        for (agent, sources) in agents.iter().zip(sources) {
            let Some(body) = program.bodies.get(agent.body as usize) else { continue };
            if core::mem::replace(&mut seen[agent.body as usize], true) {
                continue;
            }
            for (node, source) in body.nodes.iter().zip(sources.iter()) {
                let Node::Operation { operation, .. } = node else { continue };
                let ranges = match operation.action {
                    Any::Memory(Memory::Load(range) | Memory::Store(range)) => [Some(range), None],
                    Any::Ptx(Action::Copy { tile: Some(tile), .. }, _) if tile.open => [None; 2],
                    Any::Ptx(Action::Copy { to, from, .. }, _) => [to, from],
                    _ => continue,
                };
                let touches = |range: &Range| all.iter().any(|&object| object.overlaps(*range));
                if ranges.iter().flatten().any(touches) && !found.contains(&source.span) {
                    found.push(source.span);
                }
            }
        }
        let message = "this access overlaps the memory of an mbarrier object, and whether the object is valid then is not followed";
        let severity = Severity::Warning;
        let warning =
            |span| Diagnostic { severity, ..Diagnostic::error("not-modelled", span, message) };
        found.into_iter().map(warning).collect()
    }
}
