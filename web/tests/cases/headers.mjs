// A warning that asks for a header line offers it as an edit.
import { equal, expect, truth } from "../expect.mjs";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const KERNEL = `title "A number of rounds"
target gfx1250
launch waves=2

# Every work-item reaches each barrier.
kernel void f(int n) {
  for (int i = 0; i < n; i++) barrier(CLK_LOCAL_MEM_FENCE);
}
`;
const problem = (tide, code) => tide.page.locator(".problem", { hasText: code });
const apply = (tide, code) => problem(tide, code).getByRole("button", { name: "Apply", exact: true });

export const cases = {
  "a value for an argument is written after the last header line, as one edit that can be undone": async ({ fresh }) => {
    const tide = await (await fresh()).open();
    await tide.write(KERNEL);
    await tide.hasVerdict("unknown");
    truth((await problem(tide, "argument-without-value").innerText()).includes("argument n=4"), "the line in the warning");
    await tide.settled(() => apply(tide, "argument-without-value").click());
    equal(await tide.text(), KERNEL.replace("waves=2\n", "waves=2\nargument n=4\n"), "text");
    await tide.hasVerdict("ok");
    equal(await problem(tide, "argument-without-value").count(), 0, "warnings");
    await tide.settled(() => tide.page.keyboard.press("Control+z"));
    equal(await tide.text(), KERNEL, "the text before");
    await tide.hasVerdict("unknown");
  },
  "a launch is written above the code of a pasted kernel": async ({ fresh, root }) => {
    const tide = await (await fresh()).open();
    const whole = readFileSync(join(root, "tests/kernels/shifted.gfx942.ll"), "utf8");
    const code = whole.replace(/^(title|expect|launch) .*\n/gm, "");
    await tide.fill(code);
    await expect("a warning", () => apply(tide, "add launch groups=2").count(), (count) => count === 1, 20_000);
    await tide.settled(() => apply(tide, "add launch groups=2").click());
    equal(await tide.text(), `launch groups=2\n${code}`, "text");
    await expect("the launch", () => tide.page.locator(".launch").innerText(), (says) => says.includes("2\u00a0workgroups"));
    equal(await apply(tide, "add launch groups=2").count(), 0, "offers");
  },
};
