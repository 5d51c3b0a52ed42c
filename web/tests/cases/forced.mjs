// With forced colours, as in a contrast theme, colour is never the only difference.
import { equal, truth } from "../expect.mjs";
import { STUCK, TOO_LATE, UNFENCED } from "../scenarios.mjs";

const WIDTHS = ["borderTopWidth", "borderBottomWidth", "borderTopStyle", "outlineStyle", "fontWeight"];
const GROUNDS = ["backgroundColor", "backgroundImage"];

const themed = async (fresh, colorScheme, text) => {
  const tide = await (await fresh({ forcedColors: "active", colorScheme })).open();
  await tide.begin(text);
  return tide;
};

/** Returns the named style properties of an element. */
const look = (place, properties) => place.first().evaluate((one, properties) => properties.map((name) => getComputedStyle(one)[name]).join(), properties);

/** Checks that the elements look different. */
async function apart(places, properties) {
  const looks = Object.fromEntries(await Promise.all(Object.entries(places).map(async ([name, place]) => [name, await look(place, properties)])));
  equal(new Set(Object.values(looks)).size, Object.keys(looks).length, `looks that differ: ${JSON.stringify(looks)}`);
}

export const cases = Object.fromEntries(
  ["light", "dark"].flatMap((scheme) => [
    [`forced colours tell what is chosen: ${scheme}`, async ({ fresh }) => {
      const tide = await themed(fresh, scheme, STUCK);
      await tide.tab("Targets").click();
      const cell = tide.page.locator(".cell");
      await cell.first().waitFor();
      await apart({ chosen: tide.tab("Targets"), other: tide.tab("Why") }, WIDTHS);
      await apart({ chosen: tide.page.locator('.cell:has(> .cell__main[aria-pressed="true"])'), other: tide.page.locator('.cell:has(> .cell__main[aria-pressed="false"])') }, WIDTHS);
      await tide.showRelations();
      await apart({ on: tide.page.locator('.relation[aria-pressed="true"]'), off: tide.page.locator('.relation[aria-pressed="false"]') }, WIDTHS.slice(0, 4));
      await tide.visit("#tools/mbarrier");
      await apart({ here: tide.page.locator('.view__nav a[data-here]'), other: tide.page.locator(".view__nav a:not([data-here], .view__back)") }, WIDTHS);
      await apart({ set: tide.page.locator(".bit[data-set]"), unset: tide.page.locator(".bit:not([data-set])") }, GROUNDS);
    }],
    [`forced colours tell arrivals, waits and steps apart: ${scheme}`, async ({ fresh }) => {
      const tide = await themed(fresh, scheme, STUCK);
      await tide.moves.first().click();
      await tide.hasSteps(1, 1);
      await apart({ full: tide.page.locator(".pip--full"), empty: tide.page.locator(".pip:not(.pip--full)") }, GROUNDS);
      await tide.showWitness();
      truth((await look(tide.page.locator(".waiting"), ["backgroundImage"])).includes("gradient"), "a hatched bar where a wave waits");
      for (const _ of [1, 2]) await tide.button("Step back").click();
      const node = (of) => tide.page.locator(`${of} .node`);
      await apart({ done: node(".step:not(.step--last, .step--future)"), last: node(".step--last"), future: node(".step--future") }, WIDTHS);
    }],
    [`forced colours tell what broke and what races: ${scheme}`, async ({ fresh }) => {
      const tide = await themed(fresh, scheme, TOO_LATE);
      await tide.showWitness();
      const wait = (of) => tide.page.locator(`.node[data-kind="wait"]${of}`);
      await apart({ broke: wait(".node--broke"), other: wait(":not(.node--broke)") }, WIDTHS.slice(0, 3));
      await tide.write(UNFENCED);
      await tide.showWitness();
      const mark = (one) => one.evaluate((node) => getComputedStyle(node, "::before").content);
      truth((await mark(tide.page.locator(".node--race").first())).includes("\u21c4"), "a mark on accesses that race");
      equal(await mark(tide.page.locator(".node:not(.node--race)").first()), "none", "none on others");
      const button = tide.button("Share");
      await button.focus();
      await tide.page.keyboard.press("Shift+Tab");
      await tide.page.keyboard.press("Tab");
      await apart({ focused: button, other: tide.button("Keys") }, ["outlineStyle", "outlineWidth"]);
    }],
  ]),
);
