import { expect, test } from "vitest";
import { findOpener } from "./open-browser.ts";

const address = "http://127.0.0.1:4700/?token=abc";

test.each([
  ["linux", {}, undefined],
  ["linux", { DISPLAY: ":0" }, ["xdg-open", address]],
  ["linux", { WAYLAND_DISPLAY: "wayland-0" }, ["xdg-open", address]],
  ["darwin", {}, ["open", address]],
  ["win32", {}, ["rundll32", "url.dll,FileProtocolHandler", address]],
] as const)("on %s with %o the address is opened by %j", (platform, env, opener) => {
  expect(findOpener(address, { platform, env })).toEqual(opener);
});
