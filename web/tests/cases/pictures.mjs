// Pictures of the page, kept as build output.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { INVALID, STUCK, TOO_LATE } from "../scenarios.mjs";

const SIZES = [[1440, 900], [1024, 768], [390, 844]];
const STATES = {
  first: async () => {},
  witness: async (tide) => {
    await tide.write(TOO_LATE);
    await tide.button("Show me").first().click();
  },
  past: async (tide) => {
    await tide.write(STUCK);
    await tide.button("Show me").first().click();
    await tide.button("Step back").click();
    await tide.button("Step back").click();
  },
  invalid: async (tide) => {
    await tide.write(STUCK);
    await tide.button("Show me").first().click();
    await tide.write(INVALID);
  },
  examples: (tide) => tide.page.keyboard.press("e"),
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
          await tide.page.screenshot({ path: join(folder, `${width}x${height}-${colorScheme}-${state}.png`), fullPage: width < 860 && state !== "examples" });
        }
      }
    }
  },
};
