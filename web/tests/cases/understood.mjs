// What was understood of a kernel: the class of each line, and its place in the source.
import { equal, expect, truth } from "../expect.mjs";
import { SYNC } from "../scenarios.mjs";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const kernel = (root) => readFileSync(join(root, "tests/kernels/exchange.gfx942.s"), "utf8");
/** The same with debug information. */
const debugged = (root) => kernel(root).replace("\t.text\n", '\t.text\n\t.file\t1 "exchange.hip"\n').replace("\tds_write_b32", "\t.loc\t1 12 3\n\tds_write_b32").replace("\ts_barrier", "\t.loc\t1 14 3\n\ts_barrier");

/** Waits for a verdict, also while the front ends load. */
const judged = (tide, verdict) => expect(`verdict ${verdict}`, async () => [await tide.verdict(), await tide.page.locator(".verdict--stale").count()], ([found, stale]) => found === verdict && stale === 0, 20_000);

/** The class of the first visible line that contains a part. */
const classOf = (tide, part) => tide.page.evaluate((part) => {
  const { view } = document.querySelector(".editor__code").editor;
  const text = view.state.doc.toString();
  const line = view.lineBlockAt(text.indexOf(part));
  const top = view.documentTop + line.top;
  const stripe = [...document.querySelectorAll(".cm-stripes .cm-stripe")].find((it) => Math.abs(it.getBoundingClientRect().top - top) < 6);
  return stripe?.dataset.class ?? "none";
}, part);

export const cases = {
  "lines of a kernel have a class in the gutter, with a legend": async ({ fresh, root }) => {
    const tide = await (await fresh()).open();
    equal(await tide.page.locator(".cm-stripe").count(), 0, "stripes of a scenario");
    await tide.fill(kernel(root));
    await tide.page.locator(".cm-kernel").waitFor();
    await judged(tide, "ok");
    const found = {};
    for (const part of ["s_barrier", "s_waitcnt", "ds_write_b32", "v_xor_b32", "s_endpgm", ".p2align"]) found[part] = await classOf(tide, part);
    equal(found, { s_barrier: "synchronises", s_waitcnt: "synchronises", ds_write_b32: "accesses", v_xor_b32: "computes", s_endpgm: "branches", ".p2align": "none" }, "classes");
    equal(await tide.page.locator(".cm-kernel__part").allTextContents(), ["3 synchronise", "2 access", "1 branch", "2 compute"], "legend");
    truth((await tide.page.locator(".cm-kernel").boundingBox()).height < 32, "a legend in one row");
    await tide.write(SYNC);
    await tide.hasVerdict("ok");
    await expect("no legend for a scenario", () => tide.page.locator(".cm-kernel").count(), (count) => count === 0);
  },
  "the legend of a kernel with four classes has one row in a low window": async ({ fresh, root }) => {
    const tide = await (await fresh({ viewport: { width: 1280, height: 720 } })).open();
    const computes = Array.from({ length: 24 }, () => "\tv_xor_b32_e32 v2, v1, v1\n").join("");
    await tide.fill(kernel(root).replace("\ts_barrier", `${computes}\ts_barrier`));
    await judged(tide, "ok");
    await expect("all classes", () => tide.page.locator(".cm-kernel__part").count(), (count) => count === 4);
    truth((await tide.page.locator(".cm-kernel").boundingBox()).height < 32, "a legend in one row");
  },
  "steps and findings name the line of the source": async ({ fresh, root }) => {
    const tide = await (await fresh()).open();
    await tide.fill(debugged(root));
    await tide.page.locator(".cm-kernel").waitFor();
    await judged(tide, "ok");
    await tide.editor.blur();
    await tide.page.keyboard.press("c");
    await tide.hasSteps(0, 0);
    await tide.page.keyboard.press("0");
    await expect("the source of the step", () => tide.page.locator(".cm-kernel__source").textContent(), (text) => text === "step at exchange.hip:12");
    await tide.fill(debugged(root).replace("\ts_barrier\n", "").replace("expect ok", "expect race"));
    await judged(tide, "race");
    const head = await tide.page.locator(".finding__head").first().innerText();
    truth(/exchange\.hip:\d+/.test(head), `the source of the finding, found ${head}`);
  },
};
