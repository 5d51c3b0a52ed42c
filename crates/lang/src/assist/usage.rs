//! How operations are written: their operands, and the usual modifiers.
//!
//! To add an operation: add its name and the text that follows the name to [`USAGES`]. `${…}` encloses what the writer
//! replaces. A test compiles every usage.

use super::meaning::{self, EXPECTING};
use crate::vocabulary::{sass, tlx};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

const WAIT: &str = ".parity.shared::cta.b64 p, [${BARRIER}], ${PARITY}\n@!p bra again";
const BAR: &str = " ${ID}, ${THREADS}";
const SYNC: &str = " ${ID}";
const OBJECT: &str = " ${BARRIER}";
const ONE: &str = ".shared::cta.b64 [${BARRIER}]";
const ARRIVE: &str = ".shared::cta.b64 _, [${BARRIER}]";
const BYTES: &str = ".shared::cta.b64 [${BARRIER}], ${BYTES}";
const ACCESS: &str = " ${MEMORY}[${A}..${B}]";
const CALL: &str = "(${mem_fence::local})";
const NUMBER: &str = " ${N}";
const COUNTER: &str = " null, ${N}";
const COMPARED: &str = " ${REGISTER}, ${N}";
const LABEL: &str = " ${LABEL}";

/// The name of an operation, and its operands.
const USAGES: &[(&str, &str)] = &[
    ("init", " ${BARRIER}, ${COUNT}"),
    ("arrive", OBJECT),
    ("arrive.isfirst", OBJECT),
    ("wait", OBJECT),
    ("drop", OBJECT),
    ("join", OBJECT),
    ("fence", " ${release} ${workgroup}"),
    ("load", ACCESS),
    ("store", ACCESS),
    ("async_load", " ${MEMORY}[${A}..${B}] <- ${SOURCE}[${A}..${B}]"),
    ("async_load_to_lds", "(${MEMORY}[${A}..${B}], ${SOURCE}[${A}..${B}])"),
    ("wait_asyncmark", NUMBER),
    ("wait.asyncmark", "(${N})"),
    ("s_barrier_signal", OBJECT),
    ("s_barrier_signal_isfirst", OBJECT),
    ("s_barrier_wait", OBJECT),
    ("s_barrier_init", OBJECT),
    ("s_barrier_join", OBJECT),
    ("s_get_barrier_state", " ${REGISTER}, ${BARRIER}"),
    ("s_waitcnt", " vmcnt(${N}) lgkmcnt(${M})"),
    ("s_waitcnt_vmcnt", COUNTER),
    ("s_waitcnt_expcnt", COUNTER),
    ("s_waitcnt_lgkmcnt", COUNTER),
    ("s_waitcnt_vscnt", COUNTER),
    ("s_wait_loadcnt", NUMBER),
    ("s_wait_storecnt", NUMBER),
    ("s_wait_dscnt", NUMBER),
    ("s_wait_loadcnt_dscnt", NUMBER),
    ("s_wait_storecnt_dscnt", NUMBER),
    ("s_wait_kmcnt", NUMBER),
    ("s_wait_expcnt", NUMBER),
    ("s_wait_samplecnt", NUMBER),
    ("s_wait_bvhcnt", NUMBER),
    ("s_wait_xcnt", NUMBER),
    ("s_wait_asynccnt", NUMBER),
    ("s_wait_tensorcnt", NUMBER),
    ("s_mov_b32", " m0, ${N}"),
    ("s_cmp_eq_u32", COMPARED),
    ("s_cmp_lg_u32", COMPARED),
    ("s_branch", LABEL),
    ("s_cbranch_scc0", LABEL),
    ("s_cbranch_scc1", LABEL),
    ("work_group_barrier", CALL),
    ("barrier", CALL),
    ("sub_group_barrier", CALL),
    ("intel_work_group_barrier_arrive", CALL),
    ("intel_work_group_barrier_wait", CALL),
    ("mbarrier.init", ".shared::cta.b64 [${BARRIER}], ${COUNT}"),
    ("mbarrier.inval", ONE),
    ("mbarrier.arrive_drop", ARRIVE),
    ("mbarrier.arrive", ARRIVE),
    (EXPECTING, ".shared::cta.b64 _, [${BARRIER}], ${BYTES}"),
    ("mbarrier.expect_tx", BYTES),
    ("mbarrier.complete_tx", BYTES),
    ("mbarrier.test_wait", WAIT),
    ("mbarrier.try_wait", WAIT),
    ("mbarrier.pending_count", ".b64 ${n}, ${TOKEN}"),
    ("bar.warp.sync", " ${MASK}"),
    ("bar.sync", SYNC),
    ("bar.arrive", BAR),
    ("bar.cta.sync", SYNC),
    ("bar.cta.arrive", BAR),
    ("barrier.sync", SYNC),
    ("barrier.arrive", BAR),
    ("barrier.cta.sync", SYNC),
    ("barrier.cta.arrive", BAR),
    ("fence.mbarrier_init", ".release.cluster"),
    ("cp.async.mbarrier.arrive", ".noinc.shared::cta.b64 [${BARRIER}]"),
    ("cp.async.bulk.wait_group", NUMBER),
    ("cp.async.wait_group", NUMBER),
    ("wgmma.wait_group", ".sync.aligned ${N}"),
    (
        "cp.async.bulk.tensor",
        ".2d.shared::cta.global.tile.mbarrier::complete_tx::bytes [${MEMORY}], [${SOURCE}, {${X}, ${Y}}], [${BARRIER}]",
    ),
    (
        "cp.async.bulk",
        ".shared::cta.global.mbarrier::complete_tx::bytes [${MEMORY}], [${SOURCE}], ${BYTES}, [${BARRIER}]",
    ),
    ("cp.async", ".ca.shared.global [${MEMORY}], [${SOURCE}], ${BYTES}"),
    ("mapa", ".shared::cluster.u32 ${r}, ${BARRIER}, ${RANK}"),
    ("tlx.async_dot", "(${LEFT}, ${RIGHT}, acc)"),
    ("tlx.async_dot_wait", "(${N}, acc)"),
];

/// An operation with `${…}` around what the writer replaces; empty if it has no operands.
fn template(name: &str) -> String {
    if let Some((_, rest)) = USAGES.iter().find(|(known, _)| *known == name) {
        let label = if rest.ends_with("bra again") { "again: " } else { "" };
        return format!("{label}{name}{rest}");
    }
    let Some(found) = tlx::find(name) else { return String::new() };
    let fields = found.parameters.iter().filter(|name| !OPTIONAL.contains(name));
    let fields: Vec<_> = fields.map(|field| format!("${{{}}}", parameter(field))).collect();
    format!("{name}({})", fields.join(", "))
}

/// Parameters of TLX that are usually not written.
const OPTIONAL: [&str; 5] = ["pred", "arrive_count", "eviction_policy", "two_ctas", "inp"];

/// The field of a parameter of TLX: that of an object or a memory takes a declared name.
fn parameter(name: &'static str) -> &'static str {
    match name {
        "bar" | "mBarrier" => "BARRIER",
        "dst" | "source" => "MEMORY",
        "src" | "desc" => "SOURCE",
        other => other,
    }
}

/// How an operation is written, in one line: its name and its operands. Empty for an operation without operands.
pub(crate) fn signature(name: &str) -> String {
    let name = meaning::base(name);
    if let Some(twin) = sass::twins().find(|twin| twin.sass == name) {
        return twin.printed.to_owned();
    }
    plain(&template(name)).replace('\n', "; ")
}

/// How an operation is written, and its meaning: text in which code is between backticks.
#[must_use]
pub fn described(name: &str) -> String {
    let signature = signature(name);
    let meaning = meaning::instruction(name).map(|meaning| meaning.sentence).unwrap_or_default();
    if signature.is_empty() { meaning.into_owned() } else { format!("`{signature}` {meaning}") }
}

/// A template without the marks of its fields.
fn plain(template: &str) -> String {
    let mut parts = template.split("${");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + &part.replacen('}', "", 1))
}

/// What replaces fields of templates in a text.
pub(super) struct Fields {
    /// A field, and the names that can stand there.
    names: [(&'static str, Vec<String>); 3],
    /// A label that the text does not contain.
    label: String,
}

impl Fields {
    /// The objects and memories that a text declares.
    pub(super) fn of(text: &str) -> Self {
        let names = DECLARED.map(|(field, kinds)| (field, declared(text, kinds)));
        let labels = (1..).map(|n| if n == 1 { "again".to_owned() } else { format!("again{n}") });
        let label = labels.into_iter().find(|label| !text.contains(&format!("{label}:")));
        Self { names, label: label.unwrap_or_default() }
    }

    /// The statement with an operation, with `${…}` around what the writer replaces; empty if it has no operands. The only name
    /// that can stand in a field replaces the field, and the first of several is its text.
    pub(super) fn statement(&self, name: &str) -> String {
        let replace = |statement: String, (field, names): &(&str, Vec<String>)| {
            let launched = ["arrive", "wait"].contains(&name).then_some("wg");
            let launched = launched.filter(|_| *field == DECLARED[0].0);
            let mut all = names.iter().map(String::as_str).chain(launched);
            let field = format!("${{{field}}}");
            match (all.next(), all.next()) {
                (Some(only), None) if !only.ends_with(']') => statement.replace(&field, only),
                (Some(first), _) => statement.replace(&field, &format!("${{{first}}}")),
                (None, _) => statement,
            }
        };
        self.names.iter().fold(template(name), replace).replace("again", &self.label)
    }
}

/// Fields, with the words that declare what can stand there.
const DECLARED: [(&str, &[&str]); 3] = [
    ("BARRIER", &["barrier", "mbarrier"]),
    ("MEMORY", &["lds", "shared", "local"]),
    ("SOURCE", &["global"]),
];

/// The names that lines with these words declare; of an array of objects, its first element.
fn declared(text: &str, kinds: &[&str]) -> Vec<String> {
    let name = |line: &str| {
        let mut words = line.split_whitespace();
        words.next().filter(|word| kinds.contains(word))?;
        let name = words.next()?;
        let end = name.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(name.len());
        let array = name[end..].starts_with('[') && kinds.contains(&"mbarrier");
        Some(format!("{}{}", &name[..end], if array { "[0]" } else { "" }))
    };
    text.lines().filter_map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::{self, ptx};
    use crate::{compile, parse};
    use alloc::string::ToString;

    /// Operations that have no operands, or operands that the table leaves to the documents.
    const WITHOUT: [&str; 14] = [
        "s_barrier",
        "s_barrier_leave",
        "s_wait_idle",
        "s_endpgm",
        "asyncmark",
        "membar",
        "fence",
        "pmevent",
        "nanosleep",
        "mov",
        "cvta",
        "cvt",
        "bar.red",
        "barrier.red",
    ];

    #[test]
    fn operations_have_a_usage() {
        let ptx = ptx::ROWS.iter().filter(|row| !row.parts.is_empty()).map(ptx::Instruction::name);
        let missing: Vec<_> = vocabulary::names()
            .chain(ptx.filter(|name| name.starts_with("mbarrier") || name.starts_with("cp.async")))
            .filter(|name| signature(name).is_empty() && !WITHOUT.contains(name))
            .filter(|name| !name.starts_with("buffer_") && !name.starts_with("global_"))
            .collect();
        assert_eq!(missing, ["cp.async.bulk.prefetch"]);
    }

    /// Values of fields.
    const VALUES: [(&str, &str); 16] = [
        ("COUNT", "1"),
        ("BYTES", "16"),
        ("PARITY", "1"),
        ("RANK", "0"),
        ("ID", "1"),
        ("N", "1"),
        ("M", "1"),
        ("X", "0"),
        ("Y", "0"),
        ("A", "0"),
        ("B", "16"),
        ("THREADS", "32"),
        ("MASK", "0xffffffff"),
        ("TOKEN", "p"),
        ("LEFT", "m"),
        ("RIGHT", "m"),
    ];

    #[test]
    fn usages_compile() {
        let mut failed = Vec::new();
        for (name, _) in USAGES {
            let amdgpu = vocabulary::find(name).is_some() && !name.starts_with("cp.");
            let head = if vocabulary::opencl::CALLS.iter().any(|row| row.name == *name) {
                "target opencl\nlaunch subgroups=1\nlocal m[64]\nkernel {\n"
            } else if amdgpu {
                "target model\nlaunch waves=1\nbarrier b = named(1)\nlds m[64]\nglobal g[64]\nwave 0 {\ns_mov_b32 m0, 0x20001\ns_cmp_eq_u32 s1, 0\n"
            } else {
                "target sm_100\nlaunch warps=1\nmbarrier b\nshared m[64]\nglobal g[64]\nwarp 0 {\nmbarrier.arrive.shared::cta.b64 p, [b]\n"
            };
            let written = Fields::of(head).statement(name);
            let numbers = VALUES.iter().fold(written, |text, (field, value)| {
                text.replace(&format!("{{{field}}}"), &format!("{{{value}}}"))
            });
            let target = if numbers.contains("${LABEL}") { "LABEL:\narrive b" } else { "" };
            let text = format!("{head}{}\n{target}\n}}\n", plain(&numbers));
            let scenario = parse(&text);
            let mut found = scenario.diagnostics.clone();
            if !found.iter().any(|found| found.is_error()) {
                found.extend(compile(&scenario).err().unwrap_or_default());
            }
            let errors: Vec<_> = found
                .iter()
                .filter(|found| found.is_error())
                .map(|found| found.message.to_string())
                .collect();
            if !errors.is_empty() {
                failed.push((text, errors));
            }
        }
        assert!(failed.is_empty(), "{failed:#?}");
    }

    #[test]
    fn signatures_name_the_operands() {
        for (name, says) in [
            ("init", "init BARRIER, COUNT"),
            ("s_barrier", ""),
            ("tlx.barrier_wait", "tlx.barrier_wait(BARRIER, phase)"),
            ("bar.arrive", "bar.arrive ID, THREADS"),
            (
                "mbarrier.try_wait",
                "again: mbarrier.try_wait.parity.shared::cta.b64 p, [BARRIER], PARITY; @!p bra again",
            ),
        ] {
            assert_eq!(signature(name), says);
        }
        assert!(
            signature("cp.async.bulk.tensor").ends_with("[MEMORY], [SOURCE, {X, Y}], [BARRIER]")
        );
    }

    #[test]
    fn fields_take_declared_names() {
        let statement = |text: &str, name: &str| Fields::of(text).statement(name);
        assert_eq!(statement("", "wait"), "wait wg");
        assert_eq!(statement("barrier ready = named(1)", "wait"), "wait ${ready}");
        assert_eq!(statement("barrier ready = named(1)", "join"), "join ready");
        assert_eq!(
            statement("mbarrier full[2]", "mbarrier.inval"),
            "mbarrier.inval.shared::cta.b64 [${full[0]}]"
        );
        assert_eq!(
            statement("shared tile[64]\nmbarrier full\nagain: x", "mbarrier.try_wait"),
            "again2: mbarrier.try_wait.parity.shared::cta.b64 p, [full], ${PARITY}\n@!p bra again2"
        );
    }
}
