import { equal, expect, truth } from "../expect.mjs";

const opened = async (fresh, fragment = "#gallery") => (await fresh()).visit(fragment);
const items = (tide) => tide.page.locator("#view .example");

export const cases = {
  "an example opens with its verdict": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.link("Examples").click();
    await expect("at least twelve examples", () => items(tide).count(), (count) => count >= 12);
    const title = await items(tide).last().locator(".example__title").textContent();
    const wanted = await items(tide).last().locator(".badge").getAttribute("data-verdict");
    await tide.settled(() => items(tide).last().click());
    truth((await tide.text()).includes(title), `the text of ${title}`);
    equal(await tide.verdict(), wanted, "verdict");
  },
  "an example that opens from far down in the gallery begins with its verdict on a phone": async ({ fresh }) => {
    const tide = await (await fresh({ viewport: { width: 390, height: 844 } })).visit("#gallery");
    await items(tide).last().scrollIntoViewIfNeeded();
    truth((await tide.page.evaluate(() => window.scrollY)) > 1000, "far down");
    await tide.settled(() => items(tide).last().click());
    await expect("the top of the page", () => tide.page.evaluate(() => window.scrollY), (top) => top === 0);
    truth(await tide.page.locator(".verdict").isVisible(), "the verdict");
  },
  "every example has the verdict that it names": async ({ fresh }) => {
    const tide = await opened(fresh);
    const count = await items(tide).count();
    for (let index = 0; index < count; index += 1) {
      const wanted = await items(tide).nth(index).locator(".badge").getAttribute("data-verdict");
      const title = await items(tide).nth(index).locator(".example__title").textContent();
      await tide.settled(() => items(tide).nth(index).click());
      equal(await tide.verdict(), wanted, title);
      await tide.page.keyboard.press("e");
      await items(tide).first().waitFor();
    }
  },
  "the gallery can be searched, and grouped by rule and by report": async ({ fresh }) => {
    const tide = await opened(fresh);
    const all = await items(tide).count();
    const field = tide.page.getByLabel("Search the examples");
    await field.pressSequentially("flashmla", { delay: 5 });
    await expect("fewer scenarios", () => items(tide).count(), (count) => count > 0 && count < all / 4);
    equal(await field.inputValue(), "flashmla", "what was typed");
    await tide.button("By bug report").click();
    const report = tide.page.locator("#view .gallery__name a");
    equal(await report.getAttribute("href"), "https://github.com/deepseek-ai/FlashMLA/issues/41", "the report");
    await tide.button("By rule").click();
    await expect("the rule that is broken", () => tide.page.locator("#view .gallery__name").first().textContent(), (text) => text === "ptx.bar.leftover");
    const again = await opened(fresh, new URL(tide.page.url()).hash);
    equal(await items(again).count(), await items(tide).count(), "scenarios at the address");
    await field.fill("nosuchthing");
    await tide.page.getByText("No matching scenarios.").waitFor();
    await field.fill("flashmla nosuchthing");
    await tide.page.getByText("No scenario contains all of these words.").waitFor();
    equal(await items(tide).count(), await items(again).count(), "the scenarios with one of the words");
  },
  "the views link to the course and the stories": async ({ fresh }) => {
    const tide = await opened(fresh);
    await tide.page.locator("#view").getByRole("link", { name: "Course", exact: true }).click();
    await tide.page.locator("h1", { hasText: "Course" }).waitFor();
    await tide.link("Stories").click();
    await tide.link("The buffer is released too late").waitFor();
  },
  "the search field has the focus, and Escape in the empty field leaves the examples": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    const sought = () => tide.page.evaluate(() => document.activeElement.id);
    for (const visit of [() => tide.link("Examples").click(), () => tide.page.keyboard.press("e")]) {
      await visit();
      await expect("the field", sought, (id) => id === "sought");
      await tide.page.keyboard.type("flashmla");
      await expect("fewer scenarios", () => items(tide).count(), (count) => count > 0 && count < 10);
      await tide.page.keyboard.press("Escape");
      await expect("all scenarios", () => items(tide).count(), (count) => count > 50);
      await tide.page.keyboard.press("Escape");
      await tide.playground().waitFor();
    }
  },
  "an example that is based on a report links to it": async ({ fresh }) => {
    const tide = await opened(fresh, "#gallery?q=flashmla");
    const link = tide.page.locator("#view .example__report").first();
    equal(await link.getAttribute("href"), "https://github.com/deepseek-ai/FlashMLA/issues/41", "the report");
  },
  "a symptom finds the verdicts that it belongs to, and a bug precedes its fix": async ({ fresh }) => {
    const tide = await opened(fresh);
    const field = tide.page.getByLabel("Search the examples");
    const verdicts = () => items(tide).locator(".badge").evaluateAll((all) => all.map((badge) => badge.dataset.verdict));
    await field.fill("hang");
    await expect("deadlocks", verdicts, (all) => all.filter((verdict) => verdict === "deadlock").length >= 10);
    await field.fill("triton 10035");
    await expect("the bug, then its fix", verdicts, (all) => all.join() === "deadlock,ok");
  },
};
