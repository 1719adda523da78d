import type { MenuItemConstructorOptions } from "electron";
import { describe, expect, it } from "vitest";
import { describeMenu } from "./menu.ts";

const roles = (items: MenuItemConstructorOptions[]): string[] =>
  items.flatMap(({ role, submenu }) => [...(role ? [role] : []), ...(Array.isArray(submenu) ? roles(submenu) : [])]);

describe("describeMenu", () => {
  it("gives a packaged app no developer tools and no reloading", () => {
    for (const platform of ["darwin", "linux", "win32"] as const) {
      const offered = roles(describeMenu({ platform, packaged: true }));
      expect(offered).not.toContain("toggleDevTools");
      expect(offered).not.toContain("reload");
      expect(offered).not.toContain("forceReload");
      expect(offered).not.toContain("viewMenu");
    }
  });

  it("gives developers both while the app is not packaged", () => {
    expect(roles(describeMenu({ platform: "linux", packaged: false }))).toEqual(
      expect.arrayContaining(["reload", "toggleDevTools"]),
    );
  });

  it("has the menus that each platform expects", () => {
    expect(roles(describeMenu({ platform: "darwin", packaged: true }))).toEqual(
      expect.arrayContaining(["appMenu", "fileMenu", "editMenu", "windowMenu"]),
    );
    const elsewhere = roles(describeMenu({ platform: "win32", packaged: true }));
    expect(elsewhere).toEqual(expect.arrayContaining(["fileMenu", "editMenu", "windowMenu", "help", "about"]));
    expect(elsewhere).not.toContain("appMenu");
  });
});
