import { equal } from "../expect.mjs";
import { NAMED } from "../scenarios.mjs";

export const cases = {
  "another target gives another verdict": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(NAMED);
    await tide.hasVerdict("ok");
    await tide.settled(() => tide.page.getByLabel("Target").selectOption("gfx1200"));
    await tide.hasVerdict("unsupported");
    await tide.settled(() => tide.page.getByLabel("Target").selectOption("as written"));
    await tide.hasVerdict("ok");
    equal(await tide.text(), NAMED, "text");
  },
};
