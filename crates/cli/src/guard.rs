//! Limits a panic in one scenario to that scenario.

use crate::exit::Failure;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs the work for one file.
///
/// # Errors
///
/// The failure to report if the work panics. The panic message goes to standard error.
pub(crate) fn guarded<T>(file: &str, work: impl FnOnce() -> T) -> Result<T, Failure> {
    // Data of the work is dropped with it; only progress counters are shared.
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let said = payload.downcast_ref::<&str>().copied();
        let said = said.or(payload.downcast_ref::<String>().map(String::as_str));
        let said = said.unwrap_or("no message");
        Failure::new(format!("internal error in {file}: {said}"))
            .help("this is a bug in tidegate; please report it with the file")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_without_a_panic_yields_its_result() {
        assert_eq!(guarded("a.tide", || 7), Ok(7));
    }

    #[test]
    fn a_panic_becomes_a_failure_that_names_the_file() {
        let list: Vec<u32> = Vec::new();
        let index = list.len() + 3;
        let of_string = guarded("a.tide", || list[index]).unwrap_err();
        assert!(of_string.message.contains("a.tide") && of_string.message.contains("index is 3"));
        let of_words = guarded("b.tide", || -> u32 { panic!("no way") }).unwrap_err();
        assert_eq!(of_words.message, "internal error in b.tide: no way");
    }
}
