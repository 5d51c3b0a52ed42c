//! Tokens with the macros from whose expansion they come.

use crate::diagnostic::Span;
use crate::lexer::{Kind, Token};
use alloc::rc::Rc;
use alloc::string::String;

/// A token, with the macros from whose expansion it comes.
#[derive(Clone)]
pub(super) struct Item {
    pub(super) token: Token,
    pub(super) hidden: Option<Rc<Hidden>>,
}

/// The name of a macro that is not expanded again, and the next one.
pub(super) struct Hidden {
    pub(super) name: String,
    pub(super) next: Option<Rc<Hidden>>,
}

impl Hidden {
    pub(super) fn has(mut this: &Option<Rc<Self>>, name: &str) -> bool {
        while let Some(hidden) = this {
            if hidden.name == name {
                return true;
            }
            this = &hidden.next;
        }
        false
    }
}

/// An empty argument beside `##`.
pub(super) const EMPTY: Item = Item {
    token: Token { kind: Kind::Newline, span: Span { start: 0, length: 0, line: 0, column: 0 } },
    hidden: None,
};

impl From<Token> for Item {
    fn from(token: Token) -> Self {
        Self { token, hidden: None }
    }
}
