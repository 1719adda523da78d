export { type DraftContent, type DraftMessage, isBlank, nextRole, toRequestTemplate } from "./draft-content.ts";
export { createDraftStore, type DraftStore } from "./draft-store.ts";
export { exampleContent } from "./example.ts";
export { type Shortcut, type ShortcutGroup, useShortcutGroups, useShortcuts } from "./shortcuts.ts";
