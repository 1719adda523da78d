export { openBackend, type Storage, setupStorage } from "./backend.ts";
export { askToAdopt, askWhereToSave, endWithError } from "./dialogs.ts";
export { notifyUser } from "./notify.ts";
export { setupOpenings } from "./openings.ts";
export { createPageRequests } from "./page-requests.ts";
export { type LaunchOptions, readLaunchOptions } from "./policy/launch-options.ts";
export { setupQuit } from "./quit.ts";
export { setupContentsGuards, setupPage, setupScheme, setupSessionGuards } from "./security.ts";
export { setupMainWindow, setupMenu } from "./window.ts";
