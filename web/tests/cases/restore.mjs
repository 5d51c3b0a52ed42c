import { equal } from "../expect.mjs";
import { MEET } from "../scenarios.mjs";

export const cases = {
  "work is there again after a reload": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.begin(MEET);
    await tide.editor.blur();
    await tide.page.keyboard.press("0");
    await tide.hasSteps(1, 1);
    await tide.open();
    equal(await tide.text(), MEET, "text");
    await tide.hasSteps(1, 1);
    equal(await tide.notice.count(), 0, "messages");
  },
  "steps that were undone are there again, after a reload and behind a link": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.begin(MEET);
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
};
