export { closeHttpApp } from "./close-http-app.ts";
export { ServerError, type ServerErrorKind } from "./server-error.ts";
export { createServerSwitch, type ServerSwitch, type ServerSwitchOptions } from "./server-switch.ts";
