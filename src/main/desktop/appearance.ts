import { type BrowserWindow, nativeTheme } from "electron";
import type { Theme } from "#contract";
import type { ShellStateFile } from "./shell-state.ts";

/** The page's ground in each theme, so that nothing flashes before the page has drawn itself. */
const ground = { light: "#FBFAF7", dark: "#16151A" } as const;

export const currentGround = (): string => ground[nativeTheme.shouldUseDarkColors ? "dark" : "light"];

/**
 * Has what the system draws (the title bar, menus, dialogs) in the theme that the user chose on the page. High contrast,
 * reduced motion and "as the system" reach the page as media queries by themselves.
 */
export function setupAppearance(state: ShellStateFile, window: () => BrowserWindow | undefined) {
  nativeTheme.themeSource = state.get().theme;
  nativeTheme.on("updated", () => window()?.setBackgroundColor(currentGround()));
  return {
    setTheme(theme: Theme): void {
      state.change({ theme });
      nativeTheme.themeSource = theme;
    },
  };
}
