// Lighthouse on the page of a new reader. Scores that do not depend on the machine must be perfect; the speed of a shared
// machine is only printed next to its gate.
import { launchAt } from "../browser.mjs";
import { truth } from "../expect.mjs";

const GATES = { performance: 95, accessibility: 100, "best-practices": 100, seo: 100 };
const OF_THE_MACHINE = "performance";

export const cases = {
  "lighthouse finds no problem": async ({ url }) => {
    const { default: lighthouse, desktopConfig } = await import("lighthouse");
    const { port, close } = await launchAt();
    try {
      const { lhr } = await lighthouse(url, { port, output: "json", logLevel: "error", onlyCategories: Object.keys(GATES) }, desktopConfig);
      for (const [part, gate] of Object.entries(GATES)) {
        const { score, auditRefs } = lhr.categories[part];
        const found = Math.round(score * 100);
        const short = auditRefs.filter(({ id, weight }) => weight > 0 && (lhr.audits[id].score ?? 1) < 1).map(({ id }) => id);
        console.log(`     lighthouse, ${part.padEnd(40)} ${String(found).padStart(22)}   gate ${gate} ${short.join(" ")}`);
        if (part !== OF_THE_MACHINE) truth(found >= gate, `${part} of ${gate}, found ${found}: ${short.join(", ")}`);
      }
    } finally {
      await close();
    }
  },
};
