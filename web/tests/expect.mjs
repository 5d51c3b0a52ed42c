// Waits for conditions, and reports what was found instead.
import { Worker } from "node:worker_threads";

const PATIENCE = 5000;

export async function expect(what, read, holds, patience = PATIENCE) {
  const until = Date.now() + patience;
  let last;
  for (;;) {
    last = await read();
    if (holds(last)) return last;
    if (Date.now() > until) throw new Error(`expected ${what}, found ${JSON.stringify(last)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export function equal(actual, wanted, what = "value") {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(wanted)];
  if (a !== b) throw new Error(`${what}: expected ${b}, found ${a}`);
}

export function truth(condition, what) {
  if (!condition) throw new Error(`expected ${what}`);
}

/** Duration of a unit of work on an idle machine, in milliseconds. */
const IDLE = 60;

/** How many times slower this machine is now; at least 1. Runs two units at once, since a page has several processes. */
const slower = async () => {
  const work = `
    const start = performance.now();
    let sum = 0;
    for (let at = 0; at < 1e7; at += 1) sum = (sum * 31 + at) | 0;
    require("node:worker_threads").parentPort.postMessage([performance.now() - start, sum]);`;
  const took = await Promise.all([0, 1].map(() => new Promise((resolve, reject) => {
    new Worker(work, { eval: true }).once("message", ([time]) => resolve(time)).once("error", reject);
  })));
  return Math.max(1, Math.max(...took) / IDLE);
};

/**
 * Measures a time until it is within its gate, at most five times. On a shared machine a round can be slower but not faster:
 * the best round counts, and each is divided by the slowness of the machine before and after it. Returns the measured times
 * in milliseconds, round by round.
 */
export async function within(gate, what, aim, measure) {
  const rounds = [];
  const lines = [];
  let held = false;
  for (let before = await slower(); rounds.length < 5 && !held; ) {
    const time = await measure();
    const after = await slower();
    const times = Math.max(before, after);
    rounds.push(time);
    lines.push(`${time.toFixed(1)} / ${times.toFixed(1)}`);
    held = time / times <= gate;
    before = after;
  }
  console.log(`     ${what.padEnd(52)} ${lines.join(", ")} ms   aim ${aim} ms, gate ${gate} ms`);
  truth(held, `${what} within ${gate} ms in one of ${rounds.length} rounds, each by how slow the machine was, found ${lines.join(", ")}`);
  return rounds;
}
