import { equal, expect } from "../expect.mjs";
import { SYNC, STUCK } from "../scenarios.mjs";

const marks = (tide) => () => tide.page.locator(".held:not(.held--stale) .held__word").allTextContents();

export const cases = {
  "expectations are shown as met or not met": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(SYNC);
    await expect("one that is met", marks(tide), (words) => words.join() === "met");
    await tide.write(`${SYNC}expect gfx1100: deadlock\n`);
    await expect("one of each", marks(tide), (words) => words.join() === "met,not met");
    const found = await tide.page.locator(".held__found").textContent();
    equal(found, "found ok", "what was found");
    await tide.write(STUCK.replace("expect deadlock\n", ""));
    await expect("none", marks(tide), (words) => words.length === 0);
  },
  "an expectation leads to its line": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(SYNC);
    await tide.page.locator(".held:not(.held--stale) .held__line").first().click();
    equal(await tide.selected(), "expect ok", "selected text");
  },
};
