//! The kernels of `tests/routes` have one verdict on every route: as CUDA, HIP and OpenCL C, and as the LLVM IR, assembly and
//! PTX that clang makes of them. Without one of the barriers that they need, no route finds nothing.
//!
//! A kernel is written once, with words for what the languages spell differently. A run takes some routes of each kernel;
//! `cargo xtask soak routes` takes all.

use crate::common::{Scratch, root, with_clang};
use rayon::prelude::*;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The headers that `tidegate` gives to clang.
#[path = "../../src/kit.rs"]
mod kit;

/// The words of a kernel in CUDA and HIP.
const CUDA: [(&str, &str); 14] = [
    ("GLOBAL ", ""),
    ("SHAREDPTR ", ""),
    ("SHARED", "__shared__"),
    ("DEVICE", "__device__"),
    ("GSYNC", "__syncthreads()"),
    ("SYNC", "__syncthreads()"),
    ("TX", "threadIdx.x"),
    ("TY", "threadIdx.y"),
    ("TZ", "threadIdx.z"),
    ("BX", "blockIdx.x"),
    ("BY", "blockIdx.y"),
    ("DX", "blockDim.x"),
    ("GX", "gridDim.x"),
    ("KERNEL", "extern \"C\" __global__ void __launch_bounds__(ALL)"),
];

/// The words of a kernel in OpenCL C.
const OPENCL: [(&str, &str); 14] = [
    ("GLOBAL", "global"),
    ("SHAREDPTR", "local"),
    ("SHARED", "local"),
    ("DEVICE ", ""),
    ("GSYNC", "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)"),
    ("SYNC", "barrier(CLK_LOCAL_MEM_FENCE)"),
    ("TX", "(int)get_local_id(0)"),
    ("TY", "(int)get_local_id(1)"),
    ("TZ", "(int)get_local_id(2)"),
    ("BX", "(int)get_group_id(0)"),
    ("BY", "(int)get_group_id(1)"),
    ("DX", "(int)get_local_size(0)"),
    ("GX", "(int)get_num_groups(0)"),
    ("KERNEL", "__attribute__((reqd_work_group_size(SIZES))) kernel void"),
];

/// How a kernel gets to the checker.
#[derive(Debug)]
struct Route {
    name: &'static str,
    /// The end of the name of the source.
    source: &'static str,
    /// The arguments for clang and the end of the name of what it makes; `None`: the source itself is checked.
    compiled: Option<(&'static str, &'static str)>,
    /// Threads that execute together: accesses of one wave or warp are in order, or open.
    together: u32,
}

const fn route(
    name: &'static str,
    source: &'static str,
    compiled: Option<(&'static str, &'static str)>,
    together: u32,
) -> Route {
    Route { name, source, compiled, together }
}

const ROUTES: [Route; 11] = [
    route("CUDA", "cu", None, 32),
    route("HIP", "hip", None, 32),
    route("OpenCL C", "cl", None, 1),
    route("LLVM IR of CUDA", "cu", Some(("-emit-llvm", "ll")), 32),
    route("PTX", "cu", Some(("", "ptx")), 32),
    route("LLVM IR of HIP", "hip", Some(("--offload-arch=gfx1100 -emit-llvm", "ll")), 32),
    route("assembly of GFX11", "hip", Some(("--offload-arch=gfx1100", "s")), 32),
    route("assembly of GFX12.5", "hip", Some(("--offload-arch=gfx1250", "s")), 32),
    route("assembly of GFX9", "hip", Some(("--offload-arch=gfx942", "s")), 64),
    route("LLVM IR of SPIR", "cl", Some(("-target spir64 -emit-llvm", "ll")), 1),
    route(
        "LLVM IR of OpenCL for GFX12",
        "cl",
        Some(("-target amdgcn-amd-amdhsa -mcpu=gfx1200 -nogpulib -emit-llvm", "ll")),
        32,
    ),
];

/// A kernel of `tests/routes`.
struct Kernel {
    name: String,
    groups: String,
    threads: String,
    arguments: Vec<String>,
    verdict: String,
    text: String,
}

impl Kernel {
    fn all() -> Vec<Self> {
        let folder = fs::read_dir(root().join("tests/routes")).expect("the folder is there");
        let mut paths: Vec<_> = folder.map(|entry| entry.expect("an entry").path()).collect();
        paths.sort();
        paths.iter().map(|path| Self::of(path)).collect()
    }

    fn of(path: &Path) -> Self {
        let text = fs::read_to_string(path).expect("the kernel is readable");
        let facts = text.lines().nth(1).and_then(|line| line.strip_prefix("// "));
        let facts = facts.unwrap_or_else(|| panic!("{}: no launch in line 2", path.display()));
        let fact = |name: &str| {
            let mut all = facts.split(", ").filter_map(|fact| fact.split_once(' '));
            all.find(|(known, _)| *known == name).map(|(_, value)| value.to_owned())
        };
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name");
        Self {
            name: name.to_owned(),
            groups: fact("groups").expect("groups"),
            threads: fact("threads").expect("threads"),
            arguments: fact("arguments")
                .map(|list| list.split(' ').map(String::from).collect())
                .unwrap_or_default(),
            verdict: fact("verdict").unwrap_or_else(|| "ok".to_owned()),
            text,
        }
    }

    fn all_threads(&self) -> u32 {
        self.threads.split('x').map(|size| size.parse::<u32>().expect("a size")).product()
    }

    /// The lines of barriers that the kernel needs where so many threads execute together.
    fn needed(&self, together: u32) -> Vec<usize> {
        if self.all_threads() <= together {
            return Vec::new();
        }
        let is_needed = |line: &str| match line.split_once("// needed") {
            Some((_, " among items")) => together == 1,
            Some((_, " among waves of 32")) => together <= 32,
            Some(_) => true,
            None => false,
        };
        let lines = self.text.lines().enumerate();
        lines.filter(|(_, line)| is_needed(line)).map(|(at, _)| at).collect()
    }

    /// The source of a route, without the barrier of a line.
    fn source(&self, language: &str, without: Option<usize>) -> String {
        let sizes: Vec<&str> = self.threads.split('x').chain(["1", "1"]).take(3).collect();
        let words = if language == "cl" { &OPENCL } else { &CUDA };
        let mut source = String::new();
        for (at, line) in self.text.lines().enumerate() {
            let line = line.split(" // needed").next().unwrap_or(line);
            let line = match without == Some(at) {
                true => line.replace("GSYNC;", "").replace("SYNC;", ""),
                false => line.to_owned(),
            };
            source += &words.iter().fold(line, |line, (word, text)| replaced(&line, word, text));
            source += "\n";
        }
        source.replace("ALL", &self.all_threads().to_string()).replace("SIZES", &sizes.join(", "))
    }

    /// The verdict on a route.
    fn verdict(&self, route: &Route, without: Option<usize>) -> String {
        let source = self.source(route.source, without);
        let file = Scratch::new(&format!("{}.{}", self.name, route.source), source.as_bytes());
        let path = match route.compiled {
            None => file.path().to_owned(),
            Some((words, end)) => {
                let path = format!("{}.{end}", file.path());
                compile(file.path(), route.source, words, &path);
                path
            }
        };
        let (groups, threads) = (&self.groups, &self.threads);
        let launch = match route.name {
            "OpenCL C" | "LLVM IR of SPIR" => format!("groups={groups} items={threads}"),
            _ => format!("groups={groups} threads={threads}"),
        };
        let mut words = vec!["check", "--format", "json", "--launch", &launch];
        words.extend(self.arguments.iter().flat_map(|argument| ["--arg", argument]));
        words.push(&path);
        let ran = with_clang(&words, b"", "");
        let report: serde_json::Value =
            serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {}", ran.err));
        let reports = report.get("reports").and_then(|reports| reports.get(0)).unwrap_or(&report);
        reports["verdict"].as_str().unwrap_or("no verdict").to_owned()
    }
}

/// A line with a text for each whole word.
fn replaced(line: &str, word: &str, text: &str) -> String {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let mut result = String::new();
    let mut rest = line;
    while let Some(at) = rest.find(word) {
        let (before, after) = (&rest[..at], &rest[at + word.len()..]);
        let inside = before.ends_with(is_letter)
            || word.ends_with(is_letter) && after.starts_with(is_letter);
        result += before;
        result += if inside { word } else { text };
        rest = after;
    }
    result + rest
}

fn compile(source: &str, language: &str, words: &str, to: &str) {
    let mut clang = Command::new("clang-22");
    clang.args(["-S", "-O2", "-w"]);
    match language {
        "cu" => clang.args(["-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_90"]),
        "hip" => clang.args(["-x", "hip", "--cuda-device-only", "-nogpuinc", "-nogpulib"]),
        _ => clang.args(["-x", "cl", "-cl-std=CL2.0"]),
    };
    if language == "cu" {
        clang.args(["--cuda-feature=+ptx86", "-nocudainc", "-nocudalib"]);
    }
    if language != "cl" {
        let beside = format!("{to}.kit");
        let text = fs::read_to_string(source).expect("the source is read");
        kit::write(Path::new(&beside), &[&*text]).expect("the headers are written");
        clang.arg("-I").arg(&beside).arg("-include").arg(Path::new(&beside).join(kit::FIRST));
    }
    clang.args(words.split_whitespace()).args(["-o", to, source]);
    let output = clang.output().expect("clang-22 runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Whether a verdict of a route is one that the kernel may have there.
fn fits(kernel: &Kernel, route: &Route, without: Option<usize>, verdict: &str) -> bool {
    if without.is_some() {
        return !["ok", "invalid", "unsupported"].contains(&verdict);
    }
    // Code of one wave is in order, and code without names of arguments takes only the name of a single one.
    let in_order = kernel.verdict == "race" && kernel.all_threads() <= route.together;
    let unnamed = route.compiled.is_some() && kernel.arguments.len() > 1;
    verdict == kernel.verdict || in_order && verdict == "ok" || unnamed && verdict == "unknown"
}

#[test]
#[ignore = "needs LLVM 22: cargo xtask test assembler"]
fn every_route_of_a_kernel_has_its_verdict() {
    let full = std::env::var("TIDEGATE_ROUTES").is_ok_and(|words| words == "full");
    let kernels = Kernel::all();
    assert!(!kernels.is_empty());
    let mut checks = Vec::new();
    for (number, kernel) in kernels.iter().enumerate() {
        for (at, route) in ROUTES.iter().enumerate() {
            if full || (at + number).is_multiple_of(5) {
                checks.push((kernel, route, None));
            }
            for (turn, line) in kernel.needed(route.together).into_iter().enumerate() {
                if full || at == (number + turn) % ROUTES.len() {
                    checks.push((kernel, route, Some(line)));
                }
            }
        }
    }
    let wrong: Vec<String> = checks
        .par_iter()
        .filter_map(|&(kernel, route, without)| {
            let verdict = kernel.verdict(route, without);
            let line = without.map_or(String::new(), |line| format!(" without line {}", line + 1));
            let (name, route_name) = (&kernel.name, route.name);
            (!fits(kernel, route, without, &verdict))
                .then(|| format!("{name}{line} as {route_name}: {verdict}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), checks.len(), wrong.join("\n"));
}
