// Bands of lanes that fold, and lanes of which only what is in sight is drawn.
import { equal, expect, truth } from "../expect.mjs";
import { GROUPS, large } from "../scenarios.mjs";

const begun = async (fresh, text) => {
  const tide = await (await fresh()).open();
  await tide.begin(text);
  await tide.editor.blur();
  return tide;
};
const heads = (tide) => tide.page.locator(".lane-head:visible").count();
const fold = (tide, name) => tide.page.getByRole("button", { name, exact: false }).and(tide.page.locator(".fold"));

export const cases = {
  "sub-groups are bands of lanes that fold": async ({ fresh }) => {
    const tide = await begun(fresh, GROUPS);
    await expect("one band open of four", () => heads(tide), (count) => count === 16 + 3);
    equal(await tide.page.locator(".fold").evaluateAll((all) => all.map((one) => one.getAttribute("aria-expanded"))), ["true", "false", "false", "false"], "folded");
    await fold(tide, "subgroup 2,").click();
    await expect("another band open", () => heads(tide), (count) => count === 32 + 2);
    await fold(tide, "subgroup 0,").press("Enter");
    await fold(tide, "subgroup 2,").press("Enter");
    await expect("four folded", () => heads(tide), (count) => count === 4);
    truth((await tide.page.locator(".lane-head").first().innerText()).includes("16 ready"), "how they stand");
    await tide.page.locator("button.move").nth(1).click();
    await tide.hasSteps(1, 1);
    equal(await tide.page.locator(".node__agent").innerText(), "0", "whose it is");
  },
  "only what is in sight is drawn, and all of it can be reached": async ({ fresh }) => {
    const tide = await begun(fresh, large(32, 200));
    for (let count = 0; count < 4; count += 1) await tide.page.keyboard.press("r");
    await expect("its end", () => tide.steps(), ({ cursor }) => cursor >= 6400);
    const { cursor } = await tide.steps();
    const drawn = () => tide.page.locator(".step").count();
    const all = () => tide.page.evaluate(() => document.querySelectorAll(".lanes *").length);
    truth((await drawn()) <= 80, `at most 80 steps drawn, found ${await drawn()}`);
    truth((await all()) < 3000, `at most 3000 elements, found ${await all()}`);
    truth(await tide.page.locator(".step--last").isVisible(), "the last step is in sight");
    await tide.page.locator(".lanes").evaluate((lanes) => lanes.scrollTo(0, 36 * 3000));
    await expect("what is there now", () => tide.page.locator(".step__number").allInnerTexts(), (numbers) => numbers.includes("3001"));
    truth((await drawn()) <= 80, "no more than before");
    await tide.page.locator(".step", { hasText: "3001" }).locator(".node").click();
    await tide.hasSteps(3001, cursor);
    truth(await tide.page.locator(".step--last").isVisible(), "the last step is in sight");
  },
};
