//! Random texts: programs of every vocabulary, and changed scenarios of the corpus.
#![allow(dead_code, missing_docs, unreachable_pub)] // the tests of the page's engine use it too

#[path = "texts/vocabularies.rs"]
mod vocabularies;

use std::fs;
use std::path::{Path, PathBuf};
use vocabularies::VOCABULARIES;

/// Pseudo-random numbers, the same in every run.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % end.max(1)
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }
}

/// A random program.
pub fn program(dice: &mut Dice) -> String {
    let words = &VOCABULARIES[dice.below(VOCABULARIES.len())];
    let mut text = String::new();
    if dice.chance(90) {
        text += &format!("target {}\n", dice.of(words.targets));
    }
    if dice.chance(90) {
        text += &format!("launch {}\n", dice.of(words.launches));
    }
    text += words.declares;
    if words.does.contains(&"call f()") {
        text += &format!("func f() {{ {} }}\n", dice.of(words.does).replace("call f()", ""));
    }
    let pasted = words.agents[0].starts_with("__kernel");
    for agent in 0..if words.agents.len() == 1 { 1 } else { 1 + dice.below(3) } {
        text += &format!(
            "{} {{\n",
            if agent < 2 && dice.chance(70) { words.agents[agent] } else { dice.of(words.agents) }
        );
        if dice.chance(if agent == 0 { 80 } else { 20 }) {
            text +=
                &format!("  {}\n", words.first.replace("; ", if pasted { "; " } else { "\n  " }));
        }
        let many = 1 + dice.below(6);
        let label = dice.below(many);
        for at in 0..many {
            if at == label && words.does.contains(&"s_branch L") {
                text += "L:\n";
            }
            text += &format!("  {}\n", dice.of(words.does));
        }
        text += "}\n";
    }
    text
}

/// Texts by their paths.
type Texts = Vec<(PathBuf, String)>;

/// The files below these folders of the project of which the name is as asked, in order.
fn files(folders: &[&str], is: fn(&Path) -> bool) -> Texts {
    let root =
        Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().find(|at| at.join("examples").is_dir());
    let root = root.expect("the folder of the examples");
    let mut open: Vec<PathBuf> = folders.iter().map(|folder| root.join(folder)).collect();
    let mut files = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).expect("the folder is there").flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if is(&path) {
                files.push(path);
            }
        }
    }
    files.sort();
    let read = |path: PathBuf| fs::read_to_string(&path).ok().map(|text| (path, text));
    files.into_iter().filter_map(read).collect()
}

/// The scenarios of the corpus: paths and texts, in order.
pub fn corpus() -> Texts {
    files(&["examples", "tests/conformance"], |path| {
        path.extension().is_some_and(|it| it == "tide")
    })
}

/// Whole kernels as compilers print them: paths and texts, in order.
pub fn kernels() -> Texts {
    files(&["tests/kernels"], |_| true)
}

/// A kernel after some changes, cut off, or run together with another one.
pub fn broken(dice: &mut Dice, kernels: &[(PathBuf, String)]) -> String {
    let text = changed(dice, kernels);
    let part = |dice: &mut Dice, text: &str| {
        let end = dice.below(text.chars().count() + 1);
        text.chars().take(end).collect::<String>()
    };
    match dice.below(8) {
        0 => part(dice, &text),
        1 => text + &kernels[dice.below(kernels.len())].1,
        2 => part(dice, &text) + &changed(dice, kernels),
        3 => {
            let noise = (0..dice.below(40)).map(|_| dice.below(0x300) as u32);
            let noise: String = noise.filter_map(char::from_u32).collect();
            part(dice, &text) + &noise + &text
        }
        _ => text,
    }
}

const NUMBERS: [&str; 16] = [
    "0",
    "1",
    "2",
    "-1",
    "-3",
    "3",
    "16",
    "17",
    "127",
    "128",
    "65535",
    "0xffffffff",
    "1048576",
    "2147483648",
    "9223372036854775807",
    "99999999999999999999",
];
const NAMES: [&str; 12] =
    ["null", "wg", "cluster", "m0", "wave_id", "lane", "b", "p[0]", "full[1]", "x", "_", "RZ"];
const TARGETS: [&str; 8] =
    ["gfx1250", "gfx1200", "gfx942", "gfx600", "sm_90", "sm_70", "opencl", "model"];

/// A scenario of the corpus after some changes.
pub fn changed(dice: &mut Dice, corpus: &[(PathBuf, String)]) -> String {
    let mut lines: Vec<String> =
        corpus[dice.below(corpus.len())].1.lines().map(str::to_owned).collect();
    let other: Vec<&str> = corpus[dice.below(corpus.len())].1.lines().collect();
    for _ in 0..1 + dice.below(3) {
        let at = dice.below(lines.len());
        let Some(line) = lines.get(at).cloned() else { break };
        match dice.below(9) {
            0 => drop(lines.remove(at)),
            1 => lines.insert(at, line),
            2 => {
                let with = dice.below(lines.len());
                lines.swap(at, with);
            }
            3 if !other.is_empty() => lines.insert(at, other[dice.below(other.len())].to_owned()),
            4 => lines[at] = exchanged(dice, &line, |c| c.is_ascii_digit(), &NUMBERS),
            5 => {
                lines[at] = exchanged(dice, &line, |c| c.is_ascii_alphabetic() || c == '_', &NAMES)
            }
            6 => {
                let cut = dice.below(line.chars().count() + 1);
                lines[at] = line.chars().take(cut).collect();
            }
            7 => {
                let target = lines.iter().position(|line| line.starts_with("target "));
                let new = format!("target {}", dice.of(&TARGETS));
                match target {
                    Some(at) => lines[at] = new,
                    None => lines.insert(0, new),
                }
            }
            _ => {
                let mut parts: Vec<&str> = line.split(';').collect();
                let _ = parts.remove(dice.below(parts.len()));
                lines[at] = parts.join(";");
            }
        }
    }
    lines.join("\n") + "\n"
}

/// A line in which one run of characters of a kind is replaced.
fn exchanged(dice: &mut Dice, line: &str, is: impl Fn(char) -> bool, all: &[&str]) -> String {
    let runs: Vec<&str> = line.split(|c| !is(c)).filter(|run| !run.is_empty()).collect();
    if runs.is_empty() {
        return line.to_owned();
    }
    let run = runs[dice.below(runs.len())];
    let start = run.as_ptr() as usize - line.as_ptr() as usize;
    format!("{}{}{}", &line[..start], dice.of(all), &line[start + run.len()..])
}

/// What texts are made from.
pub struct Sources {
    scenarios: Texts,
    kernels: Texts,
}

impl Sources {
    pub fn new() -> Self {
        Self { scenarios: corpus(), kernels: kernels() }
    }
}

/// The text with this number: a random program, a changed scenario, or a broken kernel.
pub fn text(seed: u64, sources: &Sources) -> String {
    let mut dice = Dice::new(seed);
    match dice.below(10) {
        0..4 => program(&mut dice),
        4..7 => changed(&mut dice, &sources.scenarios),
        _ => broken(&mut dice, &sources.kernels),
    }
}

/// The numbers of the texts to try: a few, or `TIDEGATE_TEXTS` of them from `TIDEGATE_FROM` on.
pub fn seeds(usual: u64) -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|words| words.parse().ok());
    let from = number("TIDEGATE_FROM").unwrap_or(0);
    from..from + number("TIDEGATE_TEXTS").unwrap_or(usual)
}

/// Calls a function with each text of these numbers, and lists the numbers of all texts for which it panics.
pub fn none_panics(usual: u64, does: impl Fn(&mut Dice, &str)) {
    let sources = Sources::new();
    let mut panicked = Vec::new();
    for seed in seeds(usual) {
        let text = text(seed, &sources);
        let started = std::time::Instant::now();
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            does(&mut Dice::new(seed ^ 0xabcd), &text);
        }));
        if started.elapsed().as_secs() > 20 {
            println!("text {seed} took {:?}\n{text}", started.elapsed());
        }
        if done.is_err() {
            println!("text {seed} panics\n{text}");
            panicked.push(seed);
        }
    }
    assert!(panicked.is_empty(), "these texts make the program panic: {panicked:?}");
}
