// Replaces CodeMirror's language package with the functions that its commands need; there is no grammar.
import { Facet } from "@codemirror/state";

const COMMENT = /(#|\/\/).*/g;

/** Columns per level, as in `tidegate fmt`. */
const LEVEL = 2;

export const indentUnit = Facet.define({ combine: () => " ".repeat(LEVEL) });
export const getIndentUnit = () => LEVEL;
export const indentString = (_, columns) => " ".repeat(columns);

export class IndentContext {
  constructor(state, options = {}) {
    this.state = state;
    this.options = options;
  }
}

/** Returns the indentation of a line that starts at a position: one more level after an opening brace. */
export const getIndentation = ({ state, options }, place) => {
  const line = state.doc.lineAt(place);
  const column = line.text.search(/\S|$/);
  const before = line.text.slice(0, place - line.from).replace(COMMENT, "");
  const opens = options.simulateBreak !== undefined && /[{(]\s*$/.test(before);
  return opens ? column + LEVEL : column;
};

/** Returns the position of the last open brace of a text; null if there is none. Comments are ignored. */
export const opening = (text) => {
  const code = text.replace(COMMENT, (comment) => " ".repeat(comment.length));
  for (let depth = 0, at = code.length - 1; at >= 0; at -= 1) {
    if (code[at] === "}") depth += 1;
    else if (code[at] === "{" && depth === 0) return at;
    else if (code[at] === "{") depth -= 1;
  }
  return null;
};

const nowhere = { name: "", parent: null, firstChild: null, lastChild: null, childBefore: () => null, childAfter: () => null };
export const syntaxTree = () => ({ topNode: nowhere, resolve: () => nowhere, resolveInner: () => nowhere });

const PAIRS = "{}()[]";

/** Returns the bracket that matches the one at a position, within one screen of lines. */
export const matchBrackets = (state, place, direction) => {
  const start = direction < 0 ? place - 1 : place;
  const at = PAIRS.indexOf(state.sliceDoc(start, start + 1) || " ");
  if (at < 0 || (at % 2 === 0) !== (direction > 0)) return null;
  const [ours, other] = [PAIRS[at], PAIRS[at ^ 1]];
  const text = state.doc.toString();
  for (let depth = 0, here = start; here >= 0 && here < text.length; here += direction) {
    if (text[here] === ours) depth += 1;
    else if (text[here] === other) depth -= 1;
    if (depth === 0) return { start: { from: start, to: start + 1 }, end: { from: here, to: here + 1 }, matched: true };
  }
  return { start: { from: start, to: start + 1 }, matched: false };
};

export const NodeProp = { closedBy: null, openedBy: null };
