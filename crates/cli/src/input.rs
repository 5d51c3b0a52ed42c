//! Reads scenarios from files and standard input.

use crate::exit::Failure;
use crate::source::Source;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Longest text, in bytes.
const MAX_TEXT: usize = tidegate_check::link::MAX_TEXT;

/// The name shown for a path.
pub(crate) fn name_of(path: &Path) -> String {
    if path == Path::new("-") { "<stdin>".into() } else { path.display().to_string() }
}

/// Reads a scenario; `-` is standard input.
pub(crate) fn read(path: &Path) -> Result<Source, Failure> {
    let name = name_of(path);
    let bytes = if path == Path::new("-") {
        capped(io::stdin().lock())
    } else {
        open(path).and_then(capped)
    };
    let bytes = bytes.map_err(|error| unreadable(path, &error))?;
    text_of(&name, bytes).map(|text| Source::new(name, text))
}

fn open(path: &Path) -> io::Result<File> {
    let file = File::open(path)?;
    if file.metadata()?.is_dir() { Err(io::ErrorKind::IsADirectory.into()) } else { Ok(file) }
}

/// Reads up to one byte more than the limit.
fn capped(reader: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(MAX_TEXT as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn text_of(name: &str, bytes: Vec<u8>) -> Result<String, Failure> {
    if bytes.len() > MAX_TEXT {
        return Err(Failure::new(format!("{name} is larger than the limit of 1 MiB")));
    }
    let error = match String::from_utf8(bytes) {
        Ok(text) => return Ok(text),
        Err(error) if is_program(name, error.as_bytes()) => {
            return Ok(String::from_utf8_lossy(error.as_bytes()).into_owned());
        }
        Err(error) => error,
    };
    Err({
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let (line, column) = end_of(valid);
        Failure::new(format!("{name} is not UTF-8: invalid byte at line {line}, column {column}"))
    })
}

/// Whether a file is a program of another language, whose comments may have any encoding.
fn is_program(name: &str, bytes: &[u8]) -> bool {
    let ending = Path::new(name).extension();
    ending.is_some_and(|ending| ending != "tide") && !bytes.contains(&0)
}

/// Line and column, from 1, of the position after `text`.
fn end_of(text: &[u8]) -> (usize, usize) {
    let line = text.iter().filter(|byte| **byte == b'\n').count() + 1;
    let start = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |place| place + 1);
    let column = text[start..].iter().filter(|byte| **byte & 0xc0 != 0x80).count() + 1;
    (line, column)
}

fn unreadable(path: &Path, error: &io::Error) -> Failure {
    let name = name_of(path);
    match error.kind() {
        io::ErrorKind::NotFound => {
            let failure = Failure::new(format!("no such file: {name}"));
            match name.split_once('=').is_some_and(|(_, size)| size.parse::<u32>().is_ok()) {
                true => {
                    failure.help(format!("if it is a size of the launch, write `--launch {name}`"))
                }
                false => failure,
            }
        }
        io::ErrorKind::IsADirectory => {
            Failure::new(format!("{name} is a folder; expected a scenario"))
                .help(format!("run `tidegate test {name}` to test the scenarios in it"))
        }
        _ => Failure::new(format!("cannot read {name}: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bad_byte_is_named() {
        let error = text_of("x.tide", b"wave 0 {\n\xc3\xa9 \xff }".to_vec()).unwrap_err();
        assert!(error.message.contains("line 2, column 3"), "{error}");
    }

    #[test]
    fn comments_of_programs_have_any_encoding() {
        let text = text_of("k.cu", b"// 10 \xb5s\n__global__".to_vec()).unwrap();
        assert!(text.ends_with("s\n__global__"), "{text}");
        assert!(text_of("k.cu", b"\xb5\0".to_vec()).is_err());
    }

    #[test]
    fn text_is_capped() {
        assert!(text_of("x.tide", vec![b'#'; MAX_TEXT]).is_ok());
        assert!(text_of("x.tide", vec![b'#'; MAX_TEXT + 1]).unwrap_err().message.contains("1 MiB"));
        assert_eq!(capped(io::repeat(b'#')).unwrap().len(), MAX_TEXT + 1);
    }
}
