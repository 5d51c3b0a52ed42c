//! Sentences with code and lines in them.

use super::press;
use crate::state::State;
use leptos::prelude::*;

/// A sentence; text between backticks is code, and each `line 7` outside it is a button that goes to the line.
#[component]
pub(super) fn Prose(
    /// The sentence.
    #[prop(into)]
    text: String,
) -> impl IntoView {
    let parts = text.split('`').enumerate();
    parts
        .map(|(index, part)| match index % 2 {
            1 => code(part),
            _ => split(part).into_iter().enumerate().map(go).collect_view().into_any(),
        })
        .collect_view()
}

/// A sentence for a button: text between backticks is code.
pub(super) fn coded(text: &str) -> Vec<AnyView> {
    let part = |(index, part): (usize, &str)| match index % 2 {
        1 => code(part),
        _ => part.to_owned().into_any(),
    };
    text.split('`').enumerate().map(part).collect()
}

fn code(text: &str) -> AnyView {
    view! { <code>{text.to_owned()}</code> }.into_any()
}

/// A part of a sentence; each second one is a button.
fn go((index, part): (usize, &str)) -> AnyView {
    let text = part.to_owned();
    let line = part.get(5..).and_then(|line| line.parse().ok()).filter(|_| index % 2 == 1);
    match line {
        Some(line) => {
            let state = State::expect();
            view! {
                <button class="goes" type="button" on:click=press(move || state.focus_line(line))>{text}</button>
            }
            .into_any()
        }
        None => text.into_any(),
    }
}

/// Splits a text before and after each `line 7`.
fn split(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut seen) = (Vec::new(), 0, 0);
    while let Some(at) = text[seen..].find("ine ") {
        let from = (seen + at).saturating_sub(1);
        seen += at + 4;
        let digits = text[seen..].bytes().take_while(u8::is_ascii_digit).count();
        let begins = matches!(text.as_bytes()[from], b'l' | b'L')
            && !text[..from].ends_with(char::is_alphanumeric);
        if begins && digits > 0 {
            parts.extend([&text[start..from], &text[from..seen + digits]]);
            seen += digits;
            start = seen;
        }
    }
    parts.push(&text[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn each_second_part_is_a_line() {
        assert_eq!(split("(wave 0, line 92)"), ["(wave 0, ", "line 92", ")"]);
        assert_eq!(split("Line 3: on line 4"), ["", "Line 3", ": on ", "line 4", ""]);
        for other in ["", "outline 3", "line of code", "lines 3", "ine 3", "é line"] {
            assert_eq!(split(other), [other]);
        }
    }
}
