import { Menu } from "electron";
import { describeMenu, type MenuSetting } from "./menu-template.ts";

/** Puts the native menu in place, for all windows. */
export function setupMenu(setting: MenuSetting): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(describeMenu(setting)));
}
