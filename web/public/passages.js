// F1 opens the passage about what has the focus or is under the pointer: an operation, a rule or a count. Several dropped files
// become a table.
import { engine } from "./port.js";

const embedded = document.documentElement.hasAttribute("data-embed");
let under;
addEventListener("pointerover", ({ target }) => (under = target), { passive: true });

/** The word under the caret of the editor, as the engine splits the text. */
const written = (target) => {
  const view = target.closest?.(".editor__code")?.editor?.view;
  if (!view) return undefined;
  return engine.meaning(view.state.doc.toString(), view.state.selection.main.head)[2];
};

/** What a passage about an element is found by: the address of a rule, or a word; nothing if there is neither. */
const subject = (target) => {
  const finding = target.closest?.(".finding, .verdict");
  const rule = target.closest?.('a[href^="#rules/"]') ?? finding?.querySelector('a[href^="#rules/"]');
  if (rule) return rule.getAttribute("href");
  const word = written(target) ?? target.closest?.(".node, .move")?.querySelector(".node__label, .move__label")?.textContent ?? target.closest?.(".count, .object__head, .ledger")?.textContent;
  return word;
};

/** Opens the passage about a word. The engine gets the documents when the reader opens the first one. */
const open = async (word) => {
  let found = engine.passage(word);
  if (!found) location.hash = "#language";
  for (let tries = 0; !found && tries < 40 && location.hash === "#language"; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    found = engine.passage(word);
  }
  if (found) location.hash = found;
};

addEventListener("keydown", (event) => {
  if (event.key !== "F1" || !engine || embedded) return;
  event.preventDefault();
  const found = subject(event.target) ?? (under?.isConnected ? subject(under) : undefined);
  if (found?.startsWith("#")) location.hash = found;
  else if (found) open(found);
  else location.hash = "#language";
}, true);

/** The search field of the examples takes the focus of their view when it is drawn, unless that would open a keyboard. */
addEventListener("focusin", ({ target: view }) => {
  if (view.id !== "view" || !location.hash.startsWith("#gallery") || !matchMedia("(hover: hover)").matches) return;
  const take = () => {
    const field = document.activeElement === view && view.querySelector("#sought");
    field?.focus?.({ preventScroll: true });
    if (field !== null) watch.disconnect();
  };
  const watch = new MutationObserver(take);
  watch.observe(view, { childList: true, subtree: true });
  requestAnimationFrame(take);
});

/** Escape empties a search field, and leaves the view if it is empty. */
addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (key !== "Escape" || target.id !== "sought") return;
  event.preventDefault();
  if (!target.value) return void (location.hash = "");
  target.value = "";
  target.dispatchEvent(new Event("input", { bubbles: true }));
});

/** The arrows and Enter in the search field of the examples enter their list, and the arrows move in it. */
addEventListener("keydown", (event) => {
  const turn = { ArrowDown: 1, ArrowUp: -1, Enter: 1 }[event.key];
  const from = event.target.closest?.("#view .sieve input, #view .example");
  if (!turn || !from || (event.key === "Enter" && from.matches(".example"))) return;
  const all = [...document.querySelectorAll("#view .sieve input, #view .example")];
  const to = all[all.indexOf(from) + turn];
  if (!to) return;
  event.preventDefault();
  to.focus();
});

/** A file without an entry of a file system, in the form of one. */
const plain = (file) => file && { isFile: true, fullPath: `/${file.name}`, file: (take) => take(file) };
const entriesOf = ({ items }) =>
  [...items].filter(({ kind }) => kind === "file").map((item) => item.webkitGetAsEntry?.() ?? plain(item.getAsFile())).filter(Boolean);

/** Shows a frame while files are over the page. */
const frame = (shown) => document.documentElement.toggleAttribute("data-drag", shown);
addEventListener("dragover", (event) => {
  if (embedded || ![...(event.dataTransfer?.items ?? [])].some(({ kind }) => kind === "file")) return;
  frame(true);
  event.preventDefault();
});
for (const end of ["dragend", "drop", "blur"]) addEventListener(end, () => frame(false), true);
addEventListener("dragleave", ({ relatedTarget }) => relatedTarget ?? frame(false));
addEventListener("drop", async (event) => {
  const entries = event.dataTransfer ? entriesOf(event.dataTransfer) : [];
  if (embedded || !entries.length) return;
  event.preventDefault();
  event.stopPropagation();
  (await import("./table.js")).dropped(entries);
}, true);
