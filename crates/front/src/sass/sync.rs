//! Barriers, `SYNCS`, tensor copies, tensor cores, fences.

use super::function::{Lowering, REDUCED};
use super::listing::Line;
use super::operand::{Operand as Written, Register};
use alloc::format;
use alloc::vec::Vec;
use tidegate_kernel::ir::{Kind, Matrices, Nvidia, NvidiaKind, Op, Operand, Reg, Space};
use tidegate_lang::vocabulary::nvidia::Kind as Does;
use tidegate_lang::vocabulary::sass;
use tidegate_model::ptx::action::{Bar, Order, Patience, Queue, Reduce, Spelling};

fn has(head: &str, wanted: &str) -> bool {
    head.split('.').any(|part| part == wanted)
}

/// The sizes of the matrices of `HGMMA.64x128x16.F32 R24, gdesc[UR8].tnspB, R24`.
fn matrices(line: &Line<'_>) -> Matrices {
    let shape = line.head.split('.').find_map(|part| {
        let mut sizes = part.split('x').map(|size| size.parse().ok());
        Some(([sizes.next()??, sizes.next()??], sizes.next()??))
    });
    let Some((rows, columns)) = shape else { return Matrices::default() };
    let element = u8::try_from(32u16.checked_div(columns).unwrap_or(1)).unwrap_or(1);
    let transposed = ["tnspA", "tnspB"].map(|name| {
        let named =
            |it: &Written<'_>| matches!(it, Written::Table(_, _, how) if how.contains(name));
        line.operands.iter().any(named)
    });
    Matrices { rows, transposed, element }
}

const fn int(number: i64) -> Operand {
    Operand::Int(number as u64)
}

impl<'t> Lowering<'_, 't> {
    pub(super) fn push(&mut self, kind: NvidiaKind, operands: Vec<Operand>, results: Vec<Reg>) {
        // Instructions that are older than `SYNCS`, with the PTX instructions that they implement.
        let spelling = match kind {
            NvidiaKind::Bar { .. } | NvidiaKind::Fence { .. } | NvidiaKind::WarpSync { .. } => {
                Spelling::Ptx(70)
            }
            NvidiaKind::CopyAsync
            | NvidiaKind::Commit(Queue::Thread)
            | NvidiaKind::WaitGroup(Queue::Thread, _)
            | NvidiaKind::WaitAll(Queue::Thread) => Spelling::Ptx(80),
            _ => Spelling::Sass,
        };
        self.builder.push(Kind::Nvidia(Nvidia { kind, operands, results, spelling }));
    }

    /// An operation of barriers, copies or fences; `false` if it is none.
    pub(super) fn synchronise(&mut self, head: &str, line: &Line<'t>) -> bool {
        let done = match head {
            "SYNCS" => self.object_operation(line),
            "BAR" => self.barrier(line),
            "UCGABAR_ARV" => {
                self.push(
                    NvidiaKind::ClusterArrive { order: Order::Relaxed, aligned: true },
                    Vec::new(),
                    Vec::new(),
                );
                Some(())
            }
            "UCGABAR_WAIT" => {
                self.push(
                    NvidiaKind::ClusterWait { order: Order::Relaxed, aligned: true },
                    Vec::new(),
                    Vec::new(),
                );
                Some(())
            }
            "CCTL" => {
                if line.head.starts_with("CCTL.IVALL") {
                    self.fence(false, true);
                }
                Some(())
            }
            "MEMBAR" => {
                self.fence(true, !has(line.head, "CTA"));
                Some(())
            }
            "FENCE" => {
                if has(line.head, "ASYNC") {
                    self.push(NvidiaKind::FenceProxy, Vec::new(), Vec::new());
                }
                Some(())
            }
            "WARPSYNC" => {
                let mask = match line.operands.first() {
                    Some(mask) if !has(line.head, "ALL") => self.value(mask),
                    _ => int(0xffff_ffff),
                };
                self.push(NvidiaKind::WarpSync { orders: true }, alloc::vec![mask], Vec::new());
                Some(())
            }
            "ARRIVES" => self.copies_arrive(line),
            "LDGDEPBAR" => {
                self.push(NvidiaKind::Commit(Queue::Thread), Vec::new(), Vec::new());
                Some(())
            }
            "UTMACMDFLUSH" => {
                self.push(NvidiaKind::Commit(Queue::Bulk), Vec::new(), Vec::new());
                Some(())
            }
            "DEPBAR" => self.scoreboard(line),
            "UTMALDG" => self.tensor_load(line),
            "UTMASTG" | "UTMAREDG" => self.tensor_store(line, head == "UTMAREDG"),
            "UBLKCP" | "UBLKRED" => self.bulk_copy(line, head == "UBLKRED"),
            "HGMMA" | "IGMMA" | "QGMMA" | "BGMMA" => self.group_product(line),
            "WARPGROUP" => self.group_wait(line),
            "UTCHMMA" | "UTCIMMA" | "UTCQMMA" | "UTCOMMA" => self.tensor_product(line),
            "UTCCP" => self.tensor_copy(line),
            "UTCBAR" => self.commit_arrive(line),
            _ => return false,
        };
        if done.is_none() {
            let why =
                format!("the operands of `{}` are not those of a form that is modelled", line.head);
            let to = self.results(line);
            self.builder.push(Kind::Unknown { why, to });
        }
        true
    }

    /// A fence that acquires, and releases or not.
    fn fence(&mut self, release: bool, cluster: bool) {
        let cluster = cluster || !release;
        self.push(NvidiaKind::Fence { release, acquire: true, cluster }, Vec::new(), Vec::new());
    }

    /// An operation of the uniform datapath: the first active lane performs it for the warp.
    fn once(&mut self) {
        // The predicate of the line may hold in other lanes only: the first of those performs it.
        self.builder.guard(None);
        let holds = self.holds();
        let lanes = self.builder.compute(32, Op::Ballot, &[holds]);
        let first = self.builder.compute(32, Op::CountTrailingZeros, &[lanes]);
        let lane = Operand::Special(tidegate_kernel::ir::Special::Lane);
        let compare = Op::Compare(tidegate_kernel::ir::Comparison::Eq, 32);
        let is = self.builder.compute(1, compare, &[lane, first]);
        self.lanes_and(is);
    }

    /// The address of shared memory of the first address operand.
    fn object(&mut self, line: &Line<'t>) -> Option<Operand> {
        let address = line.operands.iter().find(|it| matches!(it, Written::Address(..)))?;
        Some(self.whole_address(address, Space::Local))
    }

    fn object_operation(&mut self, line: &Line<'t>) -> Option<()> {
        let (does, drop) = match sass::find(line.head) {
            Some((instruction, flags)) => (instruction.kind()?, flags.drop),
            // Raises the pending count before `ARRIVES.LDGSTSBAR.64.TRANSCNT` lowers it: that one does both here.
            None if line.head == "SYNCS.ARRIVE.TRANS64.RED.A0T1" => return Some(()),
            None => return None,
        };
        let uniform_result = matches!(
            line.operands.first(),
            Some(Written::Register(Register { uniform: true, .. }, _))
        );
        if self.is_uniform() || uniform_result {
            self.once();
        }
        let object = self.object(line)?;
        let last = line.operands.last().filter(|it| !matches!(it, Written::Address(..)));
        let result = match line.operands.first() {
            Some(Written::Register(register, _)) => Some(*register),
            _ => None,
        };
        let arrive = |expects| NvidiaKind::Arrive {
            drop,
            no_complete: false,
            expects,
            // Operations on objects of other CTAs are relaxed: fences stand before them.
            order: if has(line.head, "RED") { Order::Relaxed } else { Order::Cta },
        };
        match does {
            Does::InitWord => {
                // The low word holds the negated count in bits 20 to 1.
                let word = self.value(last?);
                let of = [word, int(1), int(20)];
                let negated = self.builder.compute(32, Op::ExtractUnsigned, &of);
                let count = self.builder.compute(32, Op::Sub, &[int(0x10_0000), negated]);
                self.push(NvidiaKind::Init, alloc::vec![object, count], Vec::new());
                // The machine orders the operations on objects and the barriers of the cluster.
                self.push(NvidiaKind::FenceInit, Vec::new(), Vec::new());
            }
            Does::Inval => self.push(NvidiaKind::Inval, alloc::vec![object], Vec::new()),
            Does::Arrive => {
                let count = match line.head.ends_with("A1T0") {
                    true => int(1),
                    false => self.value(last?),
                };
                let to = self.token(result);
                self.push(arrive(false), alloc::vec![object, count], to);
            }
            Does::ArriveExpect => {
                let bytes = self.value(last?);
                let to = self.token(result);
                self.push(arrive(true), alloc::vec![object, int(1), bytes], to);
            }
            Does::Expect => {
                let bytes = self.value(last?);
                self.push(NvidiaKind::Expect, alloc::vec![object, bytes], Vec::new());
            }
            Does::Complete => {
                let bytes = self.value(last?);
                self.push(NvidiaKind::Complete, alloc::vec![object, bytes], Vec::new());
            }
            Does::WaitWord(patience) => return self.phase_check(line, patience, object),
            _ => return None,
        }
        Some(())
    }

    /// The registers of a token: the word of the phase is in the upper one.
    fn token(&mut self, result: Option<Register>) -> Vec<Reg> {
        let upper = result.map(|register| Self::after(register, 1));
        upper
            .filter(|it| it.number.is_some())
            .and_then(|it| self.register(it))
            .into_iter()
            .collect()
    }

    fn phase_check(&mut self, line: &Line<'t>, patience: Patience, object: Operand) -> Option<()> {
        let [Written::Predicate(out), _, word] = &line.operands[..] else { return None };
        let word = self.value(word);
        let to = self.predicate_register(*out);
        let kind = NvidiaKind::WaitWord { patience, order: Order::Cta };
        self.push(kind, alloc::vec![object, word], to.into_iter().collect());
        Some(())
    }

    /// `BAR.SYNC.DEFER_BLOCKING 0x1, 0x40`, `BAR.ARV 0x1, 0x40`, `BAR.RED.POPC.DEFER_BLOCKING 0x0, P0`
    fn barrier(&mut self, line: &Line<'t>) -> Option<()> {
        let kind = match line.head.split('.').nth(1)? {
            "SYNC" => Bar::Sync,
            "ARV" => Bar::Arrive,
            "RED" => Bar::Red,
            _ => return None,
        };
        let reduce = match () {
            () if kind != Bar::Red => None,
            () if has(line.head, "POPC") => Some(Reduce::Count),
            () if has(line.head, "AND") => Some(Reduce::All),
            () => Some(Reduce::Any),
        };
        let mut values = Vec::new();
        let mut predicate = None;
        for operand in &line.operands {
            match operand {
                Written::Predicate(found) => predicate = Some(*found),
                other => values.push(self.value(other)),
            }
        }
        values.resize(2, int(0));
        let mut results = Vec::new();
        if kind == Bar::Red {
            values.push(self.truth_or(predicate, true));
            results.push(REDUCED);
        }
        self.push(NvidiaKind::Bar { kind, reduce, aligned: false }, values, results);
        Some(())
    }

    /// `ARRIVES.LDGSTSBAR.64.ARVCNT [R0]`
    fn copies_arrive(&mut self, line: &Line<'t>) -> Option<()> {
        let object = self.object(line)?;
        let no_increment = has(line.head, "ARVCNT");
        let kind = NvidiaKind::CopyArrive { no_increment, of_copies: true };
        self.push(kind, alloc::vec![object, int(0)], Vec::new());
        Some(())
    }

    /// `DEPBAR.LE SB0, 0x1`: a wait for groups of copies, where the code has some.
    fn scoreboard(&mut self, line: &Line<'t>) -> Option<()> {
        let [Written::Word("SB0"), Written::Number(most), ..] = line.operands[..] else {
            return Some(());
        };
        for (queue, used) in [(Queue::Thread, self.copies), (Queue::Bulk, self.bulk_copies)] {
            if used {
                self.push(NvidiaKind::WaitGroup(queue, false), alloc::vec![int(most)], Vec::new());
            }
        }
        Some(())
    }

    /// The registers of an address operand.
    fn base(line: &Line<'t>, index: usize) -> Option<Register> {
        let mut addresses = line.operands.iter().filter_map(|operand| match operand {
            Written::Address(registers, _) => registers.first().copied(),
            _ => None,
        });
        addresses.nth(index)
    }

    /// How many coordinates the head says: `.2D`.
    fn dimensions(line: &Line<'t>) -> Option<u8> {
        let part = line.head.split('.').find_map(|part| part.strip_suffix('D'))?;
        part.parse().ok().filter(|count| (1..=5).contains(count))
    }

    /// `UTMALDG.2D [UR8], [UR6], UR4`: the registers from the first on hold the destination, the object, the coordinates.
    fn tensor_load(&mut self, line: &Line<'t>) -> Option<()> {
        self.once();
        let (first, map) = (Self::base(line, 0)?, Self::base(line, 1)?);
        let mask = match line.operands.get(2) {
            Some(Written::Register(register, _)) if has(line.head, "MULTICAST") => {
                let word = self.word(*register);
                self.builder.compute(32, Op::ShrUnsigned, &[word, int(16)])
            }
            _ => int(0),
        };
        let map = self.pair(map);
        let (to, object) = (self.word(first), self.word(Self::after(first, 1)));
        let mut values = alloc::vec![to, map, int(0), object, mask];
        values.extend((0..Self::dimensions(line)?).map(|at| self.word(Self::after(first, 2 + at))));
        let scattered = has(line.head, "IM2COL") || has(line.head, "GATHER4");
        self.push(NvidiaKind::CopyTensor { scattered }, values, Vec::new());
        Some(())
    }

    /// `UTMASTG.2D [UR8], [UR4]`: the registers from the first on hold the source and the coordinates.
    fn tensor_store(&mut self, line: &Line<'t>, reduces: bool) -> Option<()> {
        self.once();
        let (first, map) = (Self::base(line, 0)?, Self::base(line, 1)?);
        let map = self.pair(map);
        let mut values = alloc::vec![self.word(first), map, int(0)];
        values.extend((0..Self::dimensions(line)?).map(|at| self.word(Self::after(first, 1 + at))));
        self.push(NvidiaKind::CopyTensorOut { reduces }, values, Vec::new());
        Some(())
    }

    /// `UBLKCP.S.G [UR4], [UR8], UR7`: the size is in units of 16 bytes.
    fn bulk_copy(&mut self, line: &Line<'t>, reduces: bool) -> Option<()> {
        self.once();
        let (to, from) = (Self::base(line, 0)?, Self::base(line, 1)?);
        let Some(Written::Register(size, _)) = line.operands.get(2) else { return None };
        let size = self.word(*size);
        let size = self.builder.compute(32, Op::And, &[size, int(0xffff)]);
        let size = self.builder.compute(32, Op::Shl, &[size, int(4)]);
        if has(line.head, "S") && line.head.split('.').nth(1) == Some("S") {
            let object = self.word(Self::after(to, 1));
            let (to, from) = (self.word(to), self.pair(from));
            self.push(
                NvidiaKind::CopyBulk { reduces },
                alloc::vec![to, from, size, object, int(0)],
                Vec::new(),
            );
        } else {
            let (to, from) = (self.pair(to), self.word(from));
            self.push(NvidiaKind::CopyBulkOut { reduces }, alloc::vec![to, from, size], Vec::new());
        }
        Some(())
    }

    /// `HGMMA.64x128x16.F32 R24, gdesc[UR8], R24, gsb0`: the descriptors of both matrices are in four registers, also where the
    /// first matrix is in registers of the lanes and its descriptor has no meaning.
    fn group_product(&mut self, line: &Line<'t>) -> Option<()> {
        let first = line.operands.iter().find_map(|operand| Self::table(operand, "gdesc"))?;
        // An operand in registers stands before the descriptors.
        let registers =
            line.operands.iter().take_while(|it| Self::table(it, "gdesc").is_none()).count();
        let a = if registers == 1 { self.pair(first) } else { Operand::Int(u64::MAX) };
        let b = self.pair(Self::after(first, 2));
        let kind = NvidiaKind::Tensor { pair: false, alone: false, matrices: matrices(line) };
        self.push(kind, alloc::vec![a, b], Vec::new());
        if line.operands.iter().any(|it| matches!(it, Written::Word("gsb0"))) {
            self.push(NvidiaKind::Commit(Queue::Tensor), Vec::new(), Vec::new());
        }
        Some(())
    }

    fn group_wait(&mut self, line: &Line<'t>) -> Option<()> {
        if has(line.head, "DEPBAR") {
            let Some(Written::Number(most)) = line.operands.last() else { return None };
            self.push(
                NvidiaKind::WaitGroup(Queue::Tensor, false),
                alloc::vec![int(*most)],
                Vec::new(),
            );
        }
        Some(())
    }

    /// `UTCHMMA gdesc[UR4], gdesc[UR6], tmem[UR24], …`
    fn tensor_product(&mut self, line: &Line<'t>) -> Option<()> {
        self.once();
        let mut values = Vec::new();
        for operand in line.operands.iter().take(2) {
            values.push(match Self::table(operand, "gdesc") {
                Some(register) => self.pair(register),
                None => Operand::Int(u64::MAX),
            });
        }
        values.resize(2, Operand::Int(u64::MAX));
        if ["UTCHMMA", "UTCIMMA"].contains(&line.head.split('.').next().unwrap_or("")) {
            let found = line.operands.iter().find_map(|operand| Self::table(operand, "idesc"));
            values.extend(found.map(|register| self.word(register)));
        }
        let pair = has(line.head, "2CTA");
        let halves = line.head.starts_with("UTCHMMA");
        let matrices = Matrices { element: if halves { 2 } else { 1 }, ..Matrices::default() };
        self.push(NvidiaKind::Tensor { pair, alone: false, matrices }, values, Vec::new());
        Some(())
    }

    fn tensor_copy(&mut self, line: &Line<'t>) -> Option<()> {
        self.once();
        let first = line.operands.iter().find_map(|operand| Self::table(operand, "gdesc"))?;
        let value = self.pair(first);
        let matrices = Matrices::default();
        let kind = NvidiaKind::Tensor { pair: has(line.head, "2CTA"), alone: false, matrices };
        self.push(kind, alloc::vec![value, Operand::Int(u64::MAX)], Vec::new());
        Some(())
    }

    /// `UTCBAR [UR4], URZ`, `UTCBAR.MULTICAST [UR4], URZ, UR6`
    fn commit_arrive(&mut self, line: &Line<'t>) -> Option<()> {
        self.once();
        let object = self.object(line)?;
        let mask = match line.operands.get(2) {
            Some(Written::Register(register, _)) if has(line.head, "MULTICAST") => {
                self.word(*register)
            }
            _ => int(0),
        };
        let kind = NvidiaKind::CopyArrive { no_increment: true, of_copies: false };
        self.push(kind, alloc::vec![object, mask], Vec::new());
        Some(())
    }
}
