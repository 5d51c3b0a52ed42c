// The entry for bundlers that treat `new URL(…, import.meta.url)` as an asset: Vite, webpack 5, Parcel, Rollup with a plugin.
import init from "./tidegate.js";

await init({ module_or_path: new URL("./tidegate_bg.wasm", import.meta.url) });

export * from "./tidegate.js";
export { default } from "./tidegate.js";
