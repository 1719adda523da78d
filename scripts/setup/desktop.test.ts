import { expect, test } from "vitest";
import { whyNoDesktop } from "./desktop.mjs";

test.each([
  ["linux", {}, 1000, /no display/],
  ["linux", { DISPLAY: ":0" }, 0, /root/],
  ["linux", { DISPLAY: ":0" }, 1000, undefined],
  ["linux", { WAYLAND_DISPLAY: "wayland-0" }, 1000, undefined],
  ["linux", { DISPLAY: ":0", ELECTRON_DISABLE_SANDBOX: "1" }, 0, undefined],
  ["darwin", {}, 501, undefined],
  ["win32", {}, undefined, undefined],
])("on %s with %o as user %s, what speaks against the desktop window is %s", (platform, env, uid, reason) => {
  const found = whyNoDesktop({ platform, env, uid });
  if (reason === undefined) expect(found).toBeUndefined();
  else expect(found).toMatch(reason);
});
