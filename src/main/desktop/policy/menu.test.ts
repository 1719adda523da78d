import { describe, expect, it } from "vitest";
import type { PageCommand } from "#contract";
import { describeMenu, type MenuItem } from "./menu.ts";

const place = { packaged: true, hasPage: true, recentFiles: [] };
const command = (id: string, change: Partial<PageCommand> = {}): PageCommand => ({
  id,
  label: `Do ${id}`,
  menu: "file",
  keys: null,
  enabled: true,
  ...change,
});
const flatten = (items: readonly MenuItem[]): MenuItem[] =>
  items.flatMap((item) => [item, ...flatten(item.submenu ?? [])]);
const roles = (...given: Parameters<typeof describeMenu>) =>
  flatten(describeMenu(...given)).flatMap(({ role }) => role ?? []);
const find = (items: readonly MenuItem[], label: string) => flatten(items).find((item) => item.label === label);

describe("describeMenu", () => {
  it("gives a packaged app no developer tools and no reloading, and developers both", () => {
    const developers = ["reload", "forceReload", "toggleDevTools"];
    for (const platform of ["darwin", "linux", "win32"] as const) {
      expect(roles(platform, place, [])).not.toEqual(expect.arrayContaining(["reload"]));
      for (const role of developers) expect(roles(platform, place, [])).not.toContain(role);
      expect(roles(platform, { ...place, packaged: false }, [])).toEqual(expect.arrayContaining(developers));
    }
  });

  it("has the menus that each platform expects", () => {
    expect(roles("darwin", place, [])).toEqual(
      expect.arrayContaining(["appMenu", "close", "editMenu", "windowMenu", "help"]),
    );
    for (const platform of ["win32", "linux"] as const) {
      expect(roles(platform, place, [])).toEqual(
        expect.arrayContaining(["quit", "editMenu", "windowMenu", "help", "about"]),
      );
      expect(roles(platform, place, [])).not.toContain("appMenu");
    }
  });

  it("has Settings in the app menu on macOS, also without a window, and under Go elsewhere", () => {
    const settings = command("page settings", { label: "Settings", menu: "go", keys: "mod+," });
    const go = (platform: NodeJS.Platform, hasPage: boolean) =>
      describeMenu(platform, { ...place, hasPage }, [settings]).find(({ label }) => label === "Go")?.submenu;
    for (const hasPage of [true, false]) {
      const [menu] = describeMenu("darwin", { ...place, hasPage }, [settings]);
      expect(menu?.submenu?.map(({ role, label }) => role ?? label)).toEqual([
        ...["about", undefined, "Settings…", undefined, "services", undefined],
        ...["hide", "hideOthers", "unhide", undefined, "quit"],
      ]);
      expect(find(menu?.submenu ?? [], "Settings…")).toEqual({
        label: "Settings…",
        accelerator: "CommandOrControl+,",
        registerAccelerator: false,
        enabled: true,
        action: { do: "run_command", id: "page settings" },
      });
      expect(go("darwin", hasPage)).toEqual([]);
    }
    expect(go("linux", true)).toMatchObject([{ label: "Settings", enabled: true }]);
  });

  it("has every command of the page in its menu", () => {
    const commands = (["file", "view", "go", "help"] as const).map((menu) => command(menu, { menu }));
    const menu = describeMenu("linux", place, commands);
    for (const { id, menu: name } of commands) {
      const parent = menu.find(({ label, role }) => (label ?? role)?.toLowerCase() === name);
      expect(parent?.submenu).toContainEqual({ label: `Do ${id}`, enabled: true, action: { do: "run_command", id } });
    }
  });

  it.each([
    ["mod+K", "CommandOrControl+K"],
    ["mod+,", "CommandOrControl+,"],
    ["mod+shift+ArrowDown", "CommandOrControl+Shift+Down"],
    ["F2", "F2"],
    ["shift+F10", "Shift+F10"],
    ["shift+?", undefined],
    ["alt+ArrowLeft", undefined],
    ["ArrowDown", undefined],
    ["F", undefined],
    [null, undefined],
  ])("shows the key %s as the accelerator %s, and leaves listening to the page", (keys, accelerator) => {
    const item = find(describeMenu("win32", place, [command("x", { keys })]), "Do x");
    expect(item?.accelerator).toBe(accelerator);
    if (accelerator !== undefined) expect(item?.registerAccelerator).toBe(false);
  });

  it("enables what the place allows", () => {
    const commands = [command("can"), command("cannot", { enabled: false })];
    const menu = describeMenu("linux", place, commands);
    expect(["Do can", "Do cannot", "Zoom in", "Open recent"].map((label) => find(menu, label)?.enabled)).toEqual([
      true,
      false,
      true,
      false,
    ]);
    const without = describeMenu("linux", { ...place, hasPage: false, recentFiles: ["/a.csv"] }, commands);
    expect(["Do can", "Zoom in", "a.csv"].map((label) => find(without, label)?.enabled)).toEqual([false, false, false]);
  });

  it("has the tables that were opened last, told apart where their names are the same", () => {
    const recentFiles = ["/data/R&D.csv", "/old/b.csv", "/new/b.csv"];
    const { submenu } = find(describeMenu("linux", { ...place, recentFiles }, []), "Open recent") ?? {};
    expect(submenu?.map(({ label, action }) => [label, action])).toEqual([
      ["R&&D.csv", { do: "open_recent", path: "/data/R&D.csv" }],
      ["/old/b.csv", { do: "open_recent", path: "/old/b.csv" }],
      ["/new/b.csv", { do: "open_recent", path: "/new/b.csv" }],
      [undefined, undefined],
      ["Clear the list", { do: "clear_recent" }],
    ]);
    const onWindows = describeMenu("win32", { ...place, recentFiles: ["C:\\data\\a.csv"] }, []);
    expect(find(onWindows, "a.csv")).toBeDefined();
  });
});
