//! Facts about control-flow graphs: reconvergence, loops, live registers.

use crate::ir::{
    Block, BlockId, Edge, End, Function, Guard, Instruction, Kind, Meetings, Module, NvidiaKind,
    Operand, Reg,
};
use alloc::vec::Vec;
use tidegate_model::mem::operation::{Memory, Scope};

/// Facts about the blocks of a function.
#[derive(Debug)]
pub(crate) struct Flow {
    /// For each block, its nearest post-dominator.
    pub(crate) after: Vec<Option<BlockId>>,
    /// For each block, its nearest post-dominator on the paths that do not end early, such as by a `return` in a branch. Lanes
    /// that diverge at the block reconverge there.
    pub(crate) joins: Vec<Option<BlockId>>,
    /// For each block, the block in which its lanes end, if they only compute until then.
    pub(crate) lasts: Vec<Option<BlockId>>,
    /// Whether a block is the target of a back edge.
    pub(crate) header: Vec<bool>,
    /// For each block, the registers that are read before they are written.
    pub(crate) live: Vec<Vec<u64>>,
    /// Whether a block may synchronise, or call something that may. Waits for counters are in `waits`.
    pub(crate) synchronises: Vec<bool>,
    /// Whether a block waits for counters.
    pub(crate) waits: Vec<bool>,
}

/// The edges of a jump or a branch at the end of a block.
pub(crate) fn edges(end: &End) -> Vec<&Edge> {
    match end {
        End::Jump(edge) => alloc::vec![edge],
        End::Branch { then, other, .. } => alloc::vec![then, other],
        End::Switch { .. } | End::Return(_) | End::Exit | End::Unreachable | End::Unknown(_) => {
            Vec::new()
        }
    }
}

impl Flow {
    /// Analyses a function; `synchronises` says which functions may synchronise.
    pub(crate) fn of(function: &Function, synchronises: &[bool]) -> Self {
        let next: Vec<Vec<BlockId>> = function
            .blocks
            .iter()
            .map(|block| edges(&block.end).into_iter().map(|edge| edge.to).collect())
            .collect();
        let order = reverse_postorder(&next);
        let synchronises = |block: &Block| {
            let unknown = matches!(block.end, End::Unknown(_));
            let mut others = block.instructions.iter().filter(|one| !is_wait(one));
            unknown || others.any(|one| is_sync(one, synchronises))
        };
        let synchronises: Vec<bool> = function.blocks.iter().map(synchronises).collect();
        let computes = |block: &Block| block.instructions.iter().all(|one| one.kind.computes());
        let computes: Vec<bool> = function.blocks.iter().map(computes).collect();
        let mut ways_to = alloc::vec![0_u32; next.len()];
        next.iter().flatten().for_each(|&to| ways_to[to as usize] += 1);
        // Lanes that reconverge before they end perform accesses together.
        let passes = |at: usize| computes[at] || !synchronises[at] && ways_to[at] == 1;
        let passes: Vec<bool> = (0..next.len()).map(passes).collect();
        let Meetings { joins, lasts } = function.meetings.clone().unwrap_or_else(|| Meetings {
            joins: post_dominators(&without_early_ends(&next, &lasts(&next, &passes))),
            lasts: lasts(&next, &computes),
        });
        Self {
            after: post_dominators(&next),
            joins,
            lasts,
            header: headers(&next, &order),
            live: live(function, &order),
            synchronises,
            waits: function
                .blocks
                .iter()
                .map(|block| block.instructions.iter().any(is_wait))
                .collect(),
        }
    }

    /// Whether the function may synchronise.
    pub(crate) fn may_synchronise(&self) -> bool {
        self.synchronises.contains(&true) || self.waits.contains(&true)
    }

    /// The blocks that are reachable from some blocks without passing `until`.
    pub(crate) fn region(
        &self,
        function: &Function,
        from: &[BlockId],
        until: Option<BlockId>,
    ) -> Vec<BlockId> {
        let mut seen = alloc::vec![false; function.blocks.len()];
        let (mut open, mut found) = (Vec::from(from), Vec::new());
        while let Some(block) = open.pop() {
            if Some(block) == until || core::mem::replace(&mut seen[block as usize], true) {
                continue;
            }
            found.push(block);
            open.extend(edges(&function.blocks[block as usize].end).iter().map(|edge| edge.to));
        }
        found
    }
}

impl Flow {
    /// Whether a value that instructions of some blocks load may decide a branch of these blocks. In machine code, such a load
    /// may be atomic.
    pub(crate) fn is_decided_by_loads(function: &Function, region: &[BlockId]) -> bool {
        let mut loaded = Set(alloc::vec![0; function.widths.len().div_ceil(64)]);
        let blocks = || region.iter().map(|&block| &function.blocks[block as usize]);
        let mut changed = true;
        while changed {
            let before = loaded.0.clone();
            for block in blocks() {
                for instruction in &block.instructions {
                    let is_source = matches!(
                        &instruction.kind,
                        Kind::Access(_) | Kind::Opaque { .. } | Kind::Call { .. }
                    );
                    if is_source || reads(instruction).into_iter().any(|one| loaded.reads(one)) {
                        let written = writes(&instruction.kind);
                        written.into_iter().for_each(|to| loaded.read(Operand::Register(to)));
                    }
                }
                for (to, from) in edges(&block.end).into_iter().flat_map(|edge| &edge.moves) {
                    if loaded.reads(*from) {
                        loaded.read(Operand::Register(*to));
                    }
                }
            }
            changed = loaded.0 != before;
        }
        blocks().any(|block| match &block.end {
            End::Branch { on, .. } => loaded.reads(*on),
            _ => false,
        })
    }
}

/// Whether an instruction waits for counters.
const fn is_wait(instruction: &Instruction) -> bool {
    matches!(instruction.kind, Kind::Memory(Memory::Wait(_), _))
}

/// Whether an instruction may synchronise.
pub(crate) fn is_sync(instruction: &Instruction, functions: &[bool]) -> bool {
    match &instruction.kind {
        Kind::Nvidia(one)
            if matches!(
                one.kind,
                NvidiaKind::WarpSync { orders: false } | NvidiaKind::FenceProxy
            ) =>
        {
            false
        }
        Kind::Amdgpu(..) | Kind::Nvidia(_) | Kind::Opencl(_) | Kind::Unknown { .. } => true,
        Kind::Fence(_) | Kind::Memory(..) | Kind::Caches(_) | Kind::Outstanding => true,
        Kind::Call { function, .. } => functions.get(*function as usize).copied().unwrap_or(true),
        Kind::Access(access) => access.copies_to.is_some(),
        Kind::Compute { .. } | Kind::Opaque { .. } => false,
    }
}

/// Whether a thread may wait for others at an instruction, or in a function that it calls.
pub(crate) fn holds(instruction: &Instruction, functions: &[bool]) -> bool {
    match &instruction.kind {
        Kind::Nvidia(one) => matches!(
            one.kind,
            NvidiaKind::Wait { .. }
                | NvidiaKind::WaitWord { .. }
                | NvidiaKind::Bar { .. }
                | NvidiaKind::ClusterWait { .. }
                | NvidiaKind::WarpSync { .. }
        ),
        Kind::Call { function, .. } => functions.get(*function as usize).copied().unwrap_or(true),
        _ => false,
    }
}

/// Whether an instruction is an atomic access, or calls a function that has one.
pub(crate) fn is_atomic(instruction: &Instruction, functions: &[bool]) -> bool {
    match &instruction.kind {
        Kind::Access(access) => access.atomic.is_some() || access.perhaps_atomic,
        Kind::Call { function, .. } => functions.get(*function as usize).copied().unwrap_or(true),
        _ => false,
    }
}

/// Whether a module has an atomic access whose scope may not include all agents.
pub(crate) fn is_narrow(module: &Module) -> bool {
    let blocks = module.functions.iter().flat_map(|function| &function.blocks);
    let scope = |kind: &Kind| match kind {
        Kind::Access(access) => access.atomic,
        _ => None,
    };
    let mut scopes = blocks.flat_map(|block| &block.instructions).filter_map(|it| scope(&it.kind));
    scopes.any(|scope| scope < Scope::Agent)
}

pub(crate) fn reverse_postorder(next: &[Vec<BlockId>]) -> Vec<BlockId> {
    let mut seen = alloc::vec![false; next.len()];
    let (mut order, mut stack) = (Vec::new(), Vec::new());
    if !next.is_empty() {
        seen[0] = true;
        stack.push((0, 0));
    }
    while let Some((block, at)) = stack.pop() {
        match next[block as usize].get(at) {
            Some(&to) => {
                stack.push((block, at + 1));
                if !core::mem::replace(&mut seen[to as usize], true) {
                    stack.push((to, 0));
                }
            }
            None => order.push(block),
        }
    }
    order.reverse();
    order
}

/// For each block, whether it is the target of a back edge. `order` is the reverse postorder.
pub(crate) fn headers(next: &[Vec<BlockId>], order: &[BlockId]) -> Vec<bool> {
    let mut place = alloc::vec![usize::MAX; next.len()];
    order.iter().enumerate().for_each(|(at, &block)| place[block as usize] = at);
    let mut header = alloc::vec![false; next.len()];
    for &block in order {
        for &to in &next[block as usize] {
            header[to as usize] |= place[to as usize] <= place[block as usize];
        }
    }
    header
}

/// For each block, the block in which its lanes end, if there is one path to the end and all its blocks pass.
fn lasts(next: &[Vec<BlockId>], passes: &[bool]) -> Vec<Option<BlockId>> {
    let last = |mut block: usize| {
        for _ in 0..=next.len() {
            match next[block][..] {
                _ if !passes[block] => return None,
                [] => return Some(block as BlockId),
                [to] => block = to as usize,
                _ => return None,
            }
        }
        None
    };
    (0..next.len()).map(last).collect()
}

/// The successors of each block, without early ends if the other successors still reach an end.
fn without_early_ends(next: &[Vec<BlockId>], early: &[Option<BlockId>]) -> Vec<Vec<BlockId>> {
    let mut kept = Vec::from(next);
    for block in 0..next.len() {
        let (ends, others): (Vec<BlockId>, Vec<BlockId>) =
            next[block].iter().partition(|&&to| early[to as usize].is_some());
        if ends.is_empty() || others.is_empty() {
            continue;
        }
        let before = core::mem::replace(&mut kept[block], others);
        if !reaches_end(&kept, block) {
            kept[block] = before;
        }
    }
    kept
}

/// Whether a path leads from a block to an end.
fn reaches_end(next: &[Vec<BlockId>], from: usize) -> bool {
    let mut seen = alloc::vec![false; next.len()];
    let mut open = alloc::vec![from];
    while let Some(block) = open.pop() {
        if next[block].is_empty() {
            return true;
        }
        if !core::mem::replace(&mut seen[block], true) {
            open.extend(next[block].iter().map(|&to| to as usize));
        }
    }
    false
}

/// Immediate post-dominators, by the algorithm of Cooper, Harvey and Kennedy on the reversed graph with one virtual end.
pub(crate) fn post_dominators(next: &[Vec<BlockId>]) -> Vec<Option<BlockId>> {
    let end = next.len();
    let mut back: Vec<Vec<BlockId>> = alloc::vec![Vec::new(); end + 1];
    let mut forward: Vec<Vec<usize>> = Vec::with_capacity(end);
    for (block, targets) in next.iter().enumerate() {
        let mut all: Vec<usize> = targets.iter().map(|&to| to as usize).collect();
        if all.is_empty() {
            all.push(end);
        }
        all.iter().for_each(|&to| back[to].push(block as BlockId));
        forward.push(all);
    }
    let (order, place) = order_from_end(&back, end);
    let mut parent: Vec<Option<usize>> = alloc::vec![None; end + 1];
    parent[end] = Some(end);
    let mut changed = true;
    while changed {
        changed = false;
        for &block in order.iter().filter(|&&block| block != end) {
            let known = forward[block].iter().filter(|&&to| parent[to].is_some());
            let found = known.copied().reduce(|one, other| meet(&parent, &place, one, other));
            if found.is_some() && parent[block] != found {
                (parent[block], changed) = (found, true);
            }
        }
    }
    (0..end).map(|block| parent[block].filter(|&to| to != end).map(|to| to as BlockId)).collect()
}

fn order_from_end(back: &[Vec<BlockId>], end: usize) -> (Vec<usize>, Vec<usize>) {
    let mut seen = alloc::vec![false; back.len()];
    let (mut order, mut stack) = (Vec::new(), alloc::vec![(end, 0)]);
    seen[end] = true;
    while let Some((block, at)) = stack.pop() {
        match back[block].get(at) {
            Some(&from) => {
                stack.push((block, at + 1));
                if !core::mem::replace(&mut seen[from as usize], true) {
                    stack.push((from as usize, 0));
                }
            }
            None => order.push(block),
        }
    }
    order.reverse();
    let mut place = alloc::vec![usize::MAX; back.len()];
    order.iter().enumerate().for_each(|(at, &block)| place[block] = at);
    (order, place)
}

fn meet(parent: &[Option<usize>], place: &[usize], mut one: usize, mut other: usize) -> usize {
    while one != other {
        while place[one] > place[other] {
            one = parent[one].unwrap_or(other);
        }
        while place[other] > place[one] {
            other = parent[other].unwrap_or(one);
        }
    }
    one
}

/// The live registers at the start of each block, one bit each.
fn live(function: &Function, order: &[BlockId]) -> Vec<Vec<u64>> {
    let words = function.widths.len().div_ceil(64);
    let mut live: Vec<Vec<u64>> = alloc::vec![alloc::vec![0; words]; function.blocks.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for &block in order.iter().rev() {
            let now = live_before(function, block, &live);
            if live[block as usize] != now {
                live[block as usize] = now;
                changed = true;
            }
        }
    }
    live
}

fn live_before(function: &Function, block: BlockId, live: &[Vec<u64>]) -> Vec<u64> {
    let block = &function.blocks[block as usize];
    let mut set = live_at_end(function, block, live);
    for instruction in block.instructions.iter().rev() {
        set.pass(instruction);
    }
    set.0
}

/// Removes instructions that only compute values that no instruction reads.
pub(crate) fn drop_unread(function: &mut Function, flow: &Flow) {
    for at in 0..function.blocks.len() {
        let mut set = live_at_end(function, &function.blocks[at], &flow.live);
        let instructions = core::mem::take(&mut function.blocks[at].instructions);
        let mut kept = Vec::with_capacity(instructions.len());
        for instruction in instructions.into_iter().rev() {
            let is_read = writes(&instruction.kind).into_iter().any(|to| set.contains(to));
            if is_read || !instruction.kind.computes() {
                set.pass(&instruction);
                kept.push(instruction);
            }
        }
        kept.reverse();
        function.blocks[at].instructions = kept;
    }
}

/// Live registers before the end of a block.
fn live_at_end(function: &Function, block: &Block, live: &[Vec<u64>]) -> Set {
    let mut set = Set(alloc::vec![0; function.widths.len().div_ceil(64)]);
    for edge in edges(&block.end) {
        let mut ahead = Set(live[edge.to as usize].clone());
        edge.moves.iter().for_each(|(to, _)| ahead.remove(*to));
        edge.moves.iter().for_each(|(_, from)| ahead.read(*from));
        set.0.iter_mut().zip(&ahead.0).for_each(|(word, more)| *word |= more);
    }
    match &block.end {
        End::Branch { on, .. } => set.read(*on),
        End::Return(values) => values.iter().for_each(|value| set.read(*value)),
        _ => {}
    }
    set
}

struct Set(Vec<u64>);

impl Set {
    fn contains(&self, register: Reg) -> bool {
        let word = self.0.get(register as usize / 64);
        word.is_some_and(|word| word >> (register % 64) & 1 == 1)
    }

    /// The set before an instruction, from the set after it.
    fn pass(&mut self, instruction: &Instruction) {
        if instruction.guard.is_none() {
            writes(&instruction.kind).into_iter().for_each(|register| self.remove(register));
        }
        reads(instruction).into_iter().for_each(|operand| self.read(operand));
    }

    /// Whether an operand is a register of the set.
    fn reads(&self, operand: Operand) -> bool {
        matches!(operand, Operand::Register(register) if self.contains(register))
    }

    fn remove(&mut self, register: Reg) {
        if let Some(word) = self.0.get_mut(register as usize / 64) {
            *word &= !(1 << (register % 64));
        }
    }

    fn read(&mut self, operand: Operand) {
        if let Operand::Register(register) = operand
            && let Some(word) = self.0.get_mut(register as usize / 64)
        {
            *word |= 1 << (register % 64);
        }
    }
}

/// The registers that an instruction writes.
pub(crate) fn writes(kind: &Kind) -> Vec<Reg> {
    use crate::ir::{Amdgpu, Opencl};
    match kind {
        Kind::Compute { to, .. } => alloc::vec![*to],
        Kind::Opaque { to } | Kind::Unknown { to, .. } => to.clone(),
        Kind::Access(access) => access.to.clone(),
        Kind::Call { results, .. } => results.clone(),
        Kind::Nvidia(nvidia) => nvidia.results.clone(),
        Kind::Opencl(Opencl::Barrier { shares, .. }) => shares.iter().copied().collect(),
        Kind::Amdgpu(
            Amdgpu::Arrive { is_first: Some(to), .. } | Amdgpu::ReadState { to, .. },
            _,
        ) => {
            alloc::vec![*to]
        }
        _ => Vec::new(),
    }
}

/// The operands that an instruction reads.
fn reads(instruction: &Instruction) -> Vec<Operand> {
    use crate::ir::{Amdgpu, Op, Opencl};
    let mut all = match &instruction.kind {
        Kind::Compute { op, of, to } => {
            let old = matches!(op, Op::WriteLane).then_some(Operand::Register(*to));
            of.iter().copied().chain(old).collect()
        }
        Kind::Access(access) => {
            let values = access.values.iter().map(|(value, _)| *value);
            let to = access.copies_to.map(|(to, _)| to);
            values.chain([access.address]).chain(to).chain(access.times).collect()
        }
        Kind::Call { arguments, .. } => arguments.clone(),
        Kind::Nvidia(nvidia) => nvidia.operands.clone(),
        Kind::Amdgpu(amdgpu, _) => match amdgpu {
            Amdgpu::Init { barrier, count } | Amdgpu::Arrive { barrier, count, .. } => {
                alloc::vec![*barrier, *count]
            }
            Amdgpu::Wait { barrier } | Amdgpu::Join { barrier } => alloc::vec![*barrier],
            Amdgpu::ReadState { barrier, .. } => alloc::vec![*barrier],
            Amdgpu::Barrier | Amdgpu::Leave => Vec::new(),
        },
        Kind::Opencl(Opencl::Barrier { flags, scope, same, .. }) => {
            [*flags].into_iter().chain(*scope).chain(same.iter().copied()).collect()
        }
        Kind::Opencl(Opencl::Arrive { flags, scope } | Opencl::Await { flags, scope }) => {
            core::iter::once(*flags).chain(*scope).collect()
        }
        _ => Vec::new(),
    };
    match instruction.guard {
        Some(Guard::Bit(operand, _) | Guard::Mask(operand)) => {
            all.push(operand);
            // Lanes outside the guard keep the old values.
            all.extend(writes(&instruction.kind).into_iter().map(Operand::Register));
        }
        None => {}
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::FunctionBuilder;
    use crate::ir::Place;

    /// 0 branches to 1 and 2, both go to 3, which loops to itself and then ends in 4.
    fn diamond() -> Function {
        let mut builder = FunctionBuilder::new("f", Place::default());
        let condition = Operand::Register(builder.parameter(1));
        for _ in 0..4 {
            builder.block();
        }
        let to = |to| Edge { to, moves: Vec::new() };
        builder.end(End::Branch { on: condition, then: to(1), other: to(2) });
        for block in [1, 2] {
            builder.go_to(block);
            builder.jump(3);
        }
        builder.go_to(3);
        builder.end(End::Branch { on: condition, then: to(3), other: to(4) });
        builder.go_to(4);
        builder.end(End::Return(Vec::new()));
        builder.finish()
    }

    #[test]
    fn lanes_reconverge_at_the_nearest_post_dominator() {
        let flow = Flow::of(&diamond(), &[]);
        assert_eq!(flow.after, [Some(3), Some(3), Some(3), Some(4), None]);
        assert_eq!(flow.joins, flow.after);
        assert_eq!(flow.header, [false, false, false, true, false]);
        assert!(flow.live.iter().take(4).all(|live| live[0] == 1) && flow.live[4][0] == 0);
    }

    #[test]
    fn lanes_that_return_in_a_branch_do_not_hold_up_the_others() {
        // 0 branches to 1 and 2; 1 branches to the end, 4, and to 2, which ends through 3. 3 loops.
        let next = [[1, 2].to_vec(), [4, 2].to_vec(), [3].to_vec(), [3, 4].to_vec(), Vec::new()];
        assert_eq!(post_dominators(&next)[..3], [Some(4), Some(4), Some(3)]);
        let kept = without_early_ends(&next, &lasts(&next, &[true; 5]));
        assert_eq!(post_dominators(&kept)[..4], [Some(2), Some(2), Some(3), Some(4)]);
    }
}
