use super::super::table::access::Does;
use super::*;
use tidegate_lang::diagnostic::Span;

fn of(line: &str) -> Operation<'_> {
    let (mnemonic, text) = line.split_once(' ').unwrap_or((line, ""));
    decode(&Instruction { span: Span::default(), mnemonic, text })
}

const fn s(first: u16, count: u8) -> Registers {
    Registers::scalar(first, count)
}

const fn v(first: u16, count: u8) -> Registers {
    Registers { bank: Bank::Vector, first, count }
}

fn wait(line: &str) -> Waits {
    match of(line) {
        Operation::Wait(waits) => waits,
        other => panic!("{other:?}"),
    }
}

fn access_of(line: &str) -> Memory<'_> {
    match of(line) {
        Operation::Memory(memory) => memory,
        other => panic!("{other:?}"),
    }
}

#[test]
fn waits_of_every_generation() {
    let none = Waits::default();
    assert_eq!(wait("s_waitcnt lgkmcnt(2)"), none.with(Counter::Lgkm, 2));
    let two = none.with(Counter::Vm, 0).with(Counter::Lgkm, 1);
    assert_eq!(wait("s_waitcnt vmcnt(0) lgkmcnt(1)"), two);
    assert_eq!(wait("s_waitcnt_vscnt null, 0x3"), none.with(Counter::Vs, 3));
    assert_eq!(wait("s_wait_asynccnt 0x1"), none.with(Counter::Async, 1));
    let both = none.with(Counter::Load, 2).with(Counter::Ds, 1);
    assert_eq!(wait("s_wait_loadcnt_dscnt 0x201"), both);
    assert_eq!(wait("s_waitcnt 0"), Waits::of_immediate(0));
}

#[test]
fn barriers_have_an_id() {
    let m0 = Source::Registers(s(Scalar::M0, 1));
    let barrier = |line| match of(line) {
        Operation::Barrier(barrier) => barrier,
        other => panic!("{other:?}"),
    };
    assert_eq!(barrier("s_barrier"), Barrier::Whole);
    assert_eq!(barrier("s_barrier_init m0"), Barrier::Init(m0));
    let signal = Barrier::Signal { id: Source::Number(-1), is_first: true };
    assert_eq!(barrier("s_barrier_signal_isfirst -1"), signal);
    assert_eq!(barrier("s_barrier_wait 1"), Barrier::Wait(Source::Number(1)));
    let state = Barrier::State { result: s(2, 1), id: Source::Number(3) };
    assert_eq!(barrier("s_get_barrier_state s2, 3"), state);
}

#[test]
fn control_flow() {
    let when = When::Vcc(false);
    assert_eq!(of("s_cbranch_vccnz .LBB0_2"), Operation::Branch { when, target: ".LBB0_2" });
    let jump = Operation::Branch { when: When::Always, target: ".LBB0_9" };
    assert_eq!(of("s_add_pc_i64 .LBB0_9-.Lpost"), jump);
    let source = Source::Registers(s(0, 2));
    assert_eq!(
        of("s_swap_pc_i64 s[30:31], s[0:1]"),
        Operation::SwapPc { result: s(30, 2), source }
    );
    assert_eq!(of("s_setpc_b64 s[30:31]"), Operation::SetPc(Source::Registers(s(30, 2))));
    assert_eq!(of("s_endpgm"), Operation::End);
    assert_eq!(of("s_trap 2"), Operation::Unknown);
}

#[test]
fn accesses_have_addresses() {
    let ds = access_of("ds_load_2addr_stride64_b32 v[2:3], v4 offset0:1 offset1:6");
    assert_eq!((ds.result, ds.address), (Some(v(2, 2)), Some(Source::Registers(v(4, 1)))));
    assert_eq!((ds.constants, ds.access.stride), ([1, 6], Some(256)));
    let store = access_of("ds_write_b32 v0, v4 offset:8");
    assert_eq!((store.address, store.result), (Some(Source::Registers(v(0, 1))), None));
    let off = access_of("global_load_dword v4, v[2:3], off offset:-16");
    assert_eq!((off.base, off.constants[0]), (None, -16));
    let base = access_of("global_store_b32 v0, v1, s[6:7] scale_offset");
    assert_eq!((base.base, base.scaled), (Some(Source::Registers(s(6, 2))), true));
    assert_eq!(base.address, Some(Source::Registers(v(0, 1))));
    let copy = access_of("global_load_async_to_lds_b128 v8, v6, s[4:5] scale_offset");
    assert_eq!(copy.local, Some(Source::Registers(v(8, 1))));
    let lds = access_of("buffer_load_dword v1, s[4:7], 0 offen offset:4 lds");
    assert_eq!((lds.access.does, lds.local), (Does::CopyIn, None));
    assert_eq!(lds.address, Some(Source::Registers(v(1, 1))));
    let buffer = access_of("buffer_store_dwordx4 v[0:3], off, s[4:7], s9 offset:16");
    assert_eq!((buffer.address, buffer.offset), (None, Some(Source::Registers(s(9, 1)))));
    let atomic = access_of("global_atomic_add v3, v1, v3, s[6:7] sc0");
    assert_eq!((atomic.result, atomic.base), (Some(v(3, 1)), Some(Source::Registers(s(6, 2)))));
    let silent = access_of("global_atomic_add_u32 v1, v3, s[6:7]");
    assert_eq!((silent.result, silent.address), (None, Some(Source::Registers(v(1, 1)))));
    let scalar = access_of("s_load_dwordx2 s[2:3], s[0:1], 0x10");
    assert_eq!((scalar.result, scalar.offset), (Some(s(2, 2)), Some(Source::Number(16))));
}

#[test]
fn arithmetic_and_masks() {
    let Operation::Vector { result, mask, sources, .. } = of("v_add_co_u32 v1, vcc_lo, s0, v1")
    else {
        panic!("no arithmetic")
    };
    assert_eq!((result, mask, sources.len()), (v(1, 1), Some(s(Scalar::VCC, 1)), 2));
    let Operation::Vector { mask, sources, .. } =
        of("v_add_co_ci_u32_e64 v2, null, s1, v2, vcc_lo")
    else {
        panic!("no arithmetic")
    };
    assert_eq!((mask, sources.len()), (Some(s(Scalar::NULL, 1)), 3));
    let Operation::Mask { operation, wide, .. } = of("s_andn2_saveexec_b64 s[0:1], s[2:3]") else {
        panic!("no mask")
    };
    assert_eq!((operation.inverted, wide), ([false, true, false], true));
    assert!(matches!(of("v_cmpx_eq_u32_e32 0, v0"), Operation::Compare { result: None, .. }));
    assert_eq!(of("v_exp_f32_e32 v1, v2"), Operation::Data(alloc::vec![v(1, 1)]));
    assert_eq!(of("v_mov_b32_dpp v1, v2 row_shr:1"), Operation::Data(alloc::vec![v(1, 1)]));
    assert_eq!(of("v_swap_b32 v1, v2"), Operation::Data(alloc::vec![v(1, 1), v(2, 1)]));
    assert_eq!(of("frob v1"), Operation::Unknown);
    assert!(matches!(
        of("v_bitop2_b32 v0, 64, v0 bitop3:0x14"),
        Operation::Table { table: 0x14, .. }
    ));
}

#[test]
fn operations_of_16_bits_have_halves() {
    let short = |line| match of(line) {
        Operation::Short { result, upper, sources, .. } => (result, upper, sources),
        other => panic!("{other:?}"),
    };
    let whole = |first| Source::Registers(v(first, 1));
    let half = |first, upper| Source::Half(v(first, 1), upper);
    let plain = short("v_add_u16_e32 v1, v2, v3");
    assert_eq!(plain, (v(1, 1), false, alloc::vec![whole(2), whole(3)]));
    let named = short("v_add_nc_u16 v1.h, v2.h, v3.l op_sel:[1,0,1]");
    assert_eq!(named, (v(1, 1), true, alloc::vec![half(2, true), half(3, false)]));
    let selected = short("v_add_nc_u16 v1, v2, 5 op_sel:[1,0,1]");
    assert_eq!(selected, (v(1, 1), true, alloc::vec![half(2, true), Source::Number(5)]));
    let data = alloc::vec![v(1, 1)];
    assert_eq!(of("v_add_u16_e64 v1, v2, v3 clamp"), Operation::Data(data.clone()));
    assert_eq!(of("v_add_u16_sdwa v1, v2, v3 dst_sel:DWORD"), Operation::Data(data));
    let Operation::Compare { sources, .. } = of("v_cmp_lt_u16_e32 vcc_lo, v0.l, v1.h") else {
        panic!("no compare")
    };
    assert_eq!(sources, [half(0, false), half(1, true)]);
}
