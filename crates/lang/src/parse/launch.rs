//! The launch: from the caller, the line `launch`, or the requirement of the kernel, in this order.

use super::cursor::{Parsed, Parser};
use crate::diagnostic::{Diagnostic, Span, Suggestion};
use crate::launching::{Launching, Parameter, Sizes};
use crate::lexer;
use crate::suggest;
use crate::tree::{Name, Tree};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Places of the counts of a launch in [`crate::tree::LaunchKeys`].
pub(super) const CLUSTERS: usize = 0;
pub(super) const GROUPS: usize = 1;
pub(super) const WAVES: usize = 2;
pub(super) const LANES: usize = 3;
/// The place of a count that is stored elsewhere: workgroups of a cluster.
const CLUSTER: usize = 4;

/// Keys of `launch`, with the index of each among clusters, workgroups, waves and lanes.
pub(super) const KEYS: [(&str, usize); 11] = [
    ("clusters", CLUSTERS),
    ("cluster", CLUSTER),
    ("workgroups", GROUPS),
    ("ctas", GROUPS),
    ("groups", GROUPS),
    ("waves", WAVES),
    ("warps", WAVES),
    ("subgroups", WAVES),
    ("lanes", LANES),
    ("threads", LANES),
    ("items", LANES),
];

/// The sizes of a launch in several dimensions, by place.
type Shapes = Vec<(usize, [i64; 3])>;

impl Parser<'_> {
    /// Applies the launch of the caller before the text is parsed.
    pub(super) fn begin_launch(&mut self, tree: &mut Tree) {
        if !self.launching.launches() {
            return;
        }
        let span = Span { line: 1, column: 1, ..Span::default() };
        tree.launch_span = span;
        let launching = &self.launching;
        let count = |sizes: Option<Sizes>| sizes.map(|sizes| (sizes.all(), span));
        tree.launch[GROUPS] = count(launching.groups);
        tree.launch[WAVES] = launching.waves.map(|waves| (i64::from(waves), span));
        tree.launch[LANES] = count(launching.threads);
        tree.cluster = count(launching.cluster);
        let _ = self.take_shapes(&Shapes::new(), tree, span);
    }

    /// The keys of a line `launch`.
    pub(super) fn launch_line(&mut self, tree: &mut Tree, span: Span) -> Parsed<()> {
        self.launch_written = true;
        tree.launch_span = span;
        let (mut shapes, mut seen) = (Shapes::new(), [false; 5]);
        while !self.at_end() {
            self.launch_key(tree, &mut shapes, &mut seen)?;
        }
        self.take_shapes(&shapes, tree, span)
    }

    fn launch_key(
        &mut self,
        tree: &mut Tree,
        shapes: &mut Shapes,
        seen: &mut [bool; 5],
    ) -> Parsed<()> {
        let key = self.name("a key such as `waves=2`")?;
        let Some(&(_, place)) = KEYS.iter().find(|(name, _)| *name == key.text) else {
            let suggestion = suggest::instead(&key.text, KEYS.map(|(name, _)| name));
            return self.suggest(
                "unknown-key",
                key.span,
                format!("unknown key `{}` of `launch`", key.text),
                suggestion,
            );
        };
        self.expect("=")?;
        let span = self.here();
        let word = self.word();
        let shape = Sizes::parse(word).filter(|sizes| sizes.dimensions > 1);
        let shape = shape.filter(|_| matches!(place, GROUPS | LANES | CLUSTER));
        let count = match shape {
            Some(sizes) => {
                self.advance();
                sizes.all()
            }
            None => self.count(tree)?,
        };
        if core::mem::replace(&mut seen[place], true) {
            return self.error("duplicate-key", key.span, format!("`{}` is given twice", key.text));
        }
        let decided = match place {
            CLUSTERS | CLUSTER => self.launching.cluster.is_some(),
            GROUPS => self.launching.groups.is_some(),
            _ => self.launching.sizes_group(),
        };
        if decided {
            return Ok(());
        }
        if let Some(sizes) = shape.filter(|_| place != CLUSTER) {
            self.dimensions = self.dimensions.max(i64::from(sizes.dimensions));
            shapes.push((place, sizes.each.map(i64::from)));
        }
        match tree.launch.get_mut(place) {
            Some(known) => *known = Some((count, span)),
            None => tree.cluster = Some((count, span)),
        }
        Ok(())
    }

    /// `argument n=16`, or `argument 2=16` for the third parameter; the value of the caller has precedence.
    pub(super) fn argument_line(&mut self) -> Parsed<()> {
        let start = self.here();
        while !self.at_end() {
            self.advance();
        }
        let span = self.since(start);
        self.precedes_kernels(span)?;
        let mut written = Launching::default();
        if let Err(wrong) = written.add_argument(lexer::slice(self.text, span)) {
            let suggestion = Suggestion { message: wrong.help, replacement: None };
            return self.suggest("expected-argument", span, wrong.message, Some(suggestion));
        }
        // The first value counts.
        self.launching.arguments.append(&mut written.arguments);
        Ok(())
    }

    /// Reports a choice after its kernel.
    pub(super) fn precedes_kernels(&mut self, span: Span) -> Parsed<()> {
        match self.kernels.is_empty() {
            true => Ok(()),
            false => self.error("launch-order", span, "this line must precede the kernel"),
        }
    }

    /// Stores the numbers of work-groups and work-items of the launch in each dimension.
    fn take_shapes(&mut self, written: &Shapes, tree: &mut Tree, span: Span) -> Parsed<()> {
        let mut shapes = written.clone();
        for (place, sizes) in [(GROUPS, self.launching.groups), (LANES, self.launching.threads)] {
            if let Some(sizes) = sizes.filter(|sizes| sizes.dimensions > 1) {
                self.dimensions = self.dimensions.max(i64::from(sizes.dimensions));
                shapes.push((place, sizes.each.map(i64::from)));
            }
        }
        if shapes.is_empty() {
            return Ok(());
        }
        let of = |place| shapes.iter().find(|(known, _)| *known == place).map(|(_, sizes)| *sizes);
        let count = |place: usize| tree.launch[place].map_or(1, |(count, _)| count);
        if !tree.agents.is_empty() {
            let message = "a launch with several dimensions must precede the kernel";
            return self.error("launch-order", span, message);
        }
        if of(LANES).is_some() && tree.launch[WAVES].is_some() {
            let message = "`items` with several dimensions gives the size of a work-group: remove `subgroups`, or write the items of one sub-group as one number";
            return self.error("launch-shape", span, message);
        }
        self.groups = Some(of(GROUPS).unwrap_or([count(GROUPS), 1, 1]));
        self.sizes = Some(of(LANES).unwrap_or([count(WAVES).saturating_mul(count(LANES)), 1, 1]));
        Ok(())
    }

    /// Whether the launch so far gives the work-group several dimensions.
    pub(super) fn shapes_group(&self) -> bool {
        self.sizes.is_some_and(|[_, y, z]| y.saturating_mul(z) > 1)
    }

    /// Whether the launch so far has work-groups of that many work-items, or no size.
    pub(super) fn fits_launch(&self, tree: &Tree, all: Option<i64>) -> bool {
        let counts = [tree.launch[WAVES], tree.launch[LANES]].map(|one| one.map(|(n, _)| n));
        let open = counts == [None; 2];
        let launched = counts.iter().flatten().fold(1_i64, |all, &n| all.saturating_mul(n));
        !self.shapes_group() && (open || Some(launched) == all)
    }

    /// Records a kernel of the text; returns whether the caller has chosen another.
    pub(super) fn passes_over(&mut self, name: &Name) -> bool {
        self.kernels.push(name.clone());
        self.launching.entry.as_ref().is_some_and(|entry| *entry != name.text)
    }

    /// Skips the tokens before the body of a kernel, and the body.
    pub(super) fn skip_kernel(&mut self) {
        while self.peek(0).is_some() && !matches!(self.word(), "{" | ";") {
            self.advance();
        }
        let mut depth = 0_u32;
        while self.peek(0).is_some() {
            match self.word() {
                "{" => depth += 1,
                "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.advance();
            if depth == 0 {
                return;
            }
        }
    }

    /// Reports choices of the caller that do not match the text.
    pub(super) fn check_launching(&mut self) {
        let launching = core::mem::take(&mut self.launching);
        let kernels = || self.kernels.iter().map(|kernel| kernel.text.as_str());
        if let Some(entry) = &launching.entry
            && kernels().all(|kernel| kernel != entry)
        {
            let suggestion =
                suggest::instead(entry, kernels()).or_else(|| suggest::listed(kernels()));
            return self.reports_choice(
                "unknown-entry",
                format!("the text has no kernel `{entry}`"),
                suggestion,
            );
        }
        for (parameter, value) in &launching.arguments {
            let known = |wanted: bool| {
                let all = self.parameters.iter().filter(move |(_, number)| !wanted || *number);
                all.map(|(name, _)| name.as_str())
            };
            let (is_known, is_number, name) = match parameter {
                Parameter::Name(name) => {
                    let is = |all: &str| all == name;
                    (known(false).any(is), known(true).any(is), format!("`{name}`"))
                }
                Parameter::Position(at) => {
                    let one = self.parameters.get(*at);
                    (one.is_some(), one.is_some_and(|one| one.1), format!("at position {at}"))
                }
            };
            if is_number {
                continue;
            }
            let near = match parameter {
                Parameter::Name(name) if !is_known => suggest::instead(name, known(true)),
                _ => None,
            };
            let suggestion = near.or_else(|| suggest::listed(known(true)));
            let message = match is_known {
                true => format!(
                    "the kernel's parameter {name} is not a whole number: it cannot be {value}"
                ),
                false => format!("the kernel has no parameter {name}"),
            };
            self.reports_choice("unknown-argument", message, suggestion);
        }
    }

    fn reports_choice(
        &mut self,
        code: &'static str,
        message: String,
        suggestion: Option<Suggestion>,
    ) {
        let suggestion = suggestion.map(|found| Suggestion { replacement: None, ..found });
        self.push(Diagnostic { suggestion, ..Diagnostic::error(code, Span::default(), message) });
    }

    /// The value that the caller passes for a parameter, converted to its type.
    pub(super) fn value_passed(
        &mut self,
        name: &Name,
        position: Option<usize>,
        (least, most): (i64, i64),
    ) -> Option<i64> {
        let value = self.launching.value(&name.text, position)?;
        // A PTX parameter has no signedness.
        let wraps = least < 0 && (most + 1..=most.saturating_mul(2) + 1).contains(&value);
        let fits = (least..=most).contains(&value) || most >= crate::limits::MOST_TRIED;
        match (fits, wraps) {
            (true, _) => Some(value),
            (_, true) => Some(value - 2 * (most + 1)),
            _ => {
                let message = format!(
                    "parameter `{}` cannot be {value}: its type holds {least} to {most}",
                    name.text
                );
                self.reports_choice("argument-range", message, None);
                None
            }
        }
    }
}
