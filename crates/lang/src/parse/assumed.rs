//! The launch of a kernel in C where the text and the caller give none, or only a part of it.
//!
//! A single work-item cannot race, and a single work-group cannot race with another. The assumed launch therefore has
//! several of both, in every dimension that the text uses.

use super::cursor::Parser;
use super::launch::{CLUSTERS, GROUPS, KEYS, LANES, WAVES};
use crate::diagnostic::Span;
use crate::lexer;
use crate::tree::{Assumed, Tree};
use crate::vocabulary::opencl::FUNCTIONS;

/// The assumed size of a work-group, by the number of dimensions that the text uses.
const SIZES: [[i64; 3]; 3] = [[64, 1, 1], [8, 8, 1], [4, 4, 4]];

/// The assumed number of work-groups in each dimension that the text uses.
const EACH: i64 = 2;

/// Number of work-items of a sub-group if only the size of a work-group is known.
const SUB_GROUP: i64 = 16;

/// The sub-groups of a work-group, and the work-items of each.
pub(super) fn sub_groups(all: i64) -> [i64; 2] {
    let lanes = (1..=SUB_GROUP).rev().find(|lanes| all % lanes == 0).unwrap_or(1);
    [all / lanes, lanes]
}

impl Parser<'_> {
    /// Completes the launch before the first function or kernel in C is read.
    pub(super) fn assume_launch(&mut self, tree: &mut Tree) {
        let grouped = tree.launch[GROUPS].is_some()
            || tree.launch[CLUSTERS].is_some()
            || tree.cluster.is_some();
        let sized = tree.launch[WAVES].is_some() || tree.launch[LANES].is_some();
        let written = tree.launch_span.line > 0;
        if written && sized || tree.assumed.is_some() || !tree.agents.is_empty() {
            return;
        }
        if self.launch_follows() {
            return;
        }
        let required = self.required_size(tree);
        let in_size = |sizes: [i64; 3]| sizes.iter().rposition(|&size| size > 1).unwrap_or(0);
        let used = self.dimensions_used().max(required.map_or(0, in_size));
        let used = used.max(self.groups.map_or(0, in_size));
        let sizes = required.unwrap_or(SIZES[used]);
        let all = sizes.iter().fold(1_i64, |all, &size| all.saturating_mul(size));
        let span = Span::default();
        let [waves, lanes] = sub_groups(all);
        (tree.launch[WAVES], tree.launch[LANES]) = (Some((waves, span)), Some((lanes, span)));
        let given = tree.launch[GROUPS].map_or(1, |(count, _)| count);
        let mut groups = self.groups.unwrap_or([given, 1, 1]);
        if !grouped {
            groups[..=used].fill(EACH);
            tree.launch[GROUPS] = Some((groups.iter().product(), span));
            self.groups = (used > 0).then_some(groups);
        }
        if used > 0 {
            self.sizes = Some(sizes);
            self.dimensions = self.dimensions.max(used as i64 + 1);
        }
        tree.assumed = Some(Assumed {
            groups,
            several: !grouped,
            sizes,
            size: required.is_none(),
            dimensions: used + 1,
        });
    }

    /// The size of a work-group that the kernel requires, if that is known.
    fn required_size(&self, tree: &Tree) -> Option<[i64; 3]> {
        if let Some((all, _)) = tree.required {
            return Some(self.sizes.filter(|_| self.shapes_group()).unwrap_or([all, 1, 1]));
        }
        let word = |at: usize| self.text_of(at).unwrap_or_default();
        let at = self.ahead().find(|&at| super::c::is_size_attribute(word(at)))?;
        let size = |at: usize| lexer::number(word(at)).flatten().and_then(|n| n.try_into().ok());
        let sizes = [size(at + 2)?, size(at + 4)?, size(at + 6)?];
        sizes.iter().all(|&size: &i64| size > 0).then_some(sizes)
    }

    /// The last dimension that the rest of the text uses.
    fn dimensions_used(&self) -> usize {
        let word = |at: usize| self.text_of(at).unwrap_or_default();
        let has_dimension = |name: &str| {
            FUNCTIONS.iter().any(|(known, dimension, _)| *known == name && dimension.is_some())
        };
        let of = |at: usize| match word(at + 2) {
            "1" if word(at + 1) == "(" && has_dimension(word(at)) => 1,
            "2" if word(at + 1) == "(" && has_dimension(word(at)) => 2,
            _ => 0,
        };
        self.ahead().map(of).max().unwrap_or(0)
    }

    /// The tokens from here to the end of the text.
    fn ahead(&self) -> impl Iterator<Item = usize> + '_ {
        (0..).take_while(|&at| self.peek(at).is_some())
    }

    /// Whether a later line of the text gives the launch.
    fn launch_follows(&self) -> bool {
        let word = |at: usize| self.text_of(at).unwrap_or_default();
        self.ahead().any(|at| {
            word(at) == "launch"
                && word(at + 2) == "="
                && KEYS.iter().any(|(key, _)| *key == word(at + 1))
        })
    }
}
