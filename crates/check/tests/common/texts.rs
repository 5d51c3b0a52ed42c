//! Random texts: programs of every vocabulary, and changed scenarios of the corpus.
#![allow(dead_code, missing_docs, unreachable_pub)] // the tests of the page's engine use it too

use std::fs;
use std::path::{Path, PathBuf};

/// Pseudo-random numbers, the same in every run.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % end.max(1)
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }
}

/// A vocabulary: targets, launches, declarations, name of an agent, first statements, and other statements.
struct Vocabulary {
    targets: &'static [&'static str],
    launches: &'static [&'static str],
    declares: &'static str,
    agents: &'static [&'static str],
    first: &'static str,
    does: &'static [&'static str],
}

const GFX: &[&str] = &["gfx1250", "gfx1250", "model", "gfx1200", "gfx1100", "gfx942", "gfx600"];
const SM: &[&str] = &["sm_90", "sm_100", "sm_80", "sm_70"];
const WAVES: &[&str] =
    &["waves=1", "waves=2", "waves=3", "workgroups=2 waves=1", "workgroups=2 waves=2"];
const WARPS: &[&str] = &["warps=1", "warps=2", "warps=3", "ctas=2 warps=1", "ctas=2 warps=2"];
const WAVE: &[&str] = &["wave 0", "wave 1", "wave 2", "wave *", "workgroup 1 wave 0", "kernel"];
const WARP: &[&str] = &["warp 0", "warp 1", "warp 2", "warp *", "cta 1 warp 0"];

static VOCABULARIES: [Vocabulary; 9] = [
    Vocabulary {
        targets: GFX,
        launches: WAVES,
        declares: "barrier p = named(1)\nbarrier q = named(2)\nbarrier r\n",
        agents: WAVE,
        first: "init p, 2; init q, 1; init r, 2; arrive wg; wait wg",
        does: &[
            "init p, 1",
            "init q, 2",
            "init r, 1",
            "init wg, 1",
            "init null, 1",
            "init p, 0",
            "init p, 200",
            "join p",
            "join q",
            "join null",
            "join wg",
            "join r",
            "arrive p",
            "arrive q",
            "arrive r",
            "arrive wg",
            "arrive cluster",
            "arrive null",
            "arrive p, expected=2",
            "arrive p, expected=0",
            "wait p",
            "wait q",
            "wait r",
            "wait wg",
            "wait cluster",
            "wait null",
            "drop p",
            "drop q",
            "drop r",
            "drop wg",
            "drop null",
            "drop cluster",
            "let x = arrive.isfirst wg",
            "let x = arrive.isfirst p",
            "let x = arrive.isfirst null",
            "let x = arrive.isfirst cluster",
            "choose { arrive wg } or { wait wg }",
            "choose { join p } or { join null }",
            "loop { arrive wg; wait wg }",
            "repeat 2 { arrive p; wait p }",
            "loop { wait null }",
            "call f()",
            "if wave_id == 0 { wait p } else { arrive p }",
        ],
    },
    Vocabulary {
        targets: GFX,
        launches: WAVES,
        declares: "global g[16]\n",
        agents: WAVE,
        first: "s_mov_b32 m0, 0x20001; s_barrier_init m0; s_barrier_signal -1; s_barrier_wait -1",
        does: &[
            "s_barrier",
            "s_barrier_signal -1",
            "s_barrier_signal -2",
            "s_barrier_signal -3",
            "s_barrier_signal 0",
            "s_barrier_signal 1",
            "s_barrier_signal m0",
            "s_barrier_signal 17",
            "s_barrier_signal_isfirst -1",
            "s_barrier_signal_isfirst 0",
            "s_barrier_signal_isfirst 1",
            "s_barrier_wait -1",
            "s_barrier_wait -3",
            "s_barrier_wait 0",
            "s_barrier_wait 1",
            "s_barrier_wait 2",
            "s_barrier_join 0",
            "s_barrier_join 1",
            "s_barrier_join 2",
            "s_barrier_join m0",
            "s_barrier_join -1",
            "s_barrier_leave",
            "s_barrier_init 0",
            "s_barrier_init m0",
            "s_barrier_init 1",
            "s_get_barrier_state s0, -1",
            "s_get_barrier_state s0, 1",
            "s_mov_b32 m0, 0x10001",
            "s_mov_b32 m0, 0xffff0010",
            "s_mov_b32 m0, 0",
            "s_waitcnt vmcnt(0)",
            "s_wait_loadcnt 0x0",
            "s_cmp_eq_u32 0, 0",
            "s_cmp_eq_u32 s0, 1",
            "s_cmp_lg_u32 1, 2",
            "s_cbranch_scc1 L",
            "s_cbranch_scc0 L",
            "s_branch L",
            "s_endpgm",
            "store g",
            "load g",
            "global_inv scope:SCOPE_SE",
        ],
    },
    Vocabulary {
        targets: GFX,
        launches: WAVES,
        declares: "global g[64]\nlds t[64]\n",
        agents: WAVE,
        first: "call void @llvm.amdgcn.s.barrier.init(i32 1, i32 2); call void @llvm.amdgcn.s.barrier()",
        does: &[
            "call void @llvm.amdgcn.s.barrier()",
            "call void @llvm.amdgcn.s.barrier.signal(i32 -1)",
            "call void @llvm.amdgcn.s.barrier.signal(i32 0)",
            "call void @llvm.amdgcn.s.barrier.signal(i32 1)",
            "call void @llvm.amdgcn.s.barrier.signal.var(i32 1, i32 3)",
            "call void @llvm.amdgcn.s.barrier.wait(i16 -1)",
            "call void @llvm.amdgcn.s.barrier.wait(i16 0)",
            "call void @llvm.amdgcn.s.barrier.wait(i16 1)",
            "call void @llvm.amdgcn.s.barrier.join(i32 0)",
            "call void @llvm.amdgcn.s.barrier.join(i32 1)",
            "call void @llvm.amdgcn.s.barrier.leave(i16 1)",
            "call void @llvm.amdgcn.s.barrier.init(i32 1, i32 1)",
            "%f = call i1 @llvm.amdgcn.s.barrier.signal.isfirst(i32 -1)",
            "%s = call i32 @llvm.amdgcn.s.get.barrier.state(i32 1)",
            "fence syncscope(\"workgroup\") release",
            "fence syncscope(\"agent\") acq_rel",
            "fence seq_cst",
            "call void @llvm.amdgcn.load.async.to.lds(ptr @g, ptr @t)",
            "call void @llvm.amdgcn.asyncmark()",
            "call void @llvm.amdgcn.wait.asyncmark(i16 0)",
            "call void @llvm.amdgcn.wait.asyncmark(i16 1)",
            "load t",
            "store t[0..4]",
        ],
    },
    Vocabulary {
        targets: GFX,
        launches: WAVES,
        declares: "global g[64]\nlds t[64]\nbarrier p = named(1)\n",
        agents: WAVE,
        first: "init p, 2; arrive wg; wait wg",
        does: &[
            "load t",
            "store t",
            "load g",
            "store g",
            "load t[0..4]",
            "store t[4..8]",
            "async_load t <- g",
            "async_load t[0..4] <- g[4..8]",
            "async_load t[0..8] <- g[0..8]",
            "asyncmark",
            "wait_asyncmark 0",
            "wait_asyncmark 1",
            "fence release workgroup",
            "fence acquire workgroup",
            "fence acq_rel agent local",
            "fence release workgroup one-as local",
            "arrive wg",
            "wait wg",
            "join p",
            "arrive p",
            "wait p",
            "wait null",
            "join null",
            "loop { async_load t <- g; asyncmark; wait_asyncmark 1 }",
            "call f()",
            "s_wait_asynccnt 0x0",
            "s_waitcnt vmcnt(0) lgkmcnt(0)",
        ],
    },
    Vocabulary {
        targets: SM,
        launches: WARPS,
        declares: "mbarrier b\nmbarrier c\nshared t[64]\nglobal g[64]\n",
        agents: WARP,
        first: "mbarrier.init.shared::cta.b64 [b], 2; barrier.cluster.arrive; barrier.cluster.wait",
        does: &[
            "mbarrier.init.shared::cta.b64 [b], 1",
            "mbarrier.init.shared::cta.b64 [c], 3",
            "mbarrier.inval.shared::cta.b64 [b]",
            "mbarrier.arrive.shared::cta.b64 _, [b]",
            "mbarrier.arrive.shared::cta.b64 s, [b]",
            "mbarrier.arrive.shared::cta.b64 _, [b], 2",
            "mbarrier.arrive.noComplete.shared::cta.b64 s, [b], 1",
            "mbarrier.arrive_drop.shared::cta.b64 _, [b]",
            "mbarrier.arrive.expect_tx.shared::cta.b64 _, [b], 64",
            "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [b], 64",
            "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [b], 64",
            "mbarrier.test_wait.shared::cta.b64 p, [b], s",
            "mbarrier.try_wait.parity.shared::cta.b64 p, [b], 0",
            "mbarrier.try_wait.parity.shared::cta.b64 p, [b], 1",
            "loop { mbarrier.try_wait.parity.shared::cta.b64 p, [b], 0; if p { break } }",
            "mbarrier.pending_count.b64 n, s",
            "bar.sync 0",
            "bar.sync 1, 64",
            "bar.sync 1, 32",
            "bar.arrive 1, 64",
            "bar.red.popc.u32 r, 1, p",
            "barrier.sync 2, 96",
            "bar.sync 15, 33",
            "bar.warp.sync 0xffffffff",
            "barrier.cluster.arrive",
            "barrier.cluster.wait",
            "cp.async.cg.shared.global [t], [g], 16",
            "cp.async.mbarrier.arrive.shared::cta.b64 [b]",
            "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [b]",
            "cp.async.commit_group",
            "cp.async.wait_group 0",
            "cp.async.wait_all",
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [t], [g], 64, [b]",
            "cp.async.bulk.commit_group",
            "cp.async.bulk.wait_group 0",
            "wgmma.fence.sync.aligned",
            "wgmma.commit_group.sync.aligned",
            "wgmma.wait_group.sync.aligned 0",
            "fence.proxy.async",
            "load t",
            "store t[0..16]",
            "ld.shared.u32 r, [t]",
            "st.shared.u32 [t], r",
            "exit",
        ],
    },
    Vocabulary {
        targets: SM,
        launches: WARPS,
        declares: "mbarrier b\nshared t[64]\n",
        agents: WARP,
        first: "MOV R2, 0x400; MOV R4, 0xffffc; SYNCS.EXCH.64 URZ, [UR4], UR6",
        does: &[
            "SYNCS.EXCH.64 URZ, [b], UR6",
            "SYNCS.ARRIVE.TRANS64.A1T0 RZ, [b], RZ",
            "SYNCS.ARRIVE.TRANS64 RZ, [b], R2",
            "SYNCS.ARRIVE.TRANS64.ART0 RZ, [b], R2",
            "SYNCS.ARRIVE.TRANS64.RED.A1T0 RZ, [b], RZ",
            "SYNCS.ARRIVE.TRANS64.OPTOUT.A1T0 RZ, [b], RZ",
            "SYNCS.PHASECHK.TRANS64 P0, [b], R3",
            "SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [b], R3",
            "SYNCS.CCTL.IV [b]",
            "BAR.SYNC.DEFER_BLOCKING 0x0",
            "BAR.SYNC 0x1, 0x40",
            "BAR.ARV 0x1, 0x40",
            "WARPSYNC.ALL",
            "MEMBAR.ALL.CTA",
            "LDS R0, [t]",
            "STS [t], R0",
            "MOV R2, 0x2",
            "SHF.L.U32 R3, R2, 0x1f, RZ",
            "EXIT",
            "NOP",
        ],
    },
    Vocabulary {
        targets: &["sm_90", "sm_100", "gfx942", "gfx1250"],
        launches: &["warps=1", "warps=2", "warps=3", "waves=2"],
        declares: "a = tlx.alloc_barriers(2, arrive_count=1)\nb = tlx.alloc_barriers(1)\nshared t[64]\nglobal g[64]\n",
        agents: &["warp 0", "warp 1", "warp 2", "wave 0", "wave 1"],
        first: "tlx.barrier_arrive(a[0], 1)",
        does: &[
            "tlx.barrier_arrive(a[0], 1)",
            "tlx.barrier_arrive(a[1])",
            "tlx.barrier_arrive(b[0], 2)",
            "tlx.barrier_wait(a[0], 0)",
            "tlx.barrier_wait(a[0], 1)",
            "tlx.barrier_wait(a[1], phase=0)",
            "tlx.barrier_expect_bytes(b[0], 64)",
            "tlx.named_barrier_wait(1, 64)",
            "tlx.named_barrier_arrive(1, 64)",
            "tlx.named_barrier_wait(9, 32)",
            "tlx.barrier_wait(a[5], 0)",
            "tlx.async_load(t, g)",
            "tlx.async_load_commit_group()",
            "tlx.async_load_wait_group(0)",
            "load t",
            "store t",
            "for i in 0..3 { tlx.barrier_wait(a[i % 2], i / 2 % 2); tlx.barrier_arrive(a[(i + 1) % 2]) }",
        ],
    },
    Vocabulary {
        targets: &["opencl", "opencl", "gfx1250", "sm_90", "gfx900"],
        launches: &[
            "subgroups=1 items=2",
            "subgroups=2 items=1",
            "subgroups=2 items=2",
            "workgroups=2 subgroups=1 items=2",
        ],
        declares: "",
        agents: &["kernel"],
        first: "local<work_group_named_barrier> a(2)",
        does: &[
            "work_group_barrier(mem_fence::local)",
            "work_group_barrier(mem_fence::global, memory_scope_device)",
            "work_group_barrier(mem_fence::image)",
            "sub_group_barrier(mem_fence::local)",
            "a.wait(mem_fence::local)",
            "a.wait(mem_fence::image)",
            "barrier(CLK_LOCAL_MEM_FENCE)",
            "intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE)",
            "intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE)",
            "if get_local_id(0) == 0 { work_group_barrier(mem_fence::local) }",
            "if get_sub_group_id() == 0 { a.wait(mem_fence::local) }",
            "repeat 2 { sub_group_barrier(mem_fence::global) }",
            "loop { work_group_barrier(mem_fence::local); break }",
            "choose { a.wait(mem_fence::local) } or { return }",
        ],
    },
    Vocabulary {
        targets: &["opencl", "opencl", "gfx1250"],
        launches: &[
            "subgroups=1 items=2",
            "subgroups=2 items=2",
            "workgroups=2 subgroups=1 items=2",
        ],
        declares: "",
        agents: &["__kernel void k(__global int *a, __global int *b, int n)"],
        first: "int i = get_local_id(0); __local int t[8];",
        does: &[
            "a[i] = i;",
            "t[i] = a[i];",
            "b[i] = t[i + 1];",
            "int p = n++;",
            "b[i] = a[0]++;",
            "if (a[0]++ > 3) b[1] = 2;",
            "barrier(CLK_LOCAL_MEM_FENCE);",
            "if (i == n) barrier(CLK_GLOBAL_MEM_FENCE);",
            "while (i > 0) i--;",
            "for (int j = 0; j < 3; j++) { t[j] = i; barrier(CLK_LOCAL_MEM_FENCE); }",
            "if (t[0] > 3) a[1] = 1; else a[2] = 2;",
            "switch (i) { case 0: t[1] = 2; break; default: t[2] = 3; }",
            "atomic_add(&a[0], 1);",
            "int q = (i << 40) / (n - n);",
            "a[-1] = 3;",
            "t[100] = i * 1000000007 * 1000000007;",
            "return;",
            "i < 1 || (t[3] = 2);",
            "(++i, i);",
        ],
    },
];

/// A random program.
pub fn program(dice: &mut Dice) -> String {
    let words = &VOCABULARIES[dice.below(VOCABULARIES.len())];
    let mut text = String::new();
    if dice.chance(90) {
        text += &format!("target {}\n", dice.of(words.targets));
    }
    if dice.chance(90) {
        text += &format!("launch {}\n", dice.of(words.launches));
    }
    text += words.declares;
    if words.does.contains(&"call f()") {
        text += &format!("func f() {{ {} }}\n", dice.of(words.does).replace("call f()", ""));
    }
    let pasted = words.agents[0].starts_with("__kernel");
    for agent in 0..if words.agents.len() == 1 { 1 } else { 1 + dice.below(3) } {
        text += &format!(
            "{} {{\n",
            if agent < 2 && dice.chance(70) { words.agents[agent] } else { dice.of(words.agents) }
        );
        if dice.chance(if agent == 0 { 80 } else { 20 }) {
            text +=
                &format!("  {}\n", words.first.replace("; ", if pasted { "; " } else { "\n  " }));
        }
        let many = 1 + dice.below(6);
        let label = dice.below(many);
        for at in 0..many {
            if at == label && words.does.contains(&"s_branch L") {
                text += "L:\n";
            }
            text += &format!("  {}\n", dice.of(words.does));
        }
        text += "}\n";
    }
    text
}

/// The scenarios of the corpus: paths and texts, in order.
pub fn corpus() -> Vec<(PathBuf, String)> {
    let root =
        Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().find(|at| at.join("examples").is_dir());
    let root = root.expect("the folder of the examples");
    let mut open = vec![root.join("examples"), root.join("tests/conformance")];
    let mut files = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).expect("the folder is there").flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|it| it == "tide") {
                files.push(path);
            }
        }
    }
    files.sort();
    let read = |path: PathBuf| fs::read_to_string(&path).ok().map(|text| (path, text));
    files.into_iter().filter_map(read).collect()
}

const NUMBERS: [&str; 16] = [
    "0",
    "1",
    "2",
    "-1",
    "-3",
    "3",
    "16",
    "17",
    "127",
    "128",
    "65535",
    "0xffffffff",
    "1048576",
    "2147483648",
    "9223372036854775807",
    "99999999999999999999",
];
const NAMES: [&str; 12] =
    ["null", "wg", "cluster", "m0", "wave_id", "lane", "b", "p[0]", "full[1]", "x", "_", "RZ"];
const TARGETS: [&str; 8] =
    ["gfx1250", "gfx1200", "gfx942", "gfx600", "sm_90", "sm_70", "opencl", "model"];

/// A scenario of the corpus after some changes.
pub fn changed(dice: &mut Dice, corpus: &[(PathBuf, String)]) -> String {
    let mut lines: Vec<String> =
        corpus[dice.below(corpus.len())].1.lines().map(str::to_owned).collect();
    let other: Vec<&str> = corpus[dice.below(corpus.len())].1.lines().collect();
    for _ in 0..1 + dice.below(3) {
        let at = dice.below(lines.len());
        let Some(line) = lines.get(at).cloned() else { break };
        match dice.below(9) {
            0 => drop(lines.remove(at)),
            1 => lines.insert(at, line),
            2 => {
                let with = dice.below(lines.len());
                lines.swap(at, with);
            }
            3 if !other.is_empty() => lines.insert(at, other[dice.below(other.len())].to_owned()),
            4 => lines[at] = exchanged(dice, &line, |c| c.is_ascii_digit(), &NUMBERS),
            5 => {
                lines[at] = exchanged(dice, &line, |c| c.is_ascii_alphabetic() || c == '_', &NAMES)
            }
            6 => {
                let cut = dice.below(line.chars().count() + 1);
                lines[at] = line.chars().take(cut).collect();
            }
            7 => {
                let target = lines.iter().position(|line| line.starts_with("target "));
                let new = format!("target {}", dice.of(&TARGETS));
                match target {
                    Some(at) => lines[at] = new,
                    None => lines.insert(0, new),
                }
            }
            _ => {
                let mut parts: Vec<&str> = line.split(';').collect();
                let _ = parts.remove(dice.below(parts.len()));
                lines[at] = parts.join(";");
            }
        }
    }
    lines.join("\n") + "\n"
}

/// A line in which one run of characters of a kind is replaced.
fn exchanged(dice: &mut Dice, line: &str, is: impl Fn(char) -> bool, all: &[&str]) -> String {
    let runs: Vec<&str> = line.split(|c| !is(c)).filter(|run| !run.is_empty()).collect();
    if runs.is_empty() {
        return line.to_owned();
    }
    let run = runs[dice.below(runs.len())];
    let start = run.as_ptr() as usize - line.as_ptr() as usize;
    format!("{}{}{}", &line[..start], dice.of(all), &line[start + run.len()..])
}

/// The text with this number: a random program, or a changed scenario.
pub fn text(seed: u64, corpus: &[(PathBuf, String)]) -> String {
    let mut dice = Dice::new(seed);
    if dice.chance(50) { program(&mut dice) } else { changed(&mut dice, corpus) }
}

/// The numbers of the texts to try: a few, or `TIDEGATE_TEXTS` of them from `TIDEGATE_FROM` on.
pub fn seeds(usual: u64) -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|words| words.parse().ok());
    let from = number("TIDEGATE_FROM").unwrap_or(0);
    from..from + number("TIDEGATE_TEXTS").unwrap_or(usual)
}

/// Calls a function with each text of these numbers, and lists the numbers of all texts for which it panics.
pub fn none_panics(usual: u64, does: impl Fn(&mut Dice, &str)) {
    let corpus = corpus();
    let mut panicked = Vec::new();
    for seed in seeds(usual) {
        let text = text(seed, &corpus);
        let started = std::time::Instant::now();
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            does(&mut Dice::new(seed ^ 0xabcd), &text);
        }));
        if started.elapsed().as_secs() > 20 {
            println!("text {seed} took {:?}\n{text}", started.elapsed());
        }
        if done.is_err() {
            println!("text {seed} panics\n{text}");
            panicked.push(seed);
        }
    }
    assert!(panicked.is_empty(), "these texts make the program panic: {panicked:?}");
}
