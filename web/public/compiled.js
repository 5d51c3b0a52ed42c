// The front ends for compiled code, fetched with the first of it.
let front;
let loading;

const fetched = async (build) => {
  const glue = await import("./front.js");
  await glue.default();
  if (glue.build() !== build) throw new Error("its version does not match; reload the page");
  front = glue;
};

export const isLoaded = () => front !== undefined;

/** Loads the front ends of a build, again after a failure. */
export const load = (build) =>
  (loading ??= fetched(build).catch((error) => {
    loading = undefined;
    throw error;
  }));

/** Reads packed code, once they have loaded. */
export const read = (code) => front?.read(code);
