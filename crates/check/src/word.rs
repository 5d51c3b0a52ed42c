//! Remarks on the word of an mbarrier object: values that no live object has, and operations that break a rule without a
//! trace in the word.

use tidegate_model::ptx::word::{Fields, Layout, MOST, Operation, decode};

/// The problem of a word between operations; `None` if an object can have it.
#[must_use]
pub const fn remark(fields: Fields) -> Option<&'static str> {
    if fields.expected == 0 {
        // PTX ISA 9.1, "mbarrier.init": the count is at least 1; a drop can leave 0 (up to PTX 9.3).
        Some("an expected count of 0 is only possible after every participant dropped")
    } else if fields.pending == 0 && fields.tx_low() == 0 {
        Some("pending count and tx-count are 0, so the phase would be complete")
    } else {
        None
    }
}

/// The rule about an operation on a word that the resulting word does not show. Wrapped counts are reported elsewhere.
#[must_use]
pub const fn remark_on(layout: Layout, word: u64, operation: Operation) -> Option<&'static str> {
    let before = decode(layout, word);
    match operation {
        Operation::Init(0) | Operation::Arrive(0) | Operation::ArriveDrop(0) => {
            Some("count 0 is out of range: valid counts are 1 to 2^20-1")
        }
        Operation::ArriveDrop(count) if count <= MOST && count == before.expected => {
            Some("leaves no expected arrival for later phases: undefined since PTX 9.4")
        }
        Operation::ExpectTx(_) if before.pending == 0 => {
            Some("comes after the last arrival: expect_tx does not check for phase completion")
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tidegate_model::ptx::word::{encode, initial, step};

    fn fields(expected: u32, pending: u32, tx: i32) -> Fields {
        Fields { expected, pending, ..Fields::default() }.with_tx(tx)
    }

    #[test]
    fn words_of_inits_and_incomplete_phases_get_no_remark() {
        for count in [1, 2, 32, MOST] {
            let word = initial(count).expect("a count in range");
            assert!(Layout::ALL.iter().all(|&layout| remark(decode(layout, word)).is_none()));
        }
        assert_eq!(remark(fields(2, 0, 16)), None);
        assert_eq!(remark(fields(2, 0, -16)), None);
        assert!(remark(fields(0, 0, 0)).is_some_and(|said| said.contains("expected count of 0")));
        assert!(remark(fields(2, 0, 0)).is_some_and(|said| said.contains("complete")));
    }

    #[test]
    fn operations_that_the_text_has_a_rule_about() {
        for layout in Layout::ALL {
            let says = |before: Fields, operation, part: &str| {
                let said = remark_on(layout, encode(layout, before), operation);
                assert!(said.is_some_and(|said| said.contains(part)), "{operation:?}: {said:?}");
            };
            says(fields(2, 2, 0), Operation::ArriveDrop(2), "no expected arrival");
            says(fields(2, 0, -16), Operation::ExpectTx(16), "after the last arrival");
            says(fields(2, 2, 0), Operation::Arrive(0), "out of range");
            says(fields(2, 2, 0), Operation::Init(0), "out of range");
            for plain in [Operation::Arrive(1), Operation::ArriveDrop(1), Operation::ExpectTx(16)] {
                let word = encode(layout, fields(2, 2, 0));
                assert_eq!(remark_on(layout, word, plain), None, "{plain:?}");
                assert!(remark(decode(layout, step(layout, word, plain).word)).is_none());
            }
        }
    }
}
