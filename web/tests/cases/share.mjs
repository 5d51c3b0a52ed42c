import { readFileSync } from "node:fs";
import { equal, expect, truth } from "../expect.mjs";
import { KERNEL, PIPELINE, TOO_LATE } from "../scenarios.mjs";

const opened = async (fresh, text = TOO_LATE) => {
  const tide = await (await fresh({ permissions: ["clipboard-read", "clipboard-write"] })).open();
  await tide.write(text);
  await tide.button("Share").click();
  await tide.page.getByRole("dialog", { name: "Share" }).locator(".share__row").first().waitFor();
  return tide;
};
const clipboard = (tide) => tide.page.evaluate(() => navigator.clipboard.readText());
const kept = async (tide, name) => {
  const [file] = await Promise.all([tide.page.waitForEvent("download"), tide.button(`Save ${name}`).click()]);
  return [file.suggestedFilename(), readFileSync(await file.path())];
};

export const cases = {
  "sharing copies the link at once": async ({ fresh }) => {
    const tide = await opened(fresh);
    await expect("the link", () => clipboard(tide), (text) => text === tide.page.url() && text.includes("#v1."));
  },
  "a notice in the dialog is not repeated after it": async ({ fresh }) => {
    const tide = await opened(fresh);
    const dialog = tide.page.getByRole("dialog", { name: "Share" });
    truth((await dialog.locator(".share__told").textContent()).startsWith("Link copied"), "that it is copied");
    await tide.page.keyboard.press("Escape");
    await expect("no dialog", () => dialog.isVisible(), (there) => !there);
    equal(await tide.notice.count(), 0, "messages");
  },
  "issue Markdown contains the verdict, the scenario, the steps and the link": async ({ fresh }) => {
    const tide = await opened(fresh);
    await tide.button("Copy Issue Markdown").click();
    const text = await expect("Markdown", () => clipboard(tide), (text) => text.startsWith("### "));
    for (const part of ["amd.join.before-wait", "```tide\n", "| 1 | wave", tide.page.url()]) truth(text.includes(part), `${part} in ${text}`);
  },
  "an embed snippet contains the link": async ({ fresh }) => {
    const tide = await opened(fresh);
    await tide.button("Copy Embed snippet").click();
    await expect("a snippet", () => clipboard(tide), (text) => text.includes("<tide-gate") && text.includes(new URL(tide.page.url()).hash));
  },
  "the scenario, its report and drawings are saved as files": async ({ fresh }) => {
    const tide = await opened(fresh);
    const [name, text] = await kept(tide, "Scenario");
    equal([name, text.toString()], ["join-first-hand-off-later.tide", TOO_LATE], "the scenario");
    const [, report] = await kept(tide, "Report");
    equal(JSON.parse(report).findings[0].rule, "amd.join.before-wait", "the report's rule");
    const starts = { SVG: "<svg", DOT: "digraph", Mermaid: "---" };
    for (const [name, start] of Object.entries(starts)) {
      const [, drawing] = await kept(tide, name);
      truth(drawing.toString().startsWith(start), `${name}: ${drawing.toString().slice(0, 40)}`);
    }
    const [, pixels] = await kept(tide, "PNG");
    truth(pixels.subarray(1, 4).toString() === "PNG" && pixels.length > 2000, "a picture");
  },
  "executions of PTX and OpenCL can be drawn": async ({ fresh }) => {
    for (const [text, part] of [[PIPELINE, "full, phase"], [KERNEL, "barrier-participates-in"]]) {
      const tide = await opened(fresh, text);
      const [, drawing] = await kept(tide, "SVG");
      truth(drawing.toString().startsWith("<svg") && drawing.toString().includes(part), drawing.toString().slice(0, 400));
    }
  },
  "an execution without relations shows the reason": async ({ fresh }) => {
    const tide = await opened(fresh, "target gfx950\nlaunch waves=1\nmbarrier n\nwave 0 {\n  arrive wg\n  mbarrier.init.shared::cta.b64 [n], 1\n}\n");
    equal(await tide.button("Save DOT").getAttribute("aria-disabled"), "true", "the button of a drawing");
    truth(await tide.page.getByText("combines barriers from several specifications").isVisible(), "a reason");
    equal(await tide.button("Save Report").getAttribute("aria-disabled"), null, "the button of the report");
  },
};
