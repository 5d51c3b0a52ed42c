//! The languages of compiled code and of sources, and how a text shows its language.

/// A language of kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Language {
    /// CUDA C++ or HIP.
    Cpp,
    /// OpenCL C, where a caller has chosen this way to read it: the text does not show it.
    Opencl,
    /// AMDGPU assembly.
    Amdgpu,
    /// LLVM IR.
    Llvm,
    /// PTX.
    Ptx,
    /// A SASS listing.
    Sass,
    /// Triton with TLX, in Python.
    Python,
}

/// The languages; the first one that a line shows counts.
const LANGUAGES: [Language; 6] = [
    Language::Cpp,
    Language::Amdgpu,
    Language::Llvm,
    Language::Ptx,
    Language::Sass,
    Language::Python,
];

impl Language {
    /// The language of a text, if it is a file of compiled code. Blocks of agents after the first line of code are those of a
    /// scenario.
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        let mut lines = text.lines().map(str::trim);
        let shown = |line| LANGUAGES.into_iter().find(|language| language.shows(line));
        let found = lines.find_map(shown)?;
        let of_scenario = |line: &str| {
            let word = line.split(char::is_whitespace).next().unwrap_or("");
            crate::parse::AGENTS.contains(&word) && line.contains('{')
        };
        (found == Self::Cpp || !lines.any(of_scenario)).then_some(found)
    }

    /// Whether a line without the blanks around it shows that a text is in this language.
    pub fn shows(self, line: &str) -> bool {
        match self {
            Self::Cpp => shows_kernel(line),
            Self::Opencl => false,
            Self::Amdgpu => {
                line.starts_with(".amdgcn_target") || line.starts_with(".amdhsa_kernel")
            }
            Self::Python => {
                line.starts_with("@triton.jit")
                    || line.starts_with("@gluon.jit")
                    || line == "import triton"
                    || line.starts_with("import triton.")
                    || line.starts_with("from triton")
            }
            Self::Llvm => {
                line.starts_with("target triple =")
                    || line.starts_with("target datalayout =")
                    || line.starts_with("; ModuleID")
                    || line.starts_with("source_filename =")
                    || line.starts_with("define ") && line.contains('@')
            }
            Self::Ptx => {
                let mut words = after_comment(line).unwrap_or(("", line)).1.split_whitespace();
                match words.next() {
                    Some(".version" | ".entry") => true,
                    Some(".visible" | ".weak") => words.next() == Some(".entry"),
                    _ => false,
                }
            }
            Self::Sass => {
                line.starts_with(".headerflags")
                    || line.starts_with(".elftype")
                    || after_comment(line).is_some_and(|(comment, _)| is_address(comment))
            }
        }
    }
}

/// Whether a line of C++ declares a kernel.
fn shows_kernel(line: &str) -> bool {
    // A comment of LLVM IR or assembly.
    if line.starts_with(';') {
        return false;
    }
    let line = line.split("//").next().unwrap_or("");
    let part = |letter: Option<char>| {
        letter.is_some_and(|letter| letter.is_ascii_alphanumeric() || letter == '_')
    };
    ["__global__", "__attribute__((global))"].iter().any(|word| {
        line.match_indices(word).any(|(at, _)| {
            !part(line[..at].chars().next_back()) && !part(line[at + word.len()..].chars().next())
        })
    })
}

/// The comment at the beginning of a line, and the text after it.
fn after_comment(line: &str) -> Option<(&str, &str)> {
    line.strip_prefix("/*").and_then(|rest| rest.split_once("*/"))
}

fn is_address(text: &str) -> bool {
    text.len() >= 4 && text.bytes().all(|it| it.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_names_no_language() {
        let ir = "; calls a __global__ function\ntarget triple = \"amdgcn-amd-amdhsa\"\n";
        assert_eq!(Language::of(ir), Some(Language::Llvm));
        let cuda = "// a kernel\n__global__ void k() {}\n";
        assert_eq!(Language::of(cuda), Some(Language::Cpp));
        assert_eq!(Language::of("// __global__ only in a comment\n"), None);
    }
}
