import { equal, truth } from "../expect.mjs";

export const cases = {
  "the theme follows the system and can be switched": async ({ fresh }) => {
    const tide = await (await fresh({ colorScheme: "light" })).open();
    const light = await tide.theme();
    await tide.page.emulateMedia({ colorScheme: "dark" });
    const dark = await tide.theme();
    truth(light !== dark, "another background in the dark theme");
    await tide.button("Toggle theme").click();
    equal(await tide.theme(), light, "ground after switching");
    await tide.open();
    equal(await tide.theme(), light, "ground after a reload");
    await tide.page.keyboard.press("t");
    equal(await tide.theme(), dark, "ground after switching back");
  },
};
