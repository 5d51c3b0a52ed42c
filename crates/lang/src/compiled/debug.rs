//! Line numbers of debug information: where in the source each line of compiled code comes from.

use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::ordered::OrderedMap;

/// The longest chain of inlined calls that is followed.
const DEEPEST: usize = 64;

/// A place in the source of compiled code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct From<'a> {
    /// The name of the file as the compiler wrote it.
    pub file: &'a str,
    /// Its line, from 1.
    pub line: u32,
    /// Its column, from 1; 0 if the debug information gives none.
    pub column: u32,
}

/// The places in the source by line of the compiled code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DebugLines {
    files: Vec<String>,
    /// By line of the code, from 1: the file, the line and the column of the source.
    lines: OrderedMap<u32, (usize, u32, u32)>,
    /// The name of the file that was compiled, if it is known.
    main: Option<String>,
}

impl DebugLines {
    /// Reads the debug information of a text: metadata of LLVM IR, `.file` and `.loc` of assembly, or the comments of a SASS
    /// listing.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let mut found = Self::default();
        if text.contains("!DILocation(") {
            found.metadata(text);
        } else {
            found.directives(text);
        }
        found
    }

    /// The positions of code that was made here: its line, and line and column of the text.
    pub fn of_positions(positions: Vec<(u32, u32, u32)>) -> Self {
        let mut found = Self { main: Some(String::new()), ..Self::default() };
        let file = found.file("");
        for (number, line, column) in positions.into_iter().filter(|(_, line, _)| *line > 0) {
            found.lines.insert(number, (file, line, column));
        }
        found
    }

    /// Where a line of the code comes from.
    #[must_use]
    pub fn at(&self, line: u32) -> Option<From<'_>> {
        let &(file, line, column) = self.lines.get(&line)?;
        Some(From { file: self.files.get(file)?, line, column })
    }

    /// The line and the column of the file that was compiled from which a line of the code comes, or the nearest line before it
    /// in the same function.
    pub fn near(&self, line: u32) -> Option<(u32, u32)> {
        let main = self.main.as_deref()?;
        let mut before = (1..=line).rev().filter_map(|line| self.at(line));
        before.find(|from| from.file == main).map(|from| (from.line, from.column))
    }

    fn file(&mut self, name: &str) -> usize {
        let known = self.files.iter().position(|file| file == name);
        known.unwrap_or_else(|| {
            self.files.push(name.into());
            self.files.len() - 1
        })
    }

    fn metadata<'a>(&mut self, text: &'a str) {
        let mut nodes = Nodes::of(text);
        self.main = nodes.main.and_then(|id| nodes.file_name(id)).map(String::from);
        let placed = |line: &'a str| Some((line, leading(line.rsplit_once("!dbg !")?.1)?));
        let placed = (1..).zip(text.lines().map(placed));
        let placed = placed.filter_map(|(number, line)| Some((number, line?)));
        let effects = placed.clone().filter(|(_, (line, _))| has_effect(line));
        nodes.find_wrappers(effects.map(|(_, (_, id))| id));
        for (number, (_, id)) in placed {
            let Some(place) = nodes.source(id) else { continue };
            let file = self.file(place.file);
            self.lines.insert(number, (file, place.line, place.column));
        }
    }

    fn directives(&mut self, text: &str) {
        let mut numbered: OrderedMap<u32, usize> = OrderedMap::new();
        let mut now = None;
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            if let Some(rest) = line.strip_prefix(".file") {
                let name = rest.split('"').skip(1).step_by(2).filter(|part| !part.is_empty());
                if let Some((id, name)) = leading(rest.trim_start()).zip(name.last()) {
                    let name = file_of(name);
                    let file = self.file(name);
                    numbered.insert(id, file);
                }
            } else if let Some(rest) = line.strip_prefix(".loc") {
                let mut numbers = rest.split_whitespace().map_while(leading);
                let file = numbers.next().and_then(|id| numbered.get(&id).copied());
                let place = numbers.next().filter(|line| *line > 0);
                now = file.zip(place).map(|(file, line)| (file, line, numbers.next().unwrap_or(0)));
            } else if let Some(rest) = line.strip_prefix("//## File \"") {
                let place = rest.split_once("\", line ");
                now = place.and_then(|(name, line)| {
                    let name = file_of(name);
                    Some((self.file(name), leading(line)?, 0))
                });
            } else if let Some(now) = now.filter(|_| !line.is_empty()) {
                self.lines.insert(number, now);
            }
        }
    }
}

/// The name of a file without its folders.
pub(super) fn file_of(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// The number at the start of a text.
fn leading(text: &str) -> Option<u32> {
    let end = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    text[..end].parse().ok()
}

/// Whether a line of LLVM IR is an instruction with an effect: a call or a memory access.
fn has_effect(line: &str) -> bool {
    const EFFECTS: [&str; 6] = ["call", "load", "store", "atomicrmw", "cmpxchg", "fence"];
    let mut words = line.split_whitespace();
    !line.contains("@llvm.dbg.") && words.any(|word| EFFECTS.contains(&word))
}

/// Metadata nodes by number: their text.
struct Nodes<'a> {
    all: OrderedMap<u32, &'a str>,
    /// The file of the compile unit.
    main: Option<u32>,
    /// The functions of that file all of whose effects are at one line, sorted.
    wrappers: Vec<u32>,
}

impl<'a> Nodes<'a> {
    fn of(text: &'a str) -> Self {
        let mut nodes = Self { all: OrderedMap::new(), main: None, wrappers: Vec::new() };
        for line in text.lines() {
            let Some((id, node)) = line.strip_prefix('!').and_then(|line| line.split_once(" = "))
            else {
                continue;
            };
            let Some(id) = leading(id) else { continue };
            if node.contains("!DICompileUnit(") && nodes.main.is_none() {
                nodes.main = reference(node, "file");
            }
            nodes.all.insert(id, node);
        }
        nodes
    }

    /// Finds the functions that only wrap one operation, such as a wait with a loop around it.
    fn find_wrappers(&mut self, effects: impl Iterator<Item = u32>) {
        let mut lines: Vec<(u32, Option<u32>)> = Vec::new();
        for id in effects {
            let frames = self.frames(id).filter(|&id| self.is_of_main(id));
            lines.extend(frames.filter_map(|id| Some((self.function(id)?, self.line(id)))));
        }
        lines.sort_unstable();
        lines.dedup();
        let functions = lines.chunk_by(|one, other| one.0 == other.0);
        self.wrappers = functions.filter(|of| of.len() == 1).map(|of| of[0].0).collect();
    }

    /// A location, and those of the calls by which it was inlined.
    fn frames(&self, id: u32) -> impl Iterator<Item = u32> {
        let called = |&id: &u32| reference(self.all.get(&id)?, "inlinedAt");
        core::iter::successors(Some(id), called).take(DEEPEST)
    }

    /// Whether a location is in the file of the compile unit, of which there can be several nodes.
    fn is_of_main(&self, id: u32) -> bool {
        let name = |id| self.file_name(id);
        let main = self.main.and_then(name);
        main.is_some() && self.file(id).and_then(name) == main
    }

    /// The source of a location. Where code of another file or of a wrapper was inlined, the call in the file of the compile unit.
    fn source(&self, id: u32) -> Option<From<'a>> {
        // clang divides a kernel of OpenCL into two functions of one name: the inner one is the kernel itself.
        let name = |of| field(self.all.get(&of)?, "name")?.split('"').nth(1);
        let is_wrapper = |id, call| {
            let function = self.function(id);
            function.is_some_and(|of| self.wrappers.binary_search(&of).is_ok())
                && function.and_then(name) != self.function(call).and_then(name)
        };
        let mut own = self.frames(id).filter(|&id| self.is_of_main(id)).peekable();
        let mut found = id;
        while let Some(id) = own.next() {
            found = id;
            if own.peek().is_none_or(|&call| !is_wrapper(id, call)) {
                break;
            }
        }
        let node = self.all.get(&found)?;
        Some(From {
            file: self.file_name(self.file(found)?)?,
            line: self.line(found)?,
            column: field(node, "column").and_then(leading).unwrap_or(0),
        })
    }

    /// The line of a location, if it has one.
    fn line(&self, id: u32) -> Option<u32> {
        field(self.all.get(&id)?, "line").and_then(leading).filter(|line| *line > 0)
    }

    /// The function of a location.
    fn function(&self, mut id: u32) -> Option<u32> {
        for _ in 0..DEEPEST {
            id = reference(self.all.get(&id)?, "scope")?;
            if self.all.get(&id)?.contains("!DISubprogram(") {
                return Some(id);
            }
        }
        None
    }

    fn file_name(&self, id: u32) -> Option<&'a str> {
        field(self.all.get(&id)?, "filename")?.strip_prefix('"')?.split('"').next()
    }

    /// The file of a location or a scope.
    fn file(&self, id: u32) -> Option<u32> {
        let mut id = id;
        for _ in 0..DEEPEST {
            let node = self.all.get(&id)?;
            if let Some(file) = reference(node, "file") {
                return Some(file);
            }
            id = reference(node, "scope")?;
        }
        None
    }
}

/// The text after the name of a field of a node.
fn field<'a>(node: &'a str, name: &str) -> Option<&'a str> {
    let mut fields = node.match_indices(name).filter(|(at, _)| {
        let before = node[..*at].chars().next_back();
        matches!(before, Some('(' | ' ')) && node[at + name.len()..].starts_with(": ")
    });
    fields.next().map(|(at, _)| &node[at + name.len() + 2..])
}

fn reference(node: &str, name: &str) -> Option<u32> {
    field(node, name)?.strip_prefix('!').and_then(leading)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(text: &str) -> Vec<(u32, String)> {
        let lines = DebugLines::read(text);
        let all = (1..=text.lines().count() as u32).filter_map(|line| {
            let from = lines.at(line)?;
            Some((line, alloc::format!("{}:{}:{}", from.file, from.line, from.column)))
        });
        all.collect()
    }

    #[test]
    fn locations_of_llvm_follow_inlined_calls_into_the_file_of_the_unit() {
        let text = "define void @k() !dbg !4 {\n\
            \x20 call void @a(), !dbg !6\n\
            \x20 call void @b(), !dbg !8, !srcloc !99\n\
            \x20 ret void\n}\n\
            !0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, producer: \"x\")\n\
            !1 = !DIFile(filename: \"k.cl\", directory: \"/tmp\")\n\
            !2 = !DIFile(filename: \"lib.h\", directory: \"/tmp\")\n\
            !4 = distinct !DISubprogram(name: \"k\", scope: !1, file: !1, line: 1)\n\
            !5 = distinct !DILexicalBlock(scope: !4, file: !1, line: 2, column: 3)\n\
            !6 = !DILocation(line: 7, column: 3, scope: !5)\n\
            !7 = distinct !DISubprogram(name: \"helper\", scope: !2, file: !2, line: 40)\n\
            !8 = !DILocation(line: 41, column: 9, scope: !7, inlinedAt: !9)\n\
            !9 = distinct !DILocation(line: 8, column: 5, scope: !4)\n";
        assert_eq!(
            places(text),
            [(1, "k.cl:1:0".into()), (2, "k.cl:7:3".into()), (3, "k.cl:8:5".into())]
        );
        let lines = DebugLines::read(text);
        assert_eq!([lines.near(2), lines.near(4)], [Some((7, 3)), Some((8, 5))]);
    }

    #[test]
    fn a_function_that_wraps_one_operation_is_named_by_its_call() {
        let text = "define void @k() !dbg !4 {\n\
            \x20 call void @wait(), !dbg !8\n\
            \x20 br i1 %p, label %a, label %b, !dbg !9\n\
            \x20 store i32 0, ptr %p, !dbg !12\n\
            \x20 call void @arrive(), !dbg !13\n\
            !0 = distinct !DICompileUnit(file: !1)\n\
            !1 = !DIFile(filename: \"k.cu\")\n\
            !4 = distinct !DISubprogram(name: \"k\", scope: !1, file: !1, line: 1)\n\
            !5 = distinct !DISubprogram(name: \"wait\", scope: !1, file: !1, line: 20)\n\
            !6 = distinct !DILexicalBlock(scope: !5, file: !1, line: 21, column: 3)\n\
            !7 = distinct !DISubprogram(name: \"produce\", scope: !1, file: !1, line: 30)\n\
            !8 = !DILocation(line: 22, column: 3, scope: !6, inlinedAt: !10)\n\
            !9 = !DILocation(line: 21, column: 3, scope: !6, inlinedAt: !10)\n\
            !10 = distinct !DILocation(line: 2, column: 5, scope: !4)\n\
            !11 = distinct !DILocation(line: 3, column: 5, scope: !4)\n\
            !12 = !DILocation(line: 31, column: 3, scope: !7, inlinedAt: !11)\n\
            !13 = !DILocation(line: 32, column: 3, scope: !7, inlinedAt: !11)\n";
        let lines = DebugLines::read(text);
        let near = [2, 3, 4, 5].map(|line| lines.near(line).map(|(line, _)| line));
        assert_eq!(near, [Some(2), Some(2), Some(31), Some(32)]);
    }

    #[test]
    fn directives_of_assembly_hold_until_the_next() {
        let text = "\t.file 1 \"/tmp\" \"k.hip\" md5 0x12\n\t.loc 1 12 3 prologue_end\n\ts_barrier\n\
            \n\ts_nop 0\n\t.loc 1 0 3\n\ts_nop 0\n\t.loc 1 14 0\n\ts_endpgm\n";
        let all = [(3, "k.hip:12:3".into()), (5, "k.hip:12:3".into()), (9, "k.hip:14:0".into())];
        assert_eq!(places(text), all);
    }

    #[test]
    fn comments_of_a_listing_name_lines() {
        let text = "//## File \"/home/x/k.cu\", line 31 inlined at \"/home/x/k.cu\", line 40\n\
            \x20 /*0010*/ BAR.SYNC.DEFER_BLOCKING 0x0 ;\n";
        assert_eq!(places(text), [(2, "k.cu:31:0".into())]);
    }

    #[test]
    fn malformed_information_names_nothing() {
        let text = "  ret void, !dbg !1\n  ret void, !dbg !2\n  ret void, !dbg !x\n\
            !1 = !DILocation(line: 3, scope: !1)\n!2 = !DILocation(line: 0, scope: !3, inlinedAt: !2)\n\
            .loc 1 2 3\n.loc\n.file\n";
        assert_eq!(places(text), []);
    }
}
