// Lanes at hardware size: the overview, zoom, the focus on one agent, and the steps of a line.
import { equal, expect, truth } from "../expect.mjs";
import { SYNC, large } from "../scenarios.mjs";

const run = async (fresh, text) => {
  const tide = await (await fresh()).open();
  await tide.begin(text);
  await tide.page.keyboard.press("r");
  await expect("steps", async () => (await tide.steps()).cursor, (cursor) => cursor > 0);
  return tide;
};
const board = (tide) => tide.page.locator(".lanes");
const strip = (tide) => tide.page.getByRole("scrollbar", { name: "Overview of the execution" });
const top = (tide) => board(tide).evaluate((lanes) => lanes.scrollTop);
const rows = (tide) => tide.page.locator(".step").count();
/** The colours in the overview, without the background. */
const colours = (tide) => tide.page.locator(".overview__canvas").evaluate((canvas) => {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const found = new Set();
  for (let at = 0; at < data.length; at += 4) if (data[at + 3] > 200) found.add(`${data[at]},${data[at + 1]},${data[at + 2]}`);
  return found.size;
});

export const cases = {
  "a long execution has an overview, which shows and moves the position": async ({ fresh }) => {
    const tide = await run(fresh, large(32, 60));
    await strip(tide).waitFor();
    await expect("a drawing", () => colours(tide), (count) => count > 1);
    await tide.page.keyboard.press("Home");
    await expect("the first rows", () => strip(tide).getAttribute("aria-valuenow"), (now) => now === "1");
    const box = await strip(tide).boundingBox();
    await tide.page.mouse.click(box.x + box.width / 2, box.y + box.height * 0.6);
    await expect("a later part", () => top(tide), (at) => at > 5000);
    await expect("drawn steps", () => rows(tide), (count) => count > 10);
    await strip(tide).focus();
    const before = await top(tide);
    await tide.page.keyboard.press("PageUp");
    await expect("a page back", () => top(tide), (at) => at < before - 200);
    const { cursor } = await tide.steps();
    await tide.page.keyboard.press("End");
    await expect("the end", () => top(tide), (at) => at > before);
    equal((await tide.steps()).cursor, cursor, "the cursor");
  },
  "a short execution has no overview": async ({ fresh }) => {
    const tide = await run(fresh, SYNC);
    await expect("none", () => strip(tide).count(), (count) => count === 0);
  },
  "zoom has three levels and keeps the place": async ({ fresh }) => {
    const tide = await run(fresh, large(32, 60));
    await strip(tide).waitFor();
    const counts = [await rows(tide)];
    const seen = () => board(tide).evaluate((lanes) => (lanes.scrollTop + lanes.clientHeight / 2) / lanes.querySelector(".step").clientHeight);
    await board(tide).evaluate((lanes) => { lanes.scrollTop = 18_000; });
    await expect("rows there", () => seen(), (row) => row > 400);
    const middle = await seen();
    for (const level of ["1", "2"]) {
      await tide.page.keyboard.press("-");
      await expect(`level ${level}`, () => board(tide).getAttribute("data-zoom"), (zoom) => zoom === level);
      await expect("more rows", () => rows(tide), (count) => count > counts.at(-1));
      counts.push(await rows(tide));
      await expect(`the same place at level ${level}`, () => seen(), (row) => Math.abs(row - middle) < 40);
    }
    equal(await tide.page.getByRole("button", { name: "Zoom out (-)" }).getAttribute("aria-disabled"), "true", "the last level");
    await tide.page.keyboard.press("+");
    await tide.page.keyboard.press("+");
    await expect("the first level", () => board(tide).getAttribute("data-zoom"), (zoom) => zoom === null);
    const box = await board(tide).boundingBox();
    await tide.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await tide.page.keyboard.down("Control");
    await tide.page.mouse.wheel(0, 120);
    await tide.page.keyboard.up("Control");
    await expect("a level by the wheel", () => board(tide).getAttribute("data-zoom"), (zoom) => zoom === "1");
    // Stepping shows the row of the cursor at every level.
    await tide.page.keyboard.press("Home");
    await tide.page.keyboard.press("End");
    await expect("the last step", async () => board(tide).evaluate((lanes) => {
      const step = lanes.querySelector(".step--last")?.getBoundingClientRect();
      const around = lanes.getBoundingClientRect();
      return Boolean(step) && step.top > around.top && step.bottom <= around.bottom;
    }), Boolean);
  },
  "the focus on one agent shrinks the others and counts its steps": async ({ fresh }) => {
    const tide = await run(fresh, large(4, 20));
    const name = tide.page.locator('.lane-head[data-lane="2"] button');
    await name.click();
    const says = tide.page.locator(".chosen__says");
    await expect("its steps", () => says.textContent(), (text) => /^wave 2: \d+ steps$/.test(text));
    equal(await name.getAttribute("aria-pressed"), "true", "pressed");
    const widths = () => tide.page.evaluate(() => ["2", "1"].map((lane) => document.querySelector(`.node[data-lane="${lane}"]`).getBoundingClientRect().width));
    await expect("the others are small", widths, ([own, other]) => own > 40 && other < 16);
    await tide.page.keyboard.press("Home");
    await tide.page.getByRole("button", { name: "Next of these steps" }).click();
    await expect("the cursor at its step", () => tide.page.locator(".step--last .node").getAttribute("data-lane"), (lane) => lane === "2");
    await tide.page.getByRole("button", { name: "Clear selection" }).click();
    await expect("no focus", widths, ([, other]) => other > 40);
  },
  "a click on a line number selects the steps of the line": async ({ fresh }) => {
    const tide = await run(fresh, SYNC);
    const line = (await tide.text()).split("\n").findIndex((text) => text.includes("wait wg")) + 1;
    await tide.page.locator(".cm-lineNumbers .cm-gutterElement", { hasText: new RegExp(`^${line}$`) }).click();
    const says = tide.page.locator(".chosen__says");
    await expect("two steps", () => says.textContent(), (text) => text === `line ${line}: 2 steps`);
    const outlined = () => tide.page.locator(".node").evaluateAll((all) => all.filter((node) => getComputedStyle(node).outlineStyle === "solid").map((node) => node.dataset.line));
    await expect("the steps are marked", outlined, (lines) => lines.length === 2 && lines.every((it) => it === String(line)));
    await tide.caret("arrive wg");
    await tide.page.keyboard.press("F2");
    await expect("the line of the caret", () => says.textContent(), (text) => text === `line ${line - 1}: 2 steps`);
    await tide.settled(() => tide.page.keyboard.type(" "));
    await expect("a change of the text clears it", () => tide.page.locator(".chosen").isVisible(), (visible) => !visible);
  },
  "F1 opens the passage about an operation and about a rule": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(SYNC);
    await expect("the library", () => tide.page.evaluate(() => performance.getEntriesByType("resource").some(({ name }) => name.includes("library"))), Boolean);
    await tide.caret("wait wg");
    await tide.page.keyboard.press("F1");
    await expect("the table of the operation", () => tide.page.evaluate(() => location.hash), (hash) => hash === "#language/operations-on-barriers");
    await tide.visit("#rules");
    const link = tide.page.locator('a[href="#rules/amd.join.before-wait"]').first();
    await link.focus();
    await tide.page.keyboard.press("F1");
    await expect("the rule", () => tide.page.evaluate(() => location.hash), (hash) => hash === "#rules/amd.join.before-wait");
  },
  "rows that share a pixel of the overview are drawn once, and findings always": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    const [drawn, found] = await tide.page.evaluate(async () => {
      const { drawn } = await import(new URL("overview.js", document.baseURI));
      const [lanes, rows] = [4, 21000];
      const packed = new Uint32Array(4 + 3 * rows);
      packed.set([rows, lanes, 0, 0]);
      for (let row = 0; row < rows; row += 1) packed.set([row % lanes, row === 9001 ? 8 << 16 : 1, 1], 4 + 3 * row);
      const place = Object.assign(document.createElement("div"), { className: "overview__strip" });
      const canvas = document.createElement("canvas");
      place.append(canvas);
      document.body.append(place);
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(".overview__strip { width: 80px; height: 600px; }");
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
      const { fillRect } = CanvasRenderingContext2D.prototype;
      const wide = [];
      CanvasRenderingContext2D.prototype.fillRect = function count(...box) { wide.push(box); return fillRect.apply(this, box); };
      drawn.draw(canvas, packed, []);
      CanvasRenderingContext2D.prototype.fillRect = fillRect;
      place.remove();
      return [wide.length, wide.filter(([x]) => x > 70).length];
    });
    truth(drawn >= 600 && drawn < 4 * 600 * 2, `one rectangle for each pixel of a lane, found ${drawn}`);
    equal(found, 1, "findings");
  },
};
