// Clauses of an explanation and their operations highlight each other.
import { equal, expect } from "../expect.mjs";
import { TOO_LATE, UNFENCED } from "../scenarios.mjs";

const shown = async (fresh, text) => {
  const tide = await (await fresh()).open();
  await tide.write(text);
  await tide.showWitness();
  return tide;
};
const lit = (tide, what) => tide.page.locator(`${what}.lit`).allTextContents();

export const cases = {
  "a clause highlights the operations that it names": async ({ fresh }) => {
    const tide = await shown(fresh, TOO_LATE);
    await tide.page.locator(".clause").first().focus();
    await expect("the arrive", () => lit(tide, ".node"), (nodes) => nodes.length === 1 && nodes[0].includes("arrive ready"));
    await tide.page.locator(".clause").nth(1).hover();
    await expect("the join", () => lit(tide, ".node"), (nodes) => nodes.length === 1 && nodes[0].includes("join ready"));
    await tide.page.locator(".top__name").hover();
    await expect("nothing", () => lit(tide, ".node"), (nodes) => nodes.length === 0);
  },
  "an operation highlights the clauses that name it": async ({ fresh }) => {
    const tide = await shown(fresh, UNFENCED);
    await tide.page.locator(".node--race").first().hover();
    await expect("clauses", () => lit(tide, ".finding__text"), (clauses) => clauses.length === 1);
    await tide.page.locator(".node[data-kind=arrive]").first().focus();
    await tide.page.mouse.move(2, 2);
    equal((await lit(tide, ".node")).length, 0, "no operation");
  },
};
