export { ServiceError, type ServiceErrorCode } from "./errors.ts";
export type * from "./ports.ts";
export type * from "./types.ts";
