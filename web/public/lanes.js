// Beside the lanes: an overview of the whole execution, zoom, the focus on one agent, and the steps of a line. The page loads
// this after the engine.
import { drawn } from "./overview.js";
import "./mentions.js";
import "./passages.js";

/** Heights of a row by zoom, as in `web/src/components/sight.rs` and the styles. */
const ROWS = [36, 20, 8];
/** Distance of the first row from the heads of the lanes. */
const MARGIN = 8;
/** Shortest time between two drawings of a growing execution, in milliseconds. */
const PAUSE = 100;
const FIELDS = "textarea, input, select, dialog, .editor__code";

let board;
let packed = new Uint32Array([0, 0, 0, 0]);
let parts;
/** The chosen lane and line; undefined for none. */
let lane;
let line;
let drawnAt = 0;
let waits;

const made = (name, className, attributes = {}) => {
  const element = document.createElement(name);
  element.className = className;
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
};
const button = (name, text, act) => {
  const element = made("button", "button button--small", { type: "button", "aria-label": name, title: name });
  element.textContent = text;
  element.addEventListener("click", act);
  return element;
};

const level = () => Number(board.dataset.zoom ?? 0);
const height = () => ROWS[level()];
const head = () => board.firstElementChild?.clientHeight ?? 0;
const firstRow = () => 4 + 4 * packed[2] + 3 * packed[3];
const length = () => (packed.length - firstRow()) / 3;

/** The rows that the focus and the chosen line select. */
const matches = () => {
  if (lane === undefined && line === undefined) return [];
  const [first, count] = [firstRow(), length()];
  const found = [];
  for (let row = 0; row < count; row += 1) {
    if (lane !== undefined && packed[first + 3 * row] !== lane) continue;
    if (line !== undefined && packed[first + 3 * row + 2] !== line) continue;
    found.push(row);
  }
  return found;
};

const seen = () => {
  const rows = (board.clientHeight - head() - (board.lastElementChild?.clientHeight ?? 0)) / height();
  const from = board.scrollTop / height();
  return [from, from + rows];
};

/** Scrolls to a row, and to a lane if it is given. */
const scrollTo = (row, column) => {
  board.scrollTop = row * height() - (board.clientHeight - head()) / 2;
  if (column !== undefined) board.scrollLeft = board.scrollWidth * column - board.clientWidth / 2;
};

/** Moves the cursor after a row. */
const goTo = (row) => {
  const field = document.querySelector(".controls__scrub");
  if (!field) return;
  field.value = String(row + 1);
  field.dispatchEvent(new Event("input", { bubbles: true }));
};

const zoom = (by, at) => {
  const [before, after] = [level(), Math.min(ROWS.length - 1, Math.max(0, level() + by))];
  if (before === after) return;
  const place = at ?? (board.clientHeight + head()) / 2;
  const row = (board.scrollTop + place - head() - MARGIN) / ROWS[before];
  if (after) board.dataset.zoom = String(after);
  else delete board.dataset.zoom;
  board.scrollTop = row * ROWS[after] - place + head() + MARGIN;
  // The page draws the rows that are visible now.
  board.dispatchEvent(new Event("scroll"));
};

/** Shows where the visible part and the cursor are in the strip. */
const place = () => {
  const { strip, view, cursor, zoomIn, zoomOut, overview } = parts;
  // Without the overview, the lanes have its width, too.
  const width = board.clientWidth + overview.offsetWidth;
  const overflows = board.scrollHeight > board.clientHeight + 2 || board.scrollWidth > width + 2;
  overview.hidden = length() === 0 || (!overflows && level() === 0);
  if (overview.hidden) return;
  const [from, to] = seen();
  const scale = drawn.scale(strip.clientHeight, length());
  const [left, right] = drawn.lanes(strip.clientWidth);
  const part = (x) => left + (right - left) * Math.min(1, x / board.scrollWidth);
  view.style.top = `${from * scale}px`;
  view.style.height = `${Math.max(4, Math.min(to, length()) * scale - from * scale)}px`;
  view.style.left = `${part(board.scrollLeft)}px`;
  view.style.width = `${part(board.scrollLeft + board.clientWidth) - part(board.scrollLeft)}px`;
  cursor.style.top = `${packed[0] * scale}px`;
  const top = Math.min(length(), Math.floor(from) + 1);
  strip.setAttribute("aria-valuemax", String(length()));
  strip.setAttribute("aria-valuenow", String(top));
  strip.setAttribute("aria-valuetext", `Steps ${top} to ${Math.min(length(), Math.ceil(to))} of ${length()}`);
  zoomOut.setAttribute("aria-disabled", String(level() === ROWS.length - 1));
  zoomIn.setAttribute("aria-disabled", String(level() === 0));
};

const draw = () => {
  waits = undefined;
  drawnAt = performance.now();
  place();
  if (!parts.overview.hidden) drawn.draw(parts.canvas, packed, matches());
  tell();
};

const drawSoon = () => {
  if (waits !== undefined) return;
  const rest = drawnAt + PAUSE - performance.now();
  waits = rest > 0 ? setTimeout(draw, rest) : requestAnimationFrame(draw);
};

const sheet = new CSSStyleSheet();
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];

/** Shows the focus and the chosen line. */
const choose = (nextLane, nextLine) => {
  [lane, line] = [nextLane, nextLine];
  const rules = [];
  if (lane !== undefined) {
    rules.push(
      `.lanes .node:not([data-lane="${lane}"]) { min-height: 0; width: 0.75rem; height: min(0.75rem, calc(var(--row) - 3px)); padding: 0; border-color: var(--edge); background: var(--raised); box-shadow: none; }`,
      `.lanes .node:not([data-lane="${lane}"]) > *, .lanes .node:not([data-lane="${lane}"])::before, .lanes .node:not([data-lane="${lane}"])::after { display: none; }`,
      `.lane-head:not([data-lane="${lane}"]) .lane-head__name { color: var(--quiet); font-weight: 400; }`,
      `.lane-head[data-lane="${lane}"] { box-shadow: inset 0 -3px var(--accent); }`,
    );
  }
  if (line !== undefined) rules.push(`.lanes .node[data-line="${line}"] { outline: 2px solid var(--accent); outline-offset: 1px; }`);
  sheet.replaceSync(rules.join("\n"));
  drawSoon();
};

const nameOf = (column) => document.querySelector(`.lane-head[data-lane="${column}"] .lane-head__name`)?.textContent ?? `lane ${column}`;
let said = "";
/** Says what is chosen, with buttons to its steps. */
const tell = () => {
  const { bar, says } = parts;
  for (const it of board.querySelectorAll(".lane-head")) {
    it.firstElementChild?.setAttribute("aria-pressed", String(Number(it.dataset.lane) === lane));
  }
  const chosen = [lane === undefined ? [] : nameOf(lane), line === undefined ? [] : `line ${line}`].flat().join(", ");
  bar.hidden = !chosen;
  const count = matches().length;
  const text = chosen && `${chosen}: ${count || "no"} ${count === 1 ? "step" : "steps"}`;
  if (text !== said) says.textContent = said = text;
};

const build = () => {
  const overview = made("div", "overview");
  const zoomOut = button("Zoom out (-)", "\u2212", () => zoom(1));
  const zoomIn = button("Zoom in (+)", "+", () => zoom(-1));
  const zooms = made("div", "overview__zoom", { role: "group", "aria-label": "Zoom" });
  zooms.append(zoomOut, zoomIn);
  board.id ||= "lanes";
  const strip = made("div", "overview__strip", {
    role: "scrollbar", tabindex: "0", "aria-label": "Overview of the execution", "aria-controls": board.id, "aria-orientation": "vertical", "aria-valuemin": "1",
    title: "The whole execution: waits, phases on the left, findings on the right",
  });
  const [canvas, view, cursor] = [made("canvas", "overview__canvas"), made("i", "overview__view"), made("i", "overview__cursor")];
  strip.append(canvas, view, cursor);
  overview.append(zooms, strip);
  const bar = made("div", "chosen");
  const says = made("span", "chosen__says", { role: "status" });
  const to = (find) => () => {
    const row = find(matches());
    if (row !== undefined) goTo(row);
  };
  bar.append(
    says,
    button("Previous of these steps", "Previous", to((rows) => rows.findLast((row) => row + 1 < packed[0]))),
    button("Next of these steps", "Next", to((rows) => rows.find((row) => row + 1 > packed[0]))),
    button("Clear selection", "Clear", () => choose()),
  );
  bar.hidden = true;
  board.parentElement.append(overview);
  board.parentElement.before(bar);
  parts = { overview, strip, canvas, view, cursor, zoomIn, zoomOut, bar, says };
  strip.addEventListener("pointerdown", (event) => {
    strip.setPointerCapture(event.pointerId);
    drag(event);
  });
  strip.addEventListener("pointermove", (event) => event.buttons && drag(event));
  strip.addEventListener("wheel", (event) => {
    event.preventDefault();
    board.scrollBy(event.deltaX, event.deltaY);
  }, { passive: false });
  strip.addEventListener("keydown", keys);
  board.addEventListener("scroll", place, { passive: true });
  board.addEventListener("wheel", (event) => {
    if (!event.ctrlKey || overview.hidden) return;
    event.preventDefault();
    zoom(Math.sign(event.deltaY), event.clientY - board.getBoundingClientRect().top);
  }, { passive: false });
  board.addEventListener("click", ({ target }) => {
    const name = target.closest(".lane-head__name");
    if (!name) return;
    const chosen = Number(name.parentElement.dataset.lane);
    choose(chosen === lane ? undefined : chosen, line);
  });
  new ResizeObserver(drawSoon).observe(board);
};

/** Scrolls the board to the place of the pointer in the strip. */
const drag = ({ clientX, clientY }) => {
  const { left, top } = parts.strip.getBoundingClientRect();
  const [from, to] = drawn.lanes(parts.strip.clientWidth);
  scrollTo((clientY - top) / drawn.scale(parts.strip.clientHeight, length()), (clientX - left - from) / (to - from));
};

const keys = (event) => {
  const [from, to] = seen();
  const page = Math.max(1, to - from - 1);
  const moves = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page, Home: -length(), End: length() };
  if (!(event.key in moves) || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  event.stopPropagation();
  board.scrollTop += moves[event.key] * height();
};

const embedded = document.documentElement.hasAttribute("data-embed");
addEventListener("keydown", (event) => {
  const by = { "+": -1, "=": -1, "-": 1 }[event.key];
  const free = !event.ctrlKey && !event.metaKey && !event.altKey && !event.target.closest?.(FIELDS);
  if (by && free && !embedded && parts && !parts.overview.hidden && board.checkVisibility()) zoom(by);
});
/** The reader chose a line of the text: its steps are marked, and shown if none of them is visible. */
addEventListener("line", ({ detail }) => {
  if (!parts) return;
  choose(lane, detail === line ? undefined : detail);
  const rows = line === undefined ? [] : matches();
  const [from, to] = seen();
  if (rows.length && !rows.some((row) => row >= from && row + 1 < to)) scrollTo(rows.find((row) => row + 1 >= packed[0]) ?? rows[0]);
});
// A change of the text moves its lines.
addEventListener("written", () => line !== undefined && choose(lane, undefined), true);
const themes = () => parts && drawSoon();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", themes);
new MutationObserver(themes).observe(document.documentElement, { attributeFilter: ["data-theme"] });

const same = (one, other) => {
  if (one.length !== other.length) return false;
  for (let at = 1; at < one.length; at += 1) if (one[at] !== other[at]) return false;
  return true;
};

/** Shows the execution of a board, as `Trace::packed` packs it. */
export const show = (element, next) => {
  const before = packed;
  packed = next;
  if (board !== element) {
    board = element;
    build();
    return drawSoon();
  }
  if (packed[1] <= (lane ?? -1)) choose(undefined, line);
  if (same(before, next)) requestAnimationFrame(place);
  else drawSoon();
};
