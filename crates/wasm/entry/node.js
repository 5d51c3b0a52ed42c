// The entry for node: importing this module loads the engine from the adjacent file.
import { readFileSync } from "node:fs";
import { initSync } from "./tidegate.js";

initSync({ module: readFileSync(new URL("./tidegate_bg.wasm", import.meta.url)) });

export * from "./tidegate.js";
export { default } from "./tidegate.js";
