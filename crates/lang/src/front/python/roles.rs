//! The agents of a kernel: its tasks, and the warps that count at named barriers.

use super::lower::Lowering;
use super::parse::Parsed;
use super::tree::{Does, Expression, Function, Kind, Statement, visit};
use super::value::Value;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_kernel::ir::{Kind as Operation, Nvidia, NvidiaKind, Operand};
use tidegate_model::ptx::action::{Bar, Spelling};

/// Numbers of named barriers.
const BARS: i64 = 16;
/// Most warps of a kernel.
const MOST_WARPS: i64 = 64;

/// What an agent does at a place of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Active {
    /// Nothing: another task executes it.
    Off,
    /// Everything.
    All,
    /// Named barriers.
    Counted,
}

/// An agent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Role {
    /// Where the task is in the text; `None` for the default task.
    pub(super) task: Option<u32>,
    pub(super) replica: i64,
    pub(super) replicas: i64,
    /// Warps of the task, and which one it is.
    pub(super) warps: i64,
    pub(super) warp: i64,
    /// Whether the task has an agent for each of its warps.
    pub(super) counts: bool,
}

impl Role {
    /// What it does outside of tasks.
    pub(super) const fn outside(&self) -> Active {
        if self.task.is_some() { Active::Off } else { self.inside() }
    }

    const fn inside(&self) -> Active {
        if self.warp == 0 { Active::All } else { Active::Counted }
    }
}

/// Numbers of barriers that the text does not name.
#[derive(Debug, Default)]
pub(super) struct Bars {
    named: Vec<i64>,
    /// The task and the replica of each number; the first one is that of all tasks.
    taken: Vec<(Option<(Option<u32>, i64)>, i64)>,
}

impl Bars {
    /// Those of a file.
    pub(super) fn of(functions: &[Function<'_>]) -> Self {
        let mut named = Vec::new();
        for function in functions {
            visit(&function.body, &mut |one| {
                let Kind::Call(of, passed) = &one.kind else { return };
                if is_named(of)
                    && let Some((_, Kind::Int(number))) =
                        passed.first().map(|(name, value)| (name, &value.kind))
                {
                    named.push(*number);
                }
            });
        }
        Self { named, taken: Vec::new() }
    }

    pub(super) fn is_taken(&self, number: i64) -> bool {
        self.taken.iter().any(|(_, taken)| *taken == number)
    }

    fn number(&mut self, of: Option<(Option<u32>, i64)>) -> Option<i64> {
        if let Some((_, number)) = self.taken.iter().find(|(known, _)| *known == of) {
            return Some(*number);
        }
        let free = |number: &i64| !self.named.contains(number) && !self.is_taken(*number);
        let number = (0..BARS).rev().find(free)?;
        self.taken.push((of, number));
        Some(number)
    }
}

fn is_named(callee: &Expression<'_>) -> bool {
    matches!(callee.kind, Kind::Attribute(_, name) if name.starts_with("named_barrier_"))
}

/// Whether statements, or functions that they may call, use named barriers.
fn counts(functions: &[Function<'_>], body: &[Statement<'_>]) -> bool {
    let (mut found, mut calls) = (false, false);
    visit(body, &mut |one| match &one.kind {
        Kind::Call(of, _) => {
            found |= is_named(of);
            calls |= matches!(of.kind, Kind::Name(_));
        }
        _ => {}
    });
    let inside = |function: &Function<'_>| {
        let mut found = false;
        visit(&function.body, &mut |one| {
            found |= matches!(&one.kind, Kind::Call(of, _) if is_named(of))
        });
        let tasks = function.body.iter().any(|one| matches!(one.kind, Does::With(..)));
        found && !tasks
    };
    found || calls && functions.iter().any(inside)
}

impl<'a, 't> Lowering<'a, 't> {
    /// The agents of the default task, outside of tasks and within.
    pub(super) fn default_roles(&mut self, kernel: &'a Function<'t>, warps: i64) -> Vec<Role> {
        let tasks = tasks(&kernel.body);
        let is_default = |task: &&Task<'a, 't>| task.default;
        let own =
            tasks.iter().find(is_default).is_some_and(|task| counts(self.functions, task.body));
        let outside = tasks.is_empty() && counts(self.functions, &kernel.body);
        let counts = own || outside;
        let role = Role { replicas: 1, warps, counts, ..Role::default() };
        let all = if counts { warps } else { 1 };
        (0..all).map(|warp| Role { warp, ..role.clone() }).collect()
    }

    pub(super) fn with(
        &mut self,
        context: &'a Expression<'t>,
        body: &'a [Statement<'t>],
    ) -> Parsed<()> {
        match called(context) {
            Some("async_tasks") => self.tasks(body),
            // Hints to the compiler.
            Some("warp_pipeline_stage" | "region" | "scope") => self.body(body),
            _ => Err((context.place, String::from("expected `tlx.async_tasks()` after `with`"))),
        }
    }

    fn tasks(&mut self, body: &'a [Statement<'t>]) -> Parsed<()> {
        let mut found = Vec::new();
        for statement in body {
            match &statement.kind {
                Does::With(context, body) if called(context) == Some("async_task") => {
                    found.push(self.task(context, body)?);
                }
                Does::Pass => {}
                _ => {
                    return Err((
                        statement.place,
                        String::from("expected `with tlx.async_task(…):`"),
                    ));
                }
            }
        }
        for (role, _) in &found {
            if role.task.is_some() && !self.roles.iter().any(|known| known.task == role.task) {
                let each = if role.counts { role.warps } else { 1 };
                for replica in 0..role.replicas {
                    self.roles.extend((0..each).map(|warp| Role { replica, warp, ..role.clone() }));
                }
            }
        }
        self.gather();
        let outside = self.active;
        for (role, body) in found {
            if role.task != self.role.task {
                continue;
            }
            self.active = self.role.inside();
            let variables = self.frame().variables.clone();
            self.body(body)?;
            self.frame().variables = variables;
            self.active = outside;
        }
        self.gather();
        Ok(())
    }

    /// A task, as its first agent.
    fn task(
        &mut self,
        context: &'a Expression<'t>,
        body: &'a [Statement<'t>],
    ) -> Parsed<(Role, &'a [Statement<'t>])> {
        let Kind::Call(_, passed) = &context.kind else {
            return Err((context.place, String::from("expected a call")));
        };
        let mut role = Role { replicas: 1, warps: self.role.warps, ..Role::default() };
        let mut default = false;
        for (keyword, value) in passed {
            let value = self.evaluate(value)?;
            match keyword {
                None if value == Value::Text(String::from("default")) => default = true,
                Some("num_warps") => {
                    role.warps = self.size(&value, context.place, "`num_warps`")?
                }
                Some("replicate") => {
                    role.replicas = self.size(&value, context.place, "`replicate`")?
                }
                _ => {}
            }
        }
        if !(1..=32).contains(&role.warps)
            || !(1..=32).contains(&role.replicas)
            || role.warps * role.replicas > MOST_WARPS
        {
            return Err((
                context.place,
                String::from("a task has 1 to 32 warps and 1 to 32 replicas"),
            ));
        }
        role.task = (!default).then_some(context.place.start);
        role.counts = counts(self.functions, body);
        Ok((role, body))
    }

    pub(super) fn nvidia(&mut self, kind: NvidiaKind, operands: Vec<Operand>, spelling: Spelling) {
        let results = Vec::new();
        self.builder.push(Operation::Nvidia(Nvidia { kind, operands, results, spelling }));
    }

    fn bar(&mut self, number: i64, threads: i64) {
        let kind = NvidiaKind::Bar { kind: Bar::Sync, reduce: None, aligned: false };
        let operands = alloc::vec![Operand::Int(number as u64), Operand::Int(threads as u64)];
        self.nvidia(kind, operands, Spelling::Ptx(0));
    }

    /// All agents wait for each other: before tasks start, and after they end.
    fn gather(&mut self) {
        match self.bars.number(None) {
            Some(number) => self.bar(number, 0),
            None => self.unknown(String::from(
                "the kernel uses all named barriers, and its tasks start at one more",
            )),
        }
    }

    /// The warps of the task wait for each other, before one of its named barriers.
    pub(super) fn together(&mut self) {
        if self.role.warps < 2 || !self.role.counts {
            return;
        }
        let key = (self.role.task, self.role.replica);
        match self.bars.number(Some(key)) {
            Some(number) => self.bar(number, 32 * self.role.warps),
            None => self.unknown(String::from(
                "the kernel uses all named barriers, and its warps wait for each other at one more",
            )),
        }
    }

    pub(super) fn named_barrier(&mut self, kind: Bar, id: &Value, threads: &Value) {
        if self.active == Active::Off {
            return;
        }
        if !self.role.counts {
            return self.unknown(String::from(
                "a named barrier in a function that is called here is not modelled",
            ));
        }
        if id.int().is_none_or(|id| self.bars.is_taken(id)) {
            return self.unknown(format!("the number of this named barrier is not known, or one that the kernel needs elsewhere"));
        }
        self.together();
        let operands = alloc::vec![self.operand(id), self.operand(threads)];
        let kind = NvidiaKind::Bar { kind, reduce: None, aligned: false };
        self.nvidia(kind, operands, Spelling::TlxNamed);
    }
}

/// A task in the text.
struct Task<'a, 't> {
    default: bool,
    body: &'a [Statement<'t>],
}

fn called<'t>(one: &Expression<'t>) -> Option<&'t str> {
    match &one.kind {
        Kind::Call(of, _) => match &of.kind {
            Kind::Attribute(_, name) | Kind::Name(name) => Some(name),
            _ => None,
        },
        _ => None,
    }
}

/// The tasks in statements.
fn tasks<'a, 't>(body: &'a [Statement<'t>]) -> Vec<Task<'a, 't>> {
    let mut found = Vec::new();
    for statement in body {
        match &statement.kind {
            Does::With(context, body) => {
                if called(context) == Some("async_task") {
                    let default = match &context.kind {
                        Kind::Call(_, passed) => {
                            passed.iter().any(|(_, one)| matches!(one.kind, Kind::Text("default")))
                        }
                        _ => false,
                    };
                    found.push(Task { default, body });
                }
                found.extend(tasks(body));
            }
            Does::For(_, _, body) | Does::While(_, body) => found.extend(tasks(body)),
            Does::If(_, then, other) => {
                found.extend(tasks(then));
                found.extend(tasks(other));
            }
            _ => {}
        }
    }
    found
}
