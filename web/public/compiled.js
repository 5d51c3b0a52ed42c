// The front ends for compiled code: a module that is fetched when the first compiled code is opened.
let front;
let loading;

const fetched = async (build) => {
  const glue = await import("./front.js");
  await glue.default();
  if (glue.build() !== build) throw new Error("its version does not match; reload the page");
  front = glue;
};

export const isLoaded = () => front !== undefined;

/** Loads the front ends of a build. A failed attempt can be repeated. */
export const load = (build) => {
  loading ??= fetched(build).catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
};

/** Reads code; request and answer are packed. Nothing before the front ends have loaded. */
export const read = (code) => front?.read(code);
