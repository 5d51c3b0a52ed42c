import { expect, truth } from "../expect.mjs";

export const cases = {
  "the language reference opens in the page, with its scenarios": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.page.keyboard.press("l");
    const dialog = tide.page.locator("#view");
    await expect("headings, tables and code", () => dialog.locator("h3, table, pre").count(), (count) => count > 10);
    const code = await dialog.locator(".document__code").first().locator("pre").textContent();
    await tide.settled(() => dialog.getByRole("button", { name: "Open", exact: true }).first().click());
    truth((await tide.text()).trim() === code.trim(), "the text of the scenario");
  },
  "the reference has a list of contents, and each section an address": async ({ fresh }) => {
    const tide = await (await fresh()).visit("#language");
    const top = (name) => tide.page.locator("#view").getByRole("heading", { name, exact: true }).evaluate((heading) => heading.getBoundingClientRect().top);
    truth((await top("Expectations")) > 900, "the section below the window");
    await tide.page.locator(".contents").getByRole("link", { name: "Expectations", exact: true }).click();
    await expect("the section at the top", () => top("Expectations"), (top) => top > 0 && top < 200);
    truth(tide.page.url().endsWith("#language/expectations"), "its address");
    const other = await (await fresh()).visit("#kernels/limits");
    const limits = () => other.page.locator("#view").getByRole("heading", { name: "Limits", exact: true }).evaluate((heading) => heading.getBoundingClientRect().top);
    await expect("the section of the address", limits, (top) => top < 900);
  },
  "the library loads after the first paint": async ({ fresh }) => {
    const tide = await fresh();
    await tide.page.addInitScript(() => {
      new MutationObserver(() => {
        const judged = document.querySelector(".verdict")?.dataset.judged;
        if (judged && judged !== "0") window.usable ??= performance.now();
      }).observe(document, { childList: true, subtree: true, attributes: true });
    });
    await tide.open();
    const begun = () => tide.page.evaluate(() => performance.getEntriesByType("resource").find(({ name }) => name.endsWith("library.txt"))?.startTime);
    const start = await expect("the library", begun, Boolean);
    const usable = await tide.page.evaluate(() => window.usable);
    truth(start > usable, `the library after the verdict, found ${start} and ${usable}`);
  },
};
