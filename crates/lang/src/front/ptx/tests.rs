//! Modules in the IR.
extern crate std;

#[test]
fn tmp_all() {
    use std::{fs, println, string::String, vec::Vec};
    let mut files: Vec<_> = ["nvidia", "opencl"]
        .iter()
        .flat_map(|d| fs::read_dir(std::format!("/work/shared/real/{d}")).unwrap())
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "ptx"))
        .collect();
    files.sort();
    for f in files {
        let text = fs::read_to_string(&f).unwrap();
        let t = std::time::Instant::now();
        match super::read(&text) {
            Ok(m) => {
                let unknown: Vec<String> = m
                    .functions
                    .iter()
                    .flat_map(|f| &f.blocks)
                    .flat_map(|b| &b.instructions)
                    .filter_map(|i| match &i.kind {
                        tidegate_kernel::ir::Kind::Unknown { why, .. } => Some(why.clone()),
                        _ => None,
                    })
                    .collect();
                println!(
                    "{} ok {:?} kernels {} blocks {} ignored {:?} unknown {:?}",
                    f.file_name().unwrap().to_str().unwrap(),
                    t.elapsed(),
                    m.kernels.len(),
                    m.functions.iter().map(|f| f.blocks.len()).sum::<usize>(),
                    m.ignored,
                    unknown
                );
            }
            Err(e) => println!("{} ERR {:?}", f.display(), e),
        }
    }
}
