export { openBackend, type Storage, setupStorage } from "./backend.ts";
export { askToAdopt, askWhereToSave, endWithError } from "./dialogs.ts";
export { type LaunchOptions, readLaunchOptions } from "./launch-options.ts";
export { notifyUser } from "./notify.ts";
export { setupContentsGuards, setupPage, setupScheme, setupSessionGuards } from "./security.ts";
export { setupGracefulQuit, setupMainWindow, setupMenu, setupWindowlessQuit } from "./window.ts";
