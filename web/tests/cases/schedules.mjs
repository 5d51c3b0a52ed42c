// Other schedules of a text.
import { equal, expect, truth } from "../expect.mjs";
import { SYNC, NAMED, STUCK, TOO_LATE } from "../scenarios.mjs";

const planning = async (fresh, text) => {
  const tide = await (await fresh()).open();
  await tide.begin(text);
  await tide.editor.blur();
  await tide.page.locator(".schedules > summary").click();
  await tide.button("Count outcomes").waitFor();
  return tide;
};
const stands = (tide, word) => expect(word, () => tide.stands(), (now) => now === word);

export const cases = {
  "a run stops at a blocked agent": async ({ fresh }) => {
    const tide = await planning(fresh, SYNC);
    await tide.button("Run until blocked").click();
    await tide.hasSteps(1, 1);
    await tide.tab("Agents").click();
    equal(await tide.page.locator('.agent[data-status="blocked"]').count(), 1, "blocked");
    await tide.page.keyboard.press("b");
    await tide.hasSteps(4, 4);
  },
  "a seed determines the schedule": async ({ fresh }) => {
    const tide = await planning(fresh, NAMED);
    const seed = tide.page.locator("#seed");
    await tide.button("Random schedule").click();
    await expect("a seed", () => seed.inputValue(), (value) => value === "1");
    const schedule = () => tide.page.locator(".node").evaluateAll((nodes) => nodes.map((node) => node.title).join());
    const first = await schedule();
    const others = new Set();
    for (const value of ["2", "3", "4", "5", "6"]) {
      await seed.fill(value);
      others.add(await schedule());
    }
    truth(others.size > 1, "other seeds, other schedules");
    await seed.fill("1");
    await expect("the same again", schedule, (now) => now === first);
  },
  "next shows different executions": async ({ fresh }) => {
    const tide = await planning(fresh, SYNC);
    const shown = new Set();
    for (let count = 0; count < 3; count += 1) {
      await tide.page.keyboard.press("x");
      await stands(tide, "finished");
      shown.add((await tide.page.locator(".step .node").evaluateAll((nodes) => nodes.map((node) => node.title))).join());
    }
    equal(shown.size, 3, "different executions");
    await expect("their number", () => tide.page.locator(".plans [role=status]").innerText(), (text) => text === "4 shown");
  },
  "outcomes are counted, with an example of each": async ({ fresh }) => {
    const tide = await planning(fresh, STUCK);
    await tide.button("Count outcomes").click();
    const rows = tide.page.locator(".outcome");
    await expect("outcomes", () => rows.count(), (count) => count >= 1);
    truth((await rows.first().innerText()).includes("stuck"), "it gets stuck");
    await rows.first().getByRole("button").click();
    await stands(tide, "stuck");
  },
  "runs stop before an operation": async ({ fresh }) => {
    const tide = await planning(fresh, SYNC);
    await tide.page.keyboard.press("0");
    await tide.hasSteps(1, 1);
    await tide.page.locator("#stop").selectOption("7");
    await expect("its place", () => tide.page.locator(".stops__list").innerText(), (text) => text.startsWith("line 7: wait wg"));
    await tide.page.keyboard.press("r");
    await tide.hasSteps(2, 2);
    await tide.page.locator(".stops__list button").click();
    await tide.page.keyboard.press("r");
    await stands(tide, "finished");
  },
  "a left branch can be reloaded": async ({ fresh }) => {
    const tide = await planning(fresh, SYNC);
    for (const key of ["0", "1", "0"]) await tide.page.keyboard.press(key);
    await tide.hasSteps(3, 3);
    for (const key of ["ArrowLeft", "ArrowLeft", "ArrowLeft", "1"]) await tide.page.keyboard.press(key);
    await tide.hasSteps(1, 1);
    const branch = tide.page.locator(".branches button");
    await expect("the branch", () => branch.allInnerTexts(), (all) => all.join() === "3 steps");
    await branch.click();
    await tide.hasSteps(3, 3);
    await expect("the other one now", () => branch.allInnerTexts(), (all) => all.join() === "3 steps" || all.length === 2);
  },
  "playback stops at the end of the execution": async ({ fresh }) => {
    const tide = await planning(fresh, SYNC);
    await tide.button("Play (g)").click();
    equal(await tide.button("Play (g)").getAttribute("aria-pressed"), "true");
    await stands(tide, "finished");
    await expect("stopped", () => tide.button("Play (g)").getAttribute("aria-pressed"), (pressed) => pressed === "false");
  },
  "the next counterexample is shown": async ({ fresh }) => {
    const tide = await planning(fresh, TOO_LATE);
    await tide.button("Next counterexample").click();
    await stands(tide, "undefined");
  },
  "branches and breakpoints survive an edit, another target and another scenario": async ({ fresh }) => {
    const tide = await planning(fresh, SYNC);
    for (const key of ["0", "1", "0", "ArrowLeft", "ArrowLeft", "ArrowLeft", "1"]) await tide.page.keyboard.press(key);
    await tide.page.locator("#stop").selectOption("7");
    const known = () => Promise.all([".branches button", ".stops__list:not(.branches) button"].map((part) => tide.page.locator(part).allInnerTexts()));
    const line = (number) => ([branches, stops]) => branches.join() === "3 steps" && stops.length === 1 && stops[0].startsWith(`line ${number}: wait wg`);
    await expect("both", known, line(7));
    await tide.write(`# Two waves.\n${SYNC}`);
    await expect("both after an edit", known, line(8));
    await tide.settled(() => tide.button("New scenario").click());
    await expect("nothing of another", known, ([branches, stops]) => branches.length + stops.length === 0);
    await tide.settled(() => tide.scenario(0).click());
    const schedules = tide.page.locator(".schedules");
    if (!(await schedules.evaluate((details) => details.open))) await schedules.locator("summary").click();
    await expect("both again", known, line(8));
  },
};
