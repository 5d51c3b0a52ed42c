import { expect, truth } from "../expect.mjs";

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
};
