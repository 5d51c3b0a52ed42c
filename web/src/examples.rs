//! The scenario that the page opens with, and scenario titles.

/// The text that a new reader sees first.
pub(crate) const FIRST: &str = include_str!("../../examples/join-too-late.tide");

/// Returns the title in a text; empty if it has none.
pub(crate) fn title(text: &str) -> &str {
    let line = |line: &'static str| text.lines().find_map(move |it| it.strip_prefix(line));
    line("title \"").map_or("", |rest| rest.trim_end().trim_end_matches('"'))
}

/// What stands before the name of a kernel in the forms of compiled code, in Python, and before its type in C.
const KERNELS: [&str; 7] =
    [".entry ", ".globl", ".text.", "Function : ", "\ndef ", "__global__", "kernel"];

/// Returns the title in a text, or the name of its first kernel; empty if it has neither.
pub(crate) fn label(text: &str) -> &str {
    match title(text) {
        "" => kernel(text).unwrap_or_default(),
        title => title,
    }
}

/// Returns the name of the first kernel. In C, attributes with arguments can stand before the name.
fn kernel(text: &str) -> Option<&str> {
    let after = |word: &&str| text.split_once(*word).map(|(_, rest)| rest);
    let rest = KERNELS.iter().filter_map(after).max_by_key(|rest| rest.len())?;
    let typed = rest.split_once("void ").filter(|(before, _)| before.len() < 80);
    let mut rest = typed.map_or(rest, |(_, rest)| rest).trim_start();
    if rest.starts_with("__") {
        rest = rest.split_once(')')?.1.trim_start();
    }
    let rest = rest.trim_start_matches('@');
    let is_of_name = |letter: char| letter.is_alphanumeric() || "_$.".contains(letter);
    Some(&rest[..rest.find(|letter| !is_of_name(letter)).unwrap_or(rest.len())])
}

/// Whether a text requests that its verdict is hidden until the reader has chosen one.
pub(crate) fn is_lesson(text: &str) -> bool {
    text.lines().any(|line| line.trim() == "lesson")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lesson_is_declared_on_its_own_line() {
        assert!(is_lesson("title \"A\"\nlesson\n") && !is_lesson("title \"lesson\"\n# lesson\n"));
    }

    #[test]
    fn a_kernel_without_a_title_has_its_name() {
        assert_eq!(label(".version 8.0\n.visible .entry rounds(.param .u32 n)\n"), "rounds");
        assert_eq!(label("define amdgpu_kernel void @chain(ptr %a) {\n"), "chain");
        assert_eq!(label("\t.section\t.text.ws,\"ax\",@progbits\n"), "ws");
        assert_eq!(label("@triton.jit\ndef rows(x):\n"), "rows");
        let bounded = "__global__ void __launch_bounds__(128)\nhold(int* a) {";
        assert_eq!((label(bounded), label("__kernel\nvoid it(")), ("hold", "it"));
        let sized = "__kernel __attribute__((reqd_work_group_size(64,1,1)))\nvoid pipe(int n) {";
        assert_eq!((label(sized), label("// one kernel\n")), ("pipe", ""));
        assert_eq!((label("title \"One\"\n.entry k("), label("wave 0 {}")), ("One", ""));
    }

    #[test]
    fn a_title_starts_a_line() {
        assert_eq!(title("# title \"A\"\ntitle \"One\" \nnote \"x\"\n"), "One");
        assert_eq!(title(""), "");
        assert!(!title(FIRST).is_empty());
    }
}
