// A search that ended at its limit continues on request.
import { equal, expect, truth } from "../expect.mjs";

/** Three groups of warps, each with a barrier of two warps that any two of the group complete. */
const text = (rounds) => `target sm_90
launch ctas=1 warps=12

${[1, 2, 3].map((id) => `warp ${4 * id - 4}-${4 * id - 1} {\n  repeat ${rounds} { bar.sync ${id}, 64 }\n}\n`).join("")}`;
const how = (tide) => tide.page.locator(".verdict__how").innerText();
const further = (tide) => tide.page.locator(".verdict__further");
/** Writes a scenario whose search ends at its limit. */
const limited = async (fresh, rounds) => {
  const tide = await (await fresh()).open();
  await tide.fill(text(rounds));
  await expect("an incomplete search", () => further(tide).count(), (count) => count === 1, 60_000);
  return tide;
};
const statesOf = (says) => Number(says.match(/([\d\u202f]+) states/)[1].replaceAll("\u202f", ""));

export const cases = {
  "an incomplete search continues with a larger limit, and an edit returns to the usual one": async ({ fresh }) => {
    const tide = await limited(fresh, 12);
    truth(/Incomplete/.test(await how(tide)), "the statement");
    const before = statesOf(await how(tide));
    truth(/^Up to 10 times the work, about \d+ (s|min) here/.test(await further(tide).innerText()), `an estimate, found ${await further(tide).innerText()}`);
    await tide.button("Search further").click();
    await expect("progress", () => tide.page.locator(".verdict__run").allInnerTexts(), (all) => all.some((says) => /^Checking · .+ so far, \d+ s$/.test(says)));
    equal(await tide.page.locator(".verdict--stale").count(), 0, "the verdict still belongs to the text");
    await expect("a complete search", () => how(tide).catch(() => ""), (says) => /Exhaustive/.test(says), 120_000);
    truth(statesOf(await how(tide)) > before, "more states");
    equal(await tide.verdict(), "deadlock", "verdict");
    equal(await further(tide).count(), 0, "offers after a complete search");
    await tide.fill(text(12).replace("sm_90", "sm_90 "));
    await expect("the usual limit", () => further(tide).count(), (count) => count === 1, 60_000);
    truth(/^Up to 10 times/.test(await further(tide).innerText()), "the first offer");
  },
  "a further search is cancelled, and the result before it stays": async ({ fresh }) => {
    const tide = await limited(fresh, 16);
    const before = await how(tide);
    await tide.button("Search further").click();
    await tide.button("Cancel").click();
    equal(await tide.notice.textContent(), "Check cancelled. Results are incomplete.", "notice");
    equal(await how(tide), before, "the result");
    equal(await tide.button("Search further").count(), 1, "offers");
  },
};
