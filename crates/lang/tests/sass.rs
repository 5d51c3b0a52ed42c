//! Every line of machine code that `sass-syncs` prints, parsed as printed and compared with its PTX equivalent.

use tidegate_lang::scenario::Compiled;
use tidegate_lang::{InDocument, compile, parse, twins};
use tidegate_model::operation::Action as Any;
use tidegate_model::program::Node;
use tidegate_model::ptx::action::{Action, Patience};

/// The operands of the lines: an object at the address of the document, counts and words in registers, a token in R2
/// and R3.
const BEFORE: &str = "
  UMOV UR4, 0x400
  MOV R7, UR4
  SYNCS.ARRIVE.TRANS64.A1T0 R2, [UR4], RZ
  SYNCS.ARRIVE.TRANS64.A1T0 R4, [UR4], RZ
";

/// A printed line, its instruction, and its PTX equivalent if a scenario can contain it.
const PRINTED: &[(&str, &str, &str)] = &[
    ("S2UR      UR5,    SR_CgaCtaId     {!1,+1.W};", "S2UR", "mov.u32 UR5, %cluster_ctarank"),
    ("UMOV      UR4,    0x400           {!1};", "UMOV", "mov.u32 UR4, 0x400"),
    ("UMOV      UR6,    0x1fffc0        {!1};", "UMOV", "mov.u32 UR6, 0x1fffc0"),
    ("UMOV      UR7,    0x7fff0000      {!1};", "UMOV", "mov.u32 UR7, 0x7fff0000"),
    (
        "let UR5 = 0; UPRMT     UR4,    UR5,    0x654,  UR4 {!1,^1};",
        "UPRMT",
        "let UR5 = 0; mapa.shared::cluster.u32 UR4, UR4, UR5",
    ),
    ("FENCE.VIEW.ASYNC.S                {!10,+1.W};", "FENCE.VIEW.ASYNC.S", "fence.proxy.async"),
    (
        "let UR6 = 0x1fffc0; let UR7 = 0x7fff0000; SYNCS.EXCH.64  URZ, [UR4], UR6    {!2,+1.W,+2.R};",
        "SYNCS.EXCH.64",
        "mbarrier.init.shared.b64 [mbar], 32",
    ),
    (
        "SYNCS.ARRIVE.TRANS64.A1T0  RZ, [UR4], RZ",
        "SYNCS.ARRIVE.TRANS64.A1T0",
        "mbarrier.arrive.shared.b64 _, [mbar]",
    ),
    (
        "HFMA2.MMA  R0,    -RZ,    RZ,     0,      5.9604644775390625e-08 {!1};",
        "HFMA2.MMA",
        "mov.u32 R0, 1",
    ),
    (
        "SYNCS.ARRIVE.TRANS64.A1T0  RZ, [UR4], RZ     {!1,^1};",
        "SYNCS.ARRIVE.TRANS64.A1T0",
        "mbarrier.arrive.shared.b64 _, [mbar], 1",
    ),
    ("MOV       R2,     0x4                        {!1};", "MOV", "mov.u32 R2, 4"),
    (
        "let R2 = 4; SYNCS.ARRIVE.TRANS64.ART0  RZ, [UR4], R2     {!1,+2.R};",
        "SYNCS.ARRIVE.TRANS64.ART0",
        "mbarrier.arrive.shared.b64 _, [mbar], 4",
    ),
    ("IMAD.MOV  R0,     RZ,     RZ,     0x20             {!1,^1};", "IMAD.MOV", "mov.u32 R0, 32"),
    (
        "let R0 = 32; SYNCS.ARRIVE.TRANS64.RED.A0TX  RZ, [UR4], R0       {!2,+2.R,^3};",
        "SYNCS.ARRIVE.TRANS64.RED.A0TX",
        "mbarrier.complete_tx.shared.b64 [mbar], 32",
    ),
    (
        "SYNCS.ARRIVE.TRANS64.OPTOUT.A1T0  RZ, [UR4], RZ    {!1};",
        "SYNCS.ARRIVE.TRANS64.OPTOUT.A1T0",
        "mbarrier.arrive_drop.shared.b64 _, [mbar]",
    ),
    (
        "let R2 = 4; SYNCS.ARRIVE.TRANS64.OPTOUT.ART0  R2, [UR4], R2    {!2,+1.W,^2};",
        "SYNCS.ARRIVE.TRANS64.OPTOUT.ART0",
        "let R2 = 4; mbarrier.arrive_drop.shared.b64 R2, [mbar], R2",
    ),
    (
        "SYNCS.PHASECHK.TRANS64  P0, [UR4], R3              {!2,+2.W,^2};",
        "SYNCS.PHASECHK.TRANS64",
        "mbarrier.test_wait.shared.b64 P0, [mbar], R2",
    ),
    (
        "SYNCS.PHASECHK.TRANS64.TRYWAIT  P0, [UR4], R5      {!2,+1.W};",
        "SYNCS.PHASECHK.TRANS64.TRYWAIT",
        "mbarrier.try_wait.shared.b64 P0, [mbar], R4",
    ),
    ("MOV       R7,     UR4                              {!4,Y};", "MOV", "mov.u32 R7, UR4"),
    (
        "SYNCS.PHASECHK.TRANS64.TRYWAIT  P0, [R7+URZ], R3   {!1,+1.W,+1.R};",
        "SYNCS.PHASECHK.TRANS64.TRYWAIT",
        "mbarrier.try_wait.shared.b64 P0, [mbar], R2, 0x1234",
    ),
    ("DEPBAR.LE  SB1,   0x0                              {!4,Y};", "DEPBAR.LE", ""),
    (
        "let P0 = 0; @!P0  NANOSLEEP.SYNCS  0x1234                            {!5};",
        "NANOSLEEP.SYNCS",
        "nanosleep.u32 0x1234",
    ),
    (
        "let P0 = 0; @!P0  SYNCS.PHASECHK.TRANS64  P0, [R7+URZ], R3           {!2,+0.W};",
        "SYNCS.PHASECHK.TRANS64",
        "mbarrier.test_wait.shared.b64 P0, [mbar], R2",
    ),
    (
        "let P0 = 1\n.L_x_0:\n@!P0  BRA       `(.L_x_0)                                {!5,^0};",
        "BRA",
        "let P0 = 1\nwaitLoopSusp:\n@!P0 bra waitLoopSusp",
    ),
    // Forms that the document lists without operands, with the operands of similar forms.
    (
        "let R0 = 16; SYNCS.ARRIVE.TRANS64 RZ, [UR4], R0",
        "SYNCS.ARRIVE.TRANS64",
        "mbarrier.arrive.expect_tx.shared.b64 _, [mbar], 16",
    ),
    (
        "let R0 = 16; SYNCS.ARRIVE.TRANS64.OPTOUT RZ, [UR4], R0",
        "SYNCS.ARRIVE.TRANS64.OPTOUT",
        "mbarrier.arrive_drop.expect_tx.shared.b64 _, [mbar], 16",
    ),
    (
        "let R0 = 16; SYNCS.ARRIVE.TRANS64.RED.A0TR RZ, [UR4], R0",
        "SYNCS.ARRIVE.TRANS64.RED.A0TR",
        "mbarrier.expect_tx.relaxed.cta.shared.b64 [mbar], 16",
    ),
    // Forms that disassemblers print and the document does not contain.
    (
        "SYNCS.ARRIVE.TRANS64.RED.A1T0 RZ, [UR4], RZ",
        "SYNCS.ARRIVE.TRANS64.RED.A1T0",
        "mbarrier.arrive.shared.b64 _, [mbar]",
    ),
    (
        "let R2 = 4; SYNCS.ARRIVE.TRANS64.RED.ART0 RZ, [UR4], R2",
        "SYNCS.ARRIVE.TRANS64.RED.ART0",
        "mbarrier.arrive.shared.b64 _, [mbar], 4",
    ),
    (
        "let R0 = 16; SYNCS.ARRIVE.TRANS64.RED RZ, [UR4], R0",
        "SYNCS.ARRIVE.TRANS64.RED",
        "mbarrier.arrive.expect_tx.shared.b64 _, [mbar], 16",
    ),
    ("BAR.SYNC.DEFER_BLOCKING 0x1, 0x40", "BAR.SYNC.DEFER_BLOCKING", "barrier.cta.sync 1, 64"),
    ("BAR.SYNC 0x1, 0x40", "BAR.SYNC", "barrier.cta.sync 1, 64"),
    ("BAR.ARV 0x1, 0x40", "BAR.ARV", "barrier.cta.arrive 1, 64"),
    (
        "UMOV UR8, near; UMOV UR9, 0x400; UMOV UR10, 0x40; UMOV UR11, 0x8; UMOV UR6, far; UTMALDG.2D [UR8], [UR6]",
        "UTMALDG.2D",
        "cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [near], [far, {64, 8}], [mbar]",
    ),
    (
        "UMOV UR8, near; UMOV UR9, mbar; UMOV UR6, far; UTMALDG.1D.MULTICAST [UR8], [UR6], 1",
        "UTMALDG.2D",
        "cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [near], [far, {x}], [mbar], 1",
    ),
];

/// The program of an agent that executes some lines, or the error.
fn program(lines: &str) -> Result<Compiled, Vec<String>> {
    let head =
        "target sm_90\nlaunch warps=1\nmbarrier mbar\nshared near[64]\nglobal far[64]\nwarp 0 {";
    let scenario = parse(&format!("{head}{BEFORE}{lines}\n}}\n"));
    let said: Vec<String> = scenario.diagnostics.iter().map(|said| said.message.clone()).collect();
    if !said.is_empty() {
        return Err(said);
    }
    compile(&scenario).map_err(|said| said.into_iter().map(|said| said.message).collect())
}

/// The operations of the agent in order.
#[track_caller]
fn actions(lines: &str) -> Vec<Action> {
    let compiled = program(lines).unwrap_or_else(|said| panic!("{lines}: {said:?}"));
    let program = compiled.program;
    let nodes = program.body_of(0).nodes.iter();
    nodes
        .filter_map(|node| match node {
            Node::Operation { operation, .. } => match operation.action {
                Any::Ptx(action, _) => Some(action),
                _ => None,
            },
            _ => None,
        })
        .collect()
}

#[test]
fn every_printed_line_equals_its_ptx_form() {
    for &(line, name, ptx) in PRINTED {
        assert!(line.contains(name.trim_end_matches("2D")), "{line}");
        let (machine, virtual_machine) = (actions(line), actions(ptx));
        if name != "DEPBAR.LE" {
            assert_eq!(machine, virtual_machine, "{line}");
        }
    }
}

#[test]
fn the_table_contains_exactly_the_printed_instructions() {
    for &(line, name, ptx) in PRINTED {
        let twin = twins().find(|twin| twin.sass == name).unwrap_or_else(|| panic!("{line}"));
        let base = |ptx: &str| ptx.split([' ', '.']).take(2).collect::<Vec<_>>().join(".");
        if ptx.starts_with("mbarrier") {
            assert_eq!(base(twin.ptx), base(ptx), "{line}");
            assert!(twins().any(|twin| twin.ptx.starts_with(&base(ptx)) && twin.sass == name));
        }
    }
    // The document prints no invalidation, but a scenario needs one.
    for twin in twins().filter(|twin| twin.sass != "SYNCS.CCTL.IV") {
        assert!(PRINTED.iter().any(|(_, name, _)| *name == twin.sass), "{}", twin.sass);
    }
}

/// Forms that the document lists but never prints with operands, and forms that it does not have.
#[test]
fn forms_that_the_document_does_not_print_are_marked() {
    let of = |wanted: InDocument| -> Vec<&str> {
        twins().filter(|twin| twin.document == wanted).map(|twin| twin.sass).collect()
    };
    assert_eq!(
        of(InDocument::Lists),
        ["SYNCS.ARRIVE.TRANS64.RED.A0TR", "SYNCS.ARRIVE.TRANS64.OPTOUT", "SYNCS.ARRIVE.TRANS64"]
    );
    assert_eq!(
        of(InDocument::Lacks),
        [
            "SYNCS.ARRIVE.TRANS64.RED.A1T0",
            "SYNCS.ARRIVE.TRANS64.RED.ART0",
            "SYNCS.ARRIVE.TRANS64.RED",
            "SYNCS.CCTL.IV",
            "BAR.SYNC.DEFER_BLOCKING",
            "BAR.SYNC",
            "BAR.ARV",
            "UTMALDG.2D"
        ]
    );
}

/// The complete initialisation of the document: 32 arrivals at the address 0x400 of the own CTA.
#[test]
fn the_initialisation_sequence_inits_32_arrivals() {
    let all: String = PRINTED[..7]
        .iter()
        .flat_map(|(line, ..)| [line.trim_start_matches("let UR5 = 0;"), "\n"])
        .collect();
    let actions = actions(&all);
    assert!(
        actions.iter().any(|action| matches!(action, Action::Init { count: 32, .. })),
        "{actions:?}"
    );
}

/// The values that the moves of the document set.
#[test]
fn moves_set_registers() {
    for (moves, count) in [
        ("HFMA2.MMA  R0,    -RZ,    RZ,     0,      5.9604644775390625e-08 {!1};", 1),
        ("IMAD.MOV  R0,     RZ,     RZ,     0x20             {!1,^1};", 32),
        ("MOV       R0,     0x4                        {!1};", 4),
    ] {
        let all = actions(&format!("{moves}\nSYNCS.ARRIVE.TRANS64.ART0 RZ, [UR4], R0"));
        let last = all.last();
        assert!(
            matches!(last, Some(Action::Arrive { form, .. }) if form.count == count),
            "{moves}: {last:?}"
        );
    }
}

/// The loop around try_wait: the first wait tries, the wait after the sleep tests.
#[test]
fn the_loop_of_the_document_tries_and_tests() {
    let actions = actions(
        ".L_x_0:
      MOV       R7,     UR4                              {!4,Y};
      SYNCS.PHASECHK.TRANS64.TRYWAIT  P0, [R7+URZ], R3   {!1,+1.W,+1.R};
      DEPBAR.LE  SB1,   0x0                              {!4,Y};
@!P0  NANOSLEEP.SYNCS  0x1234                            {!5};
@!P0  SYNCS.PHASECHK.TRANS64  P0, [R7+URZ], R3           {!2,+0.W};
@!P0  BRA       `(.L_x_0)                                {!5,^0};",
    );
    let waits: Vec<Patience> = actions
        .iter()
        .filter_map(|action| match action {
            Action::Wait { patience, .. } => Some(*patience),
            _ => None,
        })
        .collect();
    assert_eq!(waits, [Patience::Try, Patience::Test]);
}

#[test]
fn addresses_outside_objects_are_errors() {
    for wrong in [
        "SYNCS.ARRIVE.TRANS64.A1T0 RZ, [0x408], RZ",
        "SYNCS.ARRIVE.TRANS64.A1T0 RZ, [0x3f8], RZ",
        "SYNCS.ARRIVE.TRANS64.A1T0 RZ, [0x404], RZ",
        "UPRMT UR4, 0, 0x3210, UR4",
        "HFMA2.MMA R0, -RZ, RZ, 0, 0.1",
    ] {
        assert!(program(wrong).is_err(), "{wrong}");
    }
}
