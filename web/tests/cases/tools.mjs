import { equal, expect, truth } from "../expect.mjs";

const card = (tide, layout) => tide.page.locator(`.word-card[data-layout="${layout}"]`);
const word = (tide, layout) => card(tide, layout).locator(".word-of").textContent();
const field = (tide, layout, name) => tide.page.getByLabel(`${name}, ${layout}`);

export const cases = {
  "an mbarrier word is decoded under both hypotheses, and its bits can be pressed": async ({ fresh }) => {
    const tide = await (await fresh()).visit("#tools/mbarrier");
    await tide.page.getByLabel("Word", { exact: true }).fill("0x7fff0000001fffc0");
    await expect("the expected count", () => field(tide, "low-pending", "expected").inputValue(), (value) => value === "32");
    equal(await card(tide, "high-pending").locator(".bit").count(), 64, "bits");
    await card(tide, "low-pending").getByRole("button", { name: /^bit 1, pending: 0/ }).click();
    await expect("the word with that bit", () => word(tide, "low-pending"), (text) => text === "0x7fff0000_001fffc2");
    equal([await field(tide, "low-pending", "pending").inputValue(), await field(tide, "high-pending", "expected").inputValue()], ["31", "31"], "counts");
    equal(await card(tide, "low-pending").locator('[data-certainty="hypothesis"]').count(), 2, "hypothetical fields");
    const again = await (await fresh()).visit(new URL(tide.page.url()).hash);
    equal(await word(again, "high-pending"), "0x7fff0000_001fffc2", "the word of the address");
  },
  "a field of a word is set by typing": async ({ fresh }) => {
    const tide = await (await fresh()).visit("#tools/mbarrier");
    const tx = field(tide, "low-pending", "tx-count");
    await tx.fill("");
    await tx.pressSequentially("-16", { delay: 5 });
    await expect("the word", () => word(tide, "low-pending"), (text) => text === "0x7ffff3ff_fe1ffffc");
    equal(await tx.inputValue(), "-16", "what was typed");
  },
  "operations are performed on a word under both hypotheses": async ({ fresh }) => {
    const tide = await (await fresh()).visit("#tools/mbarrier");
    const perform = tide.page.getByRole("group", { name: "Perform" });
    await perform.getByRole("button", { name: "arrive 1", exact: true }).click();
    await expect("two words", async () => [await word(tide, "low-pending"), await word(tide, "high-pending")].join(), (words) => words === "0x7ffff000_001ffffe,0x7ffff800_001ffffc");
    await perform.getByRole("button", { name: "arrive 1", exact: true }).click();
    await expect("a completed phase", () => card(tide, "low-pending").locator(".step-of").last().textContent(), (text) => text.includes("completes the phase"));
    await tide.button("Undo last").click();
    await expect("one operation", () => card(tide, "low-pending").locator(".step-of").count(), (count) => count === 1);
  },
  "instructions of SASS are found by either name": async ({ fresh }) => {
    const tide = await (await fresh()).visit("#tools");
    await tide.page.locator("#view .tool-row").filter({ hasText: "SASS" }).click();
    const rows = tide.page.locator("#view tbody tr");
    const all = await expect("every instruction", () => rows.count(), (count) => count > 20);
    await tide.page.getByLabel("Search instructions").fill("try_wait");
    await expect("fewer", () => rows.count(), (count) => count > 0 && count < all);
    truth((await rows.first().textContent()).includes("SYNCS"), "the instruction of that twin");
  },
  "targets are found by their features": async ({ fresh }) => {
    const tide = await (await fresh()).visit("#tools/targets");
    const names = () => tide.page.locator("#view tbody th").allTextContents();
    truth((await names()).length > 60, "every target");
    await tide.button("named").click();
    await expect("those with named barriers", names, (names) => names.includes("gfx1250") && !names.includes("gfx1200"));
    await tide.button("gfx1251").click();
    await tide.page.keyboard.press("Escape");
    equal(await tide.page.locator(".field__select").inputValue(), "gfx1251", "target");
  },
};
