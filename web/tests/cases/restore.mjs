import { equal, expect } from "../expect.mjs";
import { SYNC } from "../scenarios.mjs";

export const cases = {
  "a reload restores the work": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.begin(SYNC);
    await tide.editor.blur();
    await tide.page.keyboard.press("0");
    await tide.hasSteps(1, 1);
    await tide.open();
    equal(await tide.text(), SYNC, "text");
    await tide.hasSteps(1, 1);
    equal(await tide.notice.count(), 0, "messages");
  },
  "a reload and a link restore undone steps": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.begin(SYNC);
    await tide.editor.blur();
    await tide.page.keyboard.press("r");
    await tide.hasSteps(6, 6);
    await tide.page.keyboard.press("ArrowLeft");
    await tide.page.keyboard.press("ArrowLeft");
    await tide.hasSteps(4, 6);
    await tide.page.waitForTimeout(500);
    await tide.open();
    await tide.hasSteps(4, 6);
    await tide.button("Share").click();
    const other = await fresh();
    await other.page.goto(tide.page.url());
    await other.hasSteps(4, 6);
  },
  "a reload and a link restore branches, breakpoints and selected relations": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.begin(SYNC);
    await tide.editor.blur();
    const { keyboard } = tide.page;
    for (const key of ["r", "Home", "1", "r"]) await keyboard.press(key);
    await tide.page.locator(".schedules > summary").click();
    await tide.page.getByLabel("Stop before").selectOption("7");
    await tide.showRelations();
    await tide.relation("program-order").click();
    await tide.page.getByLabel("From", { exact: true }).selectOption({ index: 1 });
    await tide.page.getByLabel("To", { exact: true }).selectOption({ index: 2 });
    const seen = async (tide) => {
      const branches = await tide.page.locator(".branches button").allInnerTexts();
      const stops = await tide.page.locator(".stops__list:not(.branches) button").allInnerTexts();
      const answers = await tide.page.locator(".answers").innerText();
      return JSON.stringify({ branches, stops, answers, edges: await tide.edges("po").count() });
    };
    await expect("a branch and a breakpoint", () => seen(tide), (text) => text.includes("6 steps") && text.includes("line 7"));
    const before = await seen(tide);
    await tide.page.waitForTimeout(500);
    await tide.open();
    await expect("after a reload", () => seen(tide), (text) => text === before);
    await tide.button("Share").click();
    const other = await fresh();
    await other.page.goto(tide.page.url());
    await expect("after opening the link", () => seen(other), (text) => text === before);
  },
  "a reload before the work is stored shows it once": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(SYNC);
    await tide.kept();
    await tide.tab("Targets").click();
    await tide.page.reload();
    await tide.page.locator(".verdict[data-verdict]").waitFor();
    equal((await tide.scenarios()).length, 1, "scenarios");
    equal(await tide.text(), SYNC, "text");
    await expect("the tab", () => tide.tab("Targets").getAttribute("aria-selected"), (chosen) => chosen === "true");
    equal(await tide.notice.count(), 0, "messages");
  },
};
