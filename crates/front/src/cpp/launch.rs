//! Launches in the code of the host: `kernel<<<grid, block>>>(arguments)` with constants.

use super::lexer::Kind;
use super::symbol::{Is, Scope, Symbol};
use super::types::INT;
use super::unit::{Body, Unit};
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

/// The sizes and constant arguments that the host gives a kernel in its launches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HostLaunch {
    /// The kernel.
    pub(crate) kernel: String,
    /// The line of the first launch.
    pub(crate) line: u32,
    /// The numbers of workgroups, if they are constant.
    pub(crate) groups: Option<[u32; 3]>,
    /// The numbers of threads of a workgroup, if they are constant.
    pub(crate) threads: Option<[u32; 3]>,
    /// Whether launches of the kernel have different workgroup sizes.
    pub(crate) several: bool,
    /// The parameters that are constant integers, with their values.
    pub(crate) arguments: Vec<(String, i64)>,
}

impl HostLaunch {
    /// Keeps the arguments that another launch of the kernel has in common, and the sizes of the launch with the larger
    /// workgroups.
    fn common(&mut self, other: &Self) {
        let size =
            |one: &Self| one.threads.map(|sizes| sizes.map(u64::from).iter().product::<u64>());
        self.several |= self.threads != other.threads;
        if self.threads == other.threads {
            self.groups = self.groups.filter(|_| self.groups == other.groups);
        } else if size(other) > size(self) {
            (self.groups, self.threads, self.line) = (other.groups, other.threads, other.line);
        }
        self.arguments.retain(|one| other.arguments.contains(one));
    }
}

impl Unit {
    /// The launches of each kernel.
    pub(super) fn host_launches(&mut self) -> Vec<HostLaunch> {
        let body = core::mem::take(&mut self.body);
        let rest = self.scopes.split_off(1);
        self.dry += 1;
        let mut all: Vec<HostLaunch> = Vec::new();
        for at in self.own..self.tokens.len() {
            let Some(one) = self.host_launch(at) else { continue };
            match all.iter_mut().find(|known| known.kernel == one.kernel) {
                Some(known) => known.common(&one),
                None => all.push(one),
            }
        }
        self.dry -= 1;
        self.scopes.truncate(1);
        self.scopes.extend(rest);
        self.body = body;
        all
    }

    fn marks(&self, at: usize, mark: &str) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is(mark))
    }

    /// The launch whose `<<<` is at a position.
    fn host_launch(&mut self, at: usize) -> Option<HostLaunch> {
        let begins = self.marks(at, "<<") && self.marks(at + 1, "<") && self.tokens[at + 1].glued;
        if !begins {
            return None;
        }
        let kernel = self.launched_kernel(at)?;
        let (sizes, end) = self.separated(at + 2, &[">", ">>"])?;
        let open = (end..end + 4).find(|at| self.marks(*at, "("))?;
        let (values, _) = self.separated(open + 1, &[")"])?;
        self.scopes.truncate(1);
        let values_there = self.host_constants(at, false);
        self.scopes.push(values_there);
        let line = self.in_text(self.tokens[at].at).line;
        let mut size = |number: usize| self.size(*sizes.get(number)?);
        let (groups, threads) = (size(0), size(1));
        self.scopes.truncate(1);
        let constants = self.host_constants(at, true);
        self.scopes.push(constants);
        let function = self.functions.iter().find(|one| one.kernel && one.linked == kernel);
        let parameters = function.map(|one| one.parameters.clone()).unwrap_or_default();
        let mut arguments = Vec::new();
        for (parameter, value) in parameters.iter().zip(values) {
            let name = parameter.name.as_ref().filter(|_| parameter.of.is_integer());
            if let (Some(name), Some(value)) = (name, self.number_at(value)) {
                arguments.push((String::from(&**name), value));
            }
        }
        let kernel = String::from(&*kernel);
        Some(HostLaunch { kernel, line, groups, threads, several: false, arguments })
    }

    /// The name before `<<<`, without the arguments of a template.
    fn launched_kernel(&self, at: usize) -> Option<Rc<str>> {
        let mut name = at.checked_sub(1)?;
        if self.marks(name, ">") {
            while !self.marks(name, "<") {
                name = name.checked_sub(1).filter(|name| at - name < 64)?;
            }
            name = name.checked_sub(1)?;
        }
        let token = self.tokens.get(name)?;
        (token.kind == Kind::Word).then(|| token.text.clone())
    }

    /// The start and the end of each expression between commas from a position to a closing mark, and the position of that
    /// mark.
    fn separated(&self, from: usize, close: &[&str]) -> Option<(Vec<(usize, usize)>, usize)> {
        let (mut at, mut start, mut all) = (from, from, Vec::new());
        loop {
            let token = self.tokens.get(at).filter(|token| token.kind != Kind::End)?;
            let closes = close.iter().any(|mark| token.is(mark));
            if closes || token.is(",") {
                all.push((start, at));
                start = at + 1;
            }
            if closes {
                return Some((all, at));
            }
            if token.is(";") || token.is("}") {
                return None;
            }
            at = self.partners.get(at).filter(|partner| **partner > at).map_or(at, |end| *end) + 1;
        }
    }

    /// The sizes of `dim3(8, 8)`, `{8, 8}`, a number, or a variable with such a value.
    fn size(&mut self, (start, end): (usize, usize)) -> Option<[u32; 3]> {
        let open = start + usize::from(self.marks(start, "dim3"));
        let list = self.marks(open, "(") && open > start || self.marks(open, "{");
        let parts = match list {
            true if self.partner(open) + 1 == end => self.separated(open + 1, &[")", "}"])?.0,
            true => return None,
            false => match self.dimensions_of(start, end) {
                Some(parts) => parts,
                None => alloc::vec![(start, end)],
            },
        };
        let mut sizes = [1; 3];
        for (size, part) in sizes.iter_mut().zip(parts) {
            *size = u32::try_from(self.number_at(part)?).ok().filter(|size| *size > 0)?;
        }
        Some(sizes)
    }

    /// The expressions for the values of a `dim3` variable at a launch, if the range is its name.
    fn dimensions_of(&self, start: usize, end: usize) -> Option<Vec<(usize, usize)>> {
        let name = self.tokens.get(start).filter(|_| start + 1 == end)?;
        let named = |at: usize| self.tokens[at].is(&name.text);
        let region = self.host_function(start)?..start;
        let uses: Vec<usize> = region.filter(|at| named(*at)).collect();
        if !self.marks(uses.first()?.checked_sub(1)?, "dim3") {
            return None;
        }
        // A member may be assigned later.
        if uses
            .iter()
            .any(|at| self.marks(at + 1, ".") && self.marks(at + 3, "=") || self.is_taken(*at))
        {
            return None;
        }
        let given = |at: &&usize| self.marks(*at - 1, "dim3") || self.marks(*at + 1, "=");
        let last = *uses.iter().rev().find(given)?;
        if !self.is_always_before(last, start) {
            return None;
        }
        let mut open = last + 1;
        open += usize::from(self.marks(open, "="));
        open += usize::from(self.marks(open, "dim3"));
        if self.marks(open, "(") || self.marks(open, "{") {
            return Some(self.separated(open + 1, &[")", "}"])?.0);
        }
        let value = self.marks(last + 1, "=").then_some(open)?;
        let end = (value..start).find(|end| self.marks(*end, ";"))?;
        Some(alloc::vec![(value, end)])
    }

    /// Whether the block that contains an earlier position also contains a later one.
    fn is_always_before(&self, at: usize, later: usize) -> bool {
        let around = (self.own..at).rev().find(|open| {
            (self.marks(*open, "{") || self.marks(*open, "(")) && self.partner(*open) > at
        });
        let Some(open) = around else { return true };
        // The initialisation of a `for` loop is before its body.
        let begins =
            self.marks(open, "(") && open.checked_sub(1).is_some_and(|at| self.marks(at, "for"));
        begins || self.partner(open) > later
    }

    /// Whether the address of a name is taken, or a stream reads into it.
    fn is_taken(&self, at: usize) -> bool {
        let before = at.saturating_sub(1);
        ["&", ">", ">>", "++", "--"].iter().any(|mark| self.marks(before, mark))
    }

    /// The start of the body of the host function that contains a position.
    fn host_function(&self, at: usize) -> Option<usize> {
        (self.own..at).find(|open| {
            let before = open.checked_sub(1).is_some_and(|before| {
                self.marks(before, ")")
                    || self.marks(before, "const")
                    || self.marks(before, "noexcept")
            });
            self.marks(*open, "{") && before && self.partner(*open) > at
        })
    }

    /// Integers of the host function whose values at a launch are known. With `only`, they must have one value in the whole
    /// function.
    fn host_constants(&mut self, launch: usize, only: bool) -> Scope {
        let mut scope = Scope::new();
        let Some(start) = self.host_function(launch) else { return scope };
        for at in start..launch {
            let typed = ["int", "unsigned", "size_t", "auto", "long"];
            let assigned = ["+=", "-=", "*=", "/=", "++", "--", "<<=", ">>=", "%="];
            if self.tokens[at].kind != Kind::Word {
                continue;
            }
            let name = self.tokens[at].text.clone();
            let gives = self.marks(at + 1, "=");
            let declares = gives && typed.iter().any(|of| self.marks(at - 1, of));
            let writes = |at: usize| {
                assigned.iter().any(|mark| self.marks(at + 1, mark)) || self.is_taken(at)
            };
            if !declares {
                let (assigns, changes) =
                    (gives && !only && self.is_always_before(at, launch), gives || writes(at));
                if !changes || !scope.contains_key(&name) {
                    continue;
                }
                if !assigns || writes(at) {
                    scope.remove(&name);
                    continue;
                }
            }
            let others = (start..self.partner(start)).filter(|other| *other != at);
            let mut others = others.filter(|other| self.tokens[*other].is(&name));
            if only && others.any(|other| self.marks(other + 1, "=") || writes(other)) {
                continue;
            }
            let end = (at..launch).find(|end| self.marks(*end, ";") || self.marks(*end, ","));
            let Some(end) = end else { continue };
            self.scopes.truncate(1);
            self.scopes.push(scope.clone());
            match self.number_at((at + 2, end)) {
                Some(value) => scope.insert(name, Symbol::Value(Self::integer(value, INT))),
                None => scope.remove(&name),
            };
        }
        scope
    }

    /// The value of a constant expression.
    fn number_at(&mut self, (start, end): (usize, usize)) -> Option<i64> {
        let found = self.elsewhere(start, |unit| {
            // `>>` ends the list.
            let value = unit.binary(9)?;
            let value = unit.rvalue(value);
            Ok((value, unit.at))
        });
        // Discards the code that the expression has written: it is not part of a kernel.
        self.body = Body::default();
        match found.ok()? {
            (value, at) if at == end && value.of.is_integer() => match value.is {
                Is::Int(number) => Some(number),
                _ => None,
            },
            _ => None,
        }
    }
}
