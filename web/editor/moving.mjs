// Moving a line by its number: the text changes with the pointer, so that the verdict shows before the line is dropped.
import { isolateHistory } from "@codemirror/commands";
import { Transaction } from "@codemirror/state";
import { setNamed } from "./marks.mjs";

/** Shortest way of the pointer that moves a line, in pixels. */
const LEAST = 6;

/** Returns the changes that move a line to the place of another one. */
const moved = (doc, from, to) => {
  const [line, place] = [doc.line(from), doc.line(to)];
  if (to > from) return [{ from: line.from, to: line.to + 1 }, { from: place.to, insert: `\n${line.text}` }];
  return [{ from: place.from, insert: `${line.text}\n` }, { from: line.from - 1, to: line.to }];
};

/**
 * Returns handlers of the line numbers. A line follows the pointer; Escape returns it to its place, and one undo does so after it
 * is dropped. `ours` marks a change that is not reported, and `click` handles a press without a move.
 */
export const moving = (ours, click) => {
  let wasMoved = false;
  const pointerdown = (view, { from }, event) => {
    wasMoved = false;
    const origin = view.state.doc.lineAt(from).number;
    if (event.button || event.pointerType === "touch" || !/\w/.test(view.state.doc.line(origin).text)) return false;
    let now = origin;
    const go = (to, annotations) => {
      if (to !== now) view.dispatch({ changes: moved(view.state.doc, now, to), effects: setNamed.of(to), annotations, userEvent: "move.line" });
      now = to;
    };
    const follow = ({ clientY }) => {
      if (!wasMoved && Math.abs(clientY - event.clientY) < LEAST) return;
      if (!wasMoved) view.focus();
      wasMoved = true;
      const { top, bottom } = view.scrollDOM.getBoundingClientRect();
      const inside = Math.min(bottom - 1, Math.max(top, clientY)) - view.documentTop;
      go(view.state.doc.lineAt(view.lineBlockAtHeight(inside).from).number, Transaction.addToHistory.of(false));
    };
    const ended = new AbortController();
    const end = (drops) => {
      ended.abort();
      const to = now;
      // The way of the pointer is not part of the history: one undo returns the line.
      if (drops) go(origin, [Transaction.addToHistory.of(false), ours.of(true)]);
      go(drops ? to : origin, drops ? isolateHistory.of("full") : Transaction.addToHistory.of(false));
      view.dispatch({ effects: setNamed.of(0) });
    };
    const on = (name, act) => addEventListener(name, act, { signal: ended.signal, capture: true });
    on("pointermove", follow);
    on("pointerup", () => end(true));
    on("pointercancel", () => end(false));
    on("keydown", (key) => {
      if (key.key !== "Escape") return;
      key.stopPropagation();
      end(false);
    });
    return false;
  };
  return { pointerdown, click: (view, line) => wasMoved || click(view, line) };
};
