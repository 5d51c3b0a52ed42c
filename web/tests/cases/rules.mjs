import { equal, expect, truth } from "../expect.mjs";
import { TOO_LATE } from "../scenarios.mjs";

const rows = (tide) => tide.page.locator("#view .rule-row");

export const cases = {
  "the rules can be searched, and each has a page with a scenario that keeps it and one that breaks it": async ({ fresh }) => {
    const tide = await (await fresh()).visit("#rules");
    const all = await rows(tide).count();
    truth(all > 70, `every rule, found ${all}`);
    await tide.page.getByLabel("Search the rules").fill("joined-before wait");
    await expect("fewer rules", () => rows(tide).count(), (count) => count > 0 && count < 6);
    await rows(tide).filter({ hasText: "amd.join.before-wait" }).click();
    await expect("the rule", () => tide.view().textContent(), (text) => text === "amd.join.before-wait");
    const verdicts = await tide.page.locator("#view .show .badge").evaluateAll((badges) => badges.map((badge) => badge.dataset.verdict));
    equal(verdicts, ["ok", "ub"], "verdicts, judged now");
    await tide.settled(() => tide.page.getByRole("article", { name: "Breaks it" }).getByRole("button", { name: "Open" }).click());
    await tide.hasVerdict("ub");
    await tide.page.goBack();
    await expect("the rule again", () => tide.view().textContent(), (text) => text === "amd.join.before-wait");
  },
  "the rule of a verdict and of a finding links to its page": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(TOO_LATE);
    await tide.page.locator(".verdict__rule").click();
    await expect("the rule", () => tide.view().textContent(), (text) => text === "amd.join.before-wait");
    await tide.page.keyboard.press("Escape");
    await tide.page.locator(".finding__rule").first().click();
    await expect("the rule", () => tide.view().textContent(), (text) => text === "amd.join.before-wait");
  },
  "every rule shows a scenario that keeps it and one that does not": async ({ fresh }) => {
    const tide = await (await fresh()).visit("#rules");
    const links = await rows(tide).evaluateAll((rows) => rows.map((row) => row.getAttribute("href")));
    for (const link of links) {
      await tide.page.evaluate((link) => (location.hash = link), link);
      await expect(link, () => tide.view().textContent(), (name) => `#rules/${name}` === link);
      const names = await tide.page.locator("#view .show h3").allTextContents();
      equal(names, ["Keeps it", "Breaks it"], link);
      const first = await tide.page.locator("#view .show").first().locator(".badge").first().getAttribute("data-verdict");
      equal(first, "ok", link);
    }
  },
};
