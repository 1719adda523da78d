import type { MenuItemConstructorOptions } from "electron";

export interface MenuSetting {
  readonly platform: NodeJS.Platform;
  /** A packaged app has neither developer tools nor a way to reload its page. */
  readonly packaged: boolean;
}

const separator: MenuItemConstructorOptions = { type: "separator" };

/**
 * The menu as each platform expects it: macOS has an app menu with About in it, the others have that under Help. Every
 * item is one of Electron's roles, which bring their words and keys with them.
 */
export function describeMenu({ platform, packaged }: MenuSetting): MenuItemConstructorOptions[] {
  const middle: MenuItemConstructorOptions[] = [
    { role: "fileMenu" },
    { role: "editMenu" },
    { label: "View", submenu: [...(packaged ? [] : developerItems()), ...viewItems()] },
    { role: "windowMenu" },
  ];
  return platform === "darwin"
    ? [{ role: "appMenu" }, ...middle]
    : [...middle, { role: "help", submenu: [{ role: "about" }] }];
}

function viewItems(): MenuItemConstructorOptions[] {
  return [{ role: "resetZoom" }, { role: "zoomIn" }, { role: "zoomOut" }, separator, { role: "togglefullscreen" }];
}

function developerItems(): MenuItemConstructorOptions[] {
  return [{ role: "reload" }, { role: "forceReload" }, { role: "toggleDevTools" }, separator];
}
