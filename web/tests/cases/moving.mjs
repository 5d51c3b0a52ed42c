// Lines that are moved by their numbers: the verdict follows before the line is dropped.
import { equal, expect } from "../expect.mjs";
import { TOO_LATE } from "../scenarios.mjs";

const JOIN = "  join ready";
const lineOf = async (tide, part) => (await tide.text()).split("\n").indexOf(part) + 1;

/** Presses the number of a line and moves the pointer to that of another one. */
const drag = async (tide, from, to) => {
  const middle = async (line) => {
    const { x, y, width, height } = await tide.page.locator(".cm-lineNumbers .cm-gutterElement", { hasText: new RegExp(`^${line}$`) }).boundingBox();
    return [x + width / 2, y + height / 2];
  };
  const [start, end] = [await middle(from), await middle(to)];
  await tide.page.mouse.move(...start);
  await tide.page.mouse.down();
  await tide.page.mouse.move(...end, { steps: 8 });
};

const late = async (fresh) => {
  const tide = await (await fresh()).open();
  await tide.write(TOO_LATE);
  await tide.hasVerdict("ub");
  const from = await lineOf(tide, JOIN);
  await drag(tide, from, from - 1);
  await tide.hasVerdict("ok");
  return { tide, from };
};

export const cases = {
  "a line is moved by its number: the verdict follows while it moves, and one undo returns it": async ({ fresh }) => {
    const { tide, from } = await late(fresh);
    equal(await lineOf(tide, JOIN), from - 1, "its place while it moves");
    await tide.page.mouse.up();
    await tide.hasVerdict("ok");
    equal(await tide.page.locator(".chosen:visible").count(), 0, "a line that is chosen by the drop");
    await tide.page.keyboard.press("Control+z");
    await tide.hasVerdict("ub");
    equal(await tide.text(), TOO_LATE, "the text after an undo");
    await tide.page.keyboard.press("Control+y");
    await tide.hasVerdict("ok");
    equal(await lineOf(tide, JOIN), from - 1, "its place after a redo");
  },
  "Escape returns a line that moves to its place": async ({ fresh }) => {
    const { tide } = await late(fresh);
    await tide.page.keyboard.press("Escape");
    await tide.page.mouse.up();
    await tide.hasVerdict("ub");
    equal(await tide.text(), TOO_LATE, "the text");
  },
  "a press on a number without a move still chooses the line": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(TOO_LATE);
    const from = await lineOf(tide, JOIN);
    await drag(tide, from, from);
    await tide.page.mouse.up();
    await expect("its steps", () => tide.page.locator(".chosen").innerText(), (text) => text.includes(`line ${from}`));
    equal(await tide.text(), TOO_LATE, "the text");
  },
};
