//! Operations in a few words, for lanes: what is done, at which object.

use crate::scene::Scene;
use crate::step::label::element;
use alloc::format;
use alloc::string::{String, ToString};
use tidegate_model::mem::operation::{Memory, Range};
use tidegate_model::opencl::action::{Action as Opencl, Group};
use tidegate_model::operation::Action;
use tidegate_model::program::Node;
use tidegate_model::ptx::action::{Action as Ptx, Arrive, Asked, Bar, Name, Place, Queue};

/// The shorter one of an operation as written, with computed values, and in words: `wait empty[2] ^1` for a try_wait for
/// parity 1. Operations without such words stay as written.
#[must_use]
pub(crate) fn short(scene: &Scene, written: &str, node: &Node) -> String {
    let Node::Operation { operation, .. } = node else { return written.to_string() };
    let words = in_words(scene, written, operation.action);
    let is_shorter = |words: &String| words.chars().count() <= written.chars().count();
    words.filter(is_shorter).unwrap_or_else(|| written.to_string())
}

/// Arguments that the host passes, in a lane: `param_2 = 0` for `kernel_param_2 = 0`, as compilers name parameters of PTX.
#[must_use]
pub(crate) fn brief(arguments: &str) -> String {
    let own = |one: &str| one.rfind("_param_").map_or(0, |at| at + 1);
    let parts = arguments.split(", ").map(|one| &one[own(one)..]);
    parts.collect::<alloc::vec::Vec<_>>().join(", ")
}

/// The step of a copy in flight, in a lane: `64 B → full[0]`, so that the barrier stays visible.
#[must_use]
pub(crate) fn landing(words: &str) -> String {
    match words.strip_prefix("complete ") {
        Some(bytes) => bytes.replace(" of the bytes at ", " → ").replace(" bytes at ", " B → "),
        None => words.to_string(),
    }
}

/// An object without a name of its own, in a lane: its offset, as in `+16448` for `global_smem+16448`.
fn offset(name: String) -> String {
    match name.find('+') {
        Some(at) if name.len() > 12 => name[at..].to_string(),
        _ => name,
    }
}

/// What the fence of an instruction does that is not written as a fence, such as a barrier or an atomic operation. `None` for
/// other operations.
#[must_use]
pub(crate) fn fence_of(written: &str, action: Action) -> Option<&'static str> {
    let Action::Memory(Memory::Fence(fence)) = action else { return None };
    let word = match (fence.release, fence.acquire) {
        (true, false) => "release",
        (false, true) => "acquire",
        _ => "fence",
    };
    (!written.contains("fence")).then_some(word)
}

fn in_words(scene: &Scene, written: &str, action: Action) -> Option<String> {
    // A statement or an operation that names its array says more than the access that it performs, except in PTX: most of
    // an instruction is its name.
    let of_ptx_space = written.split(' ').next().unwrap_or_default();
    let of_ptx_space = [".shared", ".global"].iter().any(|space| of_ptx_space.contains(space));
    let unnamed =
        |it: &Range| of_ptx_space || !written.contains(scene.buffer_name(it.buffer).as_str());
    let named = |verb: &str, object| format!("{verb} {}", scene.object_name(object));
    Some(match action {
        Action::Init { object, expected } => format!("{}, {expected}", named("init", object)),
        Action::Arrive { object, expected: None, is_first } => {
            named(if is_first { "isfirst" } else { "arrive" }, object)
        }
        Action::Arrive { object, expected: Some(count), .. } => {
            format!("{}, {count}", named("arrive", object))
        }
        // The instruction waits on the barrier that was joined last, not on the one with its number.
        Action::Wait { object } if object.is_named() && is_numbered(written) => {
            "wait joined".to_string()
        }
        Action::Wait { object } => named("wait", object),
        Action::Drop { object } => named("drop", object),
        Action::Join { object } => named("join", object),
        Action::ReadState { object } => named("state", object),
        Action::Leave => "leave".to_string(),
        Action::Memory(Memory::Load(one)) if unnamed(&one) => {
            format!("load {}", element(scene, &one))
        }
        Action::Memory(Memory::Store(one)) if unnamed(&one) => {
            format!("store {}", element(scene, &one))
        }
        Action::Memory(Memory::Copy { to, .. }) => format!("copy → {}", element(scene, &to)),
        Action::Memory(Memory::Fence(_)) => return fence_of(written, action).map(Into::into),
        Action::Ptx(action, _) => return of_ptx(scene, action),
        // A call in LLVM IR; the words of OpenCL C++ are short.
        Action::Opencl(Opencl::Barrier { group, .. }) if written.contains("call ") => match group {
            Group::Work => "barrier".to_string(),
            Group::Sub => "sub_group_barrier".to_string(),
        },
        Action::Memory(_) | Action::Caches | Action::Condition(_) | Action::Opencl(_) => {
            return None;
        }
    })
}

/// Whether an instruction ends with a number.
fn is_numbered(written: &str) -> bool {
    written.starts_with("s_")
        && written.rsplit(' ').next().is_some_and(|last| last.parse::<u32>().is_ok())
}

fn of_ptx(scene: &Scene, action: Ptx) -> Option<String> {
    let at = |name: Name| {
        let object = offset(scene.mbarrier_name(name.index));
        match name.place {
            Place::Own => object,
            Place::Rank(rank) => format!("{object} @{rank}"),
        }
    };
    let to_groups = |queue| match queue {
        Queue::Thread => "cp.async",
        Queue::Bulk => "bulk",
        Queue::Tensor => "mma",
    };
    Some(match action {
        Ptx::Init { name, count } => format!("init {}, {count}", at(name)),
        Ptx::Inval { name } => format!("inval {}", at(name)),
        Ptx::Arrive { name, form } => arrive(&at(name), &form),
        Ptx::Expect { name, bytes } => format!("expect {} +{bytes} B", at(name)),
        Ptx::Complete { name, bytes } => format!("complete {} −{bytes} B", at(name)),
        Ptx::Wait { name, asked: Asked::Parity(parity), .. } => {
            format!("wait {} ^{}", at(name), parity & 1)
        }
        Ptx::Wait { name, asked: Asked::Token(_), .. } => format!("wait {} (token)", at(name)),
        Ptx::Copy { name, bulk, to, from, reduces, .. } => {
            let what = match (reduces, bulk || name.is_some()) {
                (true, _) => "reduce",
                (false, true) => "TMA",
                (false, false) => "cp.async",
            };
            match (to, from) {
                (Some(to), _) => format!("{what} → {}", element(scene, &to)),
                (None, Some(from)) => format!("{what} ← {}", element(scene, &from)),
                (None, None) => what.to_string(),
            }
        }
        Ptx::CopyArrive { name, of_copies, .. } => {
            let after = if of_copies { "copies" } else { "mma" };
            format!("arrive {} after {after}", at(name))
        }
        Ptx::Tensor { .. } => "mma".to_string(),
        Ptx::Commit { queue } => format!("commit {}", to_groups(queue)),
        Ptx::WaitGroup { queue, most, .. } => {
            let most = most.map_or_else(|| "all".to_string(), |most| format!("≤ {most}"));
            format!("wait {} {most}", to_groups(queue))
        }
        Ptx::Bar { id, threads, kind, .. } => {
            let verb = match kind {
                Bar::Sync => "bar.sync",
                Bar::Arrive => "bar.arrive",
                Bar::Red => "bar.red",
            };
            let threads = threads.map(|threads| format!(", {threads}")).unwrap_or_default();
            format!("{verb} {id}{threads}")
        }
        Ptx::FenceInit => "fence init".to_string(),
        Ptx::ClusterArrive { .. } => "arrive cluster".to_string(),
        Ptx::ClusterWait { .. } => "wait cluster".to_string(),
        _ => return None,
    })
}

fn arrive(object: &str, form: &Arrive) -> String {
    let verb = if form.drop { "drop" } else { "arrive" };
    let count = if form.count == 1 { String::new() } else { format!(" ×{}", form.count) };
    let bytes = form.expect.map(|bytes| format!(" +{bytes} B")).unwrap_or_default();
    format!("{verb} {object}{count}{bytes}")
}

#[cfg(test)]
mod tests {
    use super::{brief, landing, offset};

    #[test]
    fn a_copy_that_completes_bytes_names_its_barrier_early() {
        assert_eq!(landing("complete 64 bytes at full[0]"), "64 B → full[0]");
        assert_eq!(landing("complete part of the bytes at full[0]"), "part → full[0]");
        assert_eq!(landing("arrive at full after cp.async"), "arrive at full after cp.async");
    }

    #[test]
    fn an_object_without_a_name_is_its_offset() {
        assert_eq!(offset("global_smem+16448".into()), "+16448");
        assert_eq!(offset("bar+8".into()), "bar+8");
    }

    #[test]
    fn parameters_of_ptx_lose_the_name_of_the_kernel() {
        assert_eq!(brief("k_param_2 = 0, n = 3"), "param_2 = 0, n = 3");
        assert_eq!(brief("n = 3, and data for which a < b"), "n = 3, and data for which a < b");
    }
}
