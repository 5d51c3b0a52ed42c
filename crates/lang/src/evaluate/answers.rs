//! Descriptions of the outcomes of a condition on data: the elements for which it is true, and those for which it is
//! false.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// An element of a memory: the memory's name and the index.
pub(super) type Place<'a> = (&'a str, i64);

/// The outcomes of a condition on data.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Answers<'a> {
    /// Number of false and of true outcomes.
    pub(super) times: [u32; 2],
    /// The elements that it tests, for each outcome.
    pub(super) places: [Vec<Place<'a>>; 2],
}

impl Answers<'_> {
    /// Describes the outcomes, as text after the condition: ``is true for `a[0]`, false for `a[1]` to `a[15]` ``.
    pub(super) fn description(&self) -> String {
        let [no, yes] = &self.places;
        match self.times {
            [_, 0] => String::from("is false"),
            [0, _] if yes.is_empty() => String::from("is true"),
            [0, _] => format!("is true for {}", elements(yes)),
            _ if no.iter().any(|place| yes.contains(place)) => {
                String::from("is true in some work-items and false in others")
            }
            _ if !no.is_empty() && !yes.is_empty() => {
                format!("is true for {}, false for {}", elements(yes), elements(no))
            }
            [no, yes] => {
                let times = |count| match count {
                    1 => String::from("once"),
                    count => format!("{count} times"),
                };
                format!("is true {}, false {}", times(yes), times(no))
            }
        }
    }
}

/// Largest number of runs of elements that are listed separately.
const MOST_RUNS: usize = 3;

/// Lists elements, consecutive ones as a range: `a[0]`, `a[2]` to `a[5]`.
fn elements(places: &[Place<'_>]) -> String {
    let mut places = places.to_vec();
    places.sort_unstable();
    places.dedup();
    let mut runs: Vec<(&str, i64, i64)> = Vec::new();
    for (name, index) in places {
        match runs.last_mut() {
            Some(run) if run.0 == name && run.2.checked_add(1) == Some(index) => run.2 = index,
            _ => runs.push((name, index, index)),
        }
    }
    let description = |&(name, first, last): &(&str, i64, i64)| match last - first {
        0 => format!("`{name}[{first}]`"),
        1 => format!("`{name}[{first}]`, `{name}[{last}]`"),
        _ => format!("`{name}[{first}]` to `{name}[{last}]`"),
    };
    let mut said: Vec<String> = runs.iter().take(MOST_RUNS).map(description).collect();
    let more: i64 = runs.iter().skip(MOST_RUNS).map(|(_, first, last)| last - first + 1).sum();
    if more > 0 {
        said.push(format!("{more} more"));
    }
    said.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn consecutive_elements_are_listed_as_a_range() {
        let description = |indices: &[i64]| {
            let places: Vec<Place<'_>> = indices.iter().map(|&index| ("a", index)).collect();
            elements(&places)
        };
        assert_eq!(description(&[0]), "`a[0]`");
        assert_eq!(description(&[1, 0]), "`a[0]`, `a[1]`");
        assert_eq!(description(&[0, 1, 2, 5]), "`a[0]` to `a[2]`, `a[5]`");
        assert_eq!(description(&[0, 2, 4, 6, 8]), "`a[0]`, `a[2]`, `a[4]`, 2 more");
        assert_eq!(elements(&[("a", 0), ("b", 1)]), "`a[0]`, `b[1]`");
    }

    #[test]
    fn both_outcomes_are_described() {
        let answers = |yes: &[i64], no: &[i64], placed: bool| {
            let places = |indices: &[i64]| -> Vec<Place<'_>> {
                indices.iter().filter(|_| placed).map(|&index| ("a", index)).collect()
            };
            let times = [no.len() as u32, yes.len() as u32];
            Answers { times, places: [places(no), places(yes)] }.description()
        };
        assert_eq!(answers(&[], &[1], true), "is false");
        assert_eq!(answers(&[0], &[], false), "is true");
        assert_eq!(answers(&[0], &[], true), "is true for `a[0]`");
        assert_eq!(
            answers(&[0], &[1, 2, 3], true),
            "is true for `a[0]`, false for `a[1]` to `a[3]`"
        );
        assert_eq!(answers(&[0], &[1, 2], false), "is true once, false 2 times");
        let mixed = "is true in some work-items and false in others";
        assert_eq!(answers(&[0], &[0, 0], true), mixed);
    }
}
