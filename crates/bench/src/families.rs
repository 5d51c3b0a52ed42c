//! The families of scenarios.

mod barriers;
mod gadget;
mod hardware;
mod opencl;
mod rings;

use crate::case::Case;

/// Every case, in the order of the table.
pub(crate) fn cases() -> Vec<Case> {
    [
        barriers::one_barrier(),
        rings::rings(),
        opencl::named_barriers(),
        barriers::forgotten_arrive(),
        barriers::pairs(),
        barriers::named_pairs(),
        barriers::shared(),
        hardware::hardware(),
        hardware::memory(),
        opencl::reductions(),
        opencl::across_groups(),
        gadget::formulas(),
    ]
    .concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tidegate_check::{Options, Scene, check};

    #[test]
    fn every_scenario_is_valid_and_its_name_is_unique() {
        let mut names = Vec::new();
        for case in cases() {
            let scene = Scene::new("bench.tide", &case.text);
            assert!(scene.is_valid(), "{} {}: {:?}", case.family, case.size, scene.diagnostics());
            names.push((case.family, case.size));
        }
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn the_smallest_scenarios_have_their_verdict() {
        for case in cases() {
            let small = case.text.len() < 1_500 && !case.long && case.family != "Q";
            if small {
                let options = Options { ambiguities: false, machine: false, ..Options::default() };
                let report = check(&Scene::new("bench.tide", &case.text), &options, &mut |_| true);
                assert_eq!(report.verdict, case.verdict, "{} {}", case.family, case.size);
            }
        }
    }
}
