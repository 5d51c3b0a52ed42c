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
};
