import { equal, expect, truth } from "../expect.mjs";
import { SYNC, STUCK } from "../scenarios.mjs";

const lesson = async (fresh) => {
  const tide = await fresh();
  await tide.page.goto(`${tide.url}?lesson`);
  await tide.page.locator(".lesson button").first().waitFor();
  return tide;
};
const seen = (tide) => Promise.all([".verdict", ".findings", ".stands"].map((part) => tide.page.locator(part).isVisible()));

export const cases = {
  "a lesson hides its verdict until the reader has chosen one": async ({ fresh }) => {
    const tide = await lesson(fresh);
    equal(await seen(tide), [false, false, false], "what gives the verdict away");
    await tide.button("Undefined").click();
    await expect("the verdict", () => seen(tide), (parts) => parts.every(Boolean));
    truth((await tide.page.locator(".lesson").textContent()).includes("Correct"), "that it was right");
  },
  "a lesson reports a wrong choice": async ({ fresh }) => {
    const tide = await lesson(fresh);
    await tide.button("Defined").click();
    await expect("the verdict", () => seen(tide), (parts) => parts.every(Boolean));
    truth((await tide.page.locator(".lesson").textContent()).includes("Not quite"), "that it was not");
  },
  "nothing reveals the verdict of a lesson, and other texts ask nothing": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.begin(STUCK.replace("launch", "lesson\nlaunch"));
    await tide.editor.blur();
    await tide.page.keyboard.press("w");
    await tide.page.waitForTimeout(300);
    equal(await tide.steps(), { cursor: 0, length: 0 }, "no witness");
    await tide.begin(SYNC.replace("launch", "lesson\nlaunch"));
    await tide.page.locator(".lesson button").first().waitFor();
    await tide.editor.blur();
    await tide.page.keyboard.press("w");
    await tide.page.waitForTimeout(300);
    equal(await tide.notice.count(), 0, "notices about findings");
    await tide.write(STUCK);
    await expect("no question", () => tide.page.locator(".lesson").isVisible(), (seen) => !seen);
    await tide.editor.blur();
    await tide.page.keyboard.press("w");
    await expect("the witness", () => tide.steps(), ({ length }) => length > 0);
  },
  "a text with `lesson` is a lesson each time it is opened": async ({ fresh }) => {
    const writer = await (await fresh()).open();
    await writer.write(STUCK.replace("launch", "lesson\nlaunch"));
    await expect("no verdict", () => seen(writer), (parts) => !parts.some(Boolean));
    await writer.button("Share").click();
    const tide = await fresh();
    await tide.page.goto(writer.page.url());
    await tide.page.locator(".lesson button").first().waitFor();
    equal(await seen(tide), [false, false, false], "what gives the verdict away");
    await tide.hasVerdict("deadlock");
    await tide.button("Deadlock").click();
    await expect("the verdict", () => seen(tide), (parts) => parts.every(Boolean));
  },
  "a lesson starts at launch and hides its expectations": async ({ fresh }) => {
    const writer = await (await fresh()).open();
    await writer.begin(STUCK.replace("launch", "lesson\nlaunch"));
    await expect("no steps", () => writer.steps(), ({ length }) => length === 0);
    const expectation = writer.page.locator(".cm-expect");
    await expect("a hidden line", () => expectation.evaluateAll((all) => all.map((line) => getComputedStyle(line).visibility)), (all) => all.join() === "hidden");
    await writer.button("Deadlock").click();
    await expect("a line to read", () => expectation.evaluate((line) => getComputedStyle(line).visibility), (now) => now === "visible");
  },
  "Defined is correct for a text without a launch size": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.begin("lesson\nwave * {\n  arrive wg; wait wg\n}\n");
    await tide.hasVerdict("launch");
    await tide.button("Defined").click();
    await expect("an answer", () => tide.page.locator(".lesson").textContent(), (text) => text.includes("Correct"));
    truth((await tide.page.locator(".verdict__word").textContent()).startsWith("No launch size"), "the headline");
  },
};
