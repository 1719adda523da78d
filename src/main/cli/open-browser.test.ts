import { expect, test } from "vitest";
import { findOpener } from "./open-browser.ts";

test.each([
  ["linux", {}, undefined],
  ["linux", { DISPLAY: ":0" }, ["xdg-open"]],
  ["linux", { WAYLAND_DISPLAY: "wayland-0" }, ["xdg-open"]],
  ["darwin", {}, ["open"]],
  ["win32", {}, ["rundll32", "url.dll,FileProtocolHandler"]],
] as const)("on %s with %o the browser is opened by %j", (platform, env, opener) => {
  expect(findOpener({ platform, env })).toEqual(opener);
});
