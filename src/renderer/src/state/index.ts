export { type Shortcut, type ShortcutGroup, useShortcutGroups, useShortcuts } from "./shortcuts.ts";
