// The page explains what is wrong and how to fix it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { equal, expect, truth } from "../expect.mjs";
import { CALLEE, TOO_MANY, UNFENCED } from "../scenarios.mjs";

const first = (tide) => tide.page.locator(".finding").first();
const reasons = (tide) => first(tide).locator(".clause").allTextContents();
const fix = (tide) => first(tide).locator(".finding__fix").textContent();
const shown = async (fresh, text) => {
  const tide = await (await fresh()).open();
  await tide.write(text);
  await tide.hasVerdict("race");
  return tide;
};
/** Applies fixes until the verdict is `ok`; returns their number. */
const applyFixes = async (tide) => {
  let made = 0;
  for (; made < 3 && (await tide.verdict()) === "race"; made += 1) {
    await tide.settled(() => tide.button("Apply").first().click());
  }
  await tide.hasVerdict("ok");
  return made;
};
const says = (all, ...parts) => parts.forEach((part) => truth(all.join(" ").includes(part), `“${part}” in: ${all.join(" / ")}`));

export const cases = {
  "each line in a sentence is a button that shows the start of the line": async ({ fresh }) => {
    const tide = await shown(fresh, UNFENCED);
    const line = first(tide).locator(".finding__head .goes");
    const number = Number((await line.textContent()).replace("line ", ""));
    await line.click();
    const wanted = UNFENCED.split("\n")[number - 1];
    equal(await tide.selected(), wanted.trimEnd(), "selected text");
    equal(await tide.page.locator(".editor .cm-scroller").evaluate((it) => it.scrollLeft), 0, "scrolled sideways");
    truth((await tide.page.locator(".finding .goes").count()) > 1, "lines in the notes, too");
  },
  "the pointer over a line in a note marks the line and the steps of its agent, and a click selects it": async ({ fresh }) => {
    const tide = await shown(fresh, UNFENCED);
    await tide.showWitness();
    await expect("the modules of the lanes", () => tide.page.evaluate(() => performance.getEntriesByType("resource").some(({ name }) => name.endsWith("/mentions.js"))), Boolean);
    const line = first(tide).locator(".clause .goes").first();
    const number = Number((await line.textContent()).replace("line ", ""));
    const wanted = UNFENCED.split("\n")[number - 1];
    const marked = () => tide.page.locator(".cm-named").allTextContents();
    const outlined = () => tide.page.locator(".board .node").evaluateAll((all) => all.filter((node) => getComputedStyle(node).outlineOffset === "1px" && getComputedStyle(node).outlineStyle === "solid").map((node) => node.dataset.line));
    await line.hover();
    await expect("the line in the editor", marked, (all) => all.length === 1 && all[0] === wanted);
    await expect("its steps", outlined, (all) => all.length > 0 && all.every((at) => Number(at) === number));
    await tide.page.mouse.move(0, 0);
    await expect("no mark", marked, (all) => all.length === 0);
    equal((await outlined()).length, 0, "marked steps");
    await line.focus();
    await expect("a mark by the keyboard", marked, (all) => all.length === 1);
    await line.click();
    equal(await tide.selected(), wanted.trimEnd(), "selected text");
    await expect("the steps of the line", () => tide.page.locator(".chosen__says").textContent(), (says) => says.startsWith(`line ${number}: `));
  },
  "the first wait of a producer is a remark only beside another finding": async ({ fresh, root }) => {
    const example = (name) => readFileSync(join(root, "examples", `${name}.tide`), "utf8");
    const tide = await (await fresh()).open();
    const rules = () => tide.page.locator(".finding").evaluateAll((all) => all.map((it) => it.dataset.rule));
    await tide.write(example("tlx-producer-consumer"));
    await tide.hasVerdict("ok");
    equal(await rules(), [], "findings of a correct producer");
    equal(await tide.page.locator(".held__item").filter({ hasText: "first-parity" }).getAttribute("data-tone"), "ok", "its expectation");
    await tide.write(example("bug-tilelang-2927"));
    await tide.hasVerdict("race");
    truth((await rules()).includes("ptx.mbarrier.first-parity"), "a remark beside a race");
  },
  "no line of an explanation begins with a closing mark": async ({ fresh }) => {
    const tide = await shown(fresh, UNFENCED);
    for (const width of [1440, 1280, 1100, 1024, 860, 600, 500, 430, 390, 360]) {
      await tide.page.setViewportSize({ width, height: 900 });
      const alone = await tide.page.locator("#inquiry").evaluate((panel) => {
        const walker = document.createTreeWalker(panel, NodeFilter.SHOW_TEXT);
        const found = [];
        const range = document.createRange();
        for (let node; (node = walker.nextNode()); ) {
          const block = node.parentElement.closest("p, li, header");
          for (let at = 0; block && at < node.length; at += 1) {
            if (!/[),.;:]/.test(node.data[at])) continue;
            range.setStart(node, at);
            range.setEnd(node, at + 1);
            const [box] = range.getClientRects();
            if (box && box.left - block.getBoundingClientRect().left < 4 && block.textContent.length > 1) found.push(block.textContent);
          }
        }
        return found;
      });
      equal(alone.length, 0, `lines that begin with a closing mark at ${width} pixels: ${alone[0]}`);
    }
  },
  "a paste over the text shows the line of the first finding": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(`${"# A comment.\n".repeat(200)}${UNFENCED}`);
    await tide.hasVerdict("race");
    await expect("the sign of the finding", () => tide.page.locator(".cm-sign:visible").evaluateAll((all) => all.some((sign) => {
      const [place, box] = [sign.closest(".cm-scroller").getBoundingClientRect(), sign.getBoundingClientRect()];
      return box.height > 0 && box.top >= place.top && box.bottom <= place.bottom;
    })), Boolean);
  },
  "a paste over the text shows the deadlock, not a suspicious wait above it": async ({ fresh, root }) => {
    const tide = await (await fresh({ viewport: { width: 1280, height: 500 } })).open();
    await tide.write(readFileSync(join(root, "examples/bug-triton-10035.tide"), "utf8"));
    await tide.hasVerdict("deadlock");
    await expect("the sign of the deadlock", () => tide.page.locator('.cm-sign[data-tone="deadlock"]').evaluateAll((all) => all.some((sign) => {
      const [place, box] = [sign.closest(".cm-scroller").getBoundingClientRect(), sign.getBoundingClientRect()];
      return box.top >= place.top && box.bottom <= place.bottom;
    })), Boolean);
  },
  "a missing fence is explained: the order of execution, the missing memory order, where to add it": async ({ fresh }) => {
    const tide = await shown(fresh, UNFENCED);
    says([await first(tide).locator(".finding__text").textContent()], "load l[0..4]", "wave 1", "store l[0..4]", "wave 0", "bytes 0 to 3 of l", "unordered");
    says(await reasons(tide), "orders execution but not memory", "memory order requires a release fence before the arrive and an acquire fence after the wait", "wave 0 has no release", "wave 1 has no acquire");
    says([await fix(tide)], "fence release", "fence acquire");
    truth((await applyFixes(tide)) <= 2, "fixed in at most two clicks");
    says([await tide.text()], "fence release", "fence acquire");
  },
  "a too large N of an async wait is explained by the later marks, with the largest safe N": async ({ fresh }) => {
    const tide = await shown(fresh, TOO_MANY);
    says([await first(tide).locator(".finding__text").textContent()], "writes asynchronously", "bytes 0 to 63 of l");
    says(await reasons(tide), "wait.asyncmark(2)", "leaves at most 2 marks outstanding", "only 1 mark follows that of the copy");
    says([await fix(tide)], "wait.asyncmark(1)");
    await tide.showWitness();
    equal(await tide.page.locator(".node--race").count(), 2, "accesses marked");
    equal(await tide.page.locator(".copying--open").count(), 2, "copies in flight at the race");
    equal(await applyFixes(tide), 1, "clicks");
    says([await tide.text()], "wait.asyncmark(1)");
  },
  "a callee's wait is explained by the mark sequences of both functions and by the effect of inlining": async ({ fresh }) => {
    const tide = await shown(fresh, CALLEE);
    says(await reasons(tide), "different function bodies", "separate sequences of marks");
    says([await fix(tide)], "wait.asyncmark(0)");
    const inlining = tide.page.locator('.finding[data-rule="async.callee-unspecified"]');
    says(await inlining.locator(".clause").allTextContents(), "as written, it completes no copy; the verdict is race", "inlined, it completes", "the verdict is ok");
    await tide.showWitness();
    await expect("the mark that no wait takes", () => tide.page.locator(".mark:not(.mark--left)").count(), (count) => count === 1);
    await applyFixes(tide);
  },
  "each tab starts at its top": async ({ fresh }) => {
    const tide = await shown(fresh, TOO_MANY);
    const body = tide.page.locator("#inquiry");
    await tide.tab("Targets").click();
    await expect("more than fits", () => body.evaluate((it) => it.scrollHeight - it.clientHeight), (more) => more > 20);
    await body.evaluate((it) => it.scrollTo(0, 20));
    await tide.tab("Readings").click();
    await expect("its beginning", () => body.evaluate((it) => it.scrollTop), (top) => top === 0);
    await tide.tab("Targets").click();
    await expect("its beginning", () => body.evaluate((it) => it.scrollTop), (top) => top === 0);
  },
  "a scenario with a title and without a note has no description": async ({ fresh }) => {
    const tide = await shown(fresh, `title "One"\n${UNFENCED.replace(/^(title|note) .*\n/gm, "")}`);
    equal(await tide.page.locator(".story").count(), 0, "descriptions");
  },
};
