// Every view, and the conditions that hold on each.
import { equal } from "./expect.mjs";
import { STUCK } from "./scenarios.mjs";

export const VIEWS = [
  "#gallery",
  "#gallery?by=report",
  "#language",
  "#language/expectations",
  "#kernels",
  "#command-line",
  "#embedding",
  "#one-run",
  "#readings",
  "#rules",
  "#rules/amd.join.before-wait",
  "#tools",
  "#tools/mbarrier",
  "#tools/mbarrier?then=arrive:1",
  "#tools/sass",
  "#tools/targets",
];

/** Visits every view, and the playground with a witness and each of its tabs; calls `look` on each. */
export async function everywhere(tide, look) {
  await tide.open();
  await tide.write(STUCK);
  await tide.showWitness();
  for (const tab of ["Why", "Relations", "Targets", "Readings"]) {
    await tide.tab(tab).click();
    await look(`the playground with ${tab}`);
  }
  for (const view of VIEWS) {
    await tide.visit(view);
    await look(view);
  }
}

/** Returns the number of pixels by which a page scrolls sideways, except its own scrollers of code and tables. */
export const sideways = (tide) =>
  tide.page.evaluate(() => {
    const whole = [document.documentElement, document.body, document.getElementById("view")].filter(Boolean);
    return Math.max(...whole.map((part) => part.scrollWidth - part.clientWidth));
  });

/** A case: no view scrolls sideways in a window of a size. */
export const fits = (viewport) => async ({ fresh }) => {
  const tide = await fresh({ viewport });
  await everywhere(tide, async (where) => equal(await sideways(tide), 0, `pixels that ${where} is too wide`));
};
