export { type App, createApp } from "./create-app.ts";
export { exportsPath } from "./exporter.ts";
export type { AppHost } from "./host.ts";
