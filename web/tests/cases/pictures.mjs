// Screenshots of the page, stored as build output.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { BLOCKS, CALLEE, DOUBTFUL, INVALID, NAMED, STUCK, TOO_LATE, TOO_MANY, UNFENCED } from "../scenarios.mjs";

const SIZES = [[1440, 900], [1024, 768], [390, 844]];
const STATES = {
  first: async () => {},
  witness: async (tide) => {
    await tide.write(TOO_LATE);
    await tide.showWitness();
  },
  past: async (tide) => {
    await tide.write(STUCK);
    await tide.showWitness();
    await tide.button("Step back").click();
    await tide.button("Step back").click();
  },
  palette: async (tide) => {
    await tide.page.keyboard.press("Control+k");
    await tide.page.locator(".palette__item").first().waitFor();
  },
  presenting: async (tide) => {
    await tide.page.keyboard.press("p");
  },
  invalid: async (tide) => {
    await tide.write(STUCK);
    await tide.showWitness();
    await tide.write(INVALID);
  },
  examples: async (tide) => {
    await tide.page.keyboard.press("e");
    await tide.page.locator(".example").first().waitFor();
  },
  targets: async (tide) => {
    await tide.write(NAMED);
    await tide.tab("Targets").click();
    await tide.page.locator(".cell").first().waitFor();
  },
  relations: async (tide) => {
    await tide.showRelations();
    await tide.edges("pi").first().focus();
    await tide.page.keyboard.press("Enter");
    await tide.page.locator(".node[data-kind=arrive]").first().click();
    await tide.page.locator(".node[data-kind=wait]").last().click();
  },
  readings: async (tide) => {
    await tide.write(DOUBTFUL);
    await tide.tab("Readings").click();
  },
  expectations: async (tide) => {
    await tide.write(`${STUCK}expect gfx1100: ub\n`);
    await tide.page.locator(".held:not(.held--stale) .held__item").nth(1).waitFor();
    await tide.page.locator(".held:not(.held--stale) .held__item").nth(1).scrollIntoViewIfNeeded();
  },
  copies: async (tide) => {
    await tide.begin(BLOCKS);
    await tide.editor.blur();
    for (let count = 0; count < 6; count += 1) await tide.page.keyboard.press("0");
  },
  race: async (tide) => {
    await tide.write(UNFENCED);
    await tide.showWitness();
  },
  marks: async (tide) => {
    await tide.write(TOO_MANY);
    await tide.showWitness();
  },
  callee: async (tide) => {
    await tide.write(CALLEE);
    await tide.showWitness();
  },
  share: async (tide) => {
    await tide.button("Share").click();
    await tide.page.locator(".share__row").first().waitFor();
  },
  difference: async (tide) => {
    await tide.write(TOO_LATE);
    await tide.button("Compare scenarios").click();
    await tide.button("Original version").click();
    await tide.page.locator(".diff").first().waitFor();
  },
  smaller: async (tide) => {
    await tide.write(TOO_LATE);
    await tide.button("Shrink").click();
    await tide.page.locator(".job .listing").waitFor();
  },
  rules: (tide) => tide.visit("#rules"),
  rule: (tide) => tide.visit("#rules/amd.join.before-wait"),
  mbarrier: (tide) => tide.visit("#tools/mbarrier?then=arrive:1"),
  sass: (tide) => tide.visit("#tools/sass"),
  features: (tide) => tide.visit("#tools/targets"),
  language: async (tide) => {
    await tide.page.keyboard.press("l");
    await tide.page.locator(".document h3").first().waitFor();
  },
  observations: async (tide) => {
    await tide.tab("Readings").click();
    await tide.button("All readings").click();
    await tide.page.locator(".document h3").first().waitFor();
  },
};

export const cases = {
  "pictures of every size, theme and state": async ({ fresh, root }) => {
    const folder = join(root, "target/screenshots");
    mkdirSync(folder, { recursive: true });
    for (const [width, height] of SIZES) {
      for (const colorScheme of ["light", "dark"]) {
        for (const [state, arrive] of Object.entries(STATES)) {
          const tide = await (await fresh({ colorScheme, viewport: { width, height }, reducedMotion: "reduce" })).open();
          await arrive(tide);
          await tide.page.waitForTimeout(100);
          await tide.page.screenshot({ path: join(folder, `${width}x${height}-${colorScheme}-${state}.png`), fullPage: width < 860 && !["examples", "language", "observations", "share", "difference", "smaller"].includes(state) });
        }
      }
    }
  },
};
