export { startSheaf } from "./start-sheaf.ts";
export type * from "./types.ts";
export type * from "./wire-types.ts";
