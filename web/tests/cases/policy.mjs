// The content-security policy of the page.
import { equal, expect, truth } from "../expect.mjs";

export const cases = {
  "an injected script or style is refused": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    const policy = await tide.page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute("content");
    truth(policy.includes("default-src 'none'"), `nothing allowed that is not named: ${policy}`);
    truth(!/unsafe-inline|'unsafe-eval'|unsafe-hashes|https?:|\*/.test(policy), `no gap in ${policy}`);
    equal(tide.faults, [], "complaints before");
    const found = await tide.page.evaluate(async () => {
      const add = (name, text) => document.head.append(Object.assign(document.createElement(name), { textContent: text }));
      add("script", "window.injected = 'script'");
      add("style", "body { outline: 7px solid red }");
      const button = document.createElement("button");
      button.setAttribute("onclick", "window.injected = 'handler'");
      button.setAttribute("style", "outline: 7px solid red");
      document.body.append(button);
      button.click();
      // Later, as a script of the page: the browser's controller may evaluate code.
      const evaluated = await new Promise((resolve) => setTimeout(() => {
        try {
          resolve(new Function("return 'evaluated'")());
        } catch {
          resolve("refused");
        }
      }));
      const outlines = [document.body, button].map((one) => getComputedStyle(one).outlineWidth);
      button.remove();
      return { injected: window.injected ?? "nothing", outlines: outlines.filter((width) => width === "7px"), evaluated };
    });
    equal(found, { injected: "nothing", outlines: [], evaluated: "refused" }, "what came through");
    await expect("four complaints of the browser", () => tide.faults.length, (count) => count >= 4);
    truth(tide.faults.every((fault) => fault.includes("Content Security Policy")), `none but these: ${tide.faults.join("\n")}`);
    tide.faults.length = 0;
  },
};
