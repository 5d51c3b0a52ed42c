// Panels that the reader resizes and folds, and barriers as rails beside the lanes.
import { equal, expect, truth } from "../expect.mjs";
import { STUCK } from "../scenarios.mjs";

/** Twelve mbarriers, which a producer and a consumer use in turn. */
const RING = `target sm_90
launch warps=2
full = tlx.alloc_barriers(6, arrive_count=1)
empty = tlx.alloc_barriers(6, arrive_count=1)

warp 0 {
  for k in 0..12 {
    tlx.barrier_wait(empty[k % 6], ((k / 6) & 1) ^ 1)
    tlx.barrier_arrive(full[k % 6])
  }
}
warp 1 {
  for k in 0..12 {
    tlx.barrier_wait(full[k % 6], (k / 6) & 1)
    tlx.barrier_arrive(empty[k % 6])
  }
}
`;

const width = (tide, part) => tide.page.locator(part).evaluate((it) => it.getBoundingClientRect().width);
const height = (tide, part) => tide.page.locator(part).evaluate((it) => it.getBoundingClientRect().height);
const split = (tide, name) => tide.page.locator(`.split[data-split="${name}"]`);

const TURNED = "target gfx1250\nlaunch waves=2\nwave 0 {\n  wait wg\n  arrive wg\n}\nwave 1 {\n  arrive wg\n  wait wg\n}\n";

export const cases = {
  "the panel Why is at its top for another scenario and after an applied edit": async ({ fresh }) => {
    const tide = await (await fresh({ viewport: { width: 1280, height: 720 } })).open();
    const top = () => tide.page.locator(".findings__body").evaluate((panel) => panel.scrollTop);
    const down = () => tide.page.locator(".findings__body").evaluate((panel) => panel.scrollTo(0, 60));
    await tide.write(TURNED);
    await tide.hasVerdict("deadlock");
    await down();
    truth((await top()) > 0, "a scrolled panel");
    await tide.settled(() => tide.page.locator(".finding__apply").first().evaluate((button) => button.click()));
    equal(await top(), 0, "after an edit");
    truth((await tide.text()).includes("arrive wg\n  wait wg\n}"), "the statements on lines of their own");
    await down();
    await tide.settled(() => tide.button("New scenario").click());
    equal(await top(), 0, "in a new scenario");
  },
  "phases are in the corner of a step where lanes are narrow, and labels keep their ends": async ({ fresh }) => {
    const tide = await (await fresh({ viewport: { width: 1280, height: 720 } })).open();
    const lanes = tide.page.locator(".lanes");
    const own = "  bar.sync 0\n  mbarrier.arrive.shared::cta.b64 _, [full[1]]\n  L: mbarrier.try_wait.parity.shared::cta.b64 p, [full[1]], 0\n  @!p bra L\n}\n";
    const text = (warps) => `target sm_90\nlaunch warps=${warps}\nmbarrier full[2]\nmbarrier empty[2]\nwarp 0 {\n  mbarrier.init.shared::cta.b64 [full[1]], ${warps}\n${own}${warps > 1 ? `warp 1-${warps - 1} {\n${own}` : ""}`;
    await tide.write(text(3));
    await tide.hasVerdict("ok");
    await expect("narrow lanes", () => lanes.getAttribute("data-narrow"), (found) => found !== null);
    const cut = await lanes.locator(".node__label").evaluateAll((all) => all.filter((label) => label.scrollHeight > label.clientHeight + 1).map((label) => label.textContent));
    equal(cut, [], "labels that are cut");
    await tide.write(text(1));
    await expect("wide lanes", () => lanes.getAttribute("data-narrow"), (found) => found === null);
  },
  "the lanes of a presentation are whole in a small window, with a scrubber and the names of barriers": async ({ fresh }) => {
    const tide = await (await fresh({ viewport: { width: 1024, height: 768 } })).open();
    await tide.write("target sm_90\nlaunch warps=2\nmbarrier full\nwarp 0 {\n  mbarrier.init.shared::cta.b64 [full], 1\n  bar.sync 0\n  mbarrier.arrive.shared::cta.b64 _, [full]\n}\nwarp 1 {\n  bar.sync 0\n  L: mbarrier.try_wait.parity.shared::cta.b64 p, [full], 1\n  @!p bra L\n  M: mbarrier.try_wait.parity.shared::cta.b64 p, [full], 1\n  @!p bra M\n}\n");
    await tide.page.evaluate(() => document.activeElement.blur());
    await tide.page.keyboard.press("p");
    await tide.page.locator("[data-present]").waitFor({ state: "attached" });
    truth((await width(tide, ".controls__scrub")) >= 48, "a scrubber that can be dragged");
    await expect("lanes without a part at the right that is hidden", () => tide.page.locator(".lanes").evaluate((lanes) => lanes.scrollWidth - lanes.clientWidth), (more) => more <= 0);
    const cut = await tide.page.locator(".band__name > b").evaluateAll((all) => all.filter((name) => name.scrollWidth > name.clientWidth + 1).map((name) => name.textContent));
    equal(cut, [], "names of barriers that are cut");
  },
  "the links of a phone are one row in every view": async ({ fresh }) => {
    const tide = await (await fresh({ viewport: { width: 390, height: 844 } })).open();
    const rows = () => tide.page.locator(".top > .button:not(.button--icon, .top__search, .top__end)").evaluateAll((all) => new Set(all.filter((it) => it.offsetParent).map((it) => it.offsetTop)).size);
    equal(await rows(), 1, "rows in the playground");
    await tide.visit("#gallery");
    equal(await rows(), 1, "rows in the examples");
  },
  "the verdict leaves a phone to the text": async ({ fresh }) => {
    const tide = await (await fresh({ viewport: { width: 390, height: 844 } })).open();
    const high = await height(tide, ".verdict");
    truth(high <= 200, `${high} pixels`);
    const [how, show] = await Promise.all([".verdict__how", ".verdict__show"].map((part) => tide.page.locator(part).boundingBox()));
    truth(how.x + how.width <= show.x && Math.abs(how.y + how.height / 2 - show.y - show.height / 2) < 24, "the button is beside how the verdict was reached");
  },
  "a finding and its help are visible in a low window": async ({ fresh }) => {
    const tide = await (await fresh({ viewport: { width: 1280, height: 720 } })).open();
    const [help, panel] = await Promise.all([".finding__fix", "#inquiry"].map((part) => tide.page.locator(part).first().boundingBox()));
    truth(help.y + help.height <= panel.y + panel.height, `the help ends at ${help.y + help.height}, the panel at ${panel.y + panel.height}`);
    const [rule, line] = await Promise.all([".finding__rule", ".finding__head .goes"].map((part) => tide.page.locator(part).first().boundingBox()));
    truth(Math.abs(rule.y - line.y) < 8, "the line is beside the rule");
  },
  "a long label has the whole node in a narrow lane": async ({ fresh }) => {
    const tide = await (await fresh({ viewport: { width: 1280, height: 720 } })).open();
    await tide.write("target sm_90\nlaunch warps=4\nshared part_of_sum[64]\nwarp * {\n  store part_of_sum\n}\n");
    await tide.hasVerdict("race");
    const node = tide.page.locator(".node--broke").first();
    await node.waitFor();
    const [label, whole] = await Promise.all([node.locator(".node__label").boundingBox(), node.boundingBox()]);
    truth(whole.width - label.width < 20, `a label of ${label.width} in a node of ${whole.width}`);
  },

  "every note of a deadlock of four waves is visible without scrolling": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write("target gfx1250\nlaunch waves=4\nwave 0-2 {\n  arrive wg\n  wait wg\n}\nwave 3 {\n  arrive wg\n  wait wg\n  wait wg\n}\n");
    await tide.hasVerdict("deadlock");
    const last = tide.page.locator(".finding .because li").last();
    await last.waitFor();
    const [note, panel] = await Promise.all([last.boundingBox(), tide.page.locator("#inquiry").boundingBox()]);
    truth(note.y + note.height <= panel.y + panel.height + 1, `the last note ends at ${note.y + note.height}, the panel at ${panel.y + panel.height}`);
  },
  "the editor has half of the window": async ({ fresh }) => {
    for (const size of [{ width: 1440, height: 900 }, { width: 1280, height: 720 }]) {
      const tide = await (await fresh({ viewport: size })).open();
      const high = await height(tide, ".editor");
      truth(high >= size.height / 2 - 1, `the editor is ${high} pixels high of ${size.height}`);
    }
  },
  "a panel is resized with the pointer and with keys, and keeps its size": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    const before = await width(tide, ".work__text");
    const box = await split(tide, "text").boundingBox();
    await tide.page.mouse.move(box.x + box.width / 2, box.y + 100);
    await tide.page.mouse.down();
    await tide.page.mouse.move(box.x + 150, box.y + 100, { steps: 4 });
    await tide.page.mouse.up();
    const after = await width(tide, ".work__text");
    truth(after > before + 100, `${before} then ${after}`);
    const high = await height(tide, ".editor");
    await split(tide, "inquiry").focus();
    await tide.page.keyboard.press("ArrowUp");
    truth((await height(tide, ".editor")) < high, "a smaller editor");
    const kept = await width(tide, ".work__text");
    await tide.page.reload();
    await tide.hasEngine();
    await expect("the same width", () => width(tide, ".work__text"), (now) => Math.abs(now - kept) < 2);
  },
  "a folded panel is hidden and opens again": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    const before = await width(tide, "#execution");
    await split(tide, "state").focus();
    await tide.page.keyboard.press("Enter");
    await expect("a wider execution", () => width(tide, "#execution"), (now) => now > before + 100);
    equal(await tide.tab("Ledger").isVisible(), false, "its tabs");
    await tide.page.keyboard.press("Enter");
    await expect("its tabs", () => tide.tab("Ledger").isVisible(), (seen) => seen);
    await tide.page.keyboard.press("Home");
    await expect("the width at first", () => width(tide, "#execution"), (now) => Math.abs(now - before) < 2);
  },
  "the views of the state replace each other": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(STUCK);
    await tide.showWitness();
    for (const [name, part] of [["Agents", ".agent"], ["Ledger", ".ledger"], ["Barriers", ".object"]]) {
      await tide.tab(name).click();
      truth((await tide.page.locator(`#beside ${part}`).count()) > 0, name);
      equal(await tide.page.locator("#beside > div").count(), 1, "views");
    }
    await tide.tab("Barriers").press("ArrowRight");
    equal(await tide.tab("Agents").getAttribute("aria-selected"), "true", "the next view");
  },
  "many barriers are rails beside the lanes, an array is one rail until it is unfolded": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.begin(RING);
    await tide.hasVerdict("ok");
    await tide.button("Run all (r)").click();
    const heads = () => tide.page.locator(".rail-head").allTextContents();
    await expect("a rail for each array", heads, (all) => all.includes("full[*]") && all.includes("empty[*]") && all.length === 2);
    equal(await tide.page.locator(".band").count(), 0, "bands across the lanes");
    truth((await tide.page.locator(".rail").count()) > 0, "phases");
    await tide.page.locator(".rail-head", { hasText: "full[*]" }).click();
    await expect("a rail for each element", heads, (all) => all.includes("full[5]") && all.length === 7);
    const labels = await tide.performed();
    truth(labels.includes("arrive full[5]") && labels.includes("wait empty[5] ^0"), `short labels: ${labels.slice(0, 20)}`);
    const title = await tide.page.locator(".node", { hasText: "arrive full[5]" }).first().getAttribute("title");
    truth(title.includes("tlx.barrier_arrive(full[5])"), title);
  },
  "the name of a phase is above the steps that scroll below it, and blocked waves are named as a range": async ({ fresh }) => {
    const tide = await (await fresh({ viewport: { width: 1280, height: 720 } })).open();
    await tide.write("target gfx1250\nlaunch waves=8\nwave 0-5 {\n  arrive wg\n  wait wg\n}\nwave 6-7 {\n  wait wg\n}\n");
    await tide.hasVerdict("deadlock");
    await tide.showWitness();
    await expect("the blocked waves", () => tide.page.locator(".stands").innerText(), (says) => says.includes("wave 0 to wave 7 are blocked"));
    await tide.page.locator(".lanes").evaluate((board) => board.scrollTo(140, 0));
    const name = tide.page.locator(".band__name").first();
    const isAbove = () => name.evaluate((it) => {
      const { left, top, width, height } = it.getBoundingClientRect();
      return it.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    });
    await expect("the name above the steps", isAbove, Boolean);
  },
  "the name of a phase is whole where its band is high enough, and its end is visible in one row": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.begin("target gfx1250\nlaunch waves=4\nbarrier weights_of_the_next_tile = named(1)\nwave 0 {\n  init weights_of_the_next_tile, 4\n  arrive wg; wait wg\n  arrive weights_of_the_next_tile\n}\nwave 1-3 {\n  arrive wg; wait wg\n  arrive weights_of_the_next_tile\n}\n");
    await tide.button("Run all (r)").click();
    const name = tide.page.locator(".band__name", { hasText: "weights" }).first();
    const rest = () => name.locator("b").evaluate((part) => part.scrollHeight - part.clientHeight);
    await expect("the whole name", rest, (pixels) => pixels <= 1);
    equal(await name.getAttribute("title"), "weights_of_the_next_tile", "its title");
  },
};
