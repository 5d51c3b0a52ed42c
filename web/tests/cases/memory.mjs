// Marks, copies in flight, races, and fixes made with one click.
import { equal, expect, truth } from "../expect.mjs";
import { BLOCKS, UNFENCED } from "../scenarios.mjs";

const stepped = async (fresh, steps) => {
  const tide = await (await fresh()).open();
  await tide.begin(BLOCKS);
  await tide.editor.blur();
  for (let count = 0; count < steps; count += 1) await tide.page.keyboard.press("0");
  await tide.hasSteps(steps, steps);
  return tide;
};
const marks = (tide) => tide.page.locator(".mark:not(.mark--left)").allTextContents();

export const cases = {
  "marks form a queue in removal order": async ({ fresh }) => {
    const tide = await stepped(fresh, 5);
    equal(await marks(tide), ["line 9 2 copies", "line 11 1 copy"], "marks");
    await tide.page.keyboard.press("0");
    await tide.hasSteps(6, 6);
    equal(await marks(tide), ["line 11 1 copy"], "marks after the wait");
    equal(await tide.page.locator(".mark--left").count(), 1, "marks that leave");
    await tide.button("Step back").click();
    equal((await marks(tide)).length, 2, "marks, the wait undone");
  },
  "a copy is a span from its start to the wait that completes it": async ({ fresh }) => {
    const tide = await stepped(fresh, 5);
    equal(await tide.page.locator(".copying--open").count(), 3, "copies in flight");
    equal(await tide.page.locator(".flight__copy").count(), 3, "copies listed");
    await tide.page.keyboard.press("0");
    await tide.hasSteps(6, 6);
    equal(await tide.page.locator(".copying--open").count(), 1, "copies still in flight");
    const rows = await tide.page.locator(".copying:not(.copying--open)").evaluateAll((spans) => spans.map((span) => [span.style.getPropertyValue("--from"), span.style.getPropertyValue("--span")].join()));
    equal(rows, ["0,6", "1,5"], "rows of completed copies");
  },
  "both accesses of a race are marked, and its fix is applied and undone": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(UNFENCED);
    await tide.hasVerdict("race");
    await tide.showWitness();
    equal(await tide.page.locator(".node--race").count(), 2, "accesses marked");
    truth((await tide.page.locator(".pair--race").textContent()).includes("is not ordered before"), "the pair of accesses");
    for (let round = 0; round < 3 && (await tide.verdict()) === "race"; round += 1) {
      await tide.settled(() => tide.button("Apply").first().click());
    }
    await tide.hasVerdict("ok");
    truth((await tide.text()).includes("fence acquire"), "an acquire fence");
    await tide.editor.focus();
    for (let round = 0; round < 6 && (await tide.text()) !== UNFENCED; round += 1) {
      await tide.page.keyboard.press("Control+z");
    }
    await expect("the text before", () => tide.text(), (text) => text === UNFENCED);
  },
};
