// 200 % zoom: a window of 1440 by 900 pixels shows half as much in each direction.
import { fits } from "../views.mjs";

export const cases = {
  "no page is wider than the window at 200 %": fits({ width: 720, height: 450 }),
};
