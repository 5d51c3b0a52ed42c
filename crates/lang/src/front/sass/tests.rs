extern crate std;

#[test]
fn tmp_all() {
    use std::{fs, println, string::String, vec::Vec};
    let mut files: Vec<_> = ["/work/shared/real/nvidia", "/tmp/tri"]
        .iter()
        .flat_map(|d| fs::read_dir(d).unwrap())
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "sass"))
        .collect();
    files.sort();
    for f in files {
        let text = fs::read_to_string(&f).unwrap();
        let t = std::time::Instant::now();
        match super::read(&text) {
            Ok(m) => {
                let unknown: Vec<String> = m.functions.iter().flat_map(|f| &f.blocks).flat_map(|b| &b.instructions)
                    .filter_map(|i| match &i.kind { tidegate_kernel::ir::Kind::Unknown { why, .. } => Some(why.clone()), _ => None }).collect();
                println!("{} ok {:?} kernels {:?} blocks {} ignored {:?} unknown {:?} args {:?}",
                    f.file_name().unwrap().to_str().unwrap(), t.elapsed(), m.kernels.iter().map(|k| k.facts.clone()).collect::<Vec<_>>(),
                    m.functions.iter().map(|f| f.blocks.len()).sum::<usize>(), m.ignored, unknown,
                    m.arguments.iter().map(|a| (a.name.clone(), a.width, a.passed)).collect::<Vec<_>>());
            }
            Err(e) => println!("{} ERR {:?}", f.display(), e),
        }
    }
}
