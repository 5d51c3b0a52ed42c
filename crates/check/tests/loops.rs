//! Random kernels with loops whose number of rounds is an argument: a verdict for every value agrees with the verdicts for
//! single values.

use crate::support::{Random, share};
use std::fmt::Write as _;
use tidegate_check::{Options, Scene, check};

/// A scalar value.
#[derive(Clone, Copy)]
enum Value {
    Number(u32),
    /// Low bits of the counter plus a number.
    Counter(u32, u32),
    /// Low bits of the argument.
    Argument(u32),
    /// Low bits of the rounds that are left.
    Left(u32),
}

#[derive(Clone)]
enum Item {
    /// Each thread writes its word of a tile.
    Store(Value),
    /// Each thread reads the word of a thread of the other wave.
    Load(Value),
    Barrier,
    /// Only if the value equals a number.
    If(Value, u32, Vec<Item>),
}

struct Kernel {
    before: Vec<Item>,
    /// The rounds of the first loop, and by how much the counter grows in each.
    first: (Vec<Item>, u32),
    /// The rounds of a second loop, in which the counter grows by one.
    second: Vec<Item>,
    after: Vec<Item>,
}

fn value(random: &mut Random) -> Value {
    let mask = [1, 1, 3][random.below(3)];
    match random.below(8) {
        0 | 1 => Value::Number(random.below(2) as u32),
        2..5 => Value::Counter(random.below(3) as u32, mask),
        5 => Value::Argument(mask),
        _ => Value::Left(mask),
    }
}

fn items(random: &mut Random, most: usize, nested: bool) -> Vec<Item> {
    let count = random.below(most + 1);
    let item = |random: &mut Random| match random.below(10) {
        0..3 => Item::Store(value(random)),
        3..5 => Item::Load(value(random)),
        5 if !nested => Item::If(value(random), random.below(2) as u32, items(random, 2, true)),
        _ => Item::Barrier,
    };
    (0..count).map(|_| item(random)).collect()
}

/// A double buffer, whose parts may be missing.
fn pipeline(random: &mut Random) -> Vec<Item> {
    let ahead = random.below(2) as u32;
    let all = [
        Item::Store(Value::Counter(ahead, 1)),
        Item::Barrier,
        Item::Load(Value::Counter(0, 1)),
        Item::Barrier,
    ];
    all.into_iter().filter(|_| random.chance(85)).collect()
}

fn kernel(random: &mut Random) -> Kernel {
    let round = |random: &mut Random| {
        if random.chance(50) { pipeline(random) } else { items(random, 4, false) }
    };
    Kernel {
        before: items(random, 2, false),
        first: (round(random), [1, 1, 2, 4][random.below(4)]),
        second: if random.chance(50) { round(random) } else { Vec::new() },
        after: items(random, 2, false),
    }
}

/// A language in which kernels are printed.
trait Print {
    fn value(&mut self, value: Value);
    fn item(&mut self, item: &Item);
    /// Ends a round, and repeats it if another one fits.
    fn again(&mut self, label: &str, step: u32);
    /// Leaves out a loop of which no round fits.
    fn unless(&mut self, label: &str, step: u32);
    fn label(&mut self, label: &str);
    fn text(self, kernel: &Kernel) -> String;
}

fn body(printer: &mut impl Print, kernel: &Kernel) {
    let all =
        |printer: &mut _, items: &[Item]| items.iter().for_each(|it| Print::item(printer, it));
    all(printer, &kernel.before);
    for (name, items, step) in [("A", &kernel.first.0, kernel.first.1), ("B", &kernel.second, 1)] {
        let (start, end) = (format!("{name}_START"), format!("{name}_END"));
        printer.unless(&end, step);
        printer.label(&start);
        items.iter().for_each(|it| printer.item(it));
        printer.again(&start, step);
        printer.label(&end);
    }
    all(printer, &kernel.after);
}

/// PTX: `%r1` the argument, `%r2` the thread, `%r3` its word, `%r4` the word of the other warp, `%r5` the counter.
#[derive(Default)]
struct Ptx {
    text: String,
    labels: usize,
}

impl Print for Ptx {
    fn value(&mut self, value: Value) {
        let text = &mut self.text;
        let _ = match value {
            Value::Number(number) => writeln!(text, "  mov.u32 %r6, {number};"),
            Value::Counter(by, mask) => {
                writeln!(text, "  add.s32 %r6, %r5, {by};\n  and.b32 %r6, %r6, {mask};")
            }
            Value::Argument(mask) => writeln!(text, "  and.b32 %r6, %r1, {mask};"),
            Value::Left(mask) => {
                writeln!(text, "  sub.s32 %r6, %r1, %r5;\n  and.b32 %r6, %r6, {mask};")
            }
        };
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Store(value) | Item::Load(value) => {
                self.value(*value);
                let does = match item {
                    Item::Store(_) => "  add.s32 %r7, %r6, %r3;\n  st.shared.b32 [%r7], %r2;\n",
                    _ => "  add.s32 %r7, %r6, %r4;\n  ld.shared.b32 %r8, [%r7];\n",
                };
                self.text += "  shl.b32 %r6, %r6, 8;\n";
                self.text += does;
            }
            Item::Barrier => self.text += "  bar.sync 0;\n",
            Item::If(value, number, items) => {
                self.value(*value);
                self.labels += 1;
                let label = format!("SKIP{}", self.labels);
                let _ = writeln!(self.text, "  setp.ne.u32 %p, %r6, {number};\n  @%p bra {label};");
                items.iter().for_each(|it| self.item(it));
                self.label(&label);
            }
        }
    }

    fn again(&mut self, label: &str, step: u32) {
        let _ = writeln!(self.text, "  add.s32 %r5, %r5, {step};\n  add.s32 %r6, %r5, {step};");
        let _ = writeln!(self.text, "  setp.le.s32 %p, %r6, %r1;\n  @%p bra {label};");
    }

    fn unless(&mut self, label: &str, step: u32) {
        let _ = writeln!(self.text, "  add.s32 %r6, %r5, {step};");
        let _ = writeln!(self.text, "  setp.gt.s32 %p, %r6, %r1;\n  @%p bra {label};");
    }

    fn label(&mut self, label: &str) {
        let _ = writeln!(self.text, "{label}:");
    }

    fn text(mut self, kernel: &Kernel) -> String {
        body(&mut self, kernel);
        format!(
            ".version 8.0\n.target sm_90\n.address_size 64\n\
             .visible .entry k(.param .u32 n)\n.reqntid 64\n{{\n  .shared .align 4 .b8 tile[1024];\n  \
             .reg .b32 %r<9>;\n  .reg .pred %p;\n  ld.param.u32 %r1, [n];\n  mov.u32 %r2, %tid.x;\n  \
             mad.lo.s32 %r3, %r2, 4, tile;\n  xor.b32 %r4, %r3, 128;\n  mov.u32 %r5, 0;\n{}  ret;\n}}\n",
            self.text
        )
    }
}

/// AMDGPU assembly: `s4` the argument, `v1` the word of a lane, `v2` the word of the other wave, `s5` the counter.
#[derive(Default)]
struct Amdgpu {
    text: String,
    labels: usize,
}

impl Print for Amdgpu {
    fn value(&mut self, value: Value) {
        let text = &mut self.text;
        let _ = match value {
            Value::Number(number) => writeln!(text, "\ts_mov_b32 s6, {number}"),
            Value::Counter(by, mask) => {
                writeln!(text, "\ts_add_i32 s6, s5, {by}\n\ts_and_b32 s6, s6, {mask}")
            }
            Value::Argument(mask) => writeln!(text, "\ts_and_b32 s6, s4, {mask}"),
            Value::Left(mask) => {
                writeln!(text, "\ts_sub_i32 s6, s4, s5\n\ts_and_b32 s6, s6, {mask}")
            }
        };
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Store(value) | Item::Load(value) => {
                self.value(*value);
                let does = match item {
                    Item::Store(_) => "\tv_add_u32_e32 v3, s6, v1\n\tds_write_b32 v3, v0\n",
                    _ => "\tv_add_u32_e32 v3, s6, v2\n\tds_read_b32 v4, v3\n",
                };
                self.text += "\ts_lshl_b32 s6, s6, 9\n";
                self.text += does;
            }
            Item::Barrier => self.text += "\ts_waitcnt lgkmcnt(0)\n\ts_barrier\n",
            Item::If(value, number, items) => {
                self.value(*value);
                self.labels += 1;
                let label = format!("SKIP{}", self.labels);
                let _ =
                    writeln!(self.text, "\ts_cmp_lg_u32 s6, {number}\n\ts_cbranch_scc1 {label}");
                items.iter().for_each(|it| self.item(it));
                self.label(&label);
            }
        }
    }

    fn again(&mut self, label: &str, step: u32) {
        let _ = writeln!(self.text, "\ts_add_i32 s5, s5, {step}\n\ts_add_i32 s6, s5, {step}");
        let _ = writeln!(self.text, "\ts_cmp_le_i32 s6, s4\n\ts_cbranch_scc1 {label}");
    }

    fn unless(&mut self, label: &str, step: u32) {
        let _ = writeln!(self.text, "\ts_add_i32 s6, s5, {step}");
        let _ = writeln!(self.text, "\ts_cmp_gt_i32 s6, s4\n\ts_cbranch_scc1 {label}");
    }

    fn label(&mut self, label: &str) {
        let _ = writeln!(self.text, "{label}:");
    }

    fn text(mut self, kernel: &Kernel) -> String {
        body(&mut self, kernel);
        format!(
            "\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\n\t.text\nk:\n\
             \ts_load_dword s4, s[0:1], 0x0\n\tv_lshlrev_b32_e32 v1, 2, v0\n\
             \tv_xor_b32_e32 v2, 0x100, v1\n\ts_mov_b32 s5, 0\n\ts_waitcnt lgkmcnt(0)\n{}\
             \ts_waitcnt lgkmcnt(0)\n\ts_endpgm\n\
             \t.amdhsa_kernel k\n\t\t.amdhsa_group_segment_fixed_size 2048\n\
             \t\t.amdhsa_user_sgpr_kernarg_segment_ptr 1\n\t.end_amdhsa_kernel\n\
             \t.amdgpu_metadata\n---\namdhsa.kernels:\n  - .args:\n      - .name: n\n        \
             .offset: 0\n        .size: 4\n        .value_kind: by_value\n    .name: k\n    \
             .symbol: k.kd\n...\n\t.end_amdgpu_metadata\n",
            self.text
        )
    }
}

fn verdict(text: &str, header: &str) -> String {
    let scene = Scene::new("text", &format!("{header}\n{text}"));
    assert!(scene.is_valid(), "{text}\n{:?}", scene.diagnostics());
    let options =
        Options { ambiguities: false, machine: false, shortest: false, ..Options::default() };
    check(&scene, &options, &mut |_| true).verdict
}

/// Values of the argument: as many rounds as a proof may tell apart, and some more.
const VALUES: [i32; 29] = [
    -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 31, 32,
    33, 50, 63,
];

#[test]
fn a_verdict_for_every_number_of_rounds_agrees_with_each_number() {
    let (mut decided, mut ok) = (0, 0);
    let count = share(240);
    for seed in 0..count {
        let mut random = Random::new(seed);
        let kernel = kernel(&mut random);
        let (text, launch) = match random.below(2) {
            0 => (Ptx::default().text(&kernel), "launch ctas=1 threads=64"),
            _ => (Amdgpu::default().text(&kernel), "launch groups=1 threads=128"),
        };
        let all = verdict(&text, launch);
        let single = |value: &i32| verdict(&text, &format!("{launch}\nargument n={value}"));
        let singles: Vec<String> = VALUES.iter().map(single).collect();
        let bad = singles.iter().any(|one| one != "ok");
        match all.as_str() {
            "ok" => assert!(!bad, "seed {seed}: ok for all, but {singles:?}\n{text}"),
            "unknown" => {}
            _ => assert!(bad, "seed {seed}: {all}, but every value is ok\n{text}"),
        }
        decided += u64::from(all != "unknown");
        ok += u64::from(all == "ok");
    }
    println!("{decided} of {count} kernels decided, {ok} are ok");
    assert!(10 * decided >= 7 * count && 10 * ok >= count, "{decided} decided, {ok} ok of {count}");
}
