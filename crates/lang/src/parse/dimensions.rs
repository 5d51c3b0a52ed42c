//! Work-groups of several dimensions, whose sizes the kernel names.

use super::cursor::Parser;
use crate::diagnostic::Span;
use crate::expression::{Atom, Binary};
use crate::vocabulary::opencl::FUNCTIONS;
use alloc::vec::Vec;

/// What `FUNCTION(DIMENSION)` is in work-groups of these sizes; none where they do not decide it.
pub(super) fn place(
    word: &str,
    dimension: i64,
    sizes: [i64; 3],
    span: Span,
) -> Option<Vec<(Atom, Span)>> {
    let at = usize::try_from(dimension).ok().filter(|&at| at < 3)?;
    let size = sizes[at];
    let stride: i64 = sizes[..at].iter().product();
    let all = |name: &str| FUNCTIONS.iter().find(|(known, ..)| *known == name).map(|row| row.2);
    let mut code: Vec<Atom> = Vec::new();
    let local = |code: &mut Vec<Atom>| {
        code.extend(all("get_local_id").unwrap_or_default());
        code.extend([Atom::Int(stride), Atom::Binary(Binary::Divide)]);
        code.extend([Atom::Int(size), Atom::Binary(Binary::Remainder)]);
    };
    // Groups stand side by side in the first dimension.
    let times_groups = |code: &mut Vec<Atom>, name: &str| {
        if at == 0 {
            code.extend(all(name).unwrap_or_default());
            code.push(Atom::Binary(Binary::Multiply));
        }
    };
    match word {
        "get_local_id" => local(&mut code),
        "get_local_size" | "get_enqueued_local_size" => code.push(Atom::Int(size)),
        "get_global_size" => {
            code.push(Atom::Int(size));
            times_groups(&mut code, "get_num_groups");
        }
        "get_global_id" if at == 0 => {
            code.push(Atom::Int(size));
            times_groups(&mut code, "get_group_id");
            local(&mut code);
            code.push(Atom::Binary(Binary::Add));
        }
        "get_global_id" => local(&mut code),
        "get_group_id" if at > 0 => code.push(Atom::Int(0)),
        "get_num_groups" if at > 0 => code.push(Atom::Int(1)),
        _ => return None,
    }
    Some(code.into_iter().map(|atom| (atom, span)).collect())
}

impl Parser<'_> {
    /// What a function of a dimension is, from the number of that on up to its parenthesis, where the kernel says how large
    /// its work-groups are.
    pub(super) fn place_in_group(&mut self, word: &str, span: Span) -> Option<Vec<(Atom, Span)>> {
        let sizes = self.sizes?;
        let dimension = self.word().parse().ok().filter(|_| self.word_ahead(1) == ")")?;
        let code = place(word, dimension, sizes, span)?;
        self.advance();
        Some(code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expression::linear::Reach;
    use crate::expression::{Builtin, Environment, Expression, Value};

    /// Work-item 27 of the second of three groups, in sub-groups of 16.
    struct Item(Reach);

    impl Environment for Item {
        fn slot(&self, _: u16) -> Option<Value> {
            None
        }
        fn builtin(&self, builtin: Builtin) -> i64 {
            match builtin {
                Builtin::LaneId => 11,
                Builtin::Lanes => 16,
                Builtin::WaveId | Builtin::WorkgroupId => 1,
                Builtin::Waves => 4,
                Builtin::Workgroups => 3,
                Builtin::Clusters => 1,
            }
        }
        fn reach(&self) -> &Reach {
            &self.0
        }
    }

    #[test]
    fn the_first_dimension_goes_fastest() {
        let value = |word: &str, dimension: i64| {
            let code = place(word, dimension, [8, 4, 2], Span::default())?;
            Expression { code, span: Span::default() }.number(&Item(Reach::default())).ok()
        };
        let all = |word: &str| [0, 1, 2].map(|dimension| value(word, dimension));
        assert_eq!(all("get_local_id"), [Some(3), Some(3), Some(0)]);
        assert_eq!(all("get_local_size"), [Some(8), Some(4), Some(2)]);
        assert_eq!(all("get_global_id"), [Some(11), Some(3), Some(0)]);
        assert_eq!(all("get_global_size"), [Some(24), Some(4), Some(2)]);
        assert_eq!(all("get_group_id"), [None, Some(0), Some(0)]);
        assert_eq!(value("get_local_id", 3), None);
    }
}
