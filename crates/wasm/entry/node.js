// The entry for node: the engine is loaded from the file beside this one when the module is imported.
import { readFileSync } from "node:fs";
import { initSync } from "./tidegate.js";

initSync({ module: readFileSync(new URL("./tidegate_bg.wasm", import.meta.url)) });

export * from "./tidegate.js";
export { default } from "./tidegate.js";
