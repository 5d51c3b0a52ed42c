// Clauses of an explanation and the operations that they name light each other up.
import { equal, expect } from "../expect.mjs";
import { TOO_LATE, UNFENCED } from "../scenarios.mjs";

const shown = async (fresh, text) => {
  const tide = await (await fresh()).open();
  await tide.write(text);
  await tide.button("Show me").first().click();
  return tide;
};
const lit = (tide, what) => tide.page.locator(`${what}.lit`).allTextContents();

export const cases = {
  "a clause lights the operations up that it names": async ({ fresh }) => {
    const tide = await shown(fresh, TOO_LATE);
    await tide.page.locator(".clause").first().focus();
    await expect("the arrive", () => lit(tide, ".node"), (nodes) => nodes.length === 1 && nodes[0].includes("arrive ready"));
    await tide.page.locator(".clause").nth(1).hover();
    await expect("the join", () => lit(tide, ".node"), (nodes) => nodes.length === 1 && nodes[0].includes("join ready"));
    await tide.page.locator(".top__name").hover();
    await expect("nothing", () => lit(tide, ".node"), (nodes) => nodes.length === 0);
  },
  "an operation lights the clauses up that name it": async ({ fresh }) => {
    const tide = await shown(fresh, UNFENCED);
    await tide.page.locator(".node--race").first().hover();
    await expect("clauses", () => lit(tide, ".finding__text"), (clauses) => clauses.length === 1);
    await tide.page.locator(".node[data-kind=arrive]").first().focus();
    await tide.page.mouse.move(2, 2);
    equal((await lit(tide, ".node")).length, 0, "no operation");
  },
};
