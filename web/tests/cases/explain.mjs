// The page says what is wrong in words that need no manual, and what mends it.
import { equal, expect, truth } from "../expect.mjs";
import { CALLEE, TOO_MANY, UNFENCED } from "../scenarios.mjs";

const first = (tide) => tide.page.locator(".finding").first();
const reasons = (tide) => first(tide).locator(".clause").allTextContents();
const fix = (tide) => first(tide).locator(".finding__fix").textContent();
const told = async (fresh, text) => {
  const tide = await (await fresh()).open();
  await tide.write(text);
  await tide.hasVerdict("race");
  return tide;
};
/** Makes fixes until the verdict is `ok`; how many it took. */
const mend = async (tide) => {
  let made = 0;
  for (; made < 3 && (await tide.verdict()) === "race"; made += 1) {
    await tide.settled(() => tide.button("Apply").first().click());
  }
  await tide.hasVerdict("ok");
  return made;
};
const says = (all, ...parts) => parts.forEach((part) => truth(all.join(" ").includes(part), `“${part}” in: ${all.join(" / ")}`));

export const cases = {
  "a missing fence is explained: what orders execution, what memory lacks, where to put it": async ({ fresh }) => {
    const tide = await told(fresh, UNFENCED);
    says([await first(tide).locator(".finding__text").textContent()], "load l[0..4]", "wave 1", "store l[0..4]", "wave 0", "bytes 0 to 3 of l", "nothing orders them");
    says(await reasons(tide), "execution is ordered", "Memory is ordered only by a release fence before the arrive and an acquire fence after the wait", "wave 0 releases nothing", "wave 1 acquires nothing");
    says([await fix(tide)], "fence release", "fence acquire");
    truth((await mend(tide)) <= 2, "mended in at most two presses");
    says([await tide.text()], "fence release", "fence acquire");
  },
  "too large an N at an async wait is explained by the marks behind the copy's own, and the largest safe one offered": async ({ fresh }) => {
    const tide = await told(fresh, TOO_MANY);
    says([await first(tide).locator(".finding__text").textContent()], "writes asynchronously", "bytes 0 to 63 of l");
    says(await reasons(tide), "wait.asyncmark(2)", "lets at most 2 marks run", "Only 1 mark stands behind that of the copy");
    says([await fix(tide)], "wait.asyncmark(1)");
    await tide.button("Show me").first().click();
    equal(await tide.page.locator(".node--race").count(), 2, "accesses marked");
    equal(await tide.page.locator(".copying--open").count(), 2, "copies in flight where they meet");
    equal(await mend(tide), 1, "presses");
    says([await tide.text()], "wait.asyncmark(1)");
  },
  "a callee's wait is explained by the sequences of the two function bodies, and by what inlining would change": async ({ fresh }) => {
    const tide = await told(fresh, CALLEE);
    says(await reasons(tide), "different function bodies", "each body has a sequence of marks of its own, and a wait looks at its own only");
    says([await fix(tide)], "wait.asyncmark(0)");
    const inlining = tide.page.locator('.finding[data-rule="async.callee-unspecified"]');
    says(await inlining.locator(".clause").allTextContents(), "As written it completes no copy; the verdict is race", "Inlined it completes", "the verdict is ok");
    await tide.button("Show me").first().click();
    await expect("the mark that no wait takes", () => tide.page.locator(".mark:not(.mark--left)").count(), (count) => count === 1);
    await mend(tide);
  },
  "each tab begins at its beginning": async ({ fresh }) => {
    const tide = await told(fresh, TOO_MANY);
    const body = tide.page.locator("#inquiry");
    await tide.tab("Targets").click();
    await expect("more than fits", () => body.evaluate((it) => it.scrollHeight - it.clientHeight), (more) => more > 20);
    await body.evaluate((it) => it.scrollTo(0, 20));
    await tide.tab("Readings").click();
    await expect("its beginning", () => body.evaluate((it) => it.scrollTop), (top) => top === 0);
    await tide.tab("Targets").click();
    await expect("its beginning", () => body.evaluate((it) => it.scrollTop), (top) => top === 0);
  },
};
