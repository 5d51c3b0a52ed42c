//! Sentences with code and lines in them.

use super::press;
use crate::state::State;
use leptos::prelude::*;

/// Marks that stay on the line of what they follow; `(` stays on the line of what follows it.
const MARKS: [char; 5] = [')', ',', '.', ':', ';'];

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
    let name = part.trim_start_matches('(');
    let before = part.len() - name.len();
    let (name, mark) = name.split_at(name.trim_end_matches(MARKS).len());
    let line = name.get(5..).and_then(|line| line.parse().ok()).filter(|_| index % 2 == 1);
    match line {
        Some(line) => {
            let state = State::expect();
            let (name, mark) = (name.to_owned(), mark.to_owned());
            view! {
                <span class="joined">
                    {part[..before].to_owned()}
                    <button class="goes" type="button" on:click=press(move || state.focus_line(line))>{name}</button>
                    {mark}
                </span>
            }
            .into_any()
        }
        None => part.to_owned().into_any(),
    }
}

/// Splits a text before and after each `line 7` with the marks around it, which stay on its line.
fn split(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut seen) = (Vec::new(), 0, 0);
    while let Some(at) = text[seen..].find("ine ") {
        let from = (seen + at).saturating_sub(1);
        seen += at + 4;
        let digits = text[seen..].bytes().take_while(u8::is_ascii_digit).count();
        let begins = matches!(text.as_bytes()[from], b'l' | b'L')
            && !text[..from].ends_with(char::is_alphanumeric);
        if begins && digits > 0 {
            seen += digits;
            seen = text.len() - text[seen..].trim_start_matches(MARKS).len();
            let from = text[..from].trim_end_matches('(').len();
            parts.extend([&text[start..from], &text[from..seen]]);
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
        assert_eq!(split("(wave 0, line 92)"), ["(wave 0, ", "line 92)", ""]);
        assert_eq!(split("the wait (line 9), too"), ["the wait ", "(line 9),", " too"]);
        assert_eq!(split("Line 3: on line 4"), ["", "Line 3:", " on ", "line 4", ""]);
        for other in ["", "outline 3", "line of code", "lines 3", "ine 3", "é line"] {
            assert_eq!(split(other), [other]);
        }
    }
}
