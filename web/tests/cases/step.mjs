import { equal, expect, truth } from "../expect.mjs";
import { CHOOSE, SYNC, large } from "../scenarios.mjs";

const meeting = async (fresh) => {
  const tide = await (await fresh()).open();
  await tide.begin(SYNC);
  await tide.editor.blur();
  return tide;
};

export const cases = {
  "operations are performed and undone with the mouse": async ({ fresh }) => {
    const tide = await meeting(fresh);
    await tide.page.getByRole("button", { name: "Perform arrive wg, wave 0" }).click();
    await tide.page.getByRole("button", { name: "Perform arrive wg, wave 1" }).click();
    await tide.hasSteps(2, 2);
    equal(await tide.page.locator(".band:not(.band--open)").count(), 1, "completed phases");
    await tide.button("Step back").click();
    await tide.hasSteps(1, 2);
    await tide.button("Step forward").click();
    await tide.hasSteps(2, 2);
    await tide.button("Back to launch").click();
    await tide.hasSteps(0, 2);
    await tide.page.locator(".node").nth(1).click();
    await tide.hasSteps(2, 2);
  },
  "a blocked agent that is clicked, or whose key is pressed, says why in the status line": async ({ fresh }) => {
    const tide = await meeting(fresh);
    await tide.page.getByRole("button", { name: "Perform arrive wg, wave 0" }).click();
    const said = tide.page.locator(".stands");
    truth(!(await said.innerText()).includes("Blocked:"), "nothing said yet");
    await tide.page.locator(".move--blocked").first().click();
    await expect("the reason", () => said.innerText(), (text) => text.includes("Blocked: wave 0 at wait wg.") && text.includes("1 of 2"));
    equal(await tide.page.locator(".cm-step").innerText(), "  wait wg", "the marked line");
    await tide.page.keyboard.press("1");
    await expect("no remark", () => said.innerText(), (text) => !text.includes("Blocked:"));
    for (const _ of [1, 2]) await tide.page.keyboard.press("0");
  },
  "operations are performed and undone with keys": async ({ fresh }) => {
    const tide = await meeting(fresh);
    for (const key of ["1", "0", "0", "1"]) await tide.page.keyboard.press(key);
    await tide.hasSteps(4, 4);
    equal(await tide.performed(), ["arrive wg", "arrive wg", "wait wg", "wait wg"], "operations");
    for (const key of ["ArrowLeft", "ArrowLeft", "ArrowRight"]) await tide.page.keyboard.press(key);
    await tide.hasSteps(3, 4);
    await tide.page.keyboard.press("Home");
    await tide.hasSteps(0, 4);
    await tide.page.keyboard.press("End");
    await tide.hasSteps(4, 4);
  },
  "the focus stays on the next operation of its lane": async ({ fresh }) => {
    const tide = await meeting(fresh);
    await tide.page.getByRole("button", { name: "Perform arrive wg, wave 0" }).focus();
    await tide.page.keyboard.press("1");
    await tide.hasSteps(1, 1);
    const focused = () => tide.page.evaluate(() => document.activeElement.getAttribute("aria-label"));
    await expect("the same operation", focused, (label) => label === "Perform arrive wg, wave 0");
    await tide.page.keyboard.press("Enter");
    await tide.hasSteps(2, 2);
    await expect("the lane's next operation", focused, (label) => label === "Perform wait wg, wave 0");
  },
  "keys in the editor do not step": async ({ fresh }) => {
    const tide = await meeting(fresh);
    await tide.page.keyboard.press("0");
    await tide.hasSteps(1, 1);
    await tide.editor.focus();
    await tide.page.keyboard.press("Control+End");
    await tide.settled(() => tide.page.keyboard.type("# 01"));
    await tide.hasSteps(1, 1);
  },
  "a blocked wait shows the reason": async ({ fresh }) => {
    const tide = await meeting(fresh);
    await tide.page.keyboard.press("0");
    await tide.hasSteps(1, 1);
    equal(await tide.page.locator(".pip--full").count(), 1, "arrivals");
    await tide.tab("Agents").click();
    const agent = tide.page.locator('.agent[data-status="blocked"]');
    await expect("one blocked wave", () => agent.count(), (count) => count === 1);
    await expect("a reason", () => agent.locator(".agent__why").textContent(), (reason) => reason.length > 10);
  },
  "the scrubber moves through the steps": async ({ fresh }) => {
    const tide = await meeting(fresh);
    for (const key of ["0", "1", "0"]) await tide.page.keyboard.press(key);
    await tide.hasSteps(3, 3);
    const scrubber = tide.page.getByLabel("Steps performed");
    equal(await scrubber.inputValue(), "3", "its place");
    await scrubber.fill("1");
    await tide.hasSteps(1, 3);
    await tide.button("Run all (r)").click();
    await tide.hasSteps(6, 6);
    equal(await scrubber.inputValue(), "6", "its position after a run");
  },
  "every alternative of a lane can be pressed, at every size": async ({ fresh }) => {
    for (const [width, height] of [[1440, 900], [1024, 768], [390, 844]]) {
      const tide = await (await fresh({ viewport: { width, height } })).open();
      await tide.begin(CHOOSE);
      await expect("four alternatives", () => tide.moves.count(), (count) => count === 4);
      const last = tide.moves.last();
      await last.scrollIntoViewIfNeeded();
      const seen = await last.evaluate((button) => {
        const { x, y, width, height } = button.getBoundingClientRect();
        const at = (part) => document.elementFromPoint(x + width / 2, y + height * part);
        return [0.1, 0.9].every((part) => button.contains(at(part)));
      });
      truth(seen, `the whole of the last one at ${width} by ${height}`);
      const board = await tide.page.locator(".board").boundingBox();
      const foot = await tide.page.locator(".lanes__next").boundingBox();
      truth(foot.height <= board.height * 0.45, `a foot of ${foot.height} in a board of ${board.height}`);
      await last.click();
      await tide.hasSteps(1, 1);
    }
  },
  "Tab reaches only the current step": async ({ fresh }) => {
    const tide = await meeting(fresh);
    const stops = () => tide.page.locator('.node:not([tabindex="-1"])').evaluateAll((all) => all.map((one) => one.getAttribute("aria-current")));
    await tide.page.keyboard.press("r");
    await tide.hasSteps(6, 6);
    await expect("the last", stops, (all) => all.join() === "step");
    await tide.page.keyboard.press("ArrowLeft");
    await tide.hasSteps(5, 6);
    await expect("the one before", stops, (all) => all.join() === "step");
    await tide.page.keyboard.press("Home");
    await expect("none at launch", stops, (all) => all.length === 0);
  },
  "a run that reaches its limit reports it and can be continued": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.begin(large(1, 2004));
    await tide.editor.blur();
    await tide.page.keyboard.press("r");
    await tide.hasSteps(2000, 2000);
    const shown = () => tide.page.locator(".stands").innerText();
    await expect("that it stopped", shown, (text) => text.includes("Stopped after 2000 steps"));
    await tide.page.keyboard.press("ArrowLeft");
    await expect("no longer that notice", shown, (text) => !text.includes("Stopped"));
    await tide.page.keyboard.press("r");
    await expect("the end", () => tide.stands(), (stands) => stands === "finished");
  },
};
