import { join } from "node:path";
import { expect, test } from "vitest";
import { findDataFolder } from "./data-folder.ts";

test.each([
  ["linux", {}, ["/home/ada", ".local", "share", "sheaf", "serve"]],
  ["linux", { XDG_DATA_HOME: "/data/ada" }, ["/data/ada", "sheaf", "serve"]],
  ["linux", { XDG_DATA_HOME: "relative" }, ["/home/ada", ".local", "share", "sheaf", "serve"]],
  ["darwin", {}, ["/home/ada", "Library", "Application Support", "sheaf", "serve"]],
  ["win32", {}, ["/home/ada", "AppData", "Local", "sheaf", "serve"]],
  ["win32", { LOCALAPPDATA: "/local" }, ["/local", "sheaf", "serve"]],
] as const)("data is kept where %s wants it, given %o", (platform, env, parts) => {
  expect(findDataFolder("serve", { platform, env, home: "/home/ada" })).toBe(join(...parts));
});

test("the server and the app keep their data apart", () => {
  expect(findDataFolder("serve")).not.toBe(findDataFolder("app"));
});
