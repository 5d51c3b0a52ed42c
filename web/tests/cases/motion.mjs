// Reduced motion disables animations.
import { equal, truth } from "../expect.mjs";
import { SYNC, STUCK } from "../scenarios.mjs";

/** Performs typical actions and returns the animations that ran. Delayed changes without a duration do not count. */
async function moved(fresh, reducedMotion) {
  const tide = await (await fresh({ reducedMotion })).open();
  await tide.page.evaluate(() => {
    window.moved = new Set();
    const look = () => {
      for (const animation of document.getAnimations()) {
        if (animation.effect.getComputedTiming().duration > 0) window.moved.add(animation.transitionProperty ?? animation.animationName);
      }
      requestAnimationFrame(look);
    };
    look();
  });
  await tide.write(STUCK);
  await tide.showWitness();
  await tide.button("Share").hover();
  await tide.editor.focus();
  await tide.editor.blur();
  for (const key of ["ArrowLeft", "ArrowLeft", "t", "t", "p", "p"]) await tide.page.keyboard.press(key);
  await tide.write(SYNC);
  await tide.page.waitForTimeout(300);
  return tide.page.evaluate(() => [...window.moved]);
}

export const cases = {
  "reduced motion disables animations": async ({ fresh }) => {
    equal(await moved(fresh, "reduce"), [], "what moves");
    truth((await moved(fresh, "no-preference")).length > 0, "that something moves for others");
  },
};
