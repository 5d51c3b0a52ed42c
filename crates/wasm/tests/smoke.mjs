// Tests the built npm package in node: `node smoke.mjs PACKAGE_FOLDER`. The last line is the summary.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const folder = resolve(process.argv[2] ?? "dist-npm");
const gate = await import(pathToFileURL(join(folder, "tidegate.js")).href);
gate.initSync({ module: readFileSync(join(folder, "tidegate_bg.wasm")) });
const declarations = readFileSync(join(folder, "tidegate.d.ts"), "utf8");

const HAND_OFF = `title "Two rounds"
target gfx1250
launch waves=2
wave * {
  arrive wg
  wait wg
}
expect ok
`;
const TOO_LATE = `title "Joined too late"
target gfx1250
launch waves=2
barrier n = named(1)
wave 0 {
  init n, 1
  arrive wg; wait wg
  arrive n
}
wave 1 {
  arrive wg; wait wg
  join n
  wait n
}
`;

/** Returns the members of a declared interface. */
function members(name) {
  const body = declarations.match(new RegExp(`export interface ${name} \\{\\n([^}]*)\\}`))?.[1];
  assert.ok(body, `${name} is declared`);
  return [...body.matchAll(/^\s+(\w+)\??: /gm)].map((match) => match[1]).sort();
}

const tests = {
  async "each entry of the package has its files and works without further steps"() {
    const { exports, files } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const paths = Object.values(exports).flatMap((entry) => (typeof entry === "string" ? entry : Object.values(entry)));
    for (const path of [...paths, ...files]) assert.ok(existsSync(join(folder, path)), `${path} is there`);
    for (const path of paths.filter((path) => path.startsWith("./tidegate") || path.endsWith(".js"))) {
      assert.ok(files.includes(path.slice(2)), `${path} is published`);
    }
    globalThis.fetch = async (url) => new Response(readFileSync(url), { headers: { "Content-Type": "application/wasm" } });
    for (const name of ["./node", "./bundler"]) {
      const entry = await import(pathToFileURL(join(folder, exports[name].default)).href);
      assert.equal(entry.check(HAND_OFF).verdict, "ok", name);
      assert.equal(typeof entry.default, "function", name);
    }
  },
  "a defined scenario is ok"() {
    const report = gate.check(HAND_OFF);
    assert.equal(report.schema, "tidegate.report/1");
    assert.equal(report.verdict, "ok");
    assert.equal(report.exhaustive, true);
    assert.equal(report.target, "gfx1250");
    assert.equal(report.machine.verdict, "ok");
    assert.equal(gate.check(HAND_OFF, { machine: false }).machine, null);
    assert.ok(report.stats.states > 0 && report.stats.millis >= 0);
  },
  "a late join is undefined, with a witness"() {
    const report = gate.check(TOO_LATE, { file: "late.tide" });
    assert.equal(report.file, "late.tide");
    assert.equal(report.verdict, "ub");
    const finding = report.findings.find(({ rule }) => rule === "amd.join.before-wait");
    assert.ok(finding, "the rule is named");
    assert.ok(finding.witness.length > 0, "the witness has steps");
  },
  "the target can be chosen"() {
    assert.equal(gate.check(TOO_LATE, { target: "gfx1100" }).verdict, "unsupported");
  },
  "machine code, or the operations without a code"() {
    const lowered = gate.lower(HAND_OFF, { target: "gfx900" });
    assert.match(lowered.text, /^  s_barrier /m);
    assert.deepEqual(lowered.blocks.map(({ agents }) => agents), ["wave *"]);
    assert.equal(gate.check(lowered.text).target, "gfx900");
    const problems = gate.lower(TOO_LATE, { target: "gfx1200" }).problems;
    assert.equal(problems[0].rule, "amd.object.unsupported");
    assert.match(gate.check(TOO_LATE, { target: "gfx1200" }).compiler.notes[0], /^LLVM accepts /);
    assert.deepEqual(members("Lowered"), Object.keys(lowered).sort());
  },
  "invalid text is reported, not thrown"() {
    const report = gate.check("wave 0 {\n  arive wg\n}\n");
    assert.equal(report.verdict, "invalid");
    assert.ok(report.diagnostics.some(({ line }) => line === 2));
  },
  "wrong options are thrown"() {
    assert.throws(() => gate.check(HAND_OFF, { target: "gfx0" }), /unknown target `gfx0`/);
    assert.throws(() => gate.check(HAND_OFF, { readings: { "amd.A0": "x" } }), /unknown reading `amd.A0`/);
    assert.throws(() => gate.check(HAND_OFF, { tarket: "gfx1250" }), /tarket/);
  },
  "expectations are judged"() {
    const [outcome] = gate.expectations(HAND_OFF);
    assert.equal(outcome.passed, true);
    assert.equal(gate.expectations(`${TOO_LATE}expect ok\n`)[0].passed, false);
  },
  "every target has its cell"() {
    const matrix = gate.matrix(TOO_LATE);
    assert.equal(matrix.cells.length, gate.targets().length);
    const cell = matrix.cells.find(({ target }) => target === "gfx1250");
    assert.deepEqual([cell.verdict, cell.rule], ["ub", "amd.join.before-wait"]);
    assert.equal(matrix.rows[cell.row].machine.agrees, false);
    assert.deepEqual(members("Matrix"), Object.keys(matrix).sort());
    assert.deepEqual(members("MatrixRow"), Object.keys(matrix.rows[cell.row]).sort());
    assert.equal(gate.matrix("wave"), null);
  },
  "the relations of an execution are returned and drawn"() {
    const graph = gate.graph(TOO_LATE);
    assert.equal(graph.rule, "amd.join.before-wait");
    assert.ok(graph.relations.some(({ id, edges }) => id === "pi" && edges.length > 0));
    assert.deepEqual(members("GraphReport"), Object.keys(graph).sort());
    assert.deepEqual(members("GraphOperation"), Object.keys(graph.operations[0]).sort());
    assert.match(gate.drawGraph(TOO_LATE, "svg"), /^<svg /);
    assert.match(gate.drawGraph(TOO_LATE, "dot", {}, 0, ["beb"]), /label=beb/);
    const met = gate.graph("target sm_90\nlaunch warps=2\nwarp * { bar.sync 0 }\n");
    assert.equal(met.relations.find(({ id }) => id === "pi").edges.length, 4);
    assert.throws(() => gate.drawGraph(TOO_LATE, "png"), /unknown format/);
    assert.throws(() => gate.graph(TOO_LATE, {}, 9), /no finding/);
  },
  "the catalogue is complete"() {
    assert.ok(gate.targets().some(({ name }) => name === "gfx1250"));
    assert.ok(gate.rules().some(({ id, statement }) => id === "amd.join.before-wait" && statement.length > 20));
    assert.ok(gate.observations().some(({ concerns }) => concerns.includes("amd.A10")));
    assert.deepEqual(members("ObservationEntry"), Object.keys(gate.observations()[0]).sort());
    assert.ok(gate.readings().every(({ choices }) => choices.length === 2));
    assert.match(gate.version(), /^\d+\.\d+\.\d+/);
  },
  "formatting keeps the verdict"() {
    const text = gate.format("target gfx1250\nlaunch waves=2\nwave * {\narrive   wg\nwait wg }\n");
    assert.ok(text.includes("arrive wg"));
    assert.equal(gate.format(text), text);
    assert.equal(gate.check(text).verdict, "ok");
    assert.equal(gate.format("wave 0 {"), undefined);
  },
  "stepping forwards and backwards"() {
    const stepper = new gate.Stepper(HAND_OFF);
    const enabled = () => stepper.view().agents.flatMap(({ moves }) => moves).filter((move) => move.enabled);
    const [first] = enabled();
    stepper.perform(first.key);
    assert.deepEqual(stepper.keys(), [first.key]);
    assert.equal(stepper.view().performed.length, 1);
    assert.equal(stepper.back(), true);
    assert.equal(stepper.back(), false);
    assert.equal(stepper.view().performed.length, 0);
    assert.equal(stepper.forward(), true);
    assert.throws(() => stepper.perform("9.9:9"));
    while (enabled().length > 0) stepper.perform(enabled()[0].key);
    assert.equal(stepper.view().state, "finished");
    const keys = stepper.keys();
    stepper.goTo(0);
    assert.equal(stepper.load(keys), keys.length);
    stepper.free();
    const machine = gate.Stepper.ofMachine(HAND_OFF);
    assert.match(machine.view().objects[0].detail, /^0\/2 0x00000021; word bits 26-24 blocks/);
    assert.throws(() => gate.Stepper.ofMachine("wave"), /no hardware model/);
    assert.throws(() => new gate.Stepper("wave"), /has errors/);
  },
  "links there and back"() {
    const link = gate.encodeLink({ text: TOO_LATE, steps: ["0.0:0"], verdict: "ub" });
    assert.match(link, /^#v1\.[\w-]+$/);
    const shared = gate.decodeLink(`https://example.org/page/${link}`);
    assert.deepEqual(shared, {
      text: TOO_LATE,
      target: null,
      readings: [],
      steps: ["0.0:0"],
      engine: gate.version(),
      verdict: "ub",
    });
    assert.throws(() => gate.decodeLink("#v1.!!!"));
  },
  "the declared types are those of the values"() {
    const report = gate.check(TOO_LATE);
    assert.deepEqual(members("Report"), Object.keys(report).sort());
    assert.deepEqual(members("Finding"), Object.keys(report.findings[0]).sort());
    assert.deepEqual(members("WitnessStep"), Object.keys(report.findings[0].witness[0]).sort());
    const view = new gate.Stepper(HAND_OFF).view();
    assert.deepEqual(members("View"), Object.keys(view).sort());
    assert.deepEqual(members("AgentView"), Object.keys(view.agents[0]).sort());
    assert.deepEqual(members("ObjectView"), Object.keys(view.objects[0]).sort());
    assert.deepEqual(members("MemoryView"), Object.keys(new gate.Stepper(HAND_OFF).memory()).sort());
    assert.deepEqual(members("RuleEntry"), Object.keys(gate.rules()[0]).sort());
    assert.deepEqual(members("Outcome"), Object.keys(gate.expectations(HAND_OFF)[0]).sort());
    assert.match(declarations, /export function check\(text: string, options\?: CheckOptions, /);
  },
  "the word of an mbarrier, both ways"() {
    const word = gate.decodeMbarrier(0x7fff0000001fffc0n, "low-pending");
    assert.deepEqual(word.fields.map((field) => field.value), [0, 32, 0, 32, 0]);
    assert.equal(gate.encodeMbarrier("high-pending", 32, 32, 0, false).word, "0x7fff0000001fffc0");
    const last = gate.stepMbarrier(0x7ffff800001ffffen, "high-pending", "arrive", 1);
    assert.deepEqual([last.completes, last.fields[0].value], [true, 1]);
    assert.throws(() => gate.decodeMbarrier(0n, "no-pending"), /unknown layout/);
    assert.deepEqual(members("MbarrierWord"), Object.keys(last).sort());
  },
  "a check can be ended"() {
    const rounds = "  repeat 3 {\n    arrive b\n    wait b\n  }\n";
    const start = "  if wave_id == 0 {\n    init b, 2\n  }\n  arrive wg; wait wg\n";
    const many = `target model\nlaunch waves=6\nbarrier b\nwave * {\n${start}${rounds}}\n`;
    const calls = [];
    const report = gate.check(many, {}, (states, frontier) => {
      calls.push([states, frontier]);
      return false;
    });
    assert.equal(calls.length, 1, "called once");
    assert.equal(report.exhaustive, false);
  },
};

let passed = 0;
let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  try {
    await test();
    passed += 1;
    console.log(`ok   ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`FAIL ${name}\n${error.stack}`);
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
