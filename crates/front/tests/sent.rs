//! Readings of compiled code are the same after they were sent to another module.

use tidegate_front::read;
use tidegate_lang::compiled::{Code, Language, Reading};
use tidegate_lang::launching::Launching;
use tidegate_lang::scenario::Compiled;

/// One file of each language.
const FILES: [&str; 5] = [
    include_str!("../../../tests/kernels/sums.sm_90.cu"),
    include_str!("../../../tests/kernels/phases.sm_90.ptx"),
    include_str!("../../../tests/kernels/exchange.sm_90.sass"),
    include_str!("../../../tests/kernels/exchange.gfx942.s"),
    include_str!("../../../tests/kernels/guarded.spir64.ll"),
];

fn code(text: &str) -> Code {
    let (language, launching) = (Language::of(text).unwrap(), Launching::default());
    let text = tidegate_lang::without_headers(text);
    Code { text, language, launching, target: None, written: None }
}

fn sent(code: &Code) -> (Reading, Reading) {
    let arrived: Code = postcard::from_bytes(&postcard::to_allocvec(code).unwrap()).unwrap();
    let read = read(&arrived);
    let bytes = postcard::to_allocvec(&read).unwrap();
    (read, postcard::from_bytes(&bytes).unwrap())
}

#[test]
fn a_reading_arrives_as_it_was_sent() {
    for text in FILES {
        let (read, arrived) = sent(&code(text));
        let [one, other] = [read, arrived].map(|it| it.program.unwrap().unwrap());
        let bodies = |compiled: &Compiled| compiled.program.bodies.clone();
        assert!(!bodies(&one).is_empty() && bodies(&one) == bodies(&other));
        let sources = one.sources.iter().zip(&other.sources);
        assert!(sources.into_iter().all(|(one, other)| one == other));
        assert_eq!(one.agent_names, other.agent_names);
        assert_eq!((one.warnings, one.buffer_names), (other.warnings, other.buffer_names));
    }
}

#[test]
fn errors_of_broken_code_arrive() {
    let broken = |text: &str| {
        let code = Language::of(text).map(|_| code(text))?;
        let (read, arrived) = sent(&code);
        assert_eq!(read.error, arrived.error, "{text}");
        let errors = |reading: Reading| reading.program.and_then(Result::err);
        let error = read.error.is_some();
        let [evaluated, expected] = [read, arrived].map(errors);
        assert_eq!(evaluated, expected, "{text}");
        Some(error)
    };
    for whole in FILES {
        let mut errors = 0;
        for (end, _) in whole.match_indices('\n') {
            let half: String = whole[..end].chars().rev().take(end / 2).collect();
            let reversed = whole[..end - end / 4].to_owned() + &half;
            for text in [&whole[..end], &whole[..end].replace(", ", " "), &reversed] {
                errors += usize::from(broken(text) == Some(true));
            }
        }
        assert!(errors > 0, "no part of this is broken: {whole}");
    }
}
