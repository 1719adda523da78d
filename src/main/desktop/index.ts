export { openBackend, type Storage, setupStorage } from "./backend.ts";
export { askToAdopt, askWhereToSave, endWithError } from "./dialogs.ts";
export { notifyUser } from "./notify.ts";
export { setupOpenings } from "./openings.ts";
export { createPageRequests } from "./page-requests.ts";
export { type LaunchOptions, readLaunchOptions } from "./policy/launch-options.ts";
export { setupContentsGuards, setupPage, setupScheme, setupSessionGuards } from "./security.ts";
export { setupGracefulQuit, setupMainWindow, setupMenu, setupWindowlessQuit } from "./window.ts";
