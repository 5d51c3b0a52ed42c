//! The memories of a program.

use crate::ir::Space;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::mem::operation::{Buffer, Range};

/// The end of an object of unknown size, in bytes.
pub(super) const FAR: u32 = 1 << 31;

/// The memories of a program: one for each object that was accessed. If workgroups of a cluster access each other's local
/// memory, each instance of an object is a separate memory.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    /// The object of each memory, with its workgroup if instances are separate.
    objects: Vec<(u32, Option<u32>)>,
    /// For each memory, the end of the bytes that are accessed, at least 1.
    ends: Vec<u32>,
}

impl Buffers {
    /// A range of bytes of an object.
    pub(super) fn range(&mut self, object: u32, start: u32, end: u32) -> Range {
        self.instance(object, None, start, end)
    }

    /// A range of bytes of an object. `group` is the workgroup of the instance if instances are separate memories.
    pub(super) fn instance(
        &mut self,
        object: u32,
        group: Option<u32>,
        start: u32,
        end: u32,
    ) -> Range {
        let object = (object, group);
        let at = self.objects.iter().position(|known| *known == object).unwrap_or_else(|| {
            self.objects.push(object);
            self.ends.push(1);
            self.objects.len() - 1
        });
        if end < FAR {
            self.ends[at] = self.ends[at].max(end);
        }
        Range { buffer: at as u16, start, end }
    }

    /// The object of a memory.
    pub(crate) fn object(&self, buffer: u16) -> Option<u32> {
        self.objects.get(usize::from(buffer)).map(|(object, _)| *object)
    }

    /// The object of a memory, with its workgroup if instances are separate memories.
    pub(super) fn key(&self, buffer: u16) -> Option<(u32, Option<u32>)> {
        self.objects.get(usize::from(buffer)).copied()
    }

    /// Names of the memories.
    pub(crate) fn names(&self, module: &crate::ir::Module) -> Vec<String> {
        let name = |(object, group): &(u32, Option<u32>)| {
            let name = &module.objects[*object as usize].name;
            match group {
                Some(group) => alloc::format!("{name} (cta {group})"),
                None => name.clone(),
            }
        };
        self.objects.iter().map(name).collect()
    }

    /// The memories, as the model declares them, and their objects.
    pub(crate) fn declared(&self, module: &crate::ir::Module) -> Vec<(Buffer, u32)> {
        let declare = |(&(object, group), &end): (&(u32, Option<u32>), &u32)| {
            let of = &module.objects[object as usize];
            let local = of.space == Space::Local && group.is_none();
            let space = match local {
                true => tidegate_model::mem::operation::Space::Local,
                false => tidegate_model::mem::operation::Space::Global,
            };
            let size = of.size.and_then(|size| u32::try_from(size).ok()).unwrap_or(0).max(end);
            (Buffer { space, size, image: of.image, owner: group, instance_of: None }, object)
        };
        self.objects.iter().zip(&self.ends).map(declare).collect()
    }
}

/// Ranges of bytes, and whether each is certainly accessed.
pub(super) type Ranges = Vec<(Range, bool)>;
