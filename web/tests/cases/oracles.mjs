import { equal, truth } from "../expect.mjs";
import { SYNC, NAMED, TOO_LATE } from "../scenarios.mjs";

const words = (tide) => tide.page.locator(".chips").first().textContent();

export const cases = {
  "the specification and the machine are compared in words": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(SYNC);
    equal(await tide.page.locator(".oracles__word").textContent(), "agree", "word");
    await tide.write(TOO_LATE);
    equal(await tide.page.locator(".oracles__word").textContent(), "differ", "word");
    equal(await tide.page.locator("[data-compiler]").getAttribute("data-compiler"), "ok", "what the compiler does");
    const shown = await words(tide);
    truth(shown.includes("specUndefined") && shown.includes("hardware modelDeadlock"), `both verdicts in words, found ${shown}`);
  },
  "the verdict has its name in reports": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(TOO_LATE);
    equal(await tide.page.locator(".verdict__rule").textContent(), "ub[amd.join.before-wait]", "name");
    await tide.write(NAMED);
    equal(await tide.page.locator(".verdict__rule").textContent(), "ok", "name");
  },
  "the number of participates-in relations is shown": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(SYNC);
    const shown = await tide.page.locator(".findings__body").textContent();
    truth(/uniquely determined in all \d+ executions/.test(shown), `a unique relation, found ${shown}`);
  },
};
