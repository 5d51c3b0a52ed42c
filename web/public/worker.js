// Runs checks in a thread, with the engine that the page compiled.
import init from "./engine.js";

self.onmessage = ({ data }) => {
  self.onmessage = null;
  init({ module_or_path: data });
};
