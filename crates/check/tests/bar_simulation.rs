//! Random programs of CTA barriers against a simulation of every interleaving, written from the rules of PTX: arrivals are
//! whole warps of 32 threads, and warps may end before they reach a barrier. It shares no code with the checker.

use crate::support::{Random, share};
use std::collections::{BTreeMap, BTreeSet};
use tidegate_check::model::reading::ReadingId;
use tidegate_check::{Options, Scene, check};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Sync,
    Arrive,
    /// Counts the threads whose predicate is true. The next operation is left out unless it is so many.
    Count(bool, u32),
    /// Whether the predicate is true everywhere, or somewhere. The next operation is left out unless it is.
    Every(bool),
    Some(bool),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Op {
    /// Barrier, and threads; `None` for all threads of the CTA. The last field selects the form without `aligned`.
    Bar(Kind, usize, Option<u32>, bool),
    /// The warp may end here.
    MayExit,
}

impl Op {
    fn reduces(self) -> bool {
        matches!(self, Self::Bar(Kind::Count(..) | Kind::Every(_) | Kind::Some(_), ..))
    }
}

type Warps = Vec<Vec<Op>>;

/// From best to worst.
const VERDICTS: [&str; 4] = ["ok", "deadlock", "violation", "ub"];
const NEVER: &str = "ptx.bar.never-completes";
const RULES: [&str; 7] = [
    "ptx.bar.count-mismatch",
    "ptx.bar.count-multiple",
    "ptx.bar.double-arrive",
    "ptx.bar.id",
    "ptx.bar.leftover",
    NEVER,
    "ptx.bar.red-mix",
];

fn op(random: &mut Random, warps: u32, common: &[Option<u32>; 2]) -> Op {
    let bar = random.below(2);
    let threads = match random.below(20) {
        0 => Some(32 * (1 + random.below(warps as usize + 2) as u32)),
        1 => [None, Some(48), Some(32 * warps)][random.below(3)],
        _ => common[bar],
    };
    let bar = if random.chance(1) { 16 } else { bar };
    let yes = random.chance(60);
    let kind = match random.below(24) {
        0 => Kind::Count(yes, 32 * (1 + random.below(warps as usize) as u32)),
        1 => Kind::Every(yes),
        2 => Kind::Some(yes),
        3..10 if threads.is_some() => Kind::Arrive,
        _ => Kind::Sync,
    };
    if random.chance(6) { Op::MayExit } else { Op::Bar(kind, bar, threads, random.chance(30)) }
}

/// Warps that meet in rounds, or independent ones; some end early.
fn program(seed: u64) -> Warps {
    let random = &mut Random::new(seed);
    let warps = 1 + random.below(4);
    let threads = |random: &mut Random| match random.below(5) {
        0 => None,
        1 => Some(32 * warps as u32),
        _ => Some(32 * (1 + random.below(warps + 1) as u32)),
    };
    let common = [threads(random), threads(random)];
    let round: Vec<Op> = (0..1 + random.below(3))
        .map(|_| {
            let red = random.chance(20);
            let kind = if red { Kind::Every(random.chance(50)) } else { Kind::Sync };
            let bar = random.below(2);
            Op::Bar(kind, bar, common[bar], false)
        })
        .collect();
    let together = random.chance(50);
    let mut all: Warps = (0..warps)
        .map(|_| {
            if !together {
                return (0..random.below(5)).map(|_| op(random, warps as u32, &common)).collect();
            }
            let mut body = round.clone();
            match random.below(8) {
                0 => body.truncate(random.below(body.len() + 1)),
                1 => {
                    let at = random.below(body.len());
                    body[at] = op(random, warps as u32, &common);
                }
                2 => {
                    let at = random.below(body.len() + 1);
                    body.insert(at, op(random, warps as u32, &common));
                }
                3 => body.iter_mut().for_each(|op| {
                    if let Op::Bar(kind @ Kind::Sync, _, Some(_), _) = op {
                        *kind = if random.chance(50) { Kind::Arrive } else { Kind::Sync };
                    }
                }),
                _ => {}
            }
            body
        })
        .collect();
    // An operation depends on at most one reduction, which is never left out.
    for body in &mut all {
        for at in 1..body.len() {
            if body[at - 1].reduces()
                && let Op::Bar(kind, ..) = &mut body[at]
            {
                *kind = Kind::Sync;
            }
        }
    }
    all
}

fn line(op: Op) -> String {
    let Op::Bar(kind, bar, threads, unaligned) = op else {
        return "choose { exit } or { }".to_owned();
    };
    let word = if unaligned { "barrier" } else { "bar" };
    let threads = threads.map_or(String::new(), |threads| format!(", {threads}"));
    let reduces = |form: &str, yes: bool, test: &str| {
        format!("{word}.red.{form} n, {bar}{threads}, {}; {test}", u8::from(yes))
    };
    match kind {
        Kind::Sync => format!("{word}.sync {bar}{threads}"),
        Kind::Arrive => format!("{word}.arrive {bar}{threads}"),
        Kind::Count(yes, least) => reduces("popc.u32", yes, &format!("let q = n >= {least}")),
        Kind::Every(yes) => reduces("and.pred", yes, "let q = n"),
        Kind::Some(yes) => reduces("or.pred", yes, "let q = n"),
    }
}

fn text(warps: &Warps) -> String {
    let mut text = format!("target sm_90\nlaunch warps={}\n", warps.len());
    for (warp, ops) in warps.iter().enumerate() {
        text += &format!("warp {warp} {{\n");
        let mut depends = false;
        for &op in ops {
            text += &match depends {
                true => format!("  if q {{ {} }}\n", line(op)),
                false => format!("  {}\n", line(op)),
            };
            depends = op.reduces();
        }
        text += "}\n";
    }
    text
}

/// A barrier while it is incomplete: its count, whether it reduces, and the warps that arrived with their predicates.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Generation {
    threads: u32,
    reduces: bool,
    arrived: Vec<(usize, bool)>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct World {
    at: Vec<usize>,
    ended: Vec<bool>,
    /// The barrier at which each warp waits.
    waits: Vec<Option<usize>>,
    bars: [Generation; 2],
}

struct Simulation<'a> {
    warps: &'a Warps,
    /// Whether a barrier with a count below the CTA does not wait for warps that ended.
    discounted: bool,
    broken: BTreeSet<&'static str>,
}

impl Simulation<'_> {
    /// Completes a barrier that has all its arrivals, or whose missing arrivals are all of warps that ended.
    fn settle(&self, world: &mut World, bar: usize) {
        let it = &world.bars[bar];
        let all = self.warps.len();
        let came = |warp: usize| it.arrived.iter().any(|&(other, _)| other == warp);
        let away: Vec<usize> = (0..all).filter(|&warp| !came(warp)).collect();
        let only_ended = away.iter().all(|&warp| world.ended[warp]);
        let counts_all = it.threads == 32 * all as u32 || self.discounted;
        let spared = if only_ended && counts_all { away.len() } else { 0 };
        let arrivals = 32 * it.arrived.len() as u32;
        let blocks = world.waits.contains(&Some(bar));
        let complete =
            arrivals >= it.threads || blocks && arrivals + 32 * spared as u32 >= it.threads;
        if it.arrived.is_empty() || !complete {
            return;
        }
        let votes: Vec<bool> = it.arrived.iter().map(|&(_, yes)| yes).collect();
        for warp in 0..all {
            if world.waits[warp] != Some(bar) {
                continue;
            }
            world.waits[warp] = None;
            let Op::Bar(kind, ..) = self.warps[warp][world.at[warp]] else { unreachable!() };
            let goes_on = match kind {
                Kind::Count(_, least) => {
                    32 * votes.iter().filter(|&&yes| yes).count() as u32 >= least
                }
                Kind::Every(_) => votes.iter().all(|&yes| yes),
                Kind::Some(_) => votes.contains(&true),
                Kind::Sync | Kind::Arrive => true,
            };
            world.at[warp] += if goes_on { 1 } else { 2 };
        }
        world.bars[bar] = Generation::default();
    }

    fn end(&mut self, mut world: World, warp: usize) -> World {
        world.ended[warp] = true;
        (0..2).for_each(|bar| self.settle(&mut world, bar));
        if world.ended.iter().all(|&ended| ended)
            && world.bars.iter().any(|bar| !bar.arrived.is_empty())
        {
            self.broken.insert("ptx.bar.leftover");
        }
        world
    }

    /// The worlds after the next step of a warp, or the rule after whose breach nothing is defined.
    fn step(&mut self, world: &World, warp: usize) -> Result<Vec<World>, &'static str> {
        let mut next = world.clone();
        let Some(&op) = self.warps[warp].get(world.at[warp]) else {
            return Ok(vec![self.end(next, warp)]);
        };
        let Op::Bar(kind, bar, threads, _) = op else {
            let ends = self.end(next.clone(), warp);
            next.at[warp] += 1;
            return Ok(vec![ends, next]);
        };
        let threads = threads.unwrap_or(32 * self.warps.len() as u32);
        if bar > 15 {
            return Err("ptx.bar.id");
        }
        if threads % 32 > 0 {
            return Err("ptx.bar.count-multiple");
        }
        let it = &mut next.bars[bar];
        let (reduces, yes) = match kind {
            Kind::Sync | Kind::Arrive => (false, false),
            Kind::Count(yes, _) | Kind::Every(yes) | Kind::Some(yes) => (true, yes),
        };
        if it.arrived.is_empty() {
            (it.threads, it.reduces) = (threads, reduces);
        }
        if it.reduces != reduces {
            return Err("ptx.bar.red-mix");
        }
        if it.threads != threads {
            return Err("ptx.bar.count-mismatch");
        }
        if it.arrived.iter().any(|&(other, _)| other == warp) {
            self.broken.insert("ptx.bar.double-arrive");
        }
        it.arrived.push((warp, yes));
        it.arrived.sort_unstable();
        if kind == Kind::Arrive {
            next.at[warp] += 1;
        } else {
            next.waits[warp] = Some(bar);
        }
        self.settle(&mut next, bar);
        Ok(vec![next])
    }
}

struct Outcome {
    verdict: usize,
    broken: BTreeSet<&'static str>,
    /// Whether no execution ends.
    everywhere: bool,
    /// Whether some path ends at a broken rule.
    cut: bool,
}

fn simulated(warps: &Warps, discounted: bool) -> Outcome {
    let mut open = vec![World {
        at: vec![0; warps.len()],
        ended: vec![false; warps.len()],
        waits: vec![None; warps.len()],
        bars: Default::default(),
    }];
    let mut simulation = Simulation { warps, discounted, broken: BTreeSet::new() };
    let (mut seen, mut finishes, mut cut) = (BTreeSet::new(), false, false);
    while let Some(world) = open.pop() {
        if !seen.insert(world.clone()) {
            continue;
        }
        let live = |warp: &usize| !world.ended[*warp] && world.waits[*warp].is_none();
        let live: Vec<usize> = (0..warps.len()).filter(live).collect();
        for &warp in &live {
            match simulation.step(&world, warp) {
                Ok(next) => open.extend(next),
                Err(rule) => {
                    cut = true;
                    simulation.broken.insert(rule);
                }
            }
        }
        if live.is_empty() {
            match world.waits.iter().any(Option::is_some) {
                true => drop(simulation.broken.insert(NEVER)),
                false => finishes = true,
            }
        }
    }
    let class = |rule: &&str| match *rule {
        "ptx.bar.leftover" => 0,
        NEVER => 1,
        "ptx.bar.red-mix" => 3,
        _ => 2,
    };
    let verdict = simulation.broken.iter().map(class).max().unwrap_or(0);
    Outcome { verdict, everywhere: !finishes, broken: simulation.broken, cut }
}

/// What the checker says otherwise than the simulation under one reading.
fn difference(warps: &Warps, discounted: bool, met: &mut BTreeMap<&str, u64>) -> Option<String> {
    let text = text(warps);
    let Outcome { verdict, broken, everywhere, cut } = simulated(warps, discounted);
    let ambiguous = simulated(warps, !discounted).verdict != verdict;
    let scene = Scene::new("random.tide", &text);
    assert!(scene.is_valid(), "{text}\n{:?}", scene.diagnostics());
    let readings = vec![(ReadingId::PtxExitCounted, u8::from(discounted))];
    let report = check(&scene, &Options { readings, ..Options::default() }, &mut |_| true);
    assert!(report.exhaustive, "{text}");
    let named = report.ambiguities.iter().any(|it| it.id == "ptx.exit-counted");
    let mut rules: Vec<&str> = report.findings.iter().map(|it| &*it.rule).collect();
    rules.sort_unstable();
    rules.dedup();
    let all = report.findings.iter().any(|it| it.class == "deadlock" && it.schedules == "all");
    *met.entry(VERDICTS[verdict]).or_insert(0) += 1;
    *met.entry("ambiguous").or_insert(0) += u64::from(ambiguous);
    broken.iter().for_each(|&rule| *met.entry(rule).or_insert(0) += 1);
    // Where a path ends, the rules that come later depend on the order of steps.
    let agrees = report.verdict == VERDICTS[verdict]
        && named == ambiguous
        && (cut || rules == broken.iter().copied().collect::<Vec<_>>())
        && (verdict != 1 || all == everywhere);
    let simulated = VERDICTS[verdict];
    (!agrees).then(|| {
        format!(
            "discounted: {discounted}\n{text}\nsimulated: {simulated} {broken:?}, everywhere: {everywhere}, ambiguous: {ambiguous}\n\
             checked: {} {rules:?}, {all}, {named}",
            report.verdict
        )
    })
}

#[test]
fn random_cta_barriers_by_simulation() {
    let (mut met, programs) = (BTreeMap::new(), share(1_000));
    let warps: Vec<Warps> = (0..programs).map(program).collect();
    let readings = [false, true];
    let different: Vec<String> = warps
        .iter()
        .flat_map(|warps| readings.map(|reading| (warps, reading)))
        .filter_map(|(warps, reading)| difference(warps, reading, &mut met))
        .collect();
    println!("{programs} programs: {met:?}");
    let few = different[..different.len().min(8)].join("\n\n");
    assert!(different.is_empty(), "{} differ\n\n{few}", different.len());
    let named = VERDICTS.iter().chain(&["ambiguous"]);
    assert!(named.into_iter().all(|word| met[word] >= programs / 100), "{met:?}");
    assert!(RULES.iter().all(|rule| met.contains_key(rule)), "{met:?}");
}
