// The page's connection to the engine: a module that is fetched after the page's and compiled once for page and workers.
const address = new URL("./engine_bg.wasm", import.meta.url);
let compiled;
/** The engine, once it has loaded. */
export let engine;

const compile = async (cache) => {
  const response = await fetch(address, { cache });
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  return WebAssembly.compileStreaming(response);
};

/** Starts fetching the engine. */
export const begin = () => {
  compiled ??= compile("default");
  compiled.catch(() => {});
};

/** Loads the engine of a build and returns its compiled module. */
export const load = async (build) => {
  begin();
  try {
    const [glue, module] = await Promise.all([import("./engine.js"), compiled]);
    await glue.default({ module_or_path: module });
    if (glue.build() !== build) throw new Error("its version does not match; reload the page");
    engine = glue;
    return module;
  } catch (error) {
    compiled = undefined;
    throw error;
  }
};

/** Loads the front ends for compiled code of a build, which the engine uses. */
export const loadFront = async (build) => {
  await (await import("./compiled.js")).load(build);
  // The page opens the text again first.
  setTimeout(() => dispatchEvent(new Event("front")));
};

/** Answers immediately; request and answer are packed. */
export const answer = (ask) => engine.answer(ask);

let lanes;
/** Shows the overview of an execution beside its board. */
export const overview = async (board, memory) => {
  // The module reuses its memory.
  const packed = memory.slice();
  lanes ??= import("./lanes.js");
  (await lanes).show(board, packed);
};

/** Lets the reader choose files, which are checked in a table. */
export const files = async () => (await import("./table.js")).choose();

/** Starts a lesson. */
export const lesson = async () => (await import("./lesson.js")).begin();

/** Saves a text as a file with a name. */
export const save = async (name, text) => (await import("./save.js")).save(name, text);
