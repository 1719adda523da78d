export { type App, type AppOptions, type AppWorkerUrls, createApp, type PagePort } from "./create-app.ts";
export { exportsPath } from "./exporter.ts";
export type { AppHost } from "./host.ts";
