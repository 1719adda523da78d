export type { MockSettings } from "./controls.ts";
export { closeHttpApp, ServerError, type ServerErrorKind } from "./listen-locally.ts";
export { createServerSwitch, type ServerSwitch } from "./server-switch.ts";
