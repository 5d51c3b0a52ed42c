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
