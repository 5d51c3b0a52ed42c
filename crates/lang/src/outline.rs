//! The statements of a text and their blocks. Works on any text.

use crate::lexer::{self, Kind, Token};
use alloc::vec::Vec;
use core::ops::Range;

/// A statement with its blocks, in bytes of the text.
#[derive(Debug)]
pub struct Item {
    /// Its position.
    pub range: Range<usize>,
    /// Its blocks, in order.
    pub blocks: Vec<Block>,
}

/// The content between two braces.
#[derive(Debug)]
pub struct Block {
    /// The part of the statement between the previous block and this one: `else`, `or`.
    pub head: Range<usize>,
    /// Its opening brace.
    pub open: Range<usize>,
    /// Its closing brace.
    pub close: Range<usize>,
    /// The statements between them.
    pub items: Vec<Item>,
}

impl Item {
    /// Its first word.
    #[must_use]
    pub fn first_word<'a>(&self, text: &'a str) -> &'a str {
        let text = &text[self.range.clone()];
        let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len());
        &text[..end]
    }
}

/// Words that continue a statement after a block.
const CONTINUES: [&str; 2] = ["else", "or"];

/// Largest depth; deeper blocks are not separate items.
const DEEPEST: usize = 64;

/// The statements of a text.
#[must_use]
pub fn outline(text: &str) -> Vec<Item> {
    let mut tokens = lexer::lex(text);
    tokens.retain(|token| token.kind != Kind::Comment);
    let mut reader = Reader { text, tokens: &tokens, at: 0 };
    let mut items = reader.items(0);
    while reader.at < tokens.len() {
        reader.at += 1; // a brace that closes nothing
        items.extend(reader.items(0));
    }
    items
}

struct Reader<'a> {
    text: &'a str,
    tokens: &'a [Token],
    at: usize,
}

impl<'a> Reader<'a> {
    fn word(&self, at: usize) -> &'a str {
        lexer::word(self.text, self.tokens, at)
    }

    fn range(&self, at: usize) -> Range<usize> {
        self.tokens.get(at).map_or(0..0, |token| {
            let start = token.span.start as usize;
            start..start + token.span.length as usize
        })
    }

    /// Statements up to the brace that closes the surrounding block.
    fn items(&mut self, depth: usize) -> Vec<Item> {
        let mut items = Vec::new();
        while self.at < self.tokens.len() && self.word(self.at) != "}" {
            if matches!(self.word(self.at), "\n" | ";") {
                self.at += 1;
            } else {
                items.push(self.item(depth));
            }
        }
        items
    }

    fn item(&mut self, depth: usize) -> Item {
        let start = self.range(self.at).start;
        let mut item = Item { range: start..start, blocks: Vec::new() };
        let mut head = start;
        while self.at < self.tokens.len() && !matches!(self.word(self.at), "\n" | ";" | "}") {
            if self.word(self.at) == "{" && depth < DEEPEST {
                item.blocks.extend(self.block(head, depth));
                head = self.range(self.at.saturating_sub(1)).end;
                item.range.end = head;
                if !self.continues() {
                    break;
                }
            } else {
                item.range.end = self.range(self.at).end;
                self.at += 1;
            }
        }
        item
    }

    /// A block, if its brace is closed.
    fn block(&mut self, head: usize, depth: usize) -> Option<Block> {
        let open = self.range(self.at);
        self.at += 1;
        let items = self.items(depth + 1);
        let close = (self.at < self.tokens.len()).then(|| self.range(self.at));
        self.at = (self.at + 1).min(self.tokens.len());
        close.map(|close| Block { head: head..open.start, open, close, items })
    }

    /// Whether the statement continues after a block; line ends before the continuing word belong to it.
    fn continues(&mut self) -> bool {
        let next = (self.at..).find(|&at| self.word(at) != "\n").unwrap_or(self.at);
        let continues = CONTINUES.contains(&self.word(next));
        if continues {
            self.at = next;
        }
        continues
    }
}
