// Pages in right-to-left writing.
import { equal, truth } from "../expect.mjs";
import { everywhere, sideways } from "../views.mjs";

/** Returns the directions of code and of prose. */
const directions = (tide) =>
  tide.page.evaluate(() => {
    const of = (what) => [...document.querySelectorAll(what)].filter((one) => one.offsetParent).map((one) => getComputedStyle(one).direction);
    return { code: of("code, kbd, pre, .cm-line, .node, .lane-head"), prose: of("p, .view__name") };
  });

export const cases = Object.fromEntries(
  [["desktop", 1440, 900], ["phone", 390, 844]].map(([size, width, height]) => [
    `right-to-left pages fit, and code stays left-to-right: ${size}`,
    async ({ fresh }) => {
      const tide = await fresh({ viewport: { width, height } });
      await everywhere(tide, async (where) => {
        await tide.page.evaluate(() => (document.documentElement.dir = "rtl"));
        const { code, prose } = await directions(tide);
        truth(prose.includes("rtl"), `prose from the right on ${where}`);
        truth(code.every((direction) => direction === "ltr"), `code from the left on ${where}, found ${code}`);
        equal(await sideways(tide), 0, `pixels that ${where} is too wide`);
      });
    },
  ]),
);
