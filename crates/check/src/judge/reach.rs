//! What a search proves that ends at a limit, and how to continue it.

use super::rules::{Rules, told};
use super::{DEFAULT_STATES, Judgement, KeepGoing, Searched};
use crate::report::{Further, Proved, Report};
use crate::scene::Options;
use crate::space::Space;
use tidegate_explore::{Bounds, End, Facts, Plan, Reach, search};
use tidegate_model::machine::{Machine, OVERFLOWS, SOMEWHERE, STUCK};

/// Bytes that a search may use for each state that it may store. Few states are larger, and larger ones also take longer.
const BYTES_PER_STATE: u64 = 160;
/// The maximum number of bytes of any search. A table that grows needs twice as many more for a moment, and a WebAssembly
/// module has 4 GiB in all.
const MOST_BYTES: u64 = usize::MAX as u64 / 4;
/// The part of the limits of a search for one without reductions. Its length grows with the logarithm of its states only.
const PART: u64 = 20;
/// How many times the states a further search may store.
const TIMES: u64 = 10;

/// The limits of a search.
pub(super) fn bounds(options: &Options) -> Bounds {
    let states = options.max_states.unwrap_or(DEFAULT_STATES);
    Bounds {
        states,
        bytes: states.saturating_mul(BYTES_PER_STATE).clamp(1 << 20, MOST_BYTES),
        work: options.max_work.saturating_mul(states.div_ceil(DEFAULT_STATES)),
        ..Bounds::default()
    }
}

impl<M: Machine> Searched<M> {
    /// The search with the length up to which all schedules were seen, if a limit ended it without a finding. Reductions
    /// postpone steps, so a second search without them takes every schedule step by step. A finding of it counts, too.
    pub(super) fn with_reach(
        mut self,
        space: &Space<'_, M>,
        rules: &Rules,
        options: &Options,
        keep_going: KeepGoing<'_>,
    ) -> (Self, Option<Reach>) {
        let wrong = rules.wrong();
        let facts = self.found.somewhere.0;
        let is_limited = match self.found.end {
            End::Bound | End::Work => true,
            End::Complete => facts & OVERFLOWS != 0,
            End::Met | End::Cancelled => false,
        };
        if !is_limited || facts & wrong != 0 {
            return (self, None);
        }
        let whole = bounds(options);
        let bounds = Bounds {
            states: (whole.states / PART).max(1),
            bytes: whole.bytes / PART,
            work: whole.work / PART,
            ..whole
        };
        // The proof ends before any state that exceeds a limit, and before rules that only some choices of phases break.
        let until_any = Facts(wrong | wrong << SOMEWHERE | STUCK | OVERFLOWS);
        let plan = Plan { reduce: false, bounds, until_any, ..Plan::default() };
        let seen = search(space, plan, &mut |progress| keep_going(told(progress)));
        if seen.somewhere.0 & wrong == 0 {
            self.found.work += seen.work;
            return (self, seen.reach.filter(|reach| reach.steps > 0));
        }
        (Self { found: self.found.or(seen), folded: false, ..self }, None)
    }
}

impl Judgement {
    /// Adds how far another judgement of the same program reaches: what both have seen.
    pub(crate) fn join_extent(&mut self, other: &Self) {
        self.reach = match (self.exhaustive, other.exhaustive) {
            (true, _) => other.reach,
            (false, true) => self.reach,
            (false, false) => self
                .reach
                .zip(other.reach)
                .map(|(one, other)| if one.steps <= other.steps { one } else { other }),
        };
        self.exhaustive &= other.exhaustive;
        self.continues |= other.continues;
        self.bound = self.bound.or(other.bound);
    }

    /// Writes into a report what an incomplete search proves, and how to continue it.
    pub(crate) fn prove(&self, options: &Options, report: &mut Report) {
        report.proved = self.reach.map(|reach| Proved { steps: reach.steps, states: reach.states });
        report.further = self.continues.then(|| Further {
            max_states: bounds(options).states.saturating_mul(TIMES),
            times: TIMES,
            steps: self.reach.and_then(|reach| reach.expected(TIMES)),
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::judge::rules::Rules;
    use crate::space::Space;
    use crate::{Engine, Options, Scene, check};
    use tidegate_explore::{Bounds, End, Facts, Plan, search};
    use tidegate_model::machine::{Machine, STUCK};
    use tidegate_model::onebit::Machine as Onebit;
    use tidegate_model::opencl::machine::Machine as Opencl;
    use tidegate_model::ptx::machine::Machine as Ptx;
    use tidegate_model::ptx::object::Law;
    use tidegate_model::reading::Readings;
    use tidegate_model::spec::Spec;

    /// Searches with every limit on states prove fewer steps than the shortest path to a finding has.
    fn proves_less_than_the_shortest_path(machine: &impl Machine) {
        let space = Space::new(machine);
        let wrong = Facts(Rules::of(machine).wrong() | STUCK);
        let plan = Plan { reduce: false, until_any: wrong, ..Plan::default() };
        let found = search(&space, plan, &mut |_| true);
        let bits = (0..128).filter(|bit| wrong.0 & found.somewhere.0 >> bit & 1 == 1);
        let shortest = bits.filter_map(|bit| found.path(bit)).map(|path| path.len()).min();
        let shortest = shortest.expect("a finding") as u32;
        assert_eq!(
            (found.end, found.reach.map(|reach| reach.steps)),
            (End::Met, Some(shortest - 1))
        );
        let mut longest = 0;
        for states in 1..found.states {
            let bounds = Bounds { states, ..Bounds::default() };
            let limited = search(&space, Plan { bounds, ..plan }, &mut |_| true);
            let reach = limited.reach.expect("breadth-first, without reductions");
            assert!(reach.steps < shortest, "{states} states: {reach:?}, shortest {shortest}");
            assert!(reach.steps >= longest && reach.states <= limited.states, "{reach:?}");
            longest = reach.steps;
        }
        assert!(longest > 0);
    }

    #[test]
    fn no_machine_proves_steps_that_have_a_finding() {
        let context = |text: &str| Scene::new("reach.tide", text).context().expect("valid");
        let missing = context(
            "target gfx1250\nlaunch waves=3\nwave 0 { repeat 2 { arrive wg; wait wg } }\nwave 1 { arrive wg; wait wg; wait wg }\nwave 2 { repeat 2 { arrive wg; wait wg } }\n",
        );
        let spec = Spec::new(missing.clone(), Readings::default()).expect("few waves join");
        proves_less_than_the_shortest_path(&spec);
        proves_less_than_the_shortest_path(&Onebit::new(missing).expect("a supported program"));
        let short = context(
            "target sm_90\nlaunch warps=3\nb = tlx.alloc_barriers(1, 4)\nwarp * { tlx.barrier_arrive(b[0]); tlx.barrier_wait(b[0], 0) }\n",
        );
        let law = Law { text: true, hazards: true, readings: Readings::default() };
        proves_less_than_the_shortest_path(&Ptx::new(short, law));
        let race = context(
            "target opencl\nlaunch groups=1 items=3\nkernel void k(local int *t) {\n  barrier(CLK_LOCAL_MEM_FENCE);\n  t[0] = get_local_id(0);\n}\n",
        );
        proves_less_than_the_shortest_path(&Opencl::new(race, Readings::default()));
    }

    /// Four agents that synchronise ten times have more states than this.
    #[test]
    fn an_incomplete_search_reports_its_proof_and_how_to_continue() {
        let texts = [
            "target gfx1250\nlaunch waves=4\nwave * { repeat 10 { arrive wg; wait wg } }\n",
            "target sm_90\nlaunch warps=4\nb = tlx.alloc_barriers(1, 4)\nwarp * { for i in 0..10 { tlx.barrier_arrive(b[0]); tlx.barrier_wait(b[0], i & 1) } }\n",
            "target opencl\nlaunch groups=1 items=4\nkernel void k() { for (int i = 0; i < 40; i++) barrier(CLK_LOCAL_MEM_FENCE); }\n",
        ];
        for text in texts {
            let judged = |max_states| {
                let options = Options { engine: Engine::Plain, max_states, ..Options::default() };
                check(&Scene::new("reach.tide", text), &options, &mut |_| true)
            };
            let report = judged(Some(400));
            assert_eq!(report.verdict, "unknown", "{text}");
            let proved = report.proved.expect("a proof");
            assert!(proved.steps > 0 && proved.states <= 20, "{proved:?}");
            let further = report.further.expect("a larger limit");
            assert_eq!((further.max_states, further.times), (4_000, 10));
            assert!(further.steps.is_none_or(|steps| steps >= proved.steps), "{further:?}");
            let whole = judged(None);
            assert_eq!(
                (&*whole.verdict, whole.proved, whole.further),
                ("ok", None, None),
                "{text}"
            );
        }
    }
}
