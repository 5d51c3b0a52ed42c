// The narrowest phones.
import { fits } from "../views.mjs";

export const cases = {
  "no page is wider than a phone of 320 pixels": fits({ width: 320, height: 640 }),
  "no page is wider than a phone of 360 pixels": fits({ width: 360, height: 780 }),
};
