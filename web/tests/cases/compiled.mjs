// Compiled code, whose front ends are a module that loads when it is needed.
import { expect, equal, truth } from "../expect.mjs";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SYNC as OK } from "../scenarios.mjs";

const kernel = (root, name) => readFileSync(join(root, "tests/kernels", name), "utf8");
const loaded = (tide) => tide.page.evaluate(() => performance.getEntriesByType("resource").filter(({ name }) => name.endsWith("/front_bg.wasm")).length);

export const cases = {
  "compiled code gets its front ends, a verdict and steps": async ({ fresh, root }) => {
    const tide = await (await fresh()).open();
    equal(await loaded(tide), 0);
    await tide.write(kernel(root, "step.sm_90.ptx"));
    await tide.hasVerdict("ok");
    await expect("an execution", async () => (await tide.steps()).length, (length) => length > 0);
    truth((await loaded(tide)) > 0, "the module of the front ends");
    await tide.write(kernel(root, "step-no-barrier.sm_90.ptx"));
    await tide.hasVerdict("race");
    await tide.write(kernel(root, "exchange.gfx942.s"));
    await tide.hasVerdict("ok");
    await tide.write(OK);
    await tide.hasVerdict("ok");
  },
  "the execution of the verdict replaces that of the text before, even if the check takes long": async ({ fresh, root }) => {
    const tide = await (await fresh()).open();
    await tide.page.route("**/front_bg.wasm", async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 900));
      await route.continue();
    });
    truth((await tide.steps()).length > 0, "an execution of the example");
    await tide.write(kernel(root, "step.sm_90.ptx"));
    await tide.hasVerdict("ok");
    await expect("a whole execution", () => tide.stands(), (state) => state === "finished");
  },
  "the launch of compiled code is shown and can be changed, and its tab has the name of the kernel": async ({ fresh, root }) => {
    const tide = await (await fresh()).open();
    equal(await tide.page.locator(".launch").count(), 0, "launch lines of a scenario");
    const text = kernel(root, "step.sm_90.ptx").split("\n").filter((line) => !line.startsWith("launch ")).join("\n");
    await tide.write(text);
    const launch = tide.page.locator(".launch");
    await expect("the launch", () => launch.innerText(), (says) => /^Launch: \d+.CTAs? × \d+.warps? \(/.test(says));
    equal((await launch.getByLabel("Launch").inputValue()).split("=")[0], "ctas", "the word of NVIDIA");
    await launch.getByLabel("Launch").fill("ctas=2 threads=64");
    await tide.settled(() => tide.page.keyboard.press("Enter"));
    truth((await tide.text()).startsWith("launch ctas=2 threads=64\n"), "a header line");
    await expect("the new launch", () => launch.innerText(), (says) => says.includes("2\u00a0CTAs × 2\u00a0warps (from the line launch)"));
    await launch.getByLabel("Launch").fill("");
    await tide.settled(() => tide.page.keyboard.press("Enter"));
    equal(await tide.text(), text, "the text without the line");
    const name = text.match(/\.entry ([\w$]+)/)[1];
    truth((await tide.scenarios()).includes(name), `${name} in ${await tide.scenarios()}`);
  },
  "other schedules are in the row of the launch, also when they are open": async ({ fresh, root }) => {
    const tide = await (await fresh({ viewport: { width: 1024, height: 768 } })).open();
    await tide.write(kernel(root, "step.sm_90.ptx").split("\n").filter((line) => !line.startsWith("launch ")).join("\n"));
    const summary = tide.page.locator(".schedules > summary");
    const boxes = () => Promise.all([tide.page.locator(".launch__field"), summary].map((part) => part.boundingBox()));
    const beside = ([field, name]) => field && name && field.x + field.width <= name.x && Math.abs(field.y + field.height / 2 - name.y - name.height / 2) < 8;
    await expect("one row", boxes, beside);
    const [, before] = await boxes();
    await summary.click();
    await tide.page.locator(".schedules .panel__body").waitFor();
    const [field, after] = await boxes();
    truth(beside([field, after]) && Math.abs(after.x - before.x) < 1, "the name stays where it was pressed");
    truth((await tide.page.locator(".schedules .panel__body").boundingBox()).y >= field.y + field.height, "the schedules are below the launch");
  },
  "the help for a barrier that a branch skips names the branch and the instruction, and leads to them": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write("\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx1250\"\n\t.text\nhalf:\n\tv_cmp_gt_u32_e32 vcc_lo, 32, v0\n\ts_cbranch_vccz .LBB0_2\n\ts_barrier_signal -1\n.LBB0_2:\n\ts_barrier_wait -1\n\ts_endpgm\n\t.amdhsa_kernel half\n\t.end_amdhsa_kernel\n\t.amdgpu_metadata\n---\namdhsa.kernels:\n  - .name: half\n    .max_flat_workgroup_size: 64\n    .reqd_workgroup_size: [64, 1, 1]\n    .wavefront_size: 32\n...\n\t.end_amdgpu_metadata\n");
    await tide.hasVerdict("deadlock");
    const help = tide.page.locator(".finding__fix").first();
    await expect("help", () => help.innerText(), (says) => says.includes("make wave 1 execute") && says.includes("s_barrier_signal -1") && says.includes("which the branch in line 5 skips"));
    await help.getByText("line 5").click();
    await expect("the branch", () => tide.page.evaluate(() => {
      const { view } = document.querySelector(".editor__code").editor;
      return view.state.doc.lineAt(view.state.selection.main.head).text.trim();
    }), (line) => line.startsWith("s_cbranch_vccz"));
  },
  "a race between workgroups that an assumed launch of one hides takes one click": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    // Every CTA writes the first words of `out`.
    await tide.write(`.version 8.0
.target sm_90
.address_size 64
.visible .entry every(.param .u64 out)
.reqntid 32
{
  .reg .b32 %r<3>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r2;
  ret;
}
`);
    await tide.hasVerdict("ok");
    const launch = tide.page.locator(".launch");
    await expect("what is assumed", () => launch.innerText(), (says) => says.includes("(CTAs assumed)"));
    await tide.settled(() => tide.button("Try ctas=2").click());
    truth((await tide.text()).startsWith("launch ctas=2\n"), "the line above the code");
    await tide.hasVerdict("race");
    equal(await tide.button("Try ctas=2").count(), 0, "buttons of a given launch");
  },
  "a link to compiled code opens with its steps": async ({ fresh, root }) => {
    const first = await (await fresh()).open();
    await first.write(kernel(root, "step-no-barrier.sm_90.ptx"));
    await first.hasVerdict("race");
    await first.button("Share").click();
    const link = await first.page.evaluate(() => location.hash);
    const second = await (await fresh()).open(link);
    await second.hasVerdict("race");
    await expect("the witness", async () => (await second.steps()).length, (length) => length > 0);
  },
  "a failure to load the front ends is reported, and the next attempt works": async ({ fresh, root }) => {
    const tide = await (await fresh()).open();
    await tide.page.route("**/front_bg.wasm", (route) => route.abort());
    await tide.fill(kernel(root, "step.sm_90.ptx"));
    await tide.hasVerdict("invalid");
    await expect("a message", () => tide.page.locator(".verdict").innerText(), (text) => text.includes("the front ends for compiled code could not be loaded"));
    await tide.page.unroute("**/front_bg.wasm");
    await tide.write(OK);
    await tide.write(kernel(root, "step.sm_90.ptx"));
    await tide.hasVerdict("ok");
    tide.faults = tide.faults.filter((fault) => !fault.includes("ERR_FAILED"));
  },
  "loads, stores and copies of NVIDIA have their signs": async ({ fresh, root }) => {
    const tide = await (await fresh()).open();
    const kinds = () => tide.page.locator(".node").evaluateAll((all) => [...new Set(all.map((node) => node.dataset.kind))]);
    await tide.write(kernel(root, "step-no-barrier.sm_90.ptx"));
    await tide.hasVerdict("race");
    await expect("a store and a load", kinds, (all) => all.includes("store") && all.includes("load"));
    await tide.write("target sm_90\nlaunch warps=1\nfull = tlx.alloc_barriers(1, 1)\nshared tile[128]\nglobal source[128]\nwarp 0 {\n  tlx.barrier_expect_bytes(full[0], 128)\n  tlx.async_descriptor_load(tile, source, full[0])\n  tlx.barrier_wait(full[0], 0)\n}\n");
    await expect("a copy", kinds, (all) => all.includes("copy"));
  },
  "a kernel of OpenCL has a launch that can be changed, and names its tab": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write("__kernel __attribute__((reqd_work_group_size(64,1,1)))\nvoid rounds(__global int *a) {\n  barrier(CLK_LOCAL_MEM_FENCE);\n}\n");
    truth((await tide.scenarios()).includes("rounds"), "the name of the kernel");
    const field = tide.page.locator(".launch").getByLabel("Launch");
    equal(await field.inputValue(), "groups=2 subgroups=4 items=16", "what is assumed");
    await field.fill("groups=1 items=64");
    await tide.settled(() => tide.page.keyboard.press("Enter"));
    truth((await tide.text()).startsWith("launch groups=1 items=64\n__kernel"), "a header line");
  },
  "lanes show a barrier of LLVM IR by its name, and arrays without their kernel": async ({ fresh, root }) => {
    const tide = await (await fresh()).open();
    await tide.write(kernel(root, "ring-inner-loop-one-buffer.spir64.ll"));
    await expect("an execution", async () => (await tide.steps()).length, (length) => length > 0);
    await expect("a barrier", () => tide.performed(), (labels) => labels.some((label) => label === "barrier"));
    const labels = await tide.performed();
    equal(labels.filter((label) => label.includes("call") || /\w\.\w/.test(label)), [], "long labels");
  },
};
