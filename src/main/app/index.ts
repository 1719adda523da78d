export { type App, createApp } from "./create-app.ts";
export { exportsPath } from "./exports.ts";
export type { AppHost, BatchNotice } from "./host.ts";
export { type AppParts, type KeptApp, keepApp, type OpenedApp } from "./keep-app.ts";
