//! Memory instructions: `ds_*`, `global_*`, `flat_*`, `scratch_*`, `buffer_*`, `s_load_*`, tensor loads, read by the parts of
//! their names.

/// Which instructions an access belongs to, which decides its operands and its counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Path {
    /// `ds_*`: LDS, by an address of 32 bits.
    Ds,
    /// `global_*`: an address of 64 bits, or a scalar base and an offset.
    Global,
    /// `flat_*`: an address of 64 bits in any address space.
    Flat,
    /// `scratch_*`: the stack of a lane.
    Scratch,
    /// `buffer_*`: a resource of four scalar registers, and offsets.
    Buffer,
    /// `s_load_*`: a scalar base and an offset.
    Scalar,
    /// `s_buffer_load_*`: a resource and an offset.
    ScalarBuffer,
}

/// What a memory instruction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Does {
    Load,
    Store,
    /// A read and a write in one; the result is the old value.
    Atomic {
        result: bool,
    },
    /// An atomic operation on a barrier word in LDS (GFX12.5).
    Arrive {
        result: bool,
    },
    /// A copy from global memory to LDS.
    CopyIn,
    /// A copy from LDS to global memory.
    CopyOut,
    /// Data that lanes exchange: no memory.
    Exchange,
    /// A hint: no memory that the program sees.
    Hint,
}

/// A memory instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Access {
    pub(in super::super) path: Path,
    pub(in super::super) does: Does,
    /// Bytes of each lane at each address.
    pub(in super::super) bytes: u8,
    /// With two addresses, the bytes that one step of `offset0` and `offset1` is.
    pub(in super::super) stride: Option<u16>,
    /// Whether a load of less than 32 bits extends the sign; none where it fills half of a register.
    pub(in super::super) extends: Option<bool>,
    /// Whether the counter of asynchronous copies counts it.
    pub(in super::super) asynchronous: bool,
}

const PATHS: [(&str, Path); 8] = [
    ("ds_", Path::Ds),
    ("global_", Path::Global),
    ("cluster_", Path::Global),
    ("flat_", Path::Flat),
    ("scratch_", Path::Scratch),
    ("buffer_", Path::Buffer),
    ("s_load_", Path::Scalar),
    ("s_buffer_load_", Path::ScalarBuffer),
];

/// Reads the name of a memory instruction; none for one that is no access or that is not modelled.
pub(in super::super) fn access(name: &str) -> Option<Access> {
    let (rest, path) =
        PATHS.iter().find_map(|(prefix, path)| name.strip_prefix(prefix).map(|r| (r, *path)))?;
    let extends = match rest {
        _ if rest.contains("d16") => None,
        _ => Some(["_i8", "_i16", "_sbyte", "_sshort"].iter().any(|end| rest.ends_with(end))),
    };
    let plain =
        |does, bytes| Access { path, does, bytes, stride: None, extends, asynchronous: false };
    match path {
        Path::Scalar | Path::ScalarBuffer => size(rest).map(|bytes| plain(Does::Load, bytes)),
        Path::Ds => ds(rest, plain),
        _ => vector(rest, plain),
    }
}

fn vector(rest: &str, plain: impl Fn(Does, u8) -> Access) -> Option<Access> {
    if rest.starts_with("prefetch") {
        return Some(plain(Does::Hint, 0));
    }
    if let Some(rest) = rest.strip_prefix("load_async_to_lds_") {
        return Some(Access { asynchronous: true, ..plain(Does::CopyIn, size(rest)?) });
    }
    if let Some(rest) = rest.strip_prefix("store_async_from_lds_") {
        return Some(Access { asynchronous: true, ..plain(Does::CopyOut, size(rest)?) });
    }
    if let Some(rest) = rest.strip_prefix("load_lds_") {
        return Some(plain(Does::CopyIn, size(rest)?));
    }
    if let Some(rest) = rest.strip_prefix("atomic_") {
        return Some(plain(Does::Atomic { result: false }, atomic_size(rest)?));
    }
    let monitored = rest.strip_prefix("load_monitor_").map(|rest| (Does::Load, rest));
    let load = rest.strip_prefix("load_").map(|rest| (Does::Load, rest));
    let store = rest.strip_prefix("store_").map(|rest| (Does::Store, rest));
    let (does, rest) = monitored.or(load).or(store)?;
    size(rest).map(|bytes| plain(does, bytes))
}

fn ds(rest: &str, plain: impl Fn(Does, u8) -> Access) -> Option<Access> {
    let exchanges = ["swizzle", "permute", "bpermute"];
    if exchanges.iter().any(|exchange| rest.starts_with(exchange)) {
        return Some(plain(Does::Exchange, 0));
    }
    if rest == "nop" {
        return Some(plain(Does::Hint, 0));
    }
    if let Some(rest) = rest.strip_prefix("atomic_").filter(|rest| rest.contains("barrier_arrive"))
    {
        let asynchronous = rest.starts_with("async");
        let result = rest.contains("_rtn");
        return Some(Access { asynchronous, ..plain(Does::Arrive { result }, 8) });
    }
    let pairs = [
        ("read2st64_", Does::Load, 64),
        ("load_2addr_stride64_", Does::Load, 64),
        ("write2st64_", Does::Store, 64),
        ("store_2addr_stride64_", Does::Store, 64),
        ("read2_", Does::Load, 1),
        ("load_2addr_", Does::Load, 1),
        ("write2_", Does::Store, 1),
        ("store_2addr_", Does::Store, 1),
    ];
    for (prefix, does, step) in pairs {
        if let Some(rest) = rest.strip_prefix(prefix) {
            let bytes = size(rest)?;
            return Some(Access { stride: Some(u16::from(bytes) * step), ..plain(does, bytes) });
        }
    }
    let singles = [
        ("read_", Does::Load),
        ("load_", Does::Load),
        ("write_", Does::Store),
        ("store_", Does::Store),
    ];
    for (prefix, does) in singles {
        if let Some(rest) = rest.strip_prefix(prefix)
            && !rest.starts_with("addtid")
        {
            return size(rest).map(|bytes| plain(does, bytes));
        }
    }
    let operations = [
        "add",
        "sub",
        "rsub",
        "inc",
        "dec",
        "min",
        "max",
        "and",
        "or",
        "xor",
        "mskor",
        "wrxchg",
        "storexchg",
        "cmpst",
        "cmpstore",
        "wrap",
        "pk_add",
        "cond_sub",
        "sub_clamp",
    ];
    let is = |operation: &&str| rest.strip_prefix(*operation).is_some_and(|r| r.starts_with('_'));
    operations.iter().find(|operation| is(operation))?;
    if rest.contains("2st64") || rest.contains("2addr") || rest.contains("src2") {
        return None;
    }
    let result = rest.contains("_rtn");
    atomic_size(rest).map(|bytes| plain(Does::Atomic { result }, bytes))
}

/// Bytes of each lane, from the end of a name.
fn size(rest: &str) -> Option<u8> {
    let rest = rest.strip_prefix("d16_hi_").or_else(|| rest.strip_prefix("d16_")).unwrap_or(rest);
    if let Some(components) = rest.strip_prefix("format_").or_else(|| rest.strip_prefix("tbuffer_"))
    {
        let components = components.rsplit('_').next()?;
        return u8::try_from(components.len()).ok().filter(|count| *count <= 4).map(|c| c * 4);
    }
    rest.split('_').find_map(|part| match part {
        "b8" | "u8" | "i8" | "ubyte" | "sbyte" | "byte" => Some(1),
        "b16" | "u16" | "i16" | "ushort" | "sshort" | "short" => Some(2),
        "b32" | "dword" | "u32" | "i32" => Some(4),
        "b64" | "dwordx2" => Some(8),
        "b96" | "dwordx3" => Some(12),
        "b128" | "dwordx4" => Some(16),
        "b256" | "dwordx8" => Some(32),
        "b512" | "dwordx16" => Some(64),
        _ => None,
    })
}

/// Bytes of an atomic operation: 8 where a part of the name says so, else 4.
fn atomic_size(rest: &str) -> Option<u8> {
    let wide = |part: &str| matches!(part, "x2" | "b64" | "u64" | "i64" | "f64");
    Some(if rest.split('_').any(wide) { 8 } else { 4 })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str) -> Option<(Path, Does, u8, Option<u16>)> {
        access(name).map(|found| (found.path, found.does, found.bytes, found.stride))
    }

    #[test]
    fn names_have_parts() {
        use Does::{Arrive, Atomic, CopyIn, CopyOut, Exchange, Hint, Load, Store};
        let rows = [
            ("ds_read_b32", Path::Ds, Load, 4, None),
            ("ds_load_u8_d16_hi", Path::Ds, Load, 1, None),
            ("ds_load_b96", Path::Ds, Load, 12, None),
            ("ds_load_tr16_b128", Path::Ds, Load, 16, None),
            ("ds_read_b64_tr_b16", Path::Ds, Load, 8, None),
            ("ds_write_b128", Path::Ds, Store, 16, None),
            ("ds_read2_b64", Path::Ds, Load, 8, Some(8)),
            ("ds_read2st64_b32", Path::Ds, Load, 4, Some(256)),
            ("ds_store_2addr_stride64_b64", Path::Ds, Store, 8, Some(512)),
            ("ds_add_u32", Path::Ds, Atomic { result: false }, 4, None),
            ("ds_cmpstore_rtn_b64", Path::Ds, Atomic { result: true }, 8, None),
            ("ds_atomic_barrier_arrive_rtn_b64", Path::Ds, Arrive { result: true }, 8, None),
            ("ds_bpermute_b32", Path::Ds, Exchange, 0, None),
            ("global_load_dwordx4", Path::Global, Load, 16, None),
            ("global_load_ushort", Path::Global, Load, 2, None),
            ("global_store_d16_hi_b16", Path::Global, Store, 2, None),
            ("global_atomic_add_x2", Path::Global, Atomic { result: false }, 8, None),
            ("global_atomic_pk_add_f16", Path::Global, Atomic { result: false }, 4, None),
            ("global_load_lds_dwordx4", Path::Global, CopyIn, 16, None),
            ("global_load_async_to_lds_b128", Path::Global, CopyIn, 16, None),
            ("global_store_async_from_lds_b32", Path::Global, CopyOut, 4, None),
            ("global_prefetch_b8", Path::Global, Hint, 0, None),
            ("flat_load_b64", Path::Flat, Load, 8, None),
            ("scratch_store_dwordx2", Path::Scratch, Store, 8, None),
            ("buffer_load_format_xyz", Path::Buffer, Load, 12, None),
            ("buffer_store_dword", Path::Buffer, Store, 4, None),
            ("s_load_dwordx8", Path::Scalar, Load, 32, None),
            ("s_buffer_load_b64", Path::ScalarBuffer, Load, 8, None),
        ];
        for (name, path, does, bytes, stride) in rows {
            assert_eq!(of(name), Some((path, does, bytes, stride)), "{name}");
        }
        assert!(access("global_load_async_to_lds_b32").is_some_and(|found| found.asynchronous));
    }

    #[test]
    fn what_is_not_modelled_is_no_access() {
        for name in ["ds_gws_barrier", "ds_append", "ds_read_addtid_b32", "global_inv", "v_mov_b32"]
        {
            assert_eq!(access(name), None, "{name}");
        }
    }
}
