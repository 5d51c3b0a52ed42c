//! Integer arithmetic of machine code, compared with Rust arithmetic on edge cases of 32 bits.

use tidegate_lang::{compile, parse};
use tidegate_model::operation::Action as Any;
use tidegate_model::program::Node;
use tidegate_model::ptx::action::Action;

const EDGES: [u32; 9] = [0, 1, 2, 31, 33, 0x7fff_ffff, 0x8000_0000, 0xffff_fffe, 0xffff_ffff];

/// The number of barriers that an agent reaches, one if every condition holds and more otherwise; or the error.
fn barriers(lines: &str) -> Result<usize, String> {
    let text = format!(
        "target sm_90\nlaunch warps=1\nmbarrier b\nwarp 0 {{\n{lines}\nbar.sync 1, 32\n}}\n"
    );
    let scenario = parse(&text);
    if let Some(said) = scenario.diagnostics.first() {
        return Err(format!("{}: {}", said.code, said.message));
    }
    let compiled = compile(&scenario).map_err(|said| said[0].code.to_string())?;
    let nodes = compiled.program.body_of(0).nodes.iter();
    let reached = nodes.filter(|node| match node {
        Node::Operation { operation, .. } => {
            matches!(operation.action, Any::Ptx(Action::Bar { .. }, _))
        }
        _ => false,
    });
    Ok(reached.count())
}

/// Registers R0, R1 and R2 hold three numbers; P1 is true if the first is odd.
fn before([a, b, c]: [u32; 3]) -> String {
    format!("let R0 = {a}\nlet R1 = {b}\nlet R2 = {c}\nlet P1 = {}\n", a & 1)
}

/// Asserts that the instruction gives this value to the named register or predicate, for all edge cases.
#[track_caller]
fn leaves(instruction: &str, result: &str, wanted: impl Fn(u64, u64, u64) -> u64) {
    let numbers = EDGES.iter().flat_map(|&a| EDGES.iter().map(move |&b| (a, b)));
    let numbers: Vec<[u32; 3]> = numbers
        .enumerate()
        .flat_map(|(at, (a, b))| [at, at / 2 + 4].map(|at| [a, b, EDGES[at % EDGES.len()]]))
        .collect();
    let lines = |numbers: &[u32; 3]| {
        let [a, b, c] = numbers.map(u64::from);
        let wanted = wanted(a, b, c) as u32;
        let before = before(*numbers);
        format!("{before}{instruction}\nif ({result} != {wanted}) {{ bar.sync 2, 32 }}\n")
    };
    let all: String = numbers.iter().map(lines).collect();
    if barriers(&all) != Ok(1) {
        for one in &numbers {
            assert_eq!(barriers(&lines(one)), Ok(1), "{instruction} of {one:x?}");
        }
    }
}

/// Asserts that the result is unknown.
#[track_caller]
fn leaves_unknown(instruction: &str, result: &str) {
    let known = format!("let {result} = 7\n");
    let lines = format!("{}{known}{instruction}\n", before([1, 2, 3]));
    assert_eq!(barriers(&lines), Ok(1), "{instruction}");
    let asked = barriers(&format!("{lines}if ({result} == 7) {{ bar.sync 2, 32 }}"));
    assert_eq!(asked, Err("unset-variable".into()), "{instruction}");
}

fn signed(number: u64) -> i64 {
    i64::from(number as u32 as i32)
}

#[test]
fn sums_and_their_carries() {
    leaves("IADD3 R3, R0, R1, R2", "R3", |a, b, c| a + b + c);
    leaves("IADD3 R3, R0.reuse, -R1, R2", "R3", |a, b, c| a.wrapping_sub(b).wrapping_add(c));
    leaves("UIADD3 R3, UPT, UPT, R0, -0x10, URZ", "R3", |a, _, _| a.wrapping_sub(16));
    leaves("UIADD3 R3, -R0, 0x100000, URZ", "R3", |a, _, _| 0x10_0000_u64.wrapping_sub(a));
    leaves("VIADD R3, R0, R1", "R3", |a, b, _| a + b);
    leaves("IADD3 R3, P0, R0, R1, RZ", "P0", |a, b, _| (a + b) >> 32);
    leaves("IADD3 R0, P0, R0, R1, RZ", "P0", |a, b, _| (a + b) >> 32);
    leaves("IADD3 R3, P0, PT, R0, -R1, RZ", "P0", |a, b, _| u64::from(a >= b));
    leaves("IADD3.X R3, R0, R1, RZ, P1, !PT", "R3", |a, b, _| a + b + (a & 1));
    leaves("IADD3.X R3, R0, ~R1, RZ, P1, !PT", "R3", |a, b, _| {
        a + u64::from(!(b as u32)) + (a & 1)
    });
    leaves("IADD3.X R3, P0, R0, R1, RZ, P1, !PT", "P0", |a, b, _| (a + b + (a & 1)) >> 32);
    leaves("IADD3.X R3, P0, R0, RZ, RZ, P1, !PT", "P0", |a, _, _| (a + (a & 1)) >> 32);
    leaves("IMAD.X R3, RZ, RZ, R1, P1", "R3", |a, b, _| b + (a & 1));
}

#[test]
fn sums_of_two_registers() {
    let two = "IADD3 R4, P0, R0, R1, RZ\nIADD3.X R5, R2, R0, RZ, P0, !PT";
    leaves(two, "R5", |a, b, c| (c << 32 | a).wrapping_add(a << 32 | b) >> 32);
    let less = "ISETP.LT.U32.AND P0, PT, R0, R1, PT\nISETP.LT.AND.EX P0, PT, R2, R1, PT, P0";
    let whole = |low: u64, high: u64| signed(high) << 32 | low as i64;
    leaves(less, "P0", |a, b, c| u64::from(whole(a, c) < whole(b, b)));
    let most = "ISETP.GE.U32.AND P0, PT, R0, R1, PT\nISETP.GE.U32.AND.EX P0, PT, R2, R1, PT, P0";
    leaves(most, "P0", |a, b, c| u64::from((c << 32 | a) >= (b << 32 | b)));
    let other = "ISETP.NE.U32.AND P0, PT, R0, R1, PT\nISETP.NE.AND.EX P0, PT, R2, R1, PT, P0";
    leaves(other, "P0", |a, b, c| u64::from((a, c) != (b, b)));
}

#[test]
fn products() {
    leaves("IMAD R3, R0, R1, R2", "R3", |a, b, c| a.wrapping_mul(b).wrapping_add(c));
    leaves("IMAD.MOV.U32 R3, RZ, RZ, R0", "R3", |a, _, _| a);
    leaves("IMAD.SHL.U32 R3, R0.reuse, 0x10, RZ", "R3", |a, _, _| a << 4);
    leaves("IMAD.IADD R3, R0, 0x1, -R1", "R3", |a, b, _| a.wrapping_sub(b));
    leaves("UIMAD R3, R0, R1, URZ", "R3", |a, b, _| a.wrapping_mul(b));
    leaves("IMAD.HI.U32 R3, R0, R1, RZ", "R3", |a, b, _| (a * b) >> 32);
    leaves("IMAD.HI R3, R0, R1, RZ", "R3", |a, b, _| ((signed(a) * signed(b)) >> 32) as u64);
    // The summand of the upper half is a pair, as in the division of unsigned numbers.
    leaves("IMAD.HI.U32 R3, R0, R1, R1", "R3", |a, b, c| (a * b).wrapping_add(c << 32 | b) >> 32);
    leaves("IMAD.HI R2, R0, R1, R1", "R2", |a, b, c| {
        ((signed(a) * signed(b)) as u64).wrapping_add(c << 32 | b) >> 32
    });
    leaves("IMAD.WIDE.U32 R4, R0, R1, RZ", "R5", |a, b, _| (a * b) >> 32);
    leaves("IMAD.WIDE.U32 R0, R0, 0x6, RZ", "R1", |a, _, _| (a * 6) >> 32);
    leaves("IMAD.WIDE.U32 R0, R0, 0x6, RZ", "R0", |a, _, _| a * 6);
    let sum = |a: u64, b: u64, c: u64| a.wrapping_mul(b).wrapping_add(c << 32 | b);
    leaves("IMAD.WIDE.U32 R4, R0, R1, R1", "R4", sum);
    leaves("IMAD.WIDE.U32 R4, R0, R1, R1", "R5", |a, b, c| sum(a, b, c) >> 32);
    leaves("IMAD.WIDE R4, R0, R1, R1", "R5", |a, b, c| {
        ((signed(a) * signed(b)) as u64).wrapping_add(c << 32 | b) >> 32
    });
}

#[test]
fn shifts() {
    let by = |b: u64| b.min(32);
    let cut = |number: u64| number & 0xffff_ffff;
    leaves("SHF.L.U32 R3, R0, R1, RZ", "R3", |a, b, _| a << by(b));
    leaves("USHF.L.U32 R3, R0, 0x1f, URZ", "R3", |a, _, _| a << 31);
    leaves("SHF.L.W.U32 R3, R0, R1, RZ", "R3", |a, b, _| a << (b & 31));
    leaves("SHF.R.U32.HI R3, RZ, R1, R0", "R3", |a, b, _| a >> by(b));
    leaves("SHF.R.S32.HI R3, RZ, 0x1f, R0", "R3", |a, _, _| (signed(a) >> 31) as u64);
    leaves("SHF.R.S32.HI R3, RZ, R1, R0", "R3", |a, b, _| (signed(a) >> by(b)) as u64);
    leaves("SHF.L.U32.HI R3, R0, R1, R2", "R3", |a, b, c| {
        cut(((u128::from(c << 32 | a) << by(b)) >> 32) as u64)
    });
    leaves("SHF.R.U32 R3, R0, R1, R2", "R3", |a, b, c| (c << 32 | a) >> by(b));
    leaves("SHF.L.W.U32.HI R3, R0, 0x8, R0", "R3", |a, _, _| u64::from((a as u32).rotate_left(8)));
    let wide = |b: u64| b.min(64) as u32;
    leaves("SHF.R.U64 R3, R0, R1, R2", "R3", |a, b, c| {
        (c << 32 | a).checked_shr(wide(b)).unwrap_or(0)
    });
    leaves("SHF.L.U64.HI R3, R0, R1, R2", "R3", |a, b, c| {
        (c << 32 | a).checked_shl(wide(b)).unwrap_or(0) >> 32
    });
    leaves("SHF.R.S64 R3, R0, 0x5, R2", "R3", |a, _, c| (((c << 32 | a) as i64) >> 5) as u64);
    leaves("SGXT R3, R0, 0x1", "R3", |a, _, _| if a & 1 == 1 { u64::MAX } else { 0 });
    leaves("USGXT.U32 R3, R0, 0xe", "R3", |a, _, _| a & 0x3fff);
    leaves("LEA R3, R0, R1, 0x3", "R3", |a, b, _| (a << 3).wrapping_add(b));
    leaves("ULEA R3, P0, R0, R1, 0x3", "P0", |a, b, _| (cut(a << 3) + b) >> 32);
    leaves("LEA.HI R3, R0, R1, RZ, 0x1f", "R3", |a, b, _| (a >> 1).wrapping_add(b));
    leaves("ULEA.HI.X R3, R0, R1, R2, 0x3, P1", "R3", |a, b, c| {
        ((c << 32 | a) << 3 >> 32).wrapping_add(b).wrapping_add(a & 1)
    });
}

/// Every truth table of three operands.
#[test]
fn tables() {
    for table in 0..=255_u64 {
        let of = |a: u64, b: u64, c: u64| {
            (0..32).fold(0, |word, bit| {
                let row = (a >> bit & 1) << 2 | (b >> bit & 1) << 1 | (c >> bit & 1);
                word | (table >> row & 1) << bit
            })
        };
        let numbers = [0x00ff_55f0, 0xf0f0_33cc, 0xff00_ffaa_u32];
        let [a, b, c] = numbers.map(u64::from);
        let lines = format!(
            "{}LOP3.LUT P0, R3, R0, R1, R2, {table:#x}, !PT\nLOP3.LUT R4, R0, R1, RZ, {table:#x}, !PT\n\
             PLOP3.LUT P2, PT, P1, !P1, PT, {table:#x}, 0x0\n\
             if (R3 != {} || R4 != {} || P0 != {} || P2 != {}) {{ bar.sync 2, 32 }}",
            before(numbers),
            of(a, b, c),
            of(a, b, 0),
            u64::from(of(a, b, c) != 0),
            table >> 3 & 1,
        );
        assert_eq!(barriers(&lines), Ok(1), "{table:#x}");
    }
}

#[test]
fn comparisons_and_choices() {
    leaves("ISETP.LT.U32.AND P0, PT, R0, R1, PT", "P0", |a, b, _| u64::from(a < b));
    leaves("ISETP.LT.AND P0, PT, R0, R1, PT", "P0", |a, b, _| u64::from(signed(a) < signed(b)));
    leaves("UISETP.GT.OR UP0, UPT, R0, R1, P1", "UP0", |a, b, _| {
        u64::from(signed(a) > signed(b) || a & 1 == 1)
    });
    leaves("ISETP.EQ.XOR P0, PT, R0, R1, !P1", "P0", |a, b, _| u64::from(a == b) ^ (!a & 1));
    leaves("ISETP.GE.U32.AND P0, P2, R0, R1, P1", "P2", |a, b, _| u64::from(a < b && a & 1 == 1));
    leaves("ISETP.NE.AND P0, P1, R0, R1, P1", "P1", |a, b, _| u64::from(a == b && a & 1 == 1));
    leaves("SEL R3, R0, R1, P1", "R3", |a, b, _| if a & 1 == 1 { a } else { b });
    leaves("USEL R3, R0, URZ, !P1", "R3", |a, _, _| if a & 1 == 1 { 0 } else { a });
    leaves("IMNMX R3, R0, R1, PT", "R3", |a, b, _| signed(a).min(signed(b)) as u64);
    leaves("IMNMX R3, R0, R1, !PT", "R3", |a, b, _| signed(a).max(signed(b)) as u64);
    leaves("VIMNMX.U32 R3, R0, R1, PT", "R3", |a, b, _| a.min(b));
    leaves("VIMNMX.U32 R3, R0, 0x40, !PT", "R3", |a, _, _| a.max(64));
    leaves("VIMNMX.S32 R3, PT, PT, R0, R1, P1", "R3", |a, b, _| match a & 1 {
        1 => signed(a).min(signed(b)) as u64,
        _ => signed(a).max(signed(b)) as u64,
    });
    leaves("R2UR UR3, R0", "UR3", |a, _, _| a);
}

#[test]
fn unknown_forms_give_unknown_results() {
    for (instruction, result) in [
        ("IADD3 R3, P0, P2, R0, R1, R2", "R3"),
        ("IADD3 R3, P0, R0, R1, R2", "P0"),
        ("IMAD.WIDE.U32 R4, P0, R0, R1, R2", "R5"),
        ("IMAD.WIDE.U32 R0, R0, R1, RZ", "R1"),
        ("IMAD.HI R3, R0, R1, 0x2", "R3"),
        ("VIMNMX.S16x2 R3, R0, R1, PT", "R3"),
        ("LOP3.PAND.LUT P0, R3, R0, R1, RZ, 0xc0, PT", "R3"),
        ("LOP3.LUT P0, RZ, R0, R1, RZ, 0xc0, P1", "P0"),
        ("LEA.HI.SX32 R3, R0, R1, 0x1f", "R3"),
        ("SHF.R.S64 R3, R0, R1, R2", "R3"),
        ("ISETP.MAX.AND P0, PT, R0, R1, PT", "P0"),
        ("IADD3 R3, R0, c[0x0][0x28], RZ", "R3"),
        ("PRMT R3, R0, 0x5410, R1", "R3"),
        ("ULDC.64 UR4, c[0x0][0x208]", "UR5"),
        ("LDC R3, c[0x0][0x28]\nIADD3 R3, R3, R0, RZ", "R3"),
        ("CS2R R60, SRZ", "R61"),
        ("FSETP.GT.AND P0, PT, R0, R1, PT", "P0"),
    ] {
        leaves_unknown(instruction, result);
    }
    // The sources of a floating-point comparison stay unchanged.
    let text = format!("{}FSETP.GT.AND P0, PT, R0, R1, PT", before([5, 6, 7]));
    assert_eq!(barriers(&format!("{text}\nif (R0 != 5) {{ bar.sync 2, 32 }}")), Ok(1));
}

#[test]
fn invalid_operands_are_errors() {
    for wrong in ["IADD3", "IADD3 R3", "SHF.L.U32 R3,", "ISETP.NE.AND P0", "IADD3 R3, R9, R0, RZ"] {
        if let Ok(reached) = barriers(&format!("{}{wrong}", before([0, 0, 0]))) {
            assert_eq!(reached, 1, "{wrong}");
        }
    }
    assert!(barriers("IADD3 R3, R9, RZ, RZ").is_err(), "R9 is not known");
}
