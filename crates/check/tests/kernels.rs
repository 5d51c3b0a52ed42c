//! Whole files of compiled code: the expectation of each holds.

use std::fs;
use std::path::Path;
use tidegate_check::expect::expectations;
use tidegate_check::{Options, Scene};

#[test]
fn every_file_has_the_verdict_that_it_expects() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/kernels");
    let options = Options { ambiguities: false, shortest: false, ..Options::default() };
    let mut wrong = Vec::new();
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let name = path.file_name().unwrap().to_str().unwrap();
        let scene = Scene::new(name, &fs::read_to_string(&path).unwrap());
        let outcomes = expectations(&scene, &options, &mut |_| true);
        assert!(!outcomes.is_empty(), "{name} expects nothing");
        let failed = outcomes.into_iter().filter(|outcome| !outcome.passed);
        wrong.extend(failed.map(|outcome| (name.to_owned(), outcome.wanted, outcome.got)));
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}
