//! Records the engine's results for the first scenario, so that the page can show them before the engine has loaded. Also
//! gives the build an identifier, which the page and the engine compare.

#[allow(unreachable_pub)]
#[path = "src/protocol/recorded.rs"]
mod recorded;
#[allow(unreachable_pub)]
#[path = "src/protocol/sent_report.rs"]
mod sent_report;
#[allow(unreachable_pub)]
#[path = "src/protocol/terms.rs"]
mod terms;
#[allow(unreachable_pub)]
#[path = "src/protocol/tints.rs"]
mod tints;
#[allow(unreachable_pub)]
#[path = "src/protocol/trace_update.rs"]
mod trace_update;

use recorded::{About, Recorded};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};
use terms::Terms;
use tidegate_check::Scene;
use tidegate_check::step::Stepper;
use trace_update::SentTrace;

/// The first scenario.
const FIRST: &str = "../examples/join-too-late.tide";
/// The sources of the build.
const SOURCES: [&str; 6] = [
    "src",
    "build.rs",
    "../crates/model/src",
    "../crates/lang/src",
    "../crates/explore/src",
    "../crates/check/src",
];

fn main() {
    println!("cargo::rerun-if-changed={FIRST}");
    let mut files = BTreeMap::new();
    for source in SOURCES {
        println!("cargo::rerun-if-changed={source}");
        collect(Path::new(source), &mut files);
    }
    println!("cargo::rustc-env=TIDEGATE_BUILD={:016x}", hash(&files));
    let text = fs::read_to_string(FIRST).expect("the first scenario").replace("\r\n", "\n");
    let bytes = postcard::to_allocvec(&record(&text)).expect("a record of the first scenario");
    let folder = PathBuf::from(env::var_os("OUT_DIR").expect("a folder to write to"));
    fs::write(folder.join("recorded.bin"), bytes).expect("a place for the record");
}

/// Records the report on a text and each step of its witness.
fn record(text: &str) -> Recorded {
    let scene = Scene::new("scenario.tide", text);
    let options = Terms::default().options();
    let report = tidegate_check::check(&scene, &options, &mut |_| true);
    assert!(report.exhaustive, "the search of the first scenario is complete");
    let keys = report.findings.first().map(|first| first.witness.iter().map(|it| it.key.clone()));
    let keys: Vec<String> = keys.into_iter().flatten().collect();
    let mut stepper = Stepper::new(&scene, &options).expect("the first scenario can be stepped");
    assert_eq!(stepper.load(&keys), keys.len(), "its witness can be performed");
    let shown = (0..=keys.len()).map(|length| {
        stepper.go_to(length);
        SentTrace::default().since(&stepper, 0)
    });
    let shown = shown.collect();
    let about = About { title: scene.title().to_owned(), notes: scene.notes().to_vec() };
    let (tints, statements) = (tints::tints(text), recorded::statements(&report));
    Recorded { text: text.to_owned(), tints, about, report: report.into(), statements, shown }
}

fn collect(path: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
    match fs::read_dir(path) {
        Ok(entries) => entries.flatten().for_each(|entry| collect(&entry.path(), files)),
        Err(_) => {
            files.insert(path.to_owned(), fs::read(path).unwrap_or_default());
        }
    }
}

/// Hashes all files and their names with FNV-1a.
fn hash(files: &BTreeMap<PathBuf, Vec<u8>>) -> u64 {
    let names = files
        .iter()
        .flat_map(|(path, text)| [path.to_string_lossy().into_owned().into_bytes(), text.clone()]);
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    names.flatten().fold(0xcbf2_9ce4_8422_2325, step)
}
