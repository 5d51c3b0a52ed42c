// Waiting for what must become true, and saying what was there instead.
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
