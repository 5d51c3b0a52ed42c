import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { BLOCKS, DOUBTFUL, INVALID, STUCK, UNFENCED, large } from "../scenarios.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const SIZES = {
  desktop: { width: 1440, height: 900 },
  tablet: { width: 1024, height: 768 },
  phone: { width: 390, height: 844 },
  "narrow phone": { width: 320, height: 640 },
};
/** A tablet needs one theme: colours are the same at every size. */
const LOOKS = [["light", "desktop"], ["light", "phone"], ["light", "tablet"], ["dark", "desktop"], ["dark", "phone"], ["dark", "narrow phone"]];
const STATES = {
  "at launch": async () => {},
  "with a witness": async (tide) => {
    await tide.write(STUCK);
    await tide.showWitness();
  },
  "with invalid text": async (tide) => {
    await tide.write(STUCK);
    await tide.showWitness();
    await tide.write(INVALID);
  },
  "with the palette open": (tide) => tide.page.keyboard.press("Control+k"),
  "with a search in the text": async (tide) => {
    await tide.editor.focus();
    await tide.page.keyboard.press("Control+f");
    await tide.page.locator(".cm-search").waitFor();
  },
  "in a lesson": async (tide) => {
    await tide.page.goto(`${tide.url}?lesson`);
    await tide.page.locator(".lesson button").first().waitFor();
  },
  "presenting": (tide) => tide.page.keyboard.press("p"),
  "with the keys shown": (tide) => tide.page.keyboard.press("?"),
  "with the examples shown": async (tide) => {
    await tide.page.keyboard.press("e");
    await tide.page.locator("#view .example").first().waitFor();
  },
  "with the targets shown": async (tide) => {
    await tide.tab("Targets").click();
    await tide.page.locator(".cell").first().waitFor();
  },
  "with relations shown": async (tide) => {
    await tide.showRelations();
    await tide.edges("pi").first().focus();
    await tide.page.keyboard.press("Enter");
    await tide.page.locator(".relations__all summary").click();
  },
  "with the readings shown": async (tide) => {
    await tide.write(DOUBTFUL);
    await tide.tab("Readings").click();
  },
  "with expectations shown": async (tide) => {
    await tide.write(`${STUCK}expect gfx1100: ub\n`);
    await tide.page.locator(".held:not(.held--stale) .held__item").nth(1).waitFor();
  },
  "with copies in flight": async (tide) => {
    await tide.begin(BLOCKS);
    await tide.editor.blur();
    for (let count = 0; count < 6; count += 1) await tide.page.keyboard.press("0");
  },
  "with a race": async (tide) => {
    await tide.write(UNFENCED);
    await tide.showWitness();
  },
  "with the ways to share shown": async (tide) => {
    await tide.button("Share").click();
    await tide.page.locator(".share__row").first().waitFor();
  },
  "with a difference shown": async (tide) => {
    await tide.write(`${STUCK}// more\n`);
    await tide.button("Compare scenarios").click();
    await tide.button("Original version").click();
    await tide.page.locator(".diff").first().waitFor();
  },
  "with an overview, zoomed out": async (tide) => {
    await tide.write(large(8, 20));
    await tide.editor.blur();
    await tide.page.locator(".overview__strip").waitFor();
    await tide.page.keyboard.press("-");
  },
  "with the focus on one agent": async (tide) => {
    await tide.write(large(8, 20));
    await tide.page.locator(".overview__strip").waitFor();
    await tide.page.locator(".lane-head__name").first().click();
    await tide.page.locator(".chosen__says").waitFor();
  },
  "with two executions compared": async (tide) => {
    await tide.write("target gfx1250\nlaunch waves=2\nwave 0 {\n  choose { arrive wg; wait wg } or { wait wg }\n}\nwave 1 {\n  arrive wg\n  wait wg\n}\n");
    await tide.showWitness();
    await tide.button("Compare executions").click();
    await tide.page.locator(".runs__mark").waitFor();
  },
  "with the critical path shown": async (tide) => {
    await tide.write(large(4, 20));
    await tide.button("Critical path").click();
    await tide.page.locator(".path__part").first().waitFor();
  },
  "with the rules shown": (tide) => tide.visit("#rules"),
  "with a rule shown": (tide) => tide.visit("#rules/amd.join.before-wait"),
  "with the mbarrier word decoder shown": (tide) => tide.visit("#tools/mbarrier?then=arrive:1"),
  "with SASS shown": (tide) => tide.visit("#tools/sass"),
  "with every target shown": (tide) => tide.visit("#tools/targets"),
  "with the language shown": async (tide) => {
    await tide.page.keyboard.press("l");
    await tide.page.locator(".document h3").first().waitFor();
  },
};

async function violations(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run());
  return violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 4).map((node) => `${node.html} (${node.any[0]?.message ?? ""})`).join(" | ")}`);
}

export const cases = Object.fromEntries(
  LOOKS.flatMap(([colorScheme, size]) =>
    Object.entries(STATES).map(([state, arrive]) => [
      `the page is accessible: ${colorScheme}, ${size}, ${state}`,
      async ({ fresh }) => {
        const tide = await (await fresh({ colorScheme, viewport: SIZES[size], reducedMotion: "reduce" })).open();
        await arrive(tide);
        await tide.page.waitForTimeout(50);
        const found = await violations(tide.page);
        if (found.length) throw new Error(found.join("\n"));
      },
    ]),
  ),
);
