//! Intrinsics of NVIDIA as the instruction of PTX that they become, with the constraints of its operands.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Intrinsics of one form, each with its instruction and the constraints.
const ROWS: [(&str, &str, &str); 21] = [
    ("vote.ballot.sync", "vote.sync.ballot.b32 $0, $2, $1;", "=r,r,b"),
    ("vote.any.sync", "vote.sync.any.pred $0, $2, $1;", "=b,r,b"),
    ("vote.all.sync", "vote.sync.all.pred $0, $2, $1;", "=b,r,b"),
    ("vote.uni.sync", "vote.sync.uni.pred $0, $2, $1;", "=b,r,b"),
    ("barrier0.popc", "{ .reg .pred p; setp.ne.b32 p, $1, 0; bar.red.popc.u32 $0, 0, p; }", "=r,r"),
    (
        "barrier0.and",
        "{ .reg .pred p, q; setp.ne.b32 p, $1, 0; bar.red.and.pred q, 0, p; selp.b32 $0, 1, 0, q; }",
        "=r,r",
    ),
    (
        "barrier0.or",
        "{ .reg .pred p, q; setp.ne.b32 p, $1, 0; bar.red.or.pred q, 0, p; selp.b32 $0, 1, 0, q; }",
        "=r,r",
    ),
    ("cp.async.mbarrier.arrive", "cp.async.mbarrier.arrive.b64 [$0];", "l"),
    ("cp.async.mbarrier.arrive.shared", "cp.async.mbarrier.arrive.shared.b64 [$0];", "r"),
    ("cp.async.mbarrier.arrive.noinc", "cp.async.mbarrier.arrive.noinc.b64 [$0];", "l"),
    (
        "cp.async.mbarrier.arrive.noinc.shared",
        "cp.async.mbarrier.arrive.noinc.shared.b64 [$0];",
        "r",
    ),
    ("cp.async.bulk.commit.group", "cp.async.bulk.commit_group;", ""),
    ("cp.async.bulk.wait.group", "cp.async.bulk.wait_group $0;", "n"),
    ("cp.async.bulk.wait.group.read", "cp.async.bulk.wait_group.read $0;", "n"),
    ("activemask", "activemask.b32 $0;", "=r"),
    ("elect.sync", "elect.sync $0|$1, $2;", "=r,=b,r"),
    ("fence.sc.cluster", "fence.sc.cluster;", ""),
    ("wgmma.fence.sync.aligned", "wgmma.fence.sync.aligned;", ""),
    ("wgmma.commit_group.sync.aligned", "wgmma.commit_group.sync.aligned;", ""),
    ("wgmma.wait_group.sync.aligned", "wgmma.wait_group.sync.aligned $0;", "n"),
    (
        "clusterlaunchcontrol.try_cancel.async.shared",
        "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [$0], [$1];",
        "r,r",
    ),
];

/// The instruction of an intrinsic, without `llvm.nvvm.`. `given` says which integer an argument is, if it is constant.
pub(super) fn spelled(
    name: &str,
    given: impl Fn(usize) -> Option<u64>,
) -> Option<(String, String)> {
    if let Some((_, text, constraints)) = ROWS.iter().find(|(known, ..)| *known == name) {
        return Some(((*text).into(), (*constraints).into()));
    }
    let parts: Vec<&str> = name.split('.').collect();
    match parts[..] {
        ["mbarrier", ref rest @ ..] if rest.contains(&"scope") => barrier(rest),
        ["cp", "async", "bulk", "tensor", ref rest @ ..] => tensor(rest, given),
        ["cp", "async", "bulk", ref rest @ ..] => bulk(rest, given),
        ["match", kind @ ("any" | "all"), "sync", of] => {
            let (wide, pair) = (of.starts_with("i64"), of.ends_with('p'));
            let (bits, letter) = if wide { (64, "l") } else { (32, "r") };
            Some(match pair {
                true => (
                    format!("match.{kind}.sync.b{bits} $0|$1, $3, $2;"),
                    format!("=r,=b,r,{letter}"),
                ),
                false => {
                    (format!("match.{kind}.sync.b{bits} $0, $2, $1;"), format!("=r,r,{letter}"))
                }
            })
        }
        ["redux", "sync", op, ..] => {
            let (op, of, letter) = match op {
                "umin" => ("min", "u32", "r"),
                "umax" => ("max", "u32", "r"),
                "and" | "or" | "xor" => (op, "b32", "r"),
                "fmin" => ("min", "f32", "f"),
                "fmax" => ("max", "f32", "f"),
                _ => (op, "s32", "r"),
            };
            Some((format!("redux.sync.{op}.{of} $0, $1, $2;"), format!("={letter},{letter},r")))
        }
        [
            "shfl",
            "sync",
            how @ ("idx" | "up" | "down" | "bfly"),
            of @ ("i32" | "f32" | "i32p" | "f32p"),
        ] => {
            let letter = if of.starts_with('f') { "f" } else { "r" };
            Some(match of.ends_with('p') {
                true => (
                    format!("shfl.sync.{how}.b32 $0|$1, $3, $4, $5, $2;"),
                    format!("={letter},=b,r,{letter},r,r"),
                ),
                false => (
                    format!("shfl.sync.{how}.b32 $0, $2, $3, $4, $1;"),
                    format!("={letter},r,{letter},r,r"),
                ),
            })
        }
        [
            "fence",
            order @ ("acquire" | "release"),
            "sync_restrict",
            "space",
            space,
            "scope",
            scope,
        ] => {
            Some((format!("fence.{order}.sync_restrict::shared::{space}.{scope};"), String::new()))
        }
        ["setmaxnreg", how, ..] => {
            Some((format!("setmaxnreg.{how}.sync.aligned.u32 $0;"), "n".into()))
        }
        ["tcgen05", ref rest @ ..] => tensor_core(rest),
        [what @ ("ldmatrix" | "stmatrix"), "sync", "aligned", ref rest @ ..] => matrix(what, rest),
        _ => None,
    }
}

/// `ldmatrix.sync.aligned.m8n8.x4.trans.b16.p3`: matrices in as many registers, at an address in some space.
fn matrix(what: &str, parts: &[&str]) -> Option<(String, String)> {
    let (shape, [.., of, space]) = parts.split_at_checked(2)? else { return None };
    let count: usize = shape[1].strip_prefix('x')?.parse().ok().filter(|count| *count <= 4)?;
    let (space, letter) = match *space {
        "p3" => (".shared", "r"),
        "p0" => ("", "l"),
        _ => return None,
    };
    let transposed = if parts.contains(&"trans") { ".trans" } else { "" };
    let loads = what == "ldmatrix";
    let first = usize::from(!loads);
    let registers: Vec<String> = (first..first + count).map(|at| format!("${at}")).collect();
    let (registers, shape) = (registers.join(", "), shape.join("."));
    let head = format!("{what}.sync.aligned.{shape}{transposed}{space}.{of}");
    Some(match loads {
        true => (
            format!("{head} {{{registers}}}, [${count}];"),
            format!("{}{letter}", "=r,".repeat(count)),
        ),
        false => {
            (format!("{head} [$0], {{{registers}}};"), format!("{letter}{}", ",r".repeat(count)))
        }
    })
}

/// `mbarrier.try.wait.parity.tl.relaxed.scope.cta.space.cta`
fn barrier(parts: &[&str]) -> Option<(String, String)> {
    let after = |word: &str| {
        let at = parts.iter().position(|part| *part == word)?;
        parts.get(at + 1).copied()
    };
    let (scope, space) = (after("scope")?, after("space")?);
    let has = |word: &str| parts.contains(&word);
    let relaxed = has("relaxed");
    let (word, order) = match parts {
        ["expect", ..] => ("expect_tx", "relaxed"),
        ["complete", ..] => ("complete_tx", "relaxed"),
        ["test", ..] => ("test_wait", if relaxed { "relaxed" } else { "acquire" }),
        ["try", ..] => ("try_wait", if relaxed { "relaxed" } else { "acquire" }),
        ["arrive", ..] => {
            let word = match (has("drop"), has("expect")) {
                (false, false) => "arrive",
                (false, true) => "arrive.expect_tx",
                (true, false) => "arrive_drop",
                (true, true) => "arrive_drop.expect_tx",
            };
            (word, if relaxed { "relaxed" } else { "release" })
        }
        _ => return None,
    };
    let parity = if has("parity") { ".parity" } else { "" };
    let head = format!("mbarrier.{word}{parity}.{order}.{scope}.shared::{space}.b64");
    let state = if has("parity") { "r" } else { "l" };
    Some(match word {
        "expect_tx" | "complete_tx" => (format!("{head} [$0], $1;"), "r,r".into()),
        "test_wait" | "try_wait" if has("tl") => {
            (format!("{head} $0, [$1], $2, $3;"), format!("=b,r,{state},r"))
        }
        "test_wait" | "try_wait" => (format!("{head} $0, [$1], $2;"), format!("=b,r,{state}")),
        _ if space == "cta" => (format!("{head} $0, [$1], $2;"), "=l,r,r".into()),
        _ => (format!("{head} _, [$0], $1;"), "r,r".into()),
    })
}

/// `cp.async.bulk.global.to.shared.cluster` and its kind.
fn bulk(parts: &[&str], given: impl Fn(usize) -> Option<u64>) -> Option<(String, String)> {
    const BYTES: &str = "mbarrier::complete_tx::bytes";
    Some(match parts {
        ["global", "to", "shared", "cluster"] => match given(6)? {
            0 => (
                format!("cp.async.bulk.shared::cluster.global.{BYTES} [$0], [$2], $3, [$1];"),
                "r,r,l,r".into(),
            ),
            _ => (
                format!(
                    "cp.async.bulk.shared::cluster.global.{BYTES}.multicast::cluster [$0], [$2], $3, [$1], $4;"
                ),
                "r,r,l,r,h".into(),
            ),
        },
        ["global", "to", "shared", "cta"] => (
            format!("cp.async.bulk.shared::cta.global.{BYTES} [$0], [$2], $3, [$1];"),
            "r,r,l,r".into(),
        ),
        ["shared", "cta", "to", "cluster"] => (
            format!("cp.async.bulk.shared::cluster.shared::cta.{BYTES} [$0], [$2], $3, [$1];"),
            "r,r,r,r".into(),
        ),
        ["shared", "cta", "to", "global"] => {
            ("cp.async.bulk.global.shared::cta.bulk_group [$0], [$1], $2;".into(), "l,r,r".into())
        }
        _ => return None,
    })
}

/// `cp.async.bulk.tensor.g2s.tile.2d` and `cp.async.bulk.tensor.s2g.tile.2d`.
fn tensor(parts: &[&str], given: impl Fn(usize) -> Option<u64>) -> Option<(String, String)> {
    let (["g2s", "tile", of] | ["s2g", "tile", of]) = parts else { return None };
    let count: usize =
        of.strip_suffix('d')?.parse().ok().filter(|count| (1..=5).contains(count))?;
    let places = |first: usize| {
        let all: Vec<String> = (first..first + count).map(|at| format!("${at}")).collect();
        all.join(", ")
    };
    let each = ",r".repeat(count);
    if parts[0] == "s2g" {
        let text = format!(
            "cp.async.bulk.tensor.{of}.global.shared::cta.tile.bulk_group [$1, {{{}}}], [$0];",
            places(2)
        );
        return Some((text, format!("r,l{each}")));
    }
    let head = format!(
        "cp.async.bulk.tensor.{of}.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
    );
    Some(match given(3 + count + 2)? {
        0 => (format!("{head} [$0], [$2, {{{}}}], [$1];", places(3)), format!("r,r,l{each}")),
        _ => (
            format!(
                "{head}.multicast::cluster [$0], [$2, {{{}}}], [$1], ${};",
                places(3),
                3 + count
            ),
            format!("r,r,l{each},h"),
        ),
    })
}

/// `tcgen05.alloc.shared.cg1` and its kind.
fn tensor_core(parts: &[&str]) -> Option<(String, String)> {
    let group = match parts.last() {
        Some(&"cg2") => "cta_group::2",
        _ => "cta_group::1",
    };
    Some(match parts {
        ["alloc", "shared", _] => {
            (format!("tcgen05.alloc.{group}.sync.aligned.shared::cta.b32 [$0], $1;"), "r,r".into())
        }
        ["dealloc", _] => {
            (format!("tcgen05.dealloc.{group}.sync.aligned.b32 $0, $1;"), "r,r".into())
        }
        ["relinq", "alloc", "permit", _] => {
            (format!("tcgen05.relinquish_alloc_permit.{group}.sync.aligned;"), String::new())
        }
        ["commit", "shared", _] => (
            format!("tcgen05.commit.{group}.mbarrier::arrive::one.shared::cluster.b64 [$0];"),
            "r".into(),
        ),
        ["fence", side @ ("after" | "before"), "thread", "sync"] => {
            (format!("tcgen05.fence::{side}_thread_sync;"), String::new())
        }
        ["wait", what @ ("ld" | "st")] => {
            (format!("tcgen05.wait::{what}.sync.aligned;"), String::new())
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::spelled;

    #[test]
    fn intrinsics_become_instructions() {
        let text = |name: &str| spelled(name, |_| Some(0)).map(|(text, _)| text);
        let of = |name: &str, wanted: &str| assert_eq!(text(name).as_deref(), Some(wanted));
        of(
            "mbarrier.try.wait.parity.scope.cta.space.cta",
            "mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 $0, [$1], $2;",
        );
        of(
            "mbarrier.arrive.expect.tx.relaxed.scope.cluster.space.cluster",
            "mbarrier.arrive.expect_tx.relaxed.cluster.shared::cluster.b64 _, [$0], $1;",
        );
        of(
            "cp.async.bulk.tensor.g2s.tile.2d",
            "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [$0], [$2, {$3, $4}], [$1];",
        );
        of("redux.sync.umax", "redux.sync.max.u32 $0, $1, $2;");
        of(
            "ldmatrix.sync.aligned.m8n8.x2.trans.b16.p3",
            "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {$0, $1}, [$2];",
        );
        of(
            "stmatrix.sync.aligned.m8n8.x2.b16.p0",
            "stmatrix.sync.aligned.m8n8.x2.b16 [$0], {$1, $2};",
        );
        assert_eq!(text("cp.async.bulk.tensor.g2s.tile.9d"), None);
        assert_eq!(text("mbarrier.arrive"), None);
    }
}
