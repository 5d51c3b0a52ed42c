import { equal, expect, truth } from "../expect.mjs";

export const cases = {
  "a question mark shows the keys": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.page.keyboard.press("?");
    const dialog = tide.page.getByRole("dialog", { name: "Keys" });
    await expect("an open dialog", () => dialog.isVisible(), Boolean);
    truth((await dialog.locator("kbd").count()) > 5, "keys");
    await tide.page.keyboard.press("Escape");
    await expect("a closed dialog", () => dialog.isVisible(), (open) => !open);
    await tide.page.keyboard.press("?");
    await expect("a dialog that opens again", () => dialog.isVisible(), Boolean);
  },
  "an example opens with its verdict": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.button("Examples").click();
    const items = tide.page.locator(".example");
    await expect("at least twelve examples", () => items.count(), (count) => count >= 12);
    const title = await items.last().locator(".example__title").textContent();
    const wanted = await items.last().locator(".badge").getAttribute("data-verdict");
    await tide.settled(() => items.last().click());
    truth((await tide.text()).includes(title), `the text of ${title}`);
    equal(await tide.verdict(), wanted, "verdict");
  },
  "every example has the verdict that it names": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.button("Examples").click();
    const items = tide.page.locator(".example");
    await items.first().waitFor();
    const count = await items.count();
    await tide.page.keyboard.press("Escape");
    for (let index = 0; index < count; index += 1) {
      await tide.button("Examples").click();
      const wanted = await items.nth(index).locator(".badge").getAttribute("data-verdict");
      const title = await items.nth(index).locator(".example__title").textContent();
      await tide.settled(() => items.nth(index).click());
      equal(await tide.verdict(), wanted, title);
    }
  },
};
