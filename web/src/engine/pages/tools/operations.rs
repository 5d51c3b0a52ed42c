//! Operations on the word of an mbarrier, as an address lists them: `arrive:1,expect_tx:64`.

use tidegate_check::model::ptx::word::{Layout, MOST, Operation, step};
use tidegate_check::word::remark_on;

/// The names of operations, in their order in the tool.
pub(super) const OPERATIONS: [&str; 6] =
    ["arrive", "arrive_drop", "expect_tx", "complete_tx", "arrive.expect_tx", "init"];

/// Largest number of operations on one word.
const MOST_GIVEN: usize = 32;

/// A parsed operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Given<'a> {
    /// Its name, one of [`OPERATIONS`].
    pub(super) name: &'a str,
    /// Its count or bytes.
    pub(super) value: i32,
}

impl<'a> Given<'a> {
    /// Parses the known operations of a list, up to the limit.
    pub(super) fn all(list: &'a str) -> Vec<Self> {
        let one = |words: &'a str| {
            let (name, value) = words.split_once(':')?;
            let given = Self { name, value: value.parse().ok()? };
            given.operation().map(|_| given)
        };
        list.split(',').filter_map(one).take(MOST_GIVEN).collect()
    }

    /// Formats it for an address.
    pub(super) fn spelled(&self) -> String {
        format!("{}:{}", self.name, self.value)
    }

    /// Returns the operation; `None` if its number is out of range.
    pub(super) fn operation(&self) -> Option<Operation> {
        let count = || u32::try_from(self.value).ok().filter(|count| *count <= MOST);
        let bytes = Some(self.value).filter(|bytes| bytes.unsigned_abs() <= MOST);
        Some(match self.name {
            "init" => Operation::Init(count()?),
            "arrive" => Operation::Arrive(count()?),
            "arrive_drop" => Operation::ArriveDrop(count()?),
            "expect_tx" => Operation::ExpectTx(bytes?),
            "complete_tx" => Operation::CompleteTx(bytes?),
            "arrive.expect_tx" => Operation::ArriveExpectTx(bytes?),
            _ => return None,
        })
    }
}

/// A word after an operation.
pub(super) struct Stage {
    /// The operation as text.
    pub(super) name: String,
    /// The resulting word.
    pub(super) word: u64,
    /// Whether it completes the phase.
    pub(super) completes: bool,
    /// Whether a count overflows.
    pub(super) wraps: bool,
    /// A remark of the specification.
    pub(super) remark: Option<&'static str>,
}

/// Applies operations to a word in sequence.
pub(super) fn steps(layout: Layout, word: u64, given: &[Given<'_>]) -> Vec<Stage> {
    let mut word = word;
    let known = given.iter().filter_map(|it| Some((it, it.operation()?)));
    known
        .map(|(given, operation)| {
            let remark = remark_on(layout, word, operation);
            let stepped = step(layout, word, operation);
            word = stepped.word;
            Stage {
                name: format!("{} {}", given.name, given.value),
                word,
                completes: stepped.completes,
                wraps: stepped.wraps,
                remark,
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_operations_are_ignored() {
        let given = Given::all("arrive:1,arrive:-1,wait:1,expect_tx:-16,init:1048576,x,:,arrive:");
        let spelled: Vec<String> = given.iter().map(Given::spelled).collect();
        assert_eq!(spelled, ["arrive:1", "expect_tx:-16"]);
        assert_eq!(Given::all(&"arrive:1,".repeat(99)).len(), MOST_GIVEN);
        for name in OPERATIONS {
            assert!(Given { name, value: 1 }.operation().is_some(), "{name}");
        }
    }
}
