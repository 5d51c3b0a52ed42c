// Checks several files, and shows them as a table: dropped files and folders, or chosen ones. The page loads this on demand.
import { Engine, ROW } from "./asking.js";

/** Largest number of files, and largest size of each in bytes. */
const [MOST, LARGEST] = [1000, 2_000_000];
/** Endings of files in a folder; a file that is dropped by itself may have any. */
const ENDINGS = /\.(tide|s|asm|ll|ptx|sass|cl|clcpp|cu|hip|cpp|cc)$/i;
/** Longest time for one file, in milliseconds. */
const PATIENCE = 60_000;

const made = (name, className, text = "") => Object.assign(document.createElement(name), { className, textContent: text });

/** Returns the parts of a text; those between backticks are code. */
const coded = (text) => text.split("`").map((part, at) => (at % 2 ? made("code", "", part) : part));

const filesOf = async (entry) => {
  if (entry.isFile) return [[entry.fullPath.slice(1), await new Promise((resolve, reject) => entry.file(resolve, reject))]];
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) break;
    for (const one of some.sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }))) {
      if (found.length >= MOST) return found;
      if (one.isDirectory || ENDINGS.test(one.name)) found.push(...(await filesOf(one)));
    }
  }
  return found;
};

const HEADS = ["File", "Target", "Verdict", "Rule"];

const FOCUSABLE = "button, [tabindex]";
/** Keeps the focus in a dialog, closes it by a click outside, and moves between its rows with the arrow keys. */
const guide = (dialog) => {
  const rows = () => [...dialog.querySelectorAll(".files__open")];
  dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());
  dialog.addEventListener("keydown", (event) => {
    // The keys of the page do not apply here.
    event.stopPropagation();
    const at = rows().indexOf(document.activeElement);
    const turn = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows().length - 1 }[event.key];
    const row = at < 0 && event.key !== "ArrowDown" ? undefined : rows()[turn];
    const all = [...dialog.querySelectorAll(FOCUSABLE)];
    const [first, last] = event.shiftKey ? [all[0], all.at(-1)] : [all.at(-1), all[0]];
    const next = row ?? (event.key === "Tab" && document.activeElement === first ? last : undefined);
    if (!next) return;
    event.preventDefault();
    next.focus();
  });
};

/** The last table, with its button. */
let shelf;

/** The dialog: one row for each file. */
const open = (files) => {
  const engine = new Engine(PATIENCE);
  const dialog = made("dialog", "dialog files");
  dialog.setAttribute("aria-labelledby", "files-name");
  const sheet = made("div", "dialog__sheet");
  const head = made("div", "dialog__head");
  const name = made("h2", "dialog__name", "Files");
  name.id = "files-name";
  const close = made("button", "button button--small", "Close");
  close.addEventListener("click", () => dialog.close());
  const copy = made("button", "button button--small", "Copy table");
  copy.addEventListener("click", async () => {
    const lines = [row, ...body.children].map((line) => [...line.children].map((one) => one.innerText.replace(/\s+/g, " ").trim()).join("\t"));
    await navigator.clipboard.writeText(lines.join("\n"));
    copy.textContent = "Copied";
  });
  head.append(name, copy, close);
  const summary = made("p", "quiet");
  summary.setAttribute("role", "status");
  const table = made("table", "files__table");
  const row = made("tr", "");
  const body = made("tbody", "");
  let order = [-1, 1];
  const sort = (column) => {
    order = [column, order[0] === column ? -order[1] : 1];
    const key = (line) => line.children[column].textContent;
    const sorted = [...body.children].sort((a, b) => order[1] * key(a).localeCompare(key(b), undefined, { numeric: true }));
    body.append(...sorted);
    for (const [at, it] of [...row.children].entries()) {
      if (at === column) it.setAttribute("aria-sort", order[1] > 0 ? "ascending" : "descending");
      else it.removeAttribute("aria-sort");
    }
  };
  for (const [at, label] of HEADS.entries()) {
    const cell = made("th", "");
    cell.scope = "col";
    const button = made("button", "files__sort", label);
    button.title = `Sort by ${label.toLowerCase()}`;
    button.addEventListener("click", () => sort(at));
    cell.append(button);
    row.append(cell);
  }
  const thead = made("thead", "");
  thead.append(row);
  table.append(thead, body);
  const scroll = made("div", "files__scroll");
  scroll.tabIndex = 0;
  scroll.setAttribute("role", "group");
  scroll.setAttribute("aria-label", "Files");
  scroll.append(table);
  sheet.append(head, summary, scroll);
  dialog.append(sheet);
  guide(dialog);
  document.body.append(dialog);
  // A closed table stays, and its checks continue; the next files replace it.
  shelf?.engine.stop();
  shelf?.dialog.remove();
  shelf?.again.remove();
  const again = made("button", "button button--small", `Files (${files.length})`);
  again.title = "Show the table of files";
  again.addEventListener("click", () => present());
  document.querySelector(".scenarios")?.append(again);
  shelf = { engine, dialog, again };
  // The browser returns the focus only to an element that is still there.
  const present = () => {
    const from = document.activeElement;
    dialog.showModal();
    body.querySelector(".files__open")?.focus();
    dialog.addEventListener("close", () => (from?.isConnected && from !== document.body ? from : again).focus(), { once: true });
  };
  present();
  return { engine, dialog, body, summary, files };
};

/** Opens a file as a scenario of the page. */
const show = (path, text) => dispatchEvent(new CustomEvent("file", { detail: `${path.split("/").at(-1)}\n${text}` }));

const put = (line, [target, verdict, rule, message]) => {
  const [, targetCell, verdictCell, ruleCell] = line.children;
  const [tone, ...word] = verdict.split(" ");
  targetCell.textContent = target;
  const badge = made("span", "badge", word.join(" "));
  badge.dataset.tone = tone;
  verdictCell.replaceChildren(badge);
  const says = made("span", "quiet");
  says.append(...coded(message));
  ruleCell.replaceChildren(...(rule ? [made("code", "", rule), made("br", "")] : []), says);
};

const check = async (files) => {
  const shown = open(files.slice(0, MOST));
  const { engine, dialog, body, summary } = shown;
  const counts = new Map();
  const said = (done) => {
    const parts = [...counts].map(([word, count]) => `${count} ${word}`).join(", ");
    const left = files.length > MOST ? ` Only the first ${MOST} files are checked.` : "";
    summary.textContent = `${done} of ${shown.files.length} files checked${parts && `: ${parts}`}.${left}`;
  };
  const lines = shown.files.map(([path]) => {
    const line = made("tr", "");
    const file = made("td", "");
    const button = made("button", "files__open", path);
    button.setAttribute("aria-disabled", "true");
    file.append(button);
    line.append(file, made("td", ""), made("td", "", "\u2026"), made("td", ""));
    body.append(line);
    return line;
  });
  said(0);
  lines[0].querySelector("button").focus();
  for (const [at, [path, file]] of shown.files.entries()) {
    if (!dialog.isConnected) return;
    let found;
    try {
      if (file.size > LARGEST) throw new Error("the file is too large");
      const text = await file.text();
      if (text.includes("\0")) throw new Error("the file is not text");
      const button = lines[at].querySelector("button");
      button.removeAttribute("aria-disabled");
      button.title = "Open in the editor";
      button.addEventListener("click", () => {
        dialog.close();
        show(path, text);
      });
      found = await engine.ask(text, ROW);
    } catch (error) {
      found = ["", "unknown Not checked", "", error.message];
    }
    if (!dialog.isConnected) return;
    put(lines[at], found);
    const word = found[1].slice(found[1].indexOf(" ") + 1);
    counts.set(word, (counts.get(word) ?? 0) + 1);
    said(at + 1);
  }
};

/** Checks what was dropped: several files, or a folder. A single file is opened. */
export const dropped = async (entries) => {
  const files = [];
  for (const entry of entries) files.push(...(await filesOf(entry)));
  if (files.length === 1 && !entries[0].isDirectory) return show(files[0][0], await files[0][1].text());
  if (files.length) await check(files);
};

/** Lets the reader choose files. */
export const choose = () => {
  const field = Object.assign(made("input", ""), { type: "file", multiple: true });
  field.addEventListener("change", async () => {
    const files = [...field.files].map((file) => [file.name, file]);
    if (files.length === 1) show(files[0][0], await files[0][1].text());
    else if (files.length) check(files);
  });
  field.click();
};
