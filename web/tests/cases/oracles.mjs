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
  "the oracles have one row in a window of medium width, and the button is beside how the verdict was reached": async ({ fresh }) => {
    const tide = await (await fresh({ viewport: { width: 1024, height: 768 } })).open();
    await tide.write(TOO_LATE);
    const rows = await tide.page.locator(".chips > li").evaluateAll((all) => new Set(all.map((it) => Math.round(it.getBoundingClientRect().y + it.offsetHeight / 2))).size);
    equal(rows, 1, "rows of oracles");
    const [word, rule, show, how] = await Promise.all([".verdict__word", ".verdict__rule", ".verdict__show", ".verdict__how"].map((part) => tide.page.locator(part).boundingBox()));
    truth(rule.y - word.y < 12, "the rule is beside the verdict");
    truth(show.x + show.width <= how.x && Math.abs(show.y + show.height / 2 - how.y - how.height / 2) < 8, "the button is beside how the verdict was reached");
    truth((await tide.page.locator(".verdict").boundingBox()).height <= 76, "a low bar");
  },
  "a rule that has a row of its own begins where the verdict begins": async ({ fresh }) => {
    const tide = await (await fresh({ viewport: { width: 390, height: 844 } })).open();
    await tide.write("target sm_90\nlaunch warps=2\nmbarrier full\nwarp 0 { mbarrier.init.shared::cta.b64 [full], 1; bar.sync 0 }\nwarp 1 {\n  bar.sync 0\n  L: mbarrier.try_wait.parity.shared::cta.b64 p, [full], 0\n  @!p bra L\n}\n");
    await tide.hasVerdict("deadlock");
    const [word, rule] = await Promise.all([".verdict__word", ".verdict__rule"].map((part) => tide.page.locator(part).boundingBox()));
    truth(rule.y > word.y + 12, "a rule in a second row");
    truth(Math.abs(rule.x - word.x) < 2, `both begin at one place, found ${word.x} and ${rule.x}`);
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
