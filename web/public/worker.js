// Runs checks outside the page's thread. The first message is the engine that the page compiled, so it is loaded once.
import init from "./engine.js";

self.onmessage = ({ data }) => {
  self.onmessage = null;
  init({ module_or_path: data });
};
