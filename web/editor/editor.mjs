// The editor: CodeMirror without a grammar. The engine provides colours, problems, meanings and completions.
import { completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, isolateHistory } from "@codemirror/commands";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Annotation, EditorSelection, EditorState } from "@codemirror/state";
import { EditorView, drawSelection, dropCursor, keymap, lineNumbers, rectangularSelection } from "@codemirror/view";
import styles from "./editor.css";
import { help, takeCandidate } from "./help.mjs";
import { opening } from "./language.mjs";
import { readAgain, understood } from "./kernel.mjs";
import { moving } from "./moving.mjs";
import { engine, marks, problems, setMarks, setNamed, setStep } from "./marks.mjs";

/** Marks a change that the page made, which is not reported back. */
const ours = Annotation.define();

/** Returns the smallest change from one text to another. */
const between = (old, text) => {
  const most = Math.min(old.length, text.length);
  let from = 0;
  while (from < most && old[from] === text[from]) from += 1;
  let tail = 0;
  while (tail < most - from && old[old.length - 1 - tail] === text[text.length - 1 - tail]) tail += 1;
  return { from, to: old.length - tail, insert: text.slice(from, text.length - tail) };
};

/** Formats the text if it has no errors. */
const layOut = (view) => {
  const old = view.state.doc.toString();
  const text = view.state.facet(engine).laid_out(old);
  if (text !== undefined && text !== old) view.dispatch({ changes: between(old, text), userEvent: "format" });
  return true;
};

/** Goes to the next problem after the caret, wrapping at the end. */
const nextProblem = (view) => {
  const found = [];
  for (let at = view.state.field(problems).iter(); at.value; at.next()) found.push({ anchor: at.from, head: at.to });
  const { head } = view.state.selection.main;
  const next = found.find(({ anchor }) => anchor > head) ?? found[0];
  if (next) view.dispatch({ selection: next, scrollIntoView: true });
  return true;
};

/** Reports the line of a position, whose steps the page then marks. */
const choose = (view, position) => {
  const detail = view.state.doc.lineAt(position).number;
  view.dom.dispatchEvent(new CustomEvent("line", { detail, bubbles: true }));
  return false;
};

const keys = keymap.of([
  { key: "Tab", run: takeCandidate },
  { key: "Shift-Alt-f", run: layOut },
  { key: "F8", run: nextProblem },
  { key: "F2", run: (view) => !choose(view, view.state.selection.main.head) },
  ...completionKeymap,
  ...defaultKeymap.filter(({ run }) => run.name !== "toggleTabFocusMode"),
  ...searchKeymap,
  ...historyKeymap,
]);

/** Margin above and below a line that is scrolled into view, in pixels. */
const MARGIN = 24;

/** Scrolls the editor, not the page, to a line. */
const reveal = (view, position) => view.requestMeasure({
  read: ({ scrollDOM }) => ({ line: view.lineBlockAt(position), height: scrollDOM.clientHeight, top: scrollDOM.scrollTop }),
  write({ line, height, top }, { scrollDOM }) {
    const [most, least] = [line.top - MARGIN, line.bottom + MARGIN - height];
    if (top > most) scrollDOM.scrollTop = most;
    else if (top < least) scrollDOM.scrollTop = least;
  },
});

const TYPED = ["insertText", "insertReplacementText", "insertFromPaste"];

/** Handles typing over a selection here: browsers would keep the styles of the selection, which the policy forbids. */
const typing = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { from, to } = view.state.selection.main;
    const text = event.data ?? event.dataTransfer?.getData("text/plain");
    const over = TYPED.includes(event.inputType) && text && !event.isComposing;
    if (!over || from === to) return false;
    event.preventDefault();
    view.dispatch(view.state.replaceSelection(text), { userEvent: "input.type", scrollIntoView: true });
    return true;
  },
});

/** Puts a closing brace that starts its line in the column of its block. */
const closing = EditorView.inputHandler.of((view, from, to, text) => {
  const line = view.state.doc.lineAt(from);
  const before = view.state.sliceDoc(line.from, from);
  if (text !== "}" || from !== to || before.trim()) return false;
  const open = opening(view.state.sliceDoc(0, line.from));
  if (open === null) return false;
  const column = view.state.doc.lineAt(open).text.search(/\S|$/);
  const insert = `${" ".repeat(column)}}`;
  view.dispatch({ changes: { from: line.from, to: from, insert }, selection: { anchor: line.from + insert.length }, userEvent: "input.type", scrollIntoView: true });
  return true;
});

const comments = EditorState.languageData.of(() => [{ commentTokens: { line: "#" } }]);

const extensions = [
  lineNumbers({ domEventHandlers: moving(ours, (view, { from }) => choose(view, from)) }), marks, understood, history(), drawSelection(), dropCursor(), rectangularSelection(), highlightSelectionMatches(),
  search({ top: true }), help, keys, typing, closing, comments, EditorState.allowMultipleSelections.of(true), EditorState.tabSize.of(4),
  EditorState.lineSeparator.of("\n"),
  EditorView.contentAttributes.of({
    id: "scenario", tabindex: "0", "aria-label": "Scenario text", autocapitalize: "off", autocorrect: "off", spellcheck: "false", translate: "no",
  }),
];

/** Adds our styles after those of CodeMirror. */
const dress = () => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
};

/** Mounts the editor in an element, with a text; `answers` is the engine. An event `written` reports the reader's changes. */
export const mount = (host, text, answers) => {
  // The line of the current step, which a report on another text may share.
  let current = 0;
  // After a paste of most of the text, the first finding is shown.
  let pasted = false;
  const report = EditorView.updateListener.of((update) => {
    const isPaste = update.transactions.some((change) => change.docChanged && change.isUserEvent("input.paste"));
    if (isPaste) update.changes.iterChangedRanges((from, to, start, end) => (pasted = 2 * (end - start) > update.state.doc.length));
    const theirs = update.transactions.some((change) => change.docChanged && !change.annotation(ours));
    if (theirs) host.dispatchEvent(new Event("written"));
  });
  const begin = (doc) => EditorState.create({ doc, extensions: [engine.of(answers), extensions, report] });
  const state = begin(text);
  const left = new Map();
  const view = new EditorView({ parent: host, state });
  dress();
  addEventListener("front", () => view.dispatch({ effects: readAgain.of(null) }));
  return {
    view,
    text: () => view.state.doc.toString(),
    /** Sets the content, as one undoable change. */
    write(next) {
      const before = view.state.doc.toString();
      if (before === next) return;
      view.dispatch({ changes: between(before, next), annotations: [ours.of(true), isolateHistory.of("full")] });
    },
    /** Switches to another scenario with its text; each scenario has its own undo history. */
    turn(from, to, next) {
      left.set(from, view.state);
      const known = left.get(to);
      view.setState(known?.doc.toString() === next ? known : begin(next));
      view.scrollDOM.scrollLeft = 0;
    },
    /** Shows problems and findings. */
    mark(found) {
      view.dispatch({ effects: [setMarks.of(found), setStep.of(current)] });
      // The findings are in the order of their weight.
      const first = found.faults.find(({ line }) => line > 0 && line <= view.state.doc.lines);
      if (!pasted || !first) return;
      pasted = false;
      reveal(view, view.state.doc.line(first.line).from);
    },
    /** Marks the line of the current step and scrolls to it. */
    step(number) {
      current = number;
      view.dispatch({ effects: setStep.of(number) });
      const known = number >= 1 && number <= view.state.doc.lines;
      if (known && !view.hasFocus) reveal(view, view.state.doc.line(number).from);
    },
    /** Marks the line that a sentence names; 0 for none. */
    name(number) {
      view.dispatch({ effects: setNamed.of(number) });
    },
    /** Selects a range and scrolls to it. */
    select(from, to) {
      const { length } = view.state.doc;
      const [start, end] = [Math.min(from, length), Math.min(to, length)];
      view.focus();
      // The caret is at the start, so that the starts of the lines stay visible.
      view.scrollDOM.scrollLeft = 0;
      view.dispatch({ selection: EditorSelection.single(end, start), effects: EditorView.scrollIntoView(start, { yMargin: MARGIN }) });
      // The view would scroll the window only until the line is at its edge, where the bar of the top may cover it.
      host.scrollIntoView({ block: "nearest" });
    },
    layOut: () => layOut(view),
    /** Resolves when the visible part has been measured and drawn. */
    drawn: () => new Promise((resolve) => view.requestMeasure({ read: () => {}, write: resolve })),
  };
};
