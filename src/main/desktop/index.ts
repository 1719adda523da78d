export { findAppPaths, openBackend } from "./backend.ts";
export { askToAdopt, askWhereToSave, endWithError } from "./dialogs.ts";
export { type LaunchOptions, readLaunchOptions } from "./launch-options.ts";
export { setupGracefulQuit, setupWindowlessQuit } from "./lifecycle.ts";
export { setupPage, setupScheme } from "./protocol.ts";
export { setupContentsGuards, setupSessionGuards } from "./security.ts";
export { type Storage, setupStorage } from "./storage.ts";
export { setupMainWindow, setupMenu } from "./window.ts";
