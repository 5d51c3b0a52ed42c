//! The report of a race names the missing edge for every kind of edge, and the offered edit orders the accesses.

use crate::common::{Random, found, judged};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use tidegate_check::report::{Finding, Report};
use tidegate_check::{Options, apply};

/// Each kind of missing edge (`tests/conformance/mem/breaks-race-KIND.tide`), a fragment of its message, and whether
/// one edit is offered.
const KINDS: [(&str, &str, bool); 12] = [
    ("address-space", "does not include the local address space", true),
    ("drop", "a drop releases nothing", false),
    ("no-barrier-path", "no arrive of workgroup 0 wave 0 after `store tile` (line 8)", true),
    ("no-fence", "wave 0 has no release between its access and `arrive wg`", true),
    ("one-as", "is one-as", true),
    ("one-text", "wave 0 has no wait before", true),
    ("rounds-of-a-loop", "overwrites it", true),
    ("scope", "requires cluster or wider", true),
    ("third-wave", "no arrive of wave 1 after `load tile` (line 16)", true),
    ("two-clusters", "different clusters", false),
    ("write-after-read", "no arrive of wave 1 after `load tile` (line 16)", true),
    ("write-write", "wave 1 has no wait before `store tile[7..16]`", true),
];

fn judge(text: &str) -> Report {
    judged(text, &Options::default())
}

fn race(report: &Report) -> Option<&Finding> {
    found(report, "mem.race")
}

/// The scenarios with a missing edge, by its kind.
fn scenarios() -> BTreeMap<String, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/conformance/mem");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let kind = |path: &Path| {
        let name = path.file_stem()?.to_str()?.to_owned();
        name.strip_prefix("breaks-race-").map(str::to_owned)
    };
    files
        .filter_map(|path| kind(&path).map(|kind| (kind, fs::read_to_string(path).unwrap())))
        .collect()
}

#[test]
fn each_missing_edge_is_reported_and_added() {
    let scenarios = scenarios();
    assert_eq!(
        scenarios.keys().map(String::as_str).collect::<Vec<_>>(),
        KINDS.map(|(kind, ..)| kind)
    );
    for (kind, told, offered) in KINDS {
        let text = &scenarios[kind];
        let report = judge(text);
        let found = race(&report).unwrap_or_else(|| panic!("{kind}"));
        assert!(found.because.iter().any(|clause| clause.contains(told)), "{kind}: {found:?}");
        assert_eq!(found.fix.is_some(), offered, "{kind}: {found:?}");
        if let Some(fix) = &found.fix {
            let mended = apply(text, fix);
            assert_eq!(judge(&mended).verdict, "ok", "{kind}\n{mended}");
        }
    }
}

/// A missing round between a read and a later write is inserted after the read and before the write.
#[test]
fn a_round_is_added_between_a_read_and_a_later_write() {
    let text = &scenarios()["write-after-read"];
    let report = judge(text);
    let mended = apply(text, race(&report).unwrap().fix.as_ref().unwrap());
    assert!(
        mended.contains("load tile\n  fence release workgroup\n  arrive wg\n  wait wg\n"),
        "{mended}"
    );
    assert!(
        mended.contains("arrive wg\n  wait wg\n  fence acquire workgroup\n  store tile"),
        "{mended}"
    );
}

/// The message for two workgroups depends on the target: none of these targets has a barrier of both.
#[test]
fn no_common_barrier_is_offered_if_the_target_has_none() {
    let text = &scenarios()["two-clusters"];
    for (target, said) in [
        ("gfx1250", "put both workgroups into one cluster"),
        ("model", "put both workgroups into one cluster"),
        ("gfx942", "access the bytes in one workgroup"),
        ("gfx1201", "access the bytes in one workgroup"),
    ] {
        let wg = text.replace("arrive cluster; wait cluster", "arrive wg; wait wg");
        let text = wg.replace("target gfx1250", &format!("target {target}"));
        let report = judge(&text);
        let found = race(&report).unwrap_or_else(|| panic!("{target}"));
        assert!(found.remedy.as_ref().unwrap().contains(said), "{target}: {found:?}");
        assert!(found.fix.is_none(), "{target}: {found:?}");
        assert!(found.because.iter().any(|clause| clause.contains(" are in different ")));
    }
}

/// Two or three waves that store, load and synchronise, with or without loops.
fn program(random: &mut Random) -> String {
    let waves = 2 + random.below(2);
    let mut text = format!("target gfx1250\nlaunch waves={waves}\nlds t[8]\n");
    let rounds = random.below(3);
    for wave in 0..waves {
        let mut body = String::new();
        for round in 0..=rounds {
            match random.below(5) {
                0 => body += "store t[0..4]\n",
                1 => body += "load t[2..8]\n",
                2 => body += "for i in 0..2 { store t[4..8] }\n",
                _ => {}
            }
            if round < rounds {
                body += "fence release workgroup\narrive wg; wait wg\nfence acquire workgroup\n";
            }
        }
        text += &format!("wave {wave} {{\n{body}}}\n");
    }
    text
}

/// Every offered edit leads to `ok`; if one edit is not enough, the report says so.
#[test]
fn an_offered_round_orders_the_accesses() {
    let (mut random, mut whole, mut parts) = (Random(11), 0, 0);
    for _ in 0..150 {
        let text = program(&mut random);
        let report = judge(&text);
        let Some(found) = race(&report) else { continue };
        if let Some(fix) = &found.fix {
            let mended = apply(&text, fix);
            assert_eq!(judge(&mended).verdict, "ok", "{text}\n{mended}");
            whole += 1;
        } else if found.because.iter().any(|clause| clause.contains("another race remains")) {
            parts += 1;
        } else {
            // An added round of a loop would have to surround it. If a wave without a statement does not participate,
            // the round is complete in only one reading.
            let is_known = text.contains("for i") || text.contains("{\n}");
            assert!(is_known, "{text}\n{found:?}");
        }
    }
    assert!(whole > 20 && parts > 20, "{whole} whole, {parts} in part");
}
