//! One oracle's judgement of one program: which rules are broken, in which schedules, and on which paths.

mod data;
mod reach;
pub(crate) mod rules;

use crate::cause::Open;
use crate::scene::{Engine, Options};
use crate::space::{Space, Step};
use alloc::rc::Rc;
use alloc::vec::Vec;
pub(crate) use data::before_choices;
use reach::bounds;
use rules::Rules;
use tidegate_explore::{Bounds, End, Facts, Found, Order, Plan, Reach, System, search, walk};
use tidegate_model::context::Context;
use tidegate_model::machine::{Machine, OVERFLOW, OVERFLOWS};
use tidegate_model::one_run;
use tidegate_model::onebit::Machine as Onebit;
use tidegate_model::program::{Node, Program};
use tidegate_model::rule::RuleId;
use tidegate_model::spec::Spec;
use tidegate_model::spec::state::Lack;
use tidegate_model::verdict::{Class, Schedules, Verdict};

/// How far a check is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// States stored by the search that is running.
    pub states: u64,
    /// States that it has yet to expand.
    pub frontier: u64,
}

/// Asked now and then; `false` cancels.
pub type KeepGoing<'a> = &'a mut dyn FnMut(Progress) -> bool;

/// A broken rule.
#[derive(Clone, Debug)]
pub(crate) struct Broken {
    /// Which.
    pub rule: RuleId,
    /// In which schedules.
    pub schedules: Schedules,
    /// In which schedules with the host's choice of the path, if the host chooses and that is known.
    pub chosen: Option<Schedules>,
    /// The steps that lead to it.
    pub path: Vec<Step>,
    /// Whether no shorter path exists.
    pub shortest: bool,
    /// Whether it needs data that no text says: it is possible and not certain.
    pub possible: bool,
}

/// What an oracle says.
#[derive(Clone, Debug)]
pub(crate) struct Judgement {
    /// The verdict.
    pub verdict: Verdict,
    /// The verdict if a rule that is broken under some choice of phases counted.
    pub verdict_somewhere: Verdict,
    /// Whether every execution was covered.
    pub exhaustive: bool,
    /// Why not, where that is known.
    pub bound: Option<Open>,
    /// The length up to which all schedules were seen, if not every execution was covered and nothing was found.
    pub reach: Option<Reach>,
    /// Whether a larger limit on states would continue the search.
    pub continues: bool,
    /// Broken rules, worst first.
    pub broken: Vec<Broken>,
    /// States visited.
    pub states: u64,
    /// Steps performed.
    pub transitions: u64,
    /// Work of the searches, in units of about ten nanoseconds.
    pub work: u64,
    /// Terminal states: distinct maximal executions.
    pub executions: u64,
    /// Readings whose other answer could have mattered, one bit each, as far as the search tells.
    pub relevant: u32,
    /// Whether one run was enough, so that every execution is an order of the same steps. If every rule is kept, there is a
    /// certificate. Otherwise it is also enough that each state of a search has one step to explore.
    pub one_run: bool,
    /// Whether every execution ends with a blocked agent, under any rule.
    pub stuck_everywhere: bool,
}

/// The maximum number of states of a search unless the caller says otherwise.
const DEFAULT_STATES: u64 = 1_000_000;
/// The maximum number of states times agents unless the caller says otherwise.
const AGENT_STATES: u64 = 20_000_000;
/// The part of the search budget if only the verdict is requested, for example under another reading.
pub(crate) const VERDICT_PART: u64 = 5;

/// The judgement by the specification.
pub(crate) fn by_text(
    spec: &Spec,
    options: &Options,
    witnesses: bool,
    keep_going: KeepGoing<'_>,
) -> Judgement {
    // Only a path says whether data decide that it happens.
    let decided = spec.context.operations().any(|(_, _, operation)| operation.decided);
    let mut judgement = with_data(&spec.context, |context| {
        let other = (!Rc::ptr_eq(context, &spec.context)).then(|| spec.of(context));
        let spec = other.as_ref().unwrap_or(spec);
        by_cases(context, options, |context, options| {
            let one = (!Rc::ptr_eq(context, &spec.context)).then(|| spec.of(context));
            let spec = one.as_ref().unwrap_or(spec);
            let mut judgement = explored(spec, options, witnesses || decided, keep_going);
            if decided {
                judgement.leave_to_data(spec);
            }
            judgement
        })
    });
    judgement.limit_to(&spec.context.program);
    if let Some(before) = before_choices(&spec.context) {
        let spec = spec.of(&before);
        judgement.take_races(by_cases(&before, options, |context, options| {
            explored(&spec.of(context), options, witnesses, keep_going)
        }));
    }
    judgement.limit_to_size(&spec.context.program);
    judgement
}

fn explored(
    spec: &Spec,
    options: &Options,
    witnesses: bool,
    keep_going: KeepGoing<'_>,
) -> Judgement {
    let options = &bounded(options, &spec.context);
    let searched = searched(spec, options, witnesses, keep_going);
    let relevant = searched.record;
    let mut judgement = searched.judgement(spec, options, Effort::WHOLE, keep_going);
    judgement.relevant = relevant;
    if spec.context.program.lanes_meet {
        judgement.leave_open(Open::Lanes);
    }
    judgement
}

/// A search of the executions of a machine.
pub(crate) struct Searched<M: Machine> {
    /// The properties that were found, and paths to them.
    pub found: Found,
    /// What the machine recorded.
    pub record: M::Record,
    /// Whether paths to the broken rules are wanted.
    witnesses: bool,
    /// Whether a step of a path stands for those that the machine skips after it.
    folded: bool,
}

/// How far a judgement goes beyond the first search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// Whether to search without reductions for the rules that every path breaks.
    pub always: bool,
    /// Whether to search without reductions for shorter witnesses.
    pub shorter: bool,
    /// Whether to search for the length up to which no schedule has a finding, if a limit ended the first search.
    pub reach: bool,
}

impl Effort {
    /// Every search.
    pub(crate) const WHOLE: Self = Self { always: true, shorter: true, reach: true };
    /// The first search only.
    pub(crate) const FIRST: Self = Self { always: false, shorter: false, reach: false };
}

/// Searches the executions of a machine. Without witnesses the search ends at the first undefined behaviour.
pub(crate) fn searched<M: Machine>(
    machine: &M,
    options: &Options,
    witnesses: bool,
    keep_going: KeepGoing<'_>,
) -> Searched<M> {
    if let Some((found, record)) = one_run(machine, options, keep_going) {
        return Searched { found, record, witnesses, folded: false };
    }
    let space = Space::of(machine, options.engine);
    let rules = Rules::of(machine);
    let until_any = if witnesses { 0 } else { rules.facts(&[Class::Ub]) };
    let mut found = run(&space, options, Facts(until_any), keep_going);
    let wrong = rules.wrong();
    if matches!(found.end, End::Bound | End::Work) && found.somewhere.0 & wrong == 0 {
        // No shallow state has a finding. Random schedules reach the deep ones.
        let work = options.max_work / VERDICT_PART;
        let states = options.max_states.unwrap_or(DEFAULT_STATES);
        let bounds = Bounds { work, states, ..Bounds::default() };
        let deep = walk(&space, reduces(options), Facts(wrong), bounds, &mut |progress| {
            keep_going(rules::told(progress))
        });
        found = match deep {
            Some(deep) => found.or(deep),
            None => found,
        };
    }
    Searched { found, record: space.recorded(), witnesses, folded: reduces(options) }
}

/// The proof by one run about every execution, if there is one.
fn one_run<M: Machine>(
    machine: &M,
    options: &Options,
    keep_going: KeepGoing<'_>,
) -> Option<(Found, M::Record)> {
    if options.engine != Engine::Auto {
        return None;
    }
    let most = options.max_states.unwrap_or(DEFAULT_STATES);
    let mut told = |states| keep_going(Progress { states, frontier: 1 });
    let run = one_run::run(machine, most.saturating_sub(1), false, &mut told)?;
    let needed = run.first.iter().map(|&(_, steps)| steps).max().unwrap_or(0);
    let actions = Space::new(machine).canonical(&run.steps[..needed as usize]);
    let facts = [Facts(run.somewhere), Facts(run.end)];
    Some((Found::of_path(run.steps.len() as u64, &actions, run.first, facts), run.record))
}

impl<M: Machine> Searched<M> {
    /// The judgement of what was found, with paths where witnesses are wanted.
    pub(crate) fn judgement(
        self,
        machine: &M,
        options: &Options,
        effort: Effort,
        keep_going: KeepGoing<'_>,
    ) -> Judgement {
        let (space, rules) = (Space::of(machine, options.engine), Rules::of(machine));
        let (this, reach) = match self.witnesses && effort.reach {
            true => self.with_reach(&space, &rules, options, keep_going),
            false => (self, None),
        };
        let found = &this.found;
        let (always, work) = match this.witnesses {
            true => {
                let look = effort.always && options.every_schedule;
                rules.always(&space, found, look, keep_going)
            }
            false => (found.always, 0),
        };
        let complete = found.end == End::Complete && found.somewhere.0 & OVERFLOWS == 0;
        let mut judgement = rules.judgement(found, always, complete);
        judgement.reach = reach;
        judgement.continues &= lacked(found.somewhere).is_none();
        judgement.bound = lacked(found.somewhere).map(Open::Machine).or(judgement.bound);
        judgement.work += work;
        if this.witnesses {
            let shortens = options.shortest && effort.shorter;
            let shorter = shortens.then(|| rules.shorter(&space, found, keep_going)).flatten();
            judgement.work += shorter.as_ref().map_or(0, |other| other.work);
            for broken in &mut judgement.broken {
                let bit = broken.rule.number();
                let nearest = shorter.as_ref().and_then(|other| other.path(bit));
                let nearer = nearest.is_some();
                let unfold =
                    |path: Vec<u32>| if this.folded { space.unfolded(&path) } else { path };
                let far = || found.path(bit).map(unfold);
                let (steps, last) = space.steps(&nearest.or_else(far).unwrap_or_default());
                // Reductions keep every terminal state at its distance, so a path to one is shortest already.
                let over = (0..machine.actors(&last)).all(|actor| machine.ways(&last, actor) == 0);
                broken.path = steps;
                broken.shortest = nearer || rules.is_at_end(broken.rule) && over;
            }
        }
        judgement
    }
}

/// Whether no execution that was not seen could make a verdict worse.
pub(crate) fn is_settled(verdict: Verdict, exhaustive: bool) -> bool {
    exhaustive || verdict <= Verdict::Ub
}

/// Judges a program. Outcomes of the host's choice that only cover values prove that nothing is broken, or leave it open.
pub(crate) fn with_data(
    context: &Rc<Context>,
    mut judge: impl FnMut(&Rc<Context>) -> Judgement,
) -> Judgement {
    let Some((exact, covering)) = context.exact_and_covering() else {
        return by_data(context, &mut judge);
    };
    let mut judgement = by_data(&Rc::new(exact), &mut judge);
    let is_open = judgement.broken.is_empty();
    let rest = is_open.then(|| by_data(&Rc::new(covering), &mut judge));
    match rest {
        Some(rest) if rest.broken.is_empty() => judgement.add(rest),
        rest => {
            judgement.states += rest.as_ref().map_or(0, |rest| rest.states);
            judgement.transitions += rest.map_or(0, |rest| rest.transitions);
            judgement.leave_open(Open::Arguments);
        }
    }
    judgement
}

/// Judges a program. What is broken without the accesses that data decide is certain, whatever memory holds; the rest is
/// possible, and makes no verdict worse than `unknown`.
fn by_data(context: &Rc<Context>, judge: &mut impl FnMut(&Rc<Context>) -> Judgement) -> Judgement {
    let mut judgement = judge(context);
    let breaks = judgement.verdict.min(judgement.verdict_somewhere) < Verdict::Unknown
        || judgement.broken.iter().any(|broken| broken.possible);
    if breaks && let Some(certain) = context.certain() {
        judgement.settle(judge(&Rc::new(certain)));
    }
    judgement
}

/// Judges a program for each choice of the host: its waves then do one thing, which one run often decides. Together, the
/// choices make a search that no reduction helps. They share the budget of one search: what a choice leaves, the later
/// ones may use. A shorter witness is searched for in the first choice that has findings.
pub(crate) fn by_cases(
    context: &Rc<Context>,
    options: &Options,
    mut judge: impl FnMut(&Rc<Context>, &Options) -> Judgement,
) -> Judgement {
    let mut whole: Option<Judgement> = None;
    let (mut left, mut options) = (options.max_work, options.clone());
    let mut cases = u64::from(choices(&context.program)).max(1);
    for (case, chosen) in each_case(context) {
        options.max_work = left / cases;
        cases -= 1;
        let mut one = judge(&chosen, &options);
        left = left.saturating_sub(one.work);
        options.shortest &= one.broken.is_empty();
        for broken in one.broken.iter_mut().filter(|_| case.is_some()) {
            broken.chosen = Some(broken.schedules);
            if let Some((first, case)) = broken.path.first_mut().zip(case) {
                first.way = case as usize;
            }
        }
        match &mut whole {
            Some(whole) => whole.add(one),
            None => whole = Some(one),
        }
    }
    whole.unwrap_or_else(|| judge(context, &options))
}

/// The program for each choice of the host, with its number, if the host chooses; otherwise the program.
pub(crate) fn each_case(
    context: &Rc<Context>,
) -> impl Iterator<Item = (Option<u32>, Rc<Context>)> + use<'_> {
    let program = &context.program;
    let cases = choices(program);
    let whole = (cases == 0).then(|| (None, Rc::clone(context)));
    let chosen = |case| (Some(case), Rc::new(Context::new(Rc::new(program.chosen(case)))));
    whole.into_iter().chain((0..cases).map(chosen))
}

/// Number of choices of the host; 0 if it chooses nothing.
fn choices(program: &Program) -> u32 {
    match program.agents.first().and_then(|_| program.body_of(0).nodes.first()) {
        Some(Node::Choose { next }) if program.host_chooses => next.len() as u32,
        _ => 0,
    }
}

impl Judgement {
    /// Takes another case of the same program, too.
    fn add(&mut self, other: Self) {
        self.join_extent(&other);
        let everywhere = |broken: &[Broken], rule| match broken.iter().find(|one| one.rule == rule)
        {
            Some(one) => one.schedules,
            None => Schedules::Some,
        };
        for known in &mut self.broken {
            known.schedules = known.schedules.max(everywhere(&other.broken, known.rule));
        }
        for mut one in other.broken {
            one.schedules = everywhere(&self.broken, one.rule).max(one.schedules);
            match self.broken.iter_mut().find(|known| known.rule == one.rule) {
                // A finding that is certain in one case is certain, even if another case needs data for it.
                Some(known) if known.possible && !one.possible => *known = one,
                Some(_) => {}
                None => self.broken.push(one),
            }
        }
        self.broken.sort_by_key(|one| (one.possible, one.rule.get().class));
        self.verdict = self.verdict.min(other.verdict);
        self.verdict_somewhere = self.verdict_somewhere.min(other.verdict_somewhere);
        self.states += other.states;
        self.transitions += other.transitions;
        self.work += other.work;
        self.executions += other.executions;
        self.relevant |= other.relevant;
        self.one_run &= other.one_run;
        self.stuck_everywhere &= other.stuck_everywhere;
    }

    /// Takes what is broken in another judgement, too, from there, and the rest as possible.
    pub(crate) fn settle(&mut self, certain: Self) {
        for broken in &mut self.broken {
            match certain.broken.iter().find(|one| one.rule == broken.rule) {
                Some(one) => *broken = one.clone(),
                None => broken.possible = true,
            }
        }
        let rules: Vec<RuleId> = self.broken.iter().map(|one| one.rule).collect();
        let more = certain.broken.iter().filter(|one| !rules.contains(&one.rule));
        self.broken.extend(more.cloned());
        self.states += certain.states;
        self.transitions += certain.transitions;
        self.work += certain.work;
        self.join_extent(&certain);
        self.reach = None;
        self.stuck_everywhere &= certain.stuck_everywhere;
        self.take_possible(certain.verdict.min(certain.verdict_somewhere));
        self.verdict = certain.verdict.min(self.verdict);
    }

    /// Takes a broken rule as possible only.
    pub(crate) fn make_possible(&mut self, rule: RuleId) {
        self.broken.iter_mut().filter(|one| one.rule == rule).for_each(|one| one.possible = true);
        let certain = self.broken.iter().filter(|one| !one.possible);
        let certain = verdict(certain.map(|one| one.rule), self.exhaustive);
        self.take_possible(certain);
        self.verdict = certain.min(self.verdict);
    }

    /// Orders possible findings after certain ones.
    fn take_possible(&mut self, certain: Verdict) {
        let matters = |one: &Broken| one.possible && one.rule.get().class < Some(Class::Hazard);
        let open = !self.exhaustive || self.broken.iter().any(matters);
        let best = if open { Verdict::Unknown } else { Verdict::Ok };
        (self.verdict, self.verdict_somewhere) = (best, certain.min(best));
        self.broken.sort_by_key(|one| (one.possible, one.rule.get().class));
    }

    /// Whether no execution that was not seen could make the verdict worse.
    pub(crate) fn is_settled(&self) -> bool {
        is_settled(self.verdict, self.exhaustive)
    }

    /// Nothing that was found is known to be so.
    pub(crate) fn doubt(&mut self, why: Open) {
        self.broken.iter_mut().for_each(|broken| broken.possible = true);
        (self.verdict, self.verdict_somewhere) = (Verdict::Unknown, Verdict::Unknown);
        (self.exhaustive, self.reach, self.continues) = (false, None, false);
        self.bound = Some(why);
    }

    /// Leaves open what a program does not contain of a kernel.
    pub(crate) fn limit_to(&mut self, program: &Program) {
        if program.doubtful {
            self.doubt(Open::Constructs);
        }
        if program.host_passes_more {
            self.leave_open(Open::Arguments);
        }
    }

    /// Leaves findings open that may need a size of the workgroups that the host does not choose.
    pub(crate) fn limit_to_size(&mut self, program: &Program) {
        if program.sizes_guessed && self.broken.iter().any(|one| !one.possible) {
            self.doubt(Open::Size);
        }
    }

    /// Something was not judged: what would be `ok` without it is not known.
    pub(crate) fn leave_open(&mut self, what: Open) {
        (self.exhaustive, self.reach) = (false, None);
        self.bound = self.bound.or(Some(what));
        for verdict in [&mut self.verdict, &mut self.verdict_somewhere] {
            *verdict = (*verdict).min(Verdict::Unknown);
        }
    }
}

/// The judgement by the hardware model; `None` if it does not support the program.
pub(crate) fn by_machine(
    context: &Rc<Context>,
    options: &Options,
    keep_going: KeepGoing<'_>,
) -> Option<(Onebit, Judgement)> {
    let machine = Onebit::new(Rc::clone(context))?;
    let options = &bounded(options, context);
    let judgement = by_cases(context, options, |context, options| {
        let one = Onebit::new(Rc::clone(context)).unwrap_or_else(|| machine.clone());
        let searched = searched(&one, options, true, keep_going);
        searched.judgement(&one, options, Effort::FIRST, keep_going)
    });
    Some((machine, judgement))
}

/// The options with a bound on states where the caller gives none: each state takes time for each agent.
fn bounded(options: &Options, context: &Context) -> Options {
    let agents = context.program.agents.len().max(1) as u64;
    let states = (AGENT_STATES / agents).clamp(1_000, DEFAULT_STATES);
    Options { max_states: options.max_states.or(Some(states)), ..options.clone() }
}

pub(crate) fn run<S: System>(
    system: &S,
    options: &Options,
    until_any: Facts,
    keep_going: KeepGoing<'_>,
) -> Found {
    let (part, order) = match until_any {
        Facts(0) => (1, Order::BreadthFirst),
        // Only the verdict is requested: a depth-first search reaches the ends of paths first.
        _ => (VERDICT_PART, Order::DepthFirst),
    };
    let bounds = bounds(options);
    let bounds = Bounds { work: bounds.work / part, ..bounds };
    let plan = Plan { order, reduce: reduces(options), bounds, until_any, ..Plan::default() };
    search(system, plan, &mut |progress| keep_going(rules::told(progress)))
}

fn reduces(options: &Options) -> bool {
    options.engine != Engine::Plain
}

/// The limit that a state exceeds.
fn lacked(facts: Facts) -> Option<Lack> {
    Lack::ALL.into_iter().find(|&lack| facts.0 >> OVERFLOW >> lack as u32 & 1 == 1)
}

/// The worst verdict of the broken rules; `unknown` instead of `ok` after an incomplete search.
pub(crate) fn verdict(rules: impl Iterator<Item = RuleId>, complete: bool) -> Verdict {
    let best = if complete { Verdict::Ok } else { Verdict::Unknown };
    rules.filter_map(|rule| rule.get().class).map(|class| class.verdict()).fold(best, Verdict::min)
}

#[cfg(test)]
pub(crate) mod tests;
