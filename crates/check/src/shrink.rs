//! Shrinks a scenario step by step while a property holds.

use crate::check::check;
use crate::judge::KeepGoing;
use crate::report::Finding;
use crate::scene::{Options, Scene};
use crate::side::{Side, differ, verdicts};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use tidegate_lang::smaller::{Step, steps};
use tidegate_model::verdict::Class;

/// The property of every smaller scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Keep {
    /// The verdict, and the finding of that index in the report: its rule, the kind of its cause and its object.
    Finding(usize),
    /// The different verdicts of two sides.
    Difference(Side, Side),
}

/// Why a scenario cannot be shrunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShrinkError {
    /// The text is not a valid scenario.
    Invalid,
    /// There is no finding of that index; the number of findings.
    NoSuchFinding(usize),
    /// The two sides agree, or one of them has no verdict; the two verdicts.
    NoDifference(String, String),
}

/// The result.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Shrunk {
    /// The smaller scenario, formatted, with the property as an expectation.
    pub text: String,
    /// The property.
    pub kept: String,
    /// The number of checked scenarios.
    pub judged: u64,
    /// The number of steps.
    pub steps: u64,
    /// Whether no further step keeps the property; false after a limit or a cancellation.
    pub minimal: bool,
}

/// The limit of checked scenarios.
pub const MOST_JUDGED: u64 = 20_000;

/// The property with its initial values.
enum Goal {
    Finding { verdict: String, rule: String, kind: Kind },
    Difference { sides: [Side; 2], verdicts: [String; 2] },
}

impl Goal {
    fn of(
        scene: &Scene,
        options: &Options,
        keep: &Keep,
        keep_going: KeepGoing<'_>,
    ) -> Result<(Self, u64), ShrinkError> {
        match *keep {
            Keep::Finding(index) => {
                let report = check(scene, options, keep_going);
                let found = report.findings.len();
                let finding =
                    report.findings.get(index).ok_or(ShrinkError::NoSuchFinding(found))?;
                let (rule, kind) = (finding.rule.clone(), Kind::of(finding));
                let verdict = report.verdict.clone();
                Ok((Self::Finding { verdict, rule, kind }, report.stats.states))
            }
            Keep::Difference(left, right) => {
                let sides = [left, right];
                let verdicts = verdicts(sides, scene, options, keep_going);
                let [first, second] = &verdicts;
                if !differ(first, second) {
                    return Err(ShrinkError::NoDifference(first.clone(), second.clone()));
                }
                Ok((Self::Difference { sides, verdicts }, 0))
            }
        }
    }

    fn holds(&self, scene: &Scene, options: &Options, keep_going: KeepGoing<'_>) -> bool {
        match self {
            Self::Finding { verdict, rule, kind } => {
                let report = check(scene, options, keep_going);
                let same = |it: &Finding| it.rule == *rule && Kind::of(it) == *kind;
                report.verdict == *verdict && report.findings.iter().any(same)
            }
            Self::Difference { sides, verdicts: wanted } => {
                verdicts(*sides, scene, options, keep_going) == *wanted
            }
        }
    }

    fn told(&self) -> String {
        match self {
            Self::Finding { verdict, rule, .. } => format!("verdict {verdict} by {rule}"),
            Self::Difference { sides: [left, right], verdicts: [first, second] } => {
                format!("{}: {first}, {}: {second}", left.name(), right.name())
            }
        }
    }

    /// The property as a line of the language, if it has one.
    fn expectation(&self) -> String {
        match self {
            Self::Finding { verdict, rule, .. } => format!("\nexpect {verdict} {rule}\n"),
            Self::Difference { sides, verdicts } => {
                let line = |(side, verdict): (&Side, &String)| match side {
                    Side::Target(target) => format!("expect {}: {verdict}\n", target.get().name),
                    Side::Machine => format!("expect machine {verdict}\n"),
                    Side::Spec => format!("expect {verdict}\n"),
                    _ => String::new(),
                };
                let lines: String = sides.iter().zip(verdicts).map(line).collect();
                if lines.is_empty() { lines } else { format!("\n{lines}") }
            }
        }
    }
}

/// The kind of a finding.
#[derive(Debug, PartialEq, Eq)]
struct Kind {
    /// The kind of the cause. Waits that never return are one kind, because agents can be removed only together with the
    /// counts that they fill: the missing agents do not matter.
    cause: Option<String>,
    /// Whether other agents loop.
    loops: bool,
    /// Whether a wait never returns because no operation has initialised its object.
    uninitialised: bool,
    /// The barrier or the memory, without index and place.
    object: Option<String>,
}

impl Kind {
    fn of(finding: &Finding) -> Self {
        let stuck = finding.class == Class::Deadlock.word();
        let base = |name: &str| {
            let name = name.split_once('[').map_or(name, |(name, _)| name);
            name.split_once(" of ").map_or(name, |(name, _)| name).to_owned()
        };
        let has = |fact: &str| finding.cause.facts_of(fact).next().is_some();
        Self {
            cause: (!stuck).then(|| finding.cause.kind.clone()),
            loops: has("other-agents-loop"),
            uninitialised: stuck && has("waits-uninitialised"),
            object: finding.cause.object().map(base),
        }
    }
}

/// Shrinks a scenario by the steps of [`tidegate_lang::smaller`] while the kept property stays true, on the same target
/// and under the same readings. At most [`MOST_JUDGED`] texts are checked, each within four times the states of the
/// first check. `keep_going` cancels, and the smallest scenario so far is returned.
///
/// # Errors
///
/// If there is nothing to keep.
pub fn shrink(
    scene: &Scene,
    options: &Options,
    keep: &Keep,
    keep_going: KeepGoing<'_>,
) -> Result<Shrunk, ShrinkError> {
    if !scene.is_valid() {
        return Err(ShrinkError::Invalid);
    }
    let mut options = Options {
        target: Some(options.target_of(scene)),
        ambiguities: false,
        machine: false,
        ..options.clone()
    };
    let (goal, states) = Goal::of(scene, &options, keep, keep_going)?;
    let bound = states.saturating_mul(4).max(10_000);
    options.max_states = Some(options.max_states.map_or(bound, |most| most.min(bound)));
    let mut search = Search { goal, options, judged: 0, steps: 0, stopped: false };
    let text = search.smallest(scene, keep_going);
    let dense = without_gaps(&text);
    let laid_out = tidegate_lang::format(&dense).unwrap_or(dense);
    Ok(Shrunk {
        text: laid_out + &search.goal.expectation(),
        kept: search.goal.told(),
        judged: search.judged,
        steps: search.steps,
        minimal: !search.stopped,
    })
}

/// A text without the lines on which nothing is left.
fn without_gaps(text: &str) -> String {
    let lines = text.lines().map(|line| line.trim_matches([' ', '\t', ';']));
    lines.filter(|line| !line.is_empty()).flat_map(|line| [line, "\n"]).collect()
}

struct Search {
    goal: Goal,
    options: Options,
    judged: u64,
    steps: u64,
    stopped: bool,
}

impl Search {
    /// Takes the first step that keeps the goal, again and again. A step that failed is likely to fail again, so that after
    /// one that holds the next ones are tried before those that came before it.
    fn smallest(&mut self, scene: &Scene, keep_going: KeepGoing<'_>) -> String {
        let mut text = scene.text().to_owned();
        let mut from = 0;
        while !self.stopped {
            let steps = steps(&text);
            let from_here = from.min(steps.len());
            let order = (from_here..steps.len()).chain(0..from_here);
            let mut taken = None;
            for index in order {
                if let Some(smaller) = self.tried(scene, &text, &steps[index], keep_going) {
                    taken = Some((index, smaller));
                    break;
                }
                if self.stopped {
                    break;
                }
            }
            let Some((index, smaller)) = taken else { break };
            (text, from) = (smaller, index);
            self.steps += 1;
        }
        text
    }

    /// The text after a step, if the goal still holds of it.
    fn tried(
        &mut self,
        whole: &Scene,
        text: &str,
        step: &Step,
        keep_going: KeepGoing<'_>,
    ) -> Option<String> {
        if self.judged == MOST_JUDGED {
            self.stopped = true;
            return None;
        }
        let smaller = step.apply(text);
        let scene = whole.with_text(&smaller);
        if !scene.is_valid() {
            return None;
        }
        self.judged += 1;
        let mut stopped = false;
        let holds = self.goal.holds(&scene, &self.options, &mut |progress| {
            stopped = stopped || !keep_going(progress);
            !stopped
        });
        self.stopped |= stopped;
        holds.then_some(smaller)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Report;

    fn has(report: &Report, rule: &str) -> bool {
        report.findings.iter().any(|finding: &Finding| finding.rule == rule)
    }

    fn shrunk(text: &str, keep: &Keep) -> Shrunk {
        shrink(&Scene::new("x.tide", text), &Options::default(), keep, &mut |_| true).unwrap()
    }

    const LONG: &str = "title \"Long\"\nnote \"A note.\"\ntarget gfx1250\nlaunch waves=4\nbarrier ready = named(1)\nlds tile[64]\n\
        wave 0 {\n  init ready, 3\n  arrive wg; wait wg\n  for i in 0..3 {\n    arrive wg; wait wg\n  }\n  wait ready\n}\n\
        wave 1-3 {\n  arrive wg; wait wg\n  for i in 0..3 {\n    arrive wg; wait wg\n  }\n  arrive ready\n}\nexpect ub\n";

    #[test]
    fn statements_that_a_finding_needs_stay() {
        let shrunk = shrunk(LONG, &Keep::Finding(0));
        assert_eq!(shrunk.kept, "verdict ub by amd.join.before-wait");
        assert!(shrunk.minimal && shrunk.steps > 3);
        let wanted = "title \"Long\"\ntarget gfx1250\nbarrier ready = named(1)\nwave 0 {\n  wait ready\n}\n\n\
            expect ub amd.join.before-wait\n";
        assert_eq!(shrunk.text, wanted);
    }

    #[test]
    fn a_smaller_scenario_expects_the_kept_finding() {
        let shrunk = shrunk(LONG, &Keep::Finding(0));
        let scene = Scene::new("x.tide", &shrunk.text);
        let outcomes = crate::expect::expectations(&scene, &Options::default(), &mut |_| true);
        assert!(outcomes.len() == 1 && outcomes[0].passed, "{outcomes:?}\n{}", shrunk.text);
        for step in steps(&shrunk.text) {
            let smaller = Scene::new("x.tide", &step.apply(&shrunk.text));
            let report = check(&smaller, &Options::default(), &mut |_| true);
            let same = report.verdict == "ub" && has(&report, "amd.join.before-wait");
            assert!(!same || smaller.expectations().is_empty(), "{step:?}");
        }
    }

    /// A late join stays late: without the join the same rule would be broken for another reason.
    #[test]
    fn the_reason_of_a_finding_is_kept() {
        let text = "target gfx1250\nlaunch waves=2\nbarrier ready = named(1)\nwave 0 {\n  init ready, 1\n  arrive wg; wait wg\n  arrive ready\n  arrive wg; wait wg\n}\nwave 1 {\n  arrive wg; wait wg\n  arrive wg; wait wg\n  join ready\n  wait ready\n}\n";
        let shrunk = shrunk(text, &Keep::Finding(0));
        assert!(shrunk.minimal && shrunk.steps > 0);
        assert!(shrunk.text.contains("join ready"), "{}", shrunk.text);
    }

    /// Without the init, the wait would never return for another reason.
    #[test]
    fn a_barrier_that_lacks_an_arrival_stays_initialised() {
        let text = "target gfx1250\nlaunch waves=2\nbarrier b = named(1)\nbarrier c = named(2)\nwave 0 {\n  init b, 1\n  init c, 2\n  arrive wg; wait wg\n  join c\n  arrive wg; wait wg\n  arrive c; wait c\n}\nwave 1 {\n  arrive wg; wait wg\n  join b\n  arrive wg; wait wg\n  arrive b; wait b\n}\n";
        let shrunk = shrunk(text, &Keep::Finding(0));
        assert!(shrunk.minimal && shrunk.steps > 0);
        assert!(shrunk.text.contains("init c"), "{}", shrunk.text);
    }

    #[test]
    fn the_missing_agents_of_a_deadlock_are_not_its_cause() {
        let finding = |text: &str| {
            let scene = Scene::new("x.tide", text);
            check(&scene, &Options::default(), &mut |_| true).findings.remove(0)
        };
        let none = finding("target model\nwave 0 { wait wg }\n");
        let absent = finding(
            "target model\nlaunch waves=2\nwave 0 { arrive wg; wait wg }\nwave 1 { wait wg }\n",
        );
        assert_ne!(none.message, absent.message);
        assert_eq!(Kind::of(&none), Kind::of(&absent));
        let loops = finding(
            "target gfx1250\nlaunch waves=2\nglobal g[16]\nwave 0 { loop { load g[0..4] } }\nwave 1 { arrive wg; wait wg }\n",
        );
        assert_ne!(Kind::of(&none), Kind::of(&loops));
    }

    #[test]
    fn a_deadlock_of_many_shrinks_to_one_of_few() {
        let text = "target model\nlaunch waves=32\nbarrier b\nwave 0 {\n  init b, 32\n  arrive wg; wait wg\n  arrive b\n  wait b\n}\n\
            wave 1-30 {\n  arrive wg; wait wg\n  arrive b\n  wait b\n}\nwave 31 {\n  arrive wg; wait wg\n  wait b\n}\n";
        let shrunk = shrunk(text, &Keep::Finding(0));
        let wanted = "target model\nbarrier b\nwave 0 {\n  init b, 1\n  wait b\n}\n\nexpect deadlock amd.wait.never-completes\n";
        assert_eq!(shrunk.text, wanted);
    }

    #[test]
    fn a_difference_is_kept() {
        let sides = ["gfx1200", "gfx1250"].map(|name| Side::from_name(name).unwrap());
        let shrunk = shrunk(LONG, &Keep::Difference(sides[0], sides[1]));
        assert!(
            shrunk.text.ends_with("expect gfx1200: unsupported\nexpect gfx1250: ub\n"),
            "{}",
            shrunk.text
        );
    }

    #[test]
    fn a_property_that_cannot_be_kept_is_an_error() {
        let error = |text: &str, keep: &Keep| {
            shrink(&Scene::new("x.tide", text), &Options::default(), keep, &mut |_| true)
                .unwrap_err()
        };
        assert_eq!(error("wave 0 {", &Keep::Finding(0)), ShrinkError::Invalid);
        assert_eq!(error("wave 0 { }", &Keep::Finding(0)), ShrinkError::NoSuchFinding(0));
        let same = Keep::Difference(Side::Spec, Side::Explore);
        assert_eq!(error("wave 0 { }", &same), ShrinkError::NoDifference("ok".into(), "ok".into()));
    }

    #[test]
    fn a_cancelled_search_returns_the_smallest_scenario_so_far() {
        let scene = Scene::new("x.tide", LONG);
        let until = |most: u32| {
            let mut asked = 0;
            let shrunk = shrink(&scene, &Options::default(), &Keep::Finding(0), &mut |_| {
                asked += 1;
                asked <= most
            });
            (shrunk, asked)
        };
        let (_, all) = until(u32::MAX);
        let (shrunk, asked) = until(all / 2);
        let shrunk = shrunk.unwrap();
        assert!(asked < all && !shrunk.minimal);
        let report = check(&Scene::new("x.tide", &shrunk.text), &Options::default(), &mut |_| true);
        assert!(has(&report, "amd.join.before-wait"), "{}", shrunk.text);
    }
}
