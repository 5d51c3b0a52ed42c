import { equal, expect, truth } from "../expect.mjs";
import { DOUBTFUL } from "../scenarios.mjs";

const opened = async (fresh) => {
  const tide = await (await fresh()).open();
  await tide.write(DOUBTFUL);
  await tide.hasVerdict("ok");
  await tide.page.getByRole("button", { name: "depends on amd.A6" }).click();
  return tide;
};
const reading = (tide) => tide.page.locator('.readings .reading[data-reading="amd.A6"]');

export const cases = {
  "a reading shows its choices with their verdicts": async ({ fresh }) => {
    const tide = await opened(fresh);
    const verdicts = await reading(tide).locator(".badge").evaluateAll((badges) => badges.map((badge) => badge.dataset.verdict));
    equal(verdicts, ["ok", "ub"], "verdicts");
    truth(await reading(tide).getByRole("radio").first().isChecked(), "the usual answer chosen");
  },
  "another choice changes the verdict, and the link contains it": async ({ fresh }) => {
    const tide = await opened(fresh);
    await tide.settled(() => reading(tide).getByRole("radio").nth(1).check());
    await tide.hasVerdict("ub");
    truth(await tide.page.getByRole("button", { name: "under amd.A6=undefined" }).isVisible(), "the reading next to the verdict");
    await tide.button("Share").click();
    const other = await (await fresh()).open(new URL(tide.page.url()).hash);
    equal(await other.verdict(), "ub", "verdict of the link");
    await other.tab("Readings").click();
    truth(await reading(other).getByRole("radio").nth(1).isChecked(), "the chosen answer");
    await other.settled(() => reading(other).getByRole("radio").first().check());
    await other.hasVerdict("ok");
  },
  "arrow keys select tabs and do not step": async ({ fresh }) => {
    const tide = await opened(fresh);
    const before = await tide.steps();
    await tide.tab("Readings").focus();
    const focused = () => tide.page.evaluate(() => document.activeElement.textContent);
    for (const name of ["Why", "Relations", "Targets", "Readings"]) {
      await tide.page.keyboard.press("ArrowRight");
      await expect(name, focused, (text) => text === name);
      equal(await tide.tab(name).getAttribute("aria-selected"), "true", "selected");
    }
    equal(await tide.steps(), before, "steps");
  },
  "every reading and observation has an entry with a scenario": async ({ fresh }) => {
    const tide = await opened(fresh);
    await tide.button("All readings").click();
    const heads = tide.page.locator("#view h4");
    await expect("at least eleven readings and twenty observations", () => heads.count(), (count) => count >= 31);
    const scenario = tide.page.locator("#view").getByRole("button", { name: /^Open “/ }).first();
    const title = await scenario.textContent();
    await tide.settled(() => scenario.click());
    equal(title, `Open “${await tide.page.locator(".story__title").textContent()}”`, "the scenario of the observation");
  },
};
