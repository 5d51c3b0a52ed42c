// The page's connection to the editor: a separate bundle, fetched after the engine, that replaces the text area.
import { engine } from "./port.js";

let editor;
let found = { problems: [], faults: [] };

/** Resolves when no composition is in progress in an element. */
const composed = (area) =>
  new Promise((resolve) => {
    const settle = () => setTimeout(resolve);
    if (area.dataset.composing) area.addEventListener("compositionend", settle, { once: true });
    else resolve();
  });

/** Resolves when the visible part is drawn; a hidden page draws nothing. */
const drawn = (made) => Promise.race([made.drawn(), new Promise((resolve) => setTimeout(resolve, 500))]);

/** Fetches the editor and mounts it over the text area, with its text, selection and scroll position. */
export const mount = async (host, area, first) => {
  area.addEventListener("compositionstart", () => (area.dataset.composing = "yes"));
  area.addEventListener("compositionend", () => delete area.dataset.composing);
  const bundle = await import("./editor.js");
  await composed(area);
  const made = bundle.mount(host, first, engine);
  host.editor = made;
  made.write(area.value);
  await drawn(made);
  const { scrollTop, scrollLeft } = area.closest(".editor__scroll") ?? area;
  made.view.dispatch({ selection: { anchor: area.selectionStart, head: area.selectionEnd } });
  made.view.scrollDOM.scrollTo(scrollLeft, scrollTop);
  await drawn(made);
  made.view.scrollDOM.scrollTo(scrollLeft, scrollTop);
  // The reader may have written while the editor was drawn.
  if (made.text() !== area.value) {
    made.write(area.value);
    made.view.dispatch({ selection: { anchor: area.selectionStart, head: area.selectionEnd } });
  }
  if (document.activeElement === area) made.view.contentDOM.focus({ preventScroll: true });
  editor = made;
};

export const text = () => editor.text();
export const write = (text) => editor.write(text);
let shown = 0;
/** Switches to another scenario; each keeps its undo history and its caret. */
export const turn = (scenario, text) => {
  if (scenario !== shown) editor?.turn(shown, scenario, text);
  shown = scenario;
};
export const step = (line) => editor.step(line);

export const problem = (from, to, severity, message, hint, replacement) =>
  found.problems.push({ from, to, severity, message, hint, replacement });
export const fault = (line, tone, message) => found.faults.push({ line, tone, message });
export const mark = () => {
  editor.mark(found);
  found = { problems: [], faults: [] };
};

export const select = (start, end) => {
  if (editor) return editor.select(start, end);
  const area = document.getElementById("scenario");
  area?.focus();
  area?.setSelectionRange(start, end);
};

export const layOut = () => Boolean(editor?.layOut());
export const tints = (text) => engine?.tints(text) ?? new Uint32Array();
