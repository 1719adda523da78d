import { app, Menu, type MenuItemConstructorOptions } from "electron";
import type { PageCommand } from "#contract";
import { describeMenu, type MenuAction, type MenuItem, type MenuPlace } from "./policy/menu.ts";

interface MenuDeps {
  readonly perform: (action: MenuAction) => void;
  readonly place: () => Omit<MenuPlace, "packaged">;
}

/** The native menu of all windows. */
export interface AppMenu {
  /** Sets what the page can do now. */
  setCommands(commands: readonly PageCommand[]): void;
  /** Called when the place has changed. */
  update(): void;
}

export function setupMenu({ perform, place }: MenuDeps): AppMenu {
  let commands: readonly PageCommand[] = [];
  let before = "";

  function toTemplate({ action, submenu, ...item }: MenuItem): MenuItemConstructorOptions {
    return {
      ...item,
      ...(action && { click: () => perform(action) }),
      ...(submenu && { submenu: submenu.map(toTemplate) }),
    };
  }

  function update(): void {
    const items = describeMenu(process.platform, { packaged: app.isPackaged, ...place() }, commands);
    // A menu that is set anew closes the one that is open.
    if (JSON.stringify(items) === before) return;
    before = JSON.stringify(items);
    Menu.setApplicationMenu(Menu.buildFromTemplate(items.map(toTemplate)));
  }

  update();
  return {
    setCommands(next) {
      commands = next;
      update();
    },
    update,
  };
}
