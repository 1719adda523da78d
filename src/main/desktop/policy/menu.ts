import { posix, win32 } from "node:path";
import type { MenuItemConstructorOptions } from "electron";
import type { PageCommand } from "#contract";

/** Where the menu is: what it offers depends on it. */
export interface MenuPlace {
  /** A packaged app has neither developer tools nor a way to reload its page. */
  readonly packaged: boolean;
  /** Whether there is a page that can do the commands. */
  readonly hasPage: boolean;
  /** The tables that were opened last. */
  readonly recentFiles: readonly string[];
}

/** What an item does that is none of Electron's roles: the shell does it by this id. */
export type MenuAction =
  | { readonly do: "run_command"; readonly id: string }
  | { readonly do: "open_recent"; readonly path: string }
  | { readonly do: "clear_recent" }
  | { readonly do: "zoom"; readonly step: "in" | "out" | "reset" };

export type MenuItem = Pick<
  MenuItemConstructorOptions,
  "role" | "label" | "accelerator" | "registerAccelerator" | "enabled" | "type"
> & { readonly submenu?: readonly MenuItem[]; readonly action?: MenuAction };

const separator: MenuItem = { type: "separator" };

/** The page's command that macOS has in the app menu, and the others under Go. */
const settingsCommand = "page settings";

/**
 * The menu as each platform expects it: macOS has an app menu with About and Settings in it, the others have these under Help and
 * Go. It has every command of the page; what is no command is one of Electron's roles where there is one.
 */
export function describeMenu(
  platform: NodeJS.Platform,
  place: MenuPlace,
  commands: readonly PageCommand[],
): readonly MenuItem[] {
  const isMac = platform === "darwin";
  const settings = isMac ? commands.find(({ id }) => id === settingsCommand) : undefined;
  const of = (menu: PageCommand["menu"]) =>
    commands
      .filter((command) => command.menu === menu && command !== settings)
      .map((command) => toItem(command, place));
  const file = joinGroups([of("file"), [openRecent(platform, place)], [{ role: isMac ? "close" : "quit" }]]);
  const view = joinGroups([
    place.packaged ? [] : developerItems,
    zoomItems(place),
    [{ role: "togglefullscreen" }],
    of("view"),
  ]);
  const help = joinGroups([of("help"), isMac ? [] : [{ role: "about" }]]);
  return [
    ...(isMac ? [appMenu(settings, place)] : []),
    { label: "File", submenu: file },
    { role: "editMenu" },
    { label: "View", submenu: view },
    { label: "Go", submenu: of("go") },
    { role: "windowMenu" },
    { role: "help", submenu: help },
  ];
}

/** Electron's app menu, with Settings where every Mac app has it: the role `appMenu` has no place for it. */
function appMenu(settings: PageCommand | undefined, place: MenuPlace): MenuItem {
  // Without a window on macOS the app still runs: Settings opens one.
  const item = settings && { ...toItem(settings, { ...place, hasPage: true }), label: `${settings.label}…` };
  const submenu = joinGroups([
    [{ role: "about" }],
    item === undefined ? [] : [item],
    [{ role: "services" }],
    [{ role: "hide" }, { role: "hideOthers" }, { role: "unhide" }],
    [{ role: "quit" }],
  ]);
  return { role: "appMenu", submenu };
}

function toItem({ id, label, keys, enabled }: PageCommand, { hasPage }: MenuPlace): MenuItem {
  const accelerator = toAccelerator(keys);
  // The page listens for its keys itself, and knows when a text field or a dialog has them: the menu only shows them.
  const shown = accelerator === null ? {} : { accelerator, registerAccelerator: false };
  return { label, enabled: hasPage && enabled, ...shown, action: { do: "run_command", id } };
}

const keyNames: Readonly<Record<string, string>> = {
  mod: "CommandOrControl",
  alt: "Alt",
  shift: "Shift",
  ArrowLeft: "Left",
  ArrowRight: "Right",
  ArrowUp: "Up",
  ArrowDown: "Down",
  "+": "Plus",
};

/** Keys as the page writes them (`mod+shift+E`) for Electron; null for those that are also typed: a menu would swallow them. */
function toAccelerator(keys: string | null): string | null {
  const parts = keys?.split("+") ?? [];
  const isCommand = parts.includes("mod") || /^F\d{1,2}$/.test(parts.at(-1) ?? "");
  return isCommand ? parts.map((part) => keyNames[part] ?? part).join("+") : null;
}

function openRecent(platform: NodeJS.Platform, { recentFiles, hasPage }: MenuPlace): MenuItem {
  const { basename } = platform === "win32" ? win32 : posix;
  const names = recentFiles.map((path) => basename(path));
  const files = recentFiles.map((path, at): MenuItem => {
    // Two of one name are distinguished by their folders. A single & would underline what follows it.
    const label = names.filter((name) => name === names[at]).length > 1 ? path : (names[at] ?? path);
    return { label: label.replaceAll("&", "&&"), enabled: hasPage, action: { do: "open_recent", path } };
  });
  const clear: MenuItem = { label: "Clear the list", action: { do: "clear_recent" } };
  return {
    label: "Open recent",
    enabled: files.length > 0,
    submenu: joinGroups([files, files.length > 0 ? [clear] : []]),
  };
}

function zoomItems({ hasPage: enabled }: MenuPlace): readonly MenuItem[] {
  const item = (label: string, accelerator: string, step: "in" | "out" | "reset"): MenuItem => ({
    label,
    accelerator,
    enabled,
    action: { do: "zoom", step },
  });
  return [
    item("Actual size", "CommandOrControl+0", "reset"),
    item("Zoom in", "CommandOrControl+Plus", "in"),
    item("Zoom out", "CommandOrControl+-", "out"),
  ];
}

const developerItems: readonly MenuItem[] = [{ role: "reload" }, { role: "forceReload" }, { role: "toggleDevTools" }];

/** The groups that have items, with a line between them. */
function joinGroups(groups: readonly (readonly MenuItem[])[]): readonly MenuItem[] {
  return groups.filter((group) => group.length > 0).flatMap((group, at) => (at === 0 ? group : [separator, ...group]));
}
