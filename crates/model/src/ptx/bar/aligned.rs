//! The check of `ptx.bar.aligned`.

use crate::rule::RuleId;

/// Passes if the lanes of a warp are at the same aligned barrier instruction and none of them has exited.
///
/// # Errors
/// This rule, if they do not.
pub fn check(sites: impl IntoIterator<Item = Option<u32>>) -> Result<(), RuleId> {
    let mut first = None;
    for site in sites {
        let site = site.ok_or(RuleId::PtxBarAligned)?;
        if *first.get_or_insert(site) != site {
            return Err(RuleId::PtxBarAligned);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_lanes_execute_the_same_instruction() {
        assert!(check([Some(3), Some(3)]).is_ok() && check([]).is_ok());
        assert!(check([Some(3), Some(4)]).is_err() && check([Some(3), None]).is_err());
    }
}
