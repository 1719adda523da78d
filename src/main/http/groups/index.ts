import type { AddRoutes } from "./route-group.ts";

export { addRoutes as addCoreRoutes } from "./core.ts";
export type { AddRoutes, RouteParts } from "./route-group.ts";

/** Routes that are added when the first request to one of their paths comes: few programs use all of them, and each takes time to add. */
export interface LateGroup {
  readonly path: RegExp;
  load(): Promise<AddRoutes>;
}

/** All others are in the core, which is there from the start. */
export const lateGroups: readonly LateGroup[] = [
  {
    path: /^\/(sheaf|metrics|docs|openapi\.json)(?=[/?]|$)/,
    load: async () => (await import("./control.ts")).addRoutes,
  },
  { path: /^\/v1\/messages(?=[/?]|$)/, load: async () => (await import("./anthropic.ts")).addRoutes },
  { path: /^\/((upload|download)\/)?v1beta\//, load: async () => (await import("./gemini.ts")).addRoutes },
  { path: /^\/(v1\/mcp|register)(?=[/?]|$)/, load: async () => (await import("./mcp.ts")).addRoutes },
];
