//! What data answer, in words: for which elements a condition is true, and for which it is not.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// An element of a memory: the memory's name and the index.
pub(super) type Place<'a> = (&'a str, i64);

/// How a condition of data is answered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Answers<'a> {
    /// How often with no and with yes.
    pub(super) times: [u32; 2],
    /// For which elements, where it asks for one.
    pub(super) places: [Vec<Place<'a>>; 2],
}

impl Answers<'_> {
    /// What stands behind the condition: `is true for `a[0]`, false for `a[1]` to `a[15]``.
    pub(super) fn told(&self) -> String {
        let [no, yes] = &self.places;
        match self.times {
            [_, 0] => String::from("is false"),
            [0, _] if yes.is_empty() => String::from("is true"),
            [0, _] => format!("is true for {}", elements(yes)),
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

/// Most runs of elements that are told one by one.
const MOST_RUNS: usize = 3;

/// Elements, those that follow each other as one: `a[0]`, `a[2]` to `a[5]`.
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
    let told = |&(name, first, last): &(&str, i64, i64)| match last - first {
        0 => format!("`{name}[{first}]`"),
        1 => format!("`{name}[{first}]`, `{name}[{last}]`"),
        _ => format!("`{name}[{first}]` to `{name}[{last}]`"),
    };
    let mut said: Vec<String> = runs.iter().take(MOST_RUNS).map(told).collect();
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
    fn elements_that_follow_each_other_are_told_as_one() {
        let told = |indices: &[i64]| {
            let places: Vec<Place<'_>> = indices.iter().map(|&index| ("a", index)).collect();
            elements(&places)
        };
        assert_eq!(told(&[0]), "`a[0]`");
        assert_eq!(told(&[1, 0]), "`a[0]`, `a[1]`");
        assert_eq!(told(&[0, 1, 2, 5]), "`a[0]` to `a[2]`, `a[5]`");
        assert_eq!(told(&[0, 2, 4, 6, 8]), "`a[0]`, `a[2]`, `a[4]`, 2 more");
        assert_eq!(elements(&[("a", 0), ("b", 1)]), "`a[0]`, `b[1]`");
    }

    #[test]
    fn both_sides_are_told() {
        let answers = |yes: &[i64], no: &[i64], placed: bool| {
            let places = |indices: &[i64]| -> Vec<Place<'_>> {
                indices.iter().filter(|_| placed).map(|&index| ("a", index)).collect()
            };
            let times = [no.len() as u32, yes.len() as u32];
            Answers { times, places: [places(no), places(yes)] }.told()
        };
        assert_eq!(answers(&[], &[1], true), "is false");
        assert_eq!(answers(&[0], &[], false), "is true");
        assert_eq!(answers(&[0], &[], true), "is true for `a[0]`");
        assert_eq!(
            answers(&[0], &[1, 2, 3], true),
            "is true for `a[0]`, false for `a[1]` to `a[3]`"
        );
        assert_eq!(answers(&[0], &[1, 2], false), "is true once, false 2 times");
    }
}
