//! The common part of the judgements of all machines: facts and rules, additional searches, and the judgement from the
//! facts.

use super::{Broken, Judgement, KeepGoing, Progress, VERDICT_PART, Verdict, verdict};
use crate::cause::Open;
use crate::space::Step;
use alloc::vec::Vec;
use tidegate_explore::{Bounds, End, Facts, Found, Plan, System, WORK, search};
use tidegate_model::machine::{CUT, Machine, SOMEWHERE, STUCK};
use tidegate_model::rule::RuleId;
use tidegate_model::verdict::{Class, Schedules};

/// Largest number of states of a second search, for a shorter witness.
const WITNESS_STATES: u64 = 20_000;
/// Largest number of bytes of its states.
const WITNESS_BYTES: u64 = 8 << 20;
/// Largest amount of its work.
pub(super) const WITNESS_WORK: u64 = WORK / VERDICT_PART;

/// The rules that a machine reports.
pub(crate) struct Rules {
    all: Vec<RuleId>,
    at_end: &'static [RuleId],
}

impl Rules {
    pub(crate) fn of<M: Machine>(machine: &M) -> Self {
        Self { all: machine.rules(), at_end: machine.rules_at_end() }
    }

    /// The facts of the rules of some classes.
    pub(crate) fn facts(&self, classes: &[Class]) -> u128 {
        let of = |rule: &&RuleId| rule.get().class.is_some_and(|class| classes.contains(&class));
        bits(self.all.iter().filter(of))
    }

    /// The facts of the rules that decide a verdict.
    pub(crate) fn wrong(&self) -> u128 {
        self.facts(&[Class::Ub, Class::Violation, Class::Race, Class::Deadlock])
    }

    /// Whether a rule is only checked at the end of a path.
    pub(crate) fn is_at_end(&self, rule: RuleId) -> bool {
        self.at_end.contains(&rule)
    }

    /// Searches for shorter paths to rules that a path can break before its end, without reductions and within a limit.
    pub(crate) fn shorter<S: System>(
        &self,
        system: &S,
        found: &Found,
        keep_going: KeepGoing<'_>,
    ) -> Option<Found> {
        let before_end = self.all.iter().filter(|rule| !self.is_at_end(**rule));
        let met = before_end.filter(|rule| found.somewhere.0 & u128::from(rule.bit()) != 0);
        let until = bits(met);
        let facts = (0..64).filter(|bit| until & 1 << bit != 0);
        let longest = facts.filter_map(|bit| found.path(bit)).map(|path| path.len()).max()?;
        let depth = longest as u32;
        let bounds =
            Bounds { states: WITNESS_STATES, bytes: WITNESS_BYTES, depth, work: WITNESS_WORK };
        let plan = Plan { reduce: false, bounds, until: Facts(until), ..Plan::default() };
        Some(search(system, plan, &mut |progress| keep_going(told(progress))))
    }

    /// The facts of every end. If some paths are cut, reductions may have moved other steps before the cut, and with them
    /// rules that a path can break and survive. These occur in every schedule only if a search without reductions confirms
    /// it within its limit. Without `may_look` there is no such search. The second value is its work.
    pub(crate) fn always<S: System>(
        &self,
        system: &S,
        found: &Found,
        may_look: bool,
        keep_going: KeepGoing<'_>,
    ) -> (Facts, u64) {
        let survives = |rule: &&RuleId| !rule.ends_paths() && !self.is_at_end(**rule);
        let survived = bits(self.all.iter().filter(survives));
        if found.always.0 & survived == 0 || found.somewhere.0 & CUT == 0 {
            return (found.always, 0);
        }
        let bounds = Bounds {
            states: WITNESS_STATES,
            bytes: WITNESS_BYTES,
            work: WITNESS_WORK,
            ..Bounds::default()
        };
        let plan = Plan { reduce: false, bounds, ..Plan::default() };
        let look = || search(system, plan, &mut |progress| keep_going(told(progress)));
        match may_look.then(look) {
            Some(all) if all.end == End::Complete => (all.always, all.work),
            all => (Facts(found.always.0 & !survived), all.map_or(0, |all| all.work)),
        }
    }

    /// The judgement of what was found, without paths; not `complete` where not everything was seen.
    pub(crate) fn judgement(&self, found: &Found, always: Facts, complete: bool) -> Judgement {
        let met = |rule: &RuleId| found.somewhere.0 & u128::from(rule.bit()) != 0;
        let somewhere =
            |rule: &RuleId| found.somewhere.0 & u128::from(rule.bit()) << SOMEWHERE != 0;
        let broken = |rule: RuleId| {
            let always = complete && always.0 & u128::from(rule.bit()) != 0;
            let schedules = if always { Schedules::All } else { Schedules::Some };
            let path = Vec::<Step>::new();
            Broken { rule, schedules, chosen: None, path, shortest: false, possible: false }
        };
        let all = || self.all.iter().copied();
        let mut rules: Vec<Broken> = all().filter(met).map(broken).collect();
        rules.sort_by_key(|broken| broken.rule.get().class);
        let worst = verdict(all().filter(met), complete);
        Judgement {
            verdict: worst,
            verdict_somewhere: verdict(all().filter(|rule| met(rule) || somewhere(rule)), complete),
            exhaustive: complete,
            bound: (!complete).then_some(Open::Search(found.end)),
            reach: None,
            continues: matches!(found.end, End::Bound | End::Work),
            broken: rules,
            states: found.states,
            transitions: found.transitions,
            work: found.work,
            executions: found.terminals,
            relevant: 0,
            one_run: found.is_path || found.is_one_path() && worst != Verdict::Ok,
            stuck_everywhere: complete && always.0 & STUCK != 0,
        }
    }
}

/// The facts of some rules.
fn bits<'a>(rules: impl Iterator<Item = &'a RuleId>) -> u128 {
    rules.fold(0, |set, rule| set | u128::from(rule.bit()))
}

pub(super) fn told(progress: tidegate_explore::Progress) -> Progress {
    Progress { states: progress.states, frontier: progress.frontier }
}
