//! The edit offered for an async race removes it, for all copies, accesses, paths and iterations that depend on a wait.

use crate::common::{Random, by_text_alone as judge, found};
use tidegate_check::apply;
use tidegate_check::report::{Finding, Report};

fn race(report: &Report) -> Option<&Finding> {
    found(report, "async.race")
}

/// Whether a finding has a fact of this kind.
fn has(finding: &Finding, fact: &str) -> bool {
    finding.cause.facts_of(fact).next().is_some()
}

/// `COPIES n` expands to n copies of 64 bytes, each followed by a mark.
fn scenario(waves: &str) -> String {
    let copies = |count: usize| {
        let copy = |at: usize| {
            format!("async_load l[{0}..{1}] <- g[{0}..{1}]\nasyncmark\n", at * 64, at * 64 + 64)
        };
        (0..count).map(copy).collect::<String>()
    };
    let waves = waves.replace("COPIES 3", &copies(3)).replace("COPIES 2", &copies(2));
    format!("target gfx942\nlaunch waves=2\nlds l[256]\nglobal g[256]\n{waves}\n")
}

/// Asserts that the scenario breaks the rule, and that it does not after the offered edit, which inserts this text.
fn mends(waves: &str, puts: &str) {
    let text = scenario(waves);
    let report = judge(&text);
    let race = race(&report).unwrap_or_else(|| panic!("no race\n{text}"));
    let fix = race.fix.as_ref().unwrap_or_else(|| panic!("no fix\n{text}\n{race:?}"));
    let mended = apply(&text, fix);
    assert!(mended.contains(puts), "{puts}\n{mended}\n{race:?}");
    assert_eq!(judge(&mended).verdict, "ok", "{mended}");
}

#[test]
fn one_load_of_three_copies_gets_one_edit() {
    mends("wave 0 {\nCOPIES 3 wait_asyncmark 3\nload l[0..192]\n}", "wait_asyncmark 0\n");
    mends("wave 0 {\nCOPIES 3 load l[0..192]\n}", "wait_asyncmark 0\n load");
    mends(
        "func f() {\nCOPIES 2 wait_asyncmark 2\nload l[0..128]\n}\nwave 0 { call f() }",
        "mark 0\n",
    );
}

#[test]
fn publication_of_three_copies_gets_one_edit() {
    mends(
        "wave 0 {\nCOPIES 3 fence release workgroup\ns_barrier\n}\nwave 1 {\ns_barrier\nfence acquire workgroup\nload l[0..192]\n}",
        "wait_asyncmark 0\n fence",
    );
}

#[test]
fn several_loads_after_one_wait_get_one_edit() {
    mends("wave 0 {\nCOPIES 3 wait_asyncmark 3\nload l[0..64]\nload l[64..128]\n}", "mark 1\n");
}

#[test]
fn branches_and_iterations_get_one_edit() {
    mends(
        "wave 0 {\nasync_load l <- g\nasyncmark\nchoose { asyncmark; asyncmark } or { load g[0..1]; load g[0..1]; load g[0..1] }\nwait_asyncmark 5\nload l[0..64]\n}",
        "mark 0\n",
    );
    mends(
        "wave 0 {\nfor i in 0..4 {\nasync_load l[0..64] <- g[0..64]\nasyncmark\nif i == 0 { asyncmark; asyncmark }\nwait_asyncmark 3\nload l[0..64]\n}\n}",
        "mark 0\n",
    );
}

/// No count of the wait fixes a copy without a mark, so the edit adds a mark.
#[test]
fn a_copy_without_a_mark_gets_a_mark() {
    let copies =
        "async_load l[0..64] <- g[0..64]\nasyncmark\nasync_load l[64..128] <- g[64..128]\n";
    mends(&format!("wave 0 {{\n{copies}load l[0..128]\n}}"), "asyncmark\nwait_asyncmark 0\nload");
    mends(
        &format!("wave 0 {{\n{copies}wait_asyncmark 1\nload l[0..128]\n}}"),
        "asyncmark\nwait_asyncmark 0\nload",
    );
}

/// Two waits that are both too weak are reported separately, and each finding says that the other remains.
#[test]
fn a_remaining_race_is_reported() {
    let text = scenario(
        "wave 0 {\nCOPIES 2 wait_asyncmark 2\nload l[0..128]\nasync_load l[128..192] <- g[128..192]\nasyncmark\nwait_asyncmark 1\nload l[128..192]\n}",
    );
    let report = judge(&text);
    let found = race(&report).unwrap();
    assert!(has(found, "another-race-remains"), "{found:?}");
    let mended = apply(&text, found.fix.as_ref().unwrap());
    let report = judge(&mended);
    let other = race(&report).unwrap();
    assert_ne!(found.line, other.line, "{mended}");
    assert_eq!(judge(&apply(&mended, other.fix.as_ref().unwrap())).verdict, "ok", "{mended}");
}

/// Two waits that each allow one mark too many get separate counts, and the pipeline remains.
#[test]
fn each_wait_gets_its_own_number() {
    let text = scenario(
        "wave 0 {\nCOPIES 2 wait_asyncmark 2\nload l[0..64]\nwait_asyncmark 1\nload l[64..128]\n}",
    );
    let mend = |text: &str| apply(text, race(&judge(text)).unwrap().fix.as_ref().unwrap());
    let one = mend(&text);
    assert!(one.contains("wait_asyncmark 1\nload l[0..64]"), "{one}");
    let both = mend(&one);
    assert!(both.contains("wait_asyncmark 0\nload l[64..128]"), "{both}");
    let report = judge(&both);
    assert_eq!((report.verdict.as_str(), report.findings.len()), ("ok", 0), "{both}");
}

/// A number inside an expression is not edited; the message is still correct.
#[test]
fn only_a_whole_operand_is_edited() {
    for operand in ["4/2", "1+1", "(4)/(2)", "N", "0x2", "-1+3"] {
        let text = scenario(&format!(
            "const N = 2\nwave 0 {{\nCOPIES 2 wait_asyncmark {operand}\nload l[0..128]\n}}"
        ));
        let report = judge(&text);
        let found = race(&report).unwrap();
        assert!(found.fix.is_none(), "{operand}: {found:?}");
        assert!(found.remedy.as_ref().unwrap().contains("allow no mark"), "{found:?}");
    }
    for statement in
        ["wait_asyncmark 2", "wait_asyncmark (2)", "call void @llvm.amdgcn.wait.asyncmark(i16 2)"]
    {
        mends(&format!("wave 0 {{\nCOPIES 2 {statement} # two of 2\nload l[0..128]\n}}"), "0");
    }
}

/// Copies with and without marks, on branches and in loops, with several waits and loads.
fn program(random: &mut Random) -> String {
    let (mut body, mut slot) = (String::new(), 0);
    for _ in 0..3 + random.below(4) {
        let copy = format!("async_load l[{0}..{1}] <- g[{0}..{1}]\n", slot * 16, slot * 16 + 16);
        let load = format!("load l[{}..{}]\n", random.below(slot + 1) * 16, slot * 16 + 16);
        match random.below(8) {
            0 => body += &format!("choose {{\n{copy}asyncmark\n}} or {{\nasyncmark\n}}\n"),
            1 => {
                body += &format!(
                    "for i in 0..2 {{\n{copy}asyncmark\nwait_asyncmark {}\n}}\n",
                    random.below(3)
                )
            }
            2 => body += &copy,
            3 | 4 => body += &format!("wait_asyncmark {}\n{load}", random.below(5)),
            _ => body += &format!("{copy}asyncmark\n"),
        }
        slot += 1;
    }
    body += &format!("wait_asyncmark {}\nload l[0..{}]\n", random.below(5), slot * 16);
    format!("target gfx942\nlds l[256]\nglobal g[256]\nwave 0 {{\n{body}}}\n")
}

/// One edit removes the race at this access, and every async race unless the finding says that another remains.
#[test]
fn one_change_removes_the_race() {
    let (mut random, mut whole, mut parts) = (Random(3), 0, 0);
    for _ in 0..300 {
        let text = program(&mut random);
        let report = judge(&text);
        let Some(found) = race(&report) else { continue };
        let Some(fix) = &found.fix else {
            assert!(has(found, "help-insufficient"), "{text}{found:?}");
            continue;
        };
        let mended = apply(&text, fix);
        let after = judge(&mended);
        if has(found, "another-race-remains") {
            assert!(race(&after).is_some_and(|other| other.line != found.line), "{text}\n{mended}");
            parts += 1;
        } else {
            assert!(race(&after).is_none(), "{text}\n{found:?}\n{mended}");
            whole += 1;
        }
    }
    assert!(whole > 80 && parts > 20, "{whole} whole, {parts} in part");
}
