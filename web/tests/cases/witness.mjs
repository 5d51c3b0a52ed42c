import { equal, truth } from "../expect.mjs";
import { STUCK, TOO_LATE } from "../scenarios.mjs";

export const cases = {
  "show me loads the execution that is undefined": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(TOO_LATE);
    await tide.button("Show me").first().click();
    const { cursor, length } = await tide.steps();
    truth(cursor > 0 && cursor === length, "the whole witness");
    equal(await tide.stands(), "undefined", "state");
    equal(await tide.page.locator(".node--broke").count(), 1, "operations at fault");
  },
  "the witness of a deadlock ends stuck": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(STUCK);
    await tide.editor.blur();
    await tide.page.keyboard.press("w");
    equal(await tide.stands(), "stuck", "state");
    truth((await tide.page.locator('.agent[data-status="blocked"]').count()) > 0, "a blocked wave");
  },
};
