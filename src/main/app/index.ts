export { exportsPath } from "./exports.ts";
export type { AppHost, BatchNotice } from "./host.ts";
export { type AppParts, type KeptApp, keepApp } from "./keep-app.ts";
