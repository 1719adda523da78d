import type { Sheaf, SheafOptions } from "./types.ts";

// All of the service, once Node is known to be new enough (`node-globals.ts`).
const service = await import("./start-sheaf.ts");

/** Starts a service on a free port of this machine. */
export const startSheaf: (options?: SheafOptions) => Promise<Sheaf> = service.startSheaf;
export type * from "./types.ts";
export type * from "./wire-types.ts";
