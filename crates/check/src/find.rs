//! The smallest scenario that two sides judge differently: all small scenarios of some alphabets are tried, those of fewer
//! statements first.

use crate::judge::{KeepGoing, Progress};
use crate::scene::{Options, Scene};
use crate::side::{Side, differ, verdicts};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::ordered::OrderedSet;
use tidegate_model::target::{Family, TargetId};

/// The statements of small scenarios.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alphabet {
    /// Its name.
    pub name: &'static str,
    /// Its purpose, in a sentence.
    pub about: &'static str,
    /// Its declarations.
    declares: &'static str,
    /// `wave` or `warp`.
    agent: &'static str,
    /// Whether each agent is a separate workgroup.
    apart: bool,
    words: &'static [&'static str],
}

/// Every alphabet.
pub static ALPHABETS: [Alphabet; 9] = [
    Alphabet {
        name: "workgroup",
        about: "The workgroup barrier and a barrier object of the model.",
        declares: "barrier b\n",
        agent: "wave",
        apart: false,
        words: &[
            "arrive wg; wait wg",
            "arrive wg",
            "wait wg",
            "init b, 1",
            "init b, 2",
            "arrive b",
            "wait b",
            "drop b",
            "arrive b, expected=1",
        ],
    },
    Alphabet {
        name: "named",
        about: "A named barrier and iterations of the workgroup barrier.",
        declares: "barrier b = named(1)\n",
        agent: "wave",
        apart: false,
        words: &[
            "arrive wg; wait wg",
            "init b, 1",
            "init b, 2",
            "join b",
            "arrive b",
            "wait b",
            "drop b",
            "join null",
        ],
    },
    Alphabet {
        name: "instructions",
        about: "Machine code of AMDGPU on the workgroup barrier and a named barrier.",
        declares: "",
        agent: "wave",
        apart: false,
        words: &[
            "s_barrier",
            "s_barrier_signal -1",
            "s_barrier_wait -1",
            "s_barrier_signal_isfirst -1",
            "s_barrier_join 1",
            "s_barrier_signal 1",
            "s_barrier_wait 1",
            "s_barrier_leave",
            "s_endpgm",
        ],
    },
    Alphabet {
        name: "cluster",
        about: "The cluster barrier between workgroups.",
        declares: "",
        agent: "wave",
        apart: true,
        words: &["arrive cluster", "wait cluster", "arrive cluster; wait cluster"],
    },
    Alphabet {
        name: "memory",
        about: "Accesses, fences and iterations of the workgroup barrier.",
        declares: "lds m[4]\n",
        agent: "wave",
        apart: false,
        words: &[
            "store m",
            "load m",
            "fence release workgroup",
            "fence acquire workgroup",
            "arrive wg; wait wg",
        ],
    },
    Alphabet {
        name: "async",
        about: "Asynchronous copies, marks, fences and iterations of the workgroup barrier.",
        declares: "lds m[4]\nglobal g[4]\n",
        agent: "wave",
        apart: false,
        words: &[
            "async_load m <- g; asyncmark",
            "async_load m <- g",
            "asyncmark",
            "wait_asyncmark 0",
            "wait_asyncmark 1",
            "load m",
            "fence release workgroup; arrive wg; wait wg",
            "arrive wg; wait wg; fence acquire workgroup",
        ],
    },
    Alphabet {
        name: "mbarrier",
        about: "An mbarrier object in PTX.",
        declares: "mbarrier b\n",
        agent: "warp",
        apart: false,
        words: &[
            "mbarrier.init.shared::cta.b64 [b], 1",
            "mbarrier.init.shared::cta.b64 [b], 2",
            "mbarrier.arrive.shared::cta.b64 _, [b]",
            "mbarrier.arrive_drop.shared::cta.b64 _, [b]",
            "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [b], 64",
            "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [b], 64",
            "tlx.barrier_wait(b, 0)",
            "tlx.barrier_wait(b, 1)",
        ],
    },
    Alphabet {
        name: "tlx",
        about: "Mbarrier objects of one and two arrivals in TLX.",
        declares: "one = tlx.alloc_barriers(1, arrive_count=1)\ntwo = tlx.alloc_barriers(1, arrive_count=2)\n",
        agent: "warp",
        apart: false,
        words: &[
            "tlx.barrier_arrive(one[0])",
            "tlx.barrier_wait(one[0], 0)",
            "tlx.barrier_wait(one[0], 1)",
            "tlx.barrier_arrive(two[0])",
            "tlx.barrier_wait(two[0], 0)",
            "tlx.barrier_wait(two[0], 1)",
        ],
    },
    Alphabet {
        name: "cta",
        about: "Barriers of a CTA.",
        declares: "",
        agent: "warp",
        apart: false,
        words: &[
            "bar.sync 0",
            "bar.arrive 0, 64",
            "bar.sync 1, 64",
            "bar.arrive 1, 64",
            "bar.sync 1, 32",
        ],
    },
];

impl Alphabet {
    /// The alphabet of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<&'static Self> {
        ALPHABETS.iter().find(|alphabet| alphabet.name == name)
    }

    /// Its subject: `amd` (barriers), `memory`, or `nvidia`.
    fn subject(&self) -> &'static str {
        match (self.agent, self.name) {
            ("warp", _) => "nvidia",
            (_, "memory" | "async") => "memory",
            _ => "amd",
        }
    }

    /// The text in which each agent performs the words of those indices.
    fn text(&self, target: &str, bodies: &[Vec<usize>]) -> String {
        let (agent, count) = (self.agent, bodies.len());
        let launch = if self.apart { "workgroups".into() } else { format!("{agent}s") };
        let mut text = format!("target {target}\nlaunch {launch}={count}\n{}", self.declares);
        for (index, body) in bodies.iter().enumerate() {
            let name = match self.apart {
                true => format!("workgroup {index} {agent} 0"),
                false => format!("{agent} {index}"),
            };
            let words = body.iter().flat_map(|&word| ["  ", self.words[word], "\n"]);
            text.push_str(&format!("\n{name} {{\n{}}}\n", words.collect::<String>()));
        }
        text
    }
}

/// Limits of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Largest number of statements of a scenario.
    pub statements: usize,
    /// Largest number of agents of a scenario.
    pub agents: usize,
    /// Largest number of scenarios that are checked.
    pub scenarios: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { statements: 6, agents: 2, scenarios: 200_000 }
    }
}

/// The result of the search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Found {
    /// The formatted scenario; `None` if the sides agree on all checked scenarios.
    pub text: Option<String>,
    /// The verdicts of the two sides on it.
    pub verdicts: Vec<String>,
    /// Scenarios that were judged.
    pub judged: u64,
    /// Every scenario with at most this number of statements was checked.
    pub statements: usize,
    /// Whether all scenarios within the limits were checked, or one was found; otherwise the search reached a limit or
    /// was cancelled.
    pub complete: bool,
}

/// Alphabets in which two sides can differ: of a reading those of its document, of targets those of their vendors.
#[must_use]
pub fn alphabets(sides: [Side; 2], base: &Options) -> Vec<&'static Alphabet> {
    let vendor = |target: TargetId| match target.get().family {
        Family::Nvidia => &["nvidia"][..],
        _ => &["amd", "memory"],
    };
    let subject = |side: Side| match side {
        Side::Target(target) => Some(vendor(target)),
        Side::Reading(id, _) => Some(match id.get().name.split('.').next() {
            Some("ptx" | "tlx") => &["nvidia"][..],
            Some("async" | "mem") => &["memory"],
            _ => &["amd"],
        }),
        _ => base.target.map(vendor),
    };
    let wanted: OrderedSet<&str> =
        sides.into_iter().filter_map(subject).flatten().copied().collect();
    let speaks = |alphabet: &&Alphabet| match wanted.is_empty() {
        true => alphabet.subject() != "nvidia",
        false => wanted.contains(alphabet.subject()),
    };
    ALPHABETS.iter().filter(speaks).collect()
}

/// The target of a scenario where neither side names one.
fn target(alphabet: &Alphabet, sides: [Side; 2], base: &Options) -> &'static str {
    let named = base.target.or(sides.into_iter().find_map(|side| match side {
        Side::Target(target) => Some(target),
        _ => None,
    }));
    match named {
        Some(target) => target.get().name,
        None if alphabet.subject() == "nvidia" => "sm_90",
        None if sides.contains(&Side::Machine) => "gfx1250",
        None => "model",
    }
}

/// Searches for the smallest scenario on which the verdicts of both sides are certain and differ. `keep_going` is
/// called with the number of checked scenarios, and cancels.
pub fn find(
    sides: [Side; 2],
    base: &Options,
    among: &[&'static Alphabet],
    limits: Limits,
    keep_going: KeepGoing<'_>,
) -> Found {
    let mut search =
        Search { sides, base, limits, keep_going, found: Found::default(), over: false };
    for statements in 1..=limits.statements {
        for &alphabet in among {
            for agents in 1..=limits.agents {
                let mut bodies = alloc::vec![Vec::new(); agents];
                search.fill(alphabet, 0, statements, &mut bodies);
            }
        }
        if search.over {
            break;
        }
        search.found.statements = statements;
    }
    search.found.complete = !search.over || search.found.text.is_some();
    search.found
}

struct Search<'a, 'b> {
    sides: [Side; 2],
    base: &'a Options,
    limits: Limits,
    keep_going: KeepGoing<'b>,
    found: Found,
    over: bool,
}

impl Search<'_, '_> {
    /// Every distribution of a number of statements over the agents; each agent has at least one.
    fn fill(
        &mut self,
        alphabet: &'static Alphabet,
        agent: usize,
        left: usize,
        bodies: &mut Vec<Vec<usize>>,
    ) {
        if self.over {
            return;
        }
        let last = agent + 1 == bodies.len();
        if !bodies[agent].is_empty() {
            if left == 0 && last && bodies.is_sorted() {
                return self.judge(alphabet, bodies);
            } else if !last && left > 0 {
                self.fill(alphabet, agent + 1, left, bodies);
            }
        }
        if left > 0 {
            for word in 0..alphabet.words.len() {
                bodies[agent].push(word);
                self.fill(alphabet, agent, left - 1, bodies);
                bodies[agent].pop();
            }
        }
    }

    fn judge(&mut self, alphabet: &'static Alphabet, bodies: &[Vec<usize>]) {
        let progress = Progress { states: self.found.judged, ..Progress::default() };
        if self.found.judged == self.limits.scenarios || !(self.keep_going)(progress) {
            self.over = true;
            return;
        }
        self.found.judged += 1;
        let text = alphabet.text(target(alphabet, self.sides, self.base), bodies);
        let scene = Scene::new("found.tide", &text);
        let verdicts = verdicts(self.sides, &scene, self.base, &mut |_| true);
        if differ(&verdicts[0], &verdicts[1]) {
            let dense = without_what_is_unused(&text);
            self.found.text = Some(tidegate_lang::format(&dense).unwrap_or(dense));
            self.found.verdicts = verdicts.into();
            self.over = true;
        }
    }
}

/// A text without declarations of names that nothing uses.
fn without_what_is_unused(text: &str) -> String {
    let declared = |line: &str| -> Option<String> {
        let mut words = line.split([' ', '[']);
        match words.next()? {
            "barrier" | "lds" | "global" => words.next().map(String::from),
            name if line.contains("tlx.alloc_barriers") => Some(String::from(name)),
            _ => None,
        }
    };
    let used = |name: &str| {
        let is_name = |word: &&str| *word == name;
        text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(is_name).count() > 1
    };
    let kept = text.lines().filter(|line| declared(line).is_none_or(|name| used(&name)));
    kept.flat_map(|line| [line, "\n"]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    fn found(left: &str, right: &str, limits: Limits) -> Found {
        let sides = [left, right].map(|name| Side::from_name(name).unwrap());
        let base = Options::default();
        find(sides, &base, &alphabets(sides, &base), limits, &mut |_| true)
    }

    #[test]
    fn words_of_every_alphabet_are_read() {
        for alphabet in &ALPHABETS {
            for word in 0..alphabet.words.len() {
                let target = if alphabet.subject() == "nvidia" { "sm_90" } else { "gfx1250" };
                let text = alphabet.text(target, &[[word].into(), [word].into()]);
                let scene = Scene::new("x.tide", &text);
                assert!(scene.is_valid(), "{text}\n{:?}", scene.diagnostics());
            }
        }
    }

    #[test]
    fn one_instruction_parts_two_generations() {
        let found = found("gfx900", "gfx1250", Limits::default());
        let wanted = "target gfx900\nlaunch waves=1\n\nwave 0 {\n  arrive wg\n}\n";
        assert_eq!(found.text.as_deref(), Some(wanted));
        assert_eq!(found.verdicts, ["unsupported", "ok"]);
        assert!(found.complete && found.judged < 50);
    }

    #[test]
    fn choices_of_a_reading_are_distinguished() {
        let found = found("amd.A1=undefined", "amd.A1=allowed", Limits::default());
        let text = found.text.unwrap();
        assert_eq!(
            text.to_string(),
            "target model\nlaunch waves=1\nbarrier b\n\nwave 0 {\n  init b, 2\n  arrive b\n  arrive b, expected=1\n}\n"
        );
        assert_eq!(found.verdicts, ["ub", "ok"]);
    }

    #[test]
    fn sides_that_agree_are_not_distinguished() {
        let limits = Limits { statements: 2, ..Limits::default() };
        let same = found("spec", "explore", limits);
        assert!(same.text.is_none() && same.complete && same.statements == 2);
        let cut = found("spec", "explore", Limits { scenarios: 5, ..limits });
        assert!(cut.text.is_none() && !cut.complete && cut.judged == 5 && cut.statements == 0);
    }
}
