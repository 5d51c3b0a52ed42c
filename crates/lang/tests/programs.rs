//! The programs that scenarios compile to.

use tidegate_lang::scenario::Compiled;
use tidegate_model::mem::operation::{Memory, Range};
use tidegate_model::operation::{Action, Form, Mnemonic, Object};
use tidegate_model::program::{Body, Node};

fn compile(text: &str) -> Compiled {
    let scenario = tidegate_lang::parse(text);
    assert_eq!(scenario.diagnostics, [], "{text}");
    tidegate_lang::compile(&scenario).unwrap_or_else(|errors| panic!("{text}: {errors:?}"))
}

fn object(object: Object) -> String {
    match object {
        Object::Workgroup => "wg".into(),
        Object::Cluster => "cluster".into(),
        Object::Null => "null".into(),
        Object::Named(id) => format!("#{id}"),
        Object::Plain(index) => format!("plain{index}"),
        Object::Trap(id) => format!("trap{id}"),
        Object::Outside(id) => format!("outside{id}"),
    }
}

fn action(action: Action) -> String {
    match action {
        Action::Init { object: it, expected } => format!("init {} {expected}", object(it)),
        Action::Arrive { object: it, expected, is_first } => {
            let expected = expected.map_or(String::new(), |expected| format!(" {expected}"));
            format!("{} {}{expected}", if is_first { "isfirst" } else { "arrive" }, object(it))
        }
        Action::Wait { object: it } => format!("wait {}", object(it)),
        Action::Drop { object: it } => format!("drop {}", object(it)),
        Action::Join { object: it } => format!("join {}", object(it)),
        Action::Leave => "leave".into(),
        Action::ReadState { object: it } => format!("state {}", object(it)),
        Action::Caches => "caches".into(),
        Action::Condition(value) => format!("scc {value}"),
        Action::Ptx(action, _) => format!("{action:?}"),
        Action::Opencl(action) => format!("{action:?}"),
        Action::Memory(memory) => self::memory(memory),
    }
}

fn memory(memory: Memory) -> String {
    let range = |range: Range| format!("{}[{}..{}]", range.buffer, range.start, range.end);
    match memory {
        Memory::Load(read) => format!("load {}", range(read)),
        Memory::Store(written) => format!("store {}", range(written)),
        Memory::Fence(_) => "fence".into(),
        Memory::Wait(_) => "counters".into(),
        Memory::Copy { to, from } => format!("copy {} <- {}", range(to), range(from)),
        Memory::Mark => "mark".into(),
        Memory::WaitMarks(most) => format!("wait marks {most}"),
        Memory::Enter => "enter".into(),
        Memory::Leave => "leave".into(),
    }
}

/// Each node on one line: its operation, then its successor if that is not the next node.
fn shown(body: &Body) -> Vec<String> {
    let show = |(index, node): (usize, &Node)| match node {
        Node::Operation { operation, next: [a, b] } if a == b && *a as usize == index + 1 => {
            action(operation.action)
        }
        Node::Operation { operation, next: [a, b] } if a == b => {
            format!("{} >{a}", action(operation.action))
        }
        Node::Operation { operation, next: [a, b] } => {
            format!("{} >{a},{b}", action(operation.action))
        }
        Node::Choose { next } => format!("choose >{next:?}"),
        Node::Divergent => "divergent".into(),
        Node::End => "end".into(),
    };
    body.nodes.iter().enumerate().map(show).collect()
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(shown(compile(text).program.body_of(0)), expected, "{text}");
}

#[test]
fn loops_unroll_or_close() {
    check(
        "wave 0 { repeat 2 { arrive wg; wait wg } }",
        &["arrive wg", "wait wg", "arrive wg", "wait wg", "end"],
    );
    check("wave 0 { loop { arrive wg; wait wg } }", &["arrive wg", "wait wg >0"]);
    check(
        "barrier a\nbarrier b\nwave 0 { let p = 0; loop { if p { arrive a } else { arrive b } p ^= 1 } }".replace("} p ^=", "}; p ^=").as_str(),
        &["arrive plain1", "arrive plain0 >0"],
    );
    check(
        "wave 0 { for i in 1..4 { if i == 2 { continue }; if i == 3 { break }; arrive wg, expected=i } }",
        &["arrive wg 1", "end"],
    );
    check(
        "wave 0 { let i = 3; while i > 1 { i -= 1; arrive wg, expected=i } }",
        &["arrive wg 2", "arrive wg 1", "end"],
    );
    check(
        "wave 0 { for i in 0..2 { for j in i..2 { arrive wg, expected=10 * i + j } } }",
        &["arrive wg 0", "arrive wg 1", "arrive wg 11", "end"],
    );
}

#[test]
fn values_without_a_reader_are_dropped() {
    check("wave 0 { let n = 0; loop { n = 5; arrive wg; n += 1 } }", &["arrive wg >0"]);
    check(
        "wave 0 { x = arrive.isfirst wg; x = arrive.isfirst wg }",
        &["isfirst wg", "isfirst wg", "end"],
    );
    check(
        "wave 0 { s_barrier_signal_isfirst -1; s_barrier_signal_isfirst -1; s_cbranch_scc0 L; wait wg; L: exit }",
        &["isfirst wg", "isfirst wg >2,3", "end", "wait wg >2"],
    );
}

#[test]
fn results_and_choices_branch() {
    check(
        "wave 0 { let f = arrive.isfirst wg; if f { join null } }",
        &["isfirst wg >1,2", "end", "join null >1"],
    );
    check(
        "wave 0 { choose { arrive wg } or { } or { wait wg } }",
        &["choose >[1, 2, 3]", "arrive wg", "end", "wait wg >2"],
    );
    check(
        "wave 0 { loop { choose { arrive wg } or { break } } }",
        &["choose >[1, 2]", "arrive wg >0", "end"],
    );
}

#[test]
fn functions_take_numbers_and_objects() {
    check(
        "barrier b\nfunc f(o, n) { if n > 0 { arrive o, expected=n; call f(o, n - 1) } }\nwave 0 { call f(b, 2); call f(wg, 1) }",
        &["arrive plain0 2", "arrive plain0 1", "arrive wg 1", "end"],
    );
    check("func f() { exit }\nwave 0 { arrive wg; call f(); wait wg }", &["arrive wg", "end"]);
    check("func f() { arrive wg }\nwave 0 { loop { call f() } }", &["arrive wg >0"]);
}

#[test]
fn machine_code() {
    let text = "barrier ready = named(7)\nwave 0 {\ns_mov_b32 m0, 0x50001\ns_barrier_init m0\ns_barrier_init ready\ns_barrier_signal m0\ns_barrier_signal ready\ns_mov_b32 m0, 31\ns_barrier_signal m0\ns_barrier_join @ready\ns_barrier_wait 0xffff\ns_barrier_leave\ns_barrier_signal -3\ns_barrier_signal 17\ns_get_barrier_state s0, -2\ns_wait_dscnt 0x0\ns_endpgm\nwait wg }";
    let expected = [
        "init #1 5",
        "init #7 5",
        "arrive #1 5",
        "arrive #7",
        "arrive wg",
        "join #7",
        "wait wg",
        "leave",
        "arrive cluster",
        "arrive outside17",
        "state trap-2",
        "counters",
        "end",
    ];
    check(text, &expected);
    check("wave 0 { L: s_barrier\ns_branch L }", &["arrive wg", "wait wg >0"]);
    let compiled = compile("wave 0 { s_barrier }");
    let forms = compiled.program.bodies[0].nodes.iter().filter_map(|node| match node {
        Node::Operation { operation, .. } => Some(operation.form),
        _ => None,
    });
    assert!(forms.eq([Form::Machine(Mnemonic::SBarrier); 2]));
    assert_eq!(compiled.sources[0][0], compiled.sources[0][1]);
}

#[test]
fn intrinsics() {
    check(
        "barrier bar\nwave 0 {\ncall void @llvm.amdgcn.s.barrier()\ncall void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(3) @bar, i32 0)\ncall void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(3) @bar, i32 3)\n%f = call i1 @llvm.amdgcn.s.barrier.signal.isfirst(i32 -1)\nif %f { exit }\ncall void @llvm.amdgcn.s.barrier.wait(i16 -1)\nfence syncscope(\"agent\") seq_cst\n}",
        &[
            "arrive wg",
            "wait wg",
            "arrive plain0",
            "arrive plain0 3",
            "isfirst wg >5,6",
            "wait wg >7",
            "end",
            "fence >6",
        ],
    );
}

#[test]
fn agents_share_bodies_and_keep_their_places() {
    let compiled = compile(
        "launch workgroups=2 waves=3\nwave 0 { arrive wg }\nworkgroup 1 wave 1 {\n  arrive   wg\n}\nworkgroup 0 wave 1 { arrive wg, expected=wave_id + workgroup_id }",
    );
    assert_eq!(
        compiled.program.agents.iter().map(|agent| agent.body).collect::<Vec<_>>(),
        [0, 1, 2, 0, 0, 2]
    );
    assert_eq!(compiled.agent_names[3], "workgroup 1 wave 0");
    let source = |agent: usize, node: usize| {
        (compiled.sources[agent][node].span.line, compiled.sources[agent][node].text.as_str())
    };
    assert_eq!((source(0, 0), source(4, 0)), ((2, "arrive wg"), (4, "arrive wg")));
    assert_eq!((source(4, 1), source(2, 0)), ((5, "end"), (0, "end")));
}

#[test]
fn launches() {
    let launch = |text| {
        let launch = compile(text).program.launch;
        [launch.clusters, launch.workgroups, launch.waves, launch.lanes]
    };
    assert_eq!(launch("wave 3 { }\nwave 1-2 { }"), [1, 1, 4, 1]);
    assert_eq!(launch("launch clusters=2 ctas=4\nkernel { }"), [2, 4, 1, 1]);
    assert_eq!(
        compile("const N = 2\nlaunch waves=N\nkernel { }").agent_names,
        ["wave 0", "wave 1"]
    );
    assert_eq!(compile("").program.bodies[0].nodes, [Node::End]);
}

#[test]
fn lanes_move_together_or_diverge() {
    check(
        "launch lanes=4\nwave 0 { arrive wg; if lane_id < 9 { wait wg } }",
        &["arrive wg", "wait wg", "end"],
    );
    check(
        "launch lanes=4\nwave 0 { arrive wg; if lane_id < 2 { wait wg } }",
        &["arrive wg", "divergent"],
    );
    check(
        "launch lanes=2\nwave 0 { if lane_id { fence release workgroup }; arrive wg }",
        &["fence", "arrive wg", "end"],
    );
    check("launch lanes=2\nwave 0 { arrive wg, expected=lane_id + 1 }", &["divergent"]);
    check(
        "launch lanes=2\nwave 0 lane 0 { arrive wg }\nwave 0 lane 1 { arrive wg }",
        &["divergent"],
    );
    check("launch lanes=2\nwave 0 lane 1 { arrive wg }", &["divergent"]);
    check(
        "launch lanes=2\nwave 0 { choose { arrive wg } or { } }",
        &[
            "choose >[1, 2]",
            "choose >[3, 4]",
            "choose >[5, 6]",
            "arrive wg >6",
            "divergent",
            "divergent",
            "end",
        ],
    );
}

#[test]
fn memory_in_every_spelling() {
    let copies = [
        "async_load t[0..16] <- g[16..32]",
        "async_load_to_lds(t[0..16], g[16..32])",
        "call void @llvm.amdgcn.load.async.to.lds(ptr addrspace(1) @g[16..32], ptr addrspace(3) @t[0..16])",
        "call void @llvm.amdgcn.global.load.async.lds(ptr %g[16..32], ptr %t[0..16], i32 16, i32 0, i32 0)",
        "call void @llvm.amdgcn.raw.buffer.load.async.lds(ptr %g[16..32], ptr %t[0..16])",
        "call void @llvm.amdgcn.raw.ptr.buffer.load.async.lds(ptr %g[16..32], ptr %t[0..16])",
        "call void @llvm.amdgcn.struct.buffer.load.async.lds(ptr %g[16..32], ptr %t[0..16])",
        "call void @llvm.amdgcn.struct.ptr.buffer.load.async.lds(ptr %g[16..32], ptr %t[0..16])",
    ];
    for copy in copies {
        check(
            &format!("lds t[64]\nglobal g[64]\nwave 0 {{\n{copy}\n}}"),
            &["copy 0[0..16] <- 1[16..32]", "end"],
        );
    }
    for mark in ["asyncmark", "asyncmark()", "call void @llvm.amdgcn.asyncmark()"] {
        check(&format!("wave 0 {{\n{mark}\n}}"), &["mark", "end"]);
    }
    let waits =
        ["wait_asyncmark 2", "wait.asyncmark(2)", "call void @llvm.amdgcn.wait.asyncmark(i16 2)"];
    for wait in waits {
        check(&format!("wave 0 {{\n{wait}\n}}"), &["wait marks 2", "end"]);
    }
    check(
        "lds t[64]\nglobal g[64]\nwave 0 { load t; store g[1 << 2..8]; call void @llvm.amdgcn.load.async.to.lds(ptr @g, ptr @t, i32 4) }",
        &["load 0[0..64]", "store 1[4..8]", "copy 0[0..4] <- 1[0..4]", "end"],
    );
}

#[test]
fn a_function_with_marks_has_a_frame() {
    check(
        "func f(n) { wait_asyncmark n }\nfunc g() { call f(1); arrive wg }\nfunc h() { if 1 { loop { asyncmark; break } } }\nwave 0 { call f(0); call g(); call h() }",
        &[
            "enter",
            "wait marks 0",
            "leave",
            "enter",
            "wait marks 1",
            "leave",
            "arrive wg",
            "enter",
            "mark",
            "leave",
            "end",
        ],
    );
}
