//! Operations on the word of an mbarrier, as an address gives them: `arrive:1,expect_tx:64`.

use tidegate_check::model::ptx::word::{Layout, MOST, Operation, step};
use tidegate_check::word::remark_on;

/// The names of operations, in the order in which they are offered.
pub(super) const OPERATIONS: [&str; 6] =
    ["arrive", "arrive_drop", "expect_tx", "complete_tx", "arrive.expect_tx", "init"];

/// Most operations that are performed on one word.
const MOST_GIVEN: usize = 32;

/// An operation as given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Given<'a> {
    /// Its name, one of [`OPERATIONS`].
    pub(super) name: &'a str,
    /// Its count or bytes.
    pub(super) value: i32,
}

impl<'a> Given<'a> {
    /// The operations of a list that there are, at most as many as are performed.
    pub(super) fn all(list: &'a str) -> Vec<Self> {
        let one = |words: &'a str| {
            let (name, value) = words.split_once(':')?;
            let given = Self { name, value: value.parse().ok()? };
            given.operation().map(|_| given)
        };
        list.split(',').filter_map(one).take(MOST_GIVEN).collect()
    }

    /// As an address gives it.
    pub(super) fn spelled(&self) -> String {
        format!("{}:{}", self.name, self.value)
    }

    /// The operation; none where its number is out of range.
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
    /// The operation, as one reads it.
    pub(super) name: String,
    /// The word that it leaves.
    pub(super) word: u64,
    /// Whether it completes the phase.
    pub(super) completes: bool,
    /// Whether a count leaves its range.
    pub(super) wraps: bool,
    /// What the text says of it besides.
    pub(super) remark: Option<&'static str>,
}

/// A word through operations, one after another.
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
    fn what_is_no_operation_is_left_out() {
        let given = Given::all("arrive:1,arrive:-1,wait:1,expect_tx:-16,init:1048576,x,:,arrive:");
        let spelled: Vec<String> = given.iter().map(Given::spelled).collect();
        assert_eq!(spelled, ["arrive:1", "expect_tx:-16"]);
        assert_eq!(Given::all(&"arrive:1,".repeat(99)).len(), MOST_GIVEN);
        for name in OPERATIONS {
            assert!(Given { name, value: 1 }.operation().is_some(), "{name}");
        }
    }
}
