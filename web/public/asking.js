// Asks the engine, in a worker of its own. The course and the table of files load this on demand.

/** A packed message of the protocol: numbers in seven bits per byte, texts after their length in bytes. */
class Packed {
  #bytes;
  #at = 0;
  constructor(bytes) {
    this.#bytes = bytes;
  }
  static number = (value) => (value < 128 ? [value] : [(value & 127) | 128, ...Packed.number(value >>> 7)]);
  number() {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.#bytes[this.#at++];
      value += (byte & 127) * scale;
      if (!(byte & 128)) return value;
    }
  }
  text() {
    const length = this.number();
    this.#at += length;
    return new TextDecoder().decode(this.#bytes.subarray(this.#at - length, this.#at));
  }
}

/** A `protocol::Request` on a text, with the target and the readings of the text and the usual limits. */
const request = (seq, text, question) => {
  const bytes = new TextEncoder().encode(text);
  const head = [...Packed.number(seq), ...Packed.number(bytes.length)];
  const whole = new Uint8Array(head.length + bytes.length + 3 + question.length);
  whole.set(head);
  whole.set(bytes, head.length);
  whole.set([0, 0, 0, ...question], head.length + bytes.length);
  return whole;
};

/** The numbers of `protocol::Answer::Done`, and of the questions and what is found. */
const DONE = 2;
/** The expectations of a text: the bytes of the question, the number of what is found, and how to read it. */
export const SURVEY = {
  question: [1, 0],
  found: 1,
  read: (packed) => {
    const one = () => ({ line: packed.number(), target: packed.text(), passed: packed.number() === 1, wanted: packed.text(), got: packed.text() });
    return Array.from({ length: packed.number() }, one);
  },
};
/** The row of a text in a table: target, verdict with its tone, rule, message. */
export const ROW = { question: [3], found: 3, read: (packed) => [packed.text(), packed.text(), packed.text(), packed.text()] };

let compiled;
/** Starts the engine in a worker, which is ready after its first message. */
const start = async () => {
  compiled ??= WebAssembly.compileStreaming(fetch(new URL("./engine_bg.wasm", import.meta.url)));
  const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  worker.postMessage(await compiled);
  await new Promise((resolve, reject) => {
    worker.addEventListener("message", resolve, { once: true });
    worker.addEventListener("error", () => reject(new Error("the engine could not start")), { once: true });
  });
  return worker;
};

/** An engine that answers one question after the other. It starts with the first one, and again after a failure. */
export class Engine {
  #patience;
  #worker;
  #last = 0;
  /** `patience`: the longest time for an answer, in milliseconds. */
  constructor(patience) {
    this.#patience = patience;
  }
  /** Returns the answer to a question on a text; throws if the engine fails or takes too long. */
  async ask(text, { question, found, read }) {
    this.#worker ??= start();
    const worker = await this.#worker.catch((error) => {
      this.#worker = undefined;
      throw error;
    });
    const seq = ++this.#last;
    return new Promise((resolve, reject) => {
      const end = (finish, value) => {
        clearTimeout(limit);
        worker.removeEventListener("message", hear);
        worker.removeEventListener("error", broken);
        finish(value);
      };
      const fail = (why) => {
        this.stop();
        end(reject, new Error(why));
      };
      const hear = ({ data }) => {
        const packed = new Packed(data);
        if ([DONE, seq, found].every((wanted) => packed.number() === wanted)) end(resolve, read(packed));
      };
      const broken = () => fail("the engine failed");
      const limit = setTimeout(() => fail(`the check takes more than ${this.#patience / 1000} seconds`), this.#patience);
      worker.addEventListener("message", hear);
      worker.addEventListener("error", broken);
      worker.postMessage(request(seq, text, question));
    });
  }
  /** Stops the worker; a question that it has is never answered. */
  stop() {
    this.#worker?.then((worker) => worker.terminate()).catch(() => {});
    this.#worker = undefined;
  }
}
