use super::*;
use alloc::format;
use alloc::string::ToString;

fn of(text: &str) -> Matrix {
    let scene = Scene::new("x.tide", text);
    matrix(&scene, &Options::default(), &mut |_| true).expect("the text is valid")
}

const NAMED: &str = "target gfx1250\nlaunch waves=2\nbarrier n = named(1)\nwave * {\n  if wave_id == 0 { init n, 2 }\n  arrive wg; wait wg\n  join n\n  arrive wg; wait wg\n  arrive n\n  wait n\n}\n";

#[test]
fn targets_with_the_same_result_are_grouped() {
    let found = of(NAMED);
    let labels: Vec<_> =
        found.rows.iter().map(|row| (row.label.as_str(), row.verdict.as_str())).collect();
    let wanted = [
        ("model", "ok"),
        ("gfx6-gfx12.0", "unsupported"),
        ("gfx12.5", "ok"),
        ("sm_70-sm_120", "unsupported"),
        ("opencl", "unsupported"),
    ];
    assert_eq!(labels, wanted);
    assert_eq!(found.rows[1].reason.as_ref().unwrap().rule, "amd.object.unsupported");
    assert_eq!(found.rows[2].machine.as_ref().unwrap().agrees, Some(true));
    assert!(found.rows[0].machine.is_none());
}

/// The basis of sharing: targets with equal properties have equal reports, except for names.
#[test]
fn every_cell_equals_the_check_of_its_target() {
    let texts = [
        NAMED.to_string(),
        "launch waves=2\nwave 0 { s_barrier }\nwave 1 { s_barrier; s_barrier }\n".to_string(),
        "launch waves=2\nwave * { arrive wg; s_waitcnt vmcnt(0)\n wait wg }\n".to_string(),
        format!("{NAMED}reading amd.A14=unsupported\n"),
        "launch workgroups=2\nwave * { arrive cluster; x = arrive.isfirst cluster; wait cluster }\n"
            .to_string(),
    ];
    for text in texts {
        let scene = Scene::new("x.tide", &text);
        let found = of(&text);
        let cells: Vec<_> = found.cells.iter().map(|cell| cell.target.as_str()).collect();
        assert_eq!(cells, TargetId::all().map(|id| id.get().name).collect::<Vec<_>>());
        for cell in &found.cells {
            assert!(found.rows[cell.row as usize].targets.contains(&cell.target));
        }
        let mut seen = 0;
        for shared in &found.rows {
            for name in &shared.targets {
                let id = TargetId::from_name(name).unwrap();
                let options = Options { target: Some(id), ..Options::default() };
                let own = row(id.get(), check(&scene, &options, &mut |_| true));
                let shared =
                    MatrixRow { label: String::new(), targets: Vec::new(), ..shared.clone() };
                assert_eq!(own, shared, "{name}\n{text}");
                seen += 1;
            }
        }
        assert_eq!(seen, TargetId::all().count());
        assert!(found.judgements < seen as u64 / 3, "{}", found.judgements);
    }
}

#[test]
fn a_text_with_errors_has_no_matrix() {
    let scene = Scene::new("x.tide", "wave 0 { arive wg }\n");
    assert_eq!(matrix(&scene, &Options::default(), &mut |_| true), None);
}
