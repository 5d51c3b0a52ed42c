//! Mbarrier objects in the middle of a memory: a kernel of PTX names one by its address.

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

/// The bytes of an object.
const BYTES: u32 = 8;
/// The most of them.
const MOST: usize = 1024;

/// The objects that were met, in order; they follow the declared ones.
#[derive(Debug, Default)]
pub(crate) struct Objects(RefCell<Vec<Range>>);

impl Objects {
    /// The object at an address of shared memory of a kernel.
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

    /// Accesses of a program to the memory of an object that are no operations on it: whether they come before its init or
    /// after its end is not followed.
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
        let told =
            |span| Diagnostic { severity, ..Diagnostic::error("not-modelled", span, message) };
        found.into_iter().map(told).collect()
    }
}
