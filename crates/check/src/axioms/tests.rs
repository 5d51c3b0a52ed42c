//! Exploration and axioms agree.

extern crate std;

use super::*;
use crate::judge::tests::support::{Random, random_program, show};
use alloc::rc::Rc;
use std::string::String;
use tidegate_model::context::Context;
use tidegate_model::reading::Readings;

fn names(judgement: &Judgement) -> Vec<String> {
    let mut names: Vec<String> = judgement
        .broken
        .iter()
        .map(|broken| std::format!("{} {}", broken.rule.get().id, broken.schedules.word()))
        .collect();
    names.sort();
    names
}

fn compare(context: &Rc<Context>, readings: Readings) -> Option<Result<u64, String>> {
    let spec = Spec::new(Rc::clone(context), readings).ok()?;
    let options = Options { max_states: Some(300_000), ..Options::default() };
    let explored = judge::by_text(&spec, &options, true, &mut |_| true);
    let found = enumerate(&spec, plan(&options, true), &mut |_| true);
    let collapsed = enumerate(&spec, plan(&options, false), &mut |_| true);
    if !explored.exhaustive || !found.complete || !collapsed.complete {
        return None;
    }
    let (axioms, collapsed) = (judgement(&found), judgement(&collapsed));
    for (which, axioms) in [("every order", &axioms), ("collapsed", &collapsed)] {
        let somewhere = (explored.verdict_somewhere, axioms.verdict_somewhere);
        if names(&explored) != names(axioms) || somewhere.0 != somewhere.1 {
            return Some(Err(std::format!(
                "{which}\n explored {:?} {:?}\n axioms {:?} {:?}\n{}",
                names(&explored),
                somewhere.0,
                names(axioms),
                somewhere.1,
                show(context)
            )));
        }
    }
    Some(Ok(found.outside))
}

/// How many random programs are compared, unless `TIDEGATE_RANDOM` says otherwise.
const RANDOM: u64 = 150;

#[test]
fn random_programs_by_exploration_and_by_axioms() {
    let count = std::env::var("TIDEGATE_RANDOM").ok().and_then(|count| count.parse().ok());
    let count = count.unwrap_or(RANDOM);
    let (mut compared, mut outside) = (0, 0);
    for seed in 0..count {
        let context = random_program(&mut Random::new(seed));
        match compare(&context, Readings::default()) {
            None => {}
            Some(Ok(more)) => {
                compared += 1;
                outside += more;
            }
            Some(Err(text)) => panic!("seed {seed}, {text}"),
        }
    }
    std::println!(
        "{compared} random programs compared, {outside} executions outside interleavings"
    );
    assert!(compared > count * 9 / 10 && outside > 0, "{compared} of {count}, {outside} outside");
}
