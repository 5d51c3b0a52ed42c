//! Work-groups with several dimensions, whose sizes the kernel gives.

use super::cursor::Parser;
use crate::diagnostic::{Diagnostic, Severity, Span, Suggestion};
use crate::expression::{Atom, Binary};
use crate::vocabulary::opencl::FUNCTIONS;
use alloc::vec::Vec;

/// The value of `FUNCTION(DIMENSION)` for work-groups of these sizes and numbers in each dimension; `None` if they do
/// not determine it. If the launch gives no numbers, all work-groups are in the first dimension.
pub(super) fn place(
    word: &str,
    dimension: i64,
    (sizes, groups): ([i64; 3], Option<[i64; 3]>),
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
    let group = |code: &mut Vec<Atom>| match groups {
        Some(counts) => {
            let before: i64 = counts[..at].iter().product();
            code.extend(all("get_group_id").unwrap_or_default());
            code.extend([Atom::Int(before), Atom::Binary(Binary::Divide)]);
            code.extend([Atom::Int(counts[at]), Atom::Binary(Binary::Remainder)]);
        }
        None if at == 0 => code.extend(all("get_group_id").unwrap_or_default()),
        None => code.push(Atom::Int(0)),
    };
    let count = |code: &mut Vec<Atom>| match groups {
        Some(counts) => code.push(Atom::Int(counts[at])),
        None if at == 0 => code.extend(all("get_num_groups").unwrap_or_default()),
        None => code.push(Atom::Int(1)),
    };
    match word {
        "get_local_id" => local(&mut code),
        "get_local_size" | "get_enqueued_local_size" => code.push(Atom::Int(size)),
        "get_global_size" => {
            code.push(Atom::Int(size));
            count(&mut code);
            code.push(Atom::Binary(Binary::Multiply));
        }
        "get_global_id" => {
            code.push(Atom::Int(size));
            group(&mut code);
            code.push(Atom::Binary(Binary::Multiply));
            local(&mut code);
            code.push(Atom::Binary(Binary::Add));
        }
        "get_group_id" => group(&mut code),
        "get_num_groups" => count(&mut code),
        _ => return None,
    }
    Some(code.into_iter().map(|atom| (atom, span)).collect())
}

impl Parser<'_> {
    /// The value of a function of a dimension, starting at the dimension's number, if the kernel gives the size of its
    /// work-groups.
    pub(super) fn place_in_group(&mut self, word: &str, span: Span) -> Option<Vec<(Atom, Span)>> {
        let sizes = self.sizes?;
        let dimension = self.word().parse().ok().filter(|_| self.word_ahead(1) == ")")?;
        let code = place(word, dimension, (sizes, self.groups), span)?;
        self.advance();
        let of_groups =
            !matches!(word, "get_local_id" | "get_local_size" | "get_enqueued_local_size");
        if dimension > 0 && self.groups.is_none() && of_groups {
            self.one_group(span);
        }
        Some(code)
    }
}

impl Parser<'_> {
    /// Warns once that the launch has no size in a dimension after the first.
    pub(super) fn one_group(&mut self, span: Span) {
        if core::mem::replace(&mut self.reported_dimensions, true) {
            return;
        }
        let message = "the launch has no size for this dimension; assuming 1, so larger launches are not checked";
        let suggestion = Suggestion {
            message: "give the sizes in each dimension, as in `launch groups=2x2 items=8x8`".into(),
            replacement: None,
        };
        let (severity, suggestion) = (Severity::Warning, Some(suggestion));
        let missing = Diagnostic::error("one-dimension", span, message);
        self.push(Diagnostic { severity, suggestion, ..missing });
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
    fn the_first_dimension_varies_fastest() {
        let value = |word: &str, dimension: i64| {
            let code = place(word, dimension, ([8, 4, 2], None), Span::default())?;
            Expression { code, span: Span::default() }.number(&Item(Reach::default())).ok()
        };
        let all = |word: &str| [0, 1, 2].map(|dimension| value(word, dimension));
        assert_eq!(all("get_local_id"), [Some(3), Some(3), Some(0)]);
        assert_eq!(all("get_local_size"), [Some(8), Some(4), Some(2)]);
        assert_eq!(all("get_global_id"), [Some(11), Some(3), Some(0)]);
        assert_eq!(all("get_global_size"), [Some(24), Some(4), Some(2)]);
        assert_eq!(all("get_group_id"), [Some(1), Some(0), Some(0)]);
        assert_eq!(value("get_local_id", 3), None);
    }

    #[test]
    fn groups_fill_all_dimensions_of_the_launch() {
        struct In(Reach, i64);
        impl Environment for In {
            fn slot(&self, _: u16) -> Option<Value> {
                None
            }
            fn builtin(&self, builtin: Builtin) -> i64 {
                match builtin {
                    Builtin::WorkgroupId => self.1,
                    Builtin::Workgroups => 12,
                    _ => 0,
                }
            }
            fn reach(&self) -> &Reach {
                &self.0
            }
        }
        let mut all = tidegate_model::ordered::OrderedSet::new();
        for group in 0..12 {
            let item = In(Reach::default(), group);
            let value = |word: &str| {
                [0, 1, 2].map(|dimension| {
                    let shape = ([8, 4, 1], Some([2, 3, 2]));
                    let code = place(word, dimension, shape, Span::default()).unwrap();
                    Expression { code, span: Span::default() }.number(&item).unwrap()
                })
            };
            let ids = value("get_group_id");
            assert_eq!(ids[0] + 2 * ids[1] + 6 * ids[2], group);
            assert_eq!(value("get_num_groups"), [2, 3, 2]);
            assert_eq!(value("get_global_id"), [8 * ids[0], 4 * ids[1], ids[2]]);
            assert_eq!(value("get_global_size"), [16, 12, 2]);
            all.insert(ids);
        }
        assert_eq!(all.len(), 12);
    }
}
