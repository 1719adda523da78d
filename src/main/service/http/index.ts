export { createHttpApp, type HttpApp, type HttpAppOptions } from "./app.ts";
export { type DialectName, dialectNames, dialects } from "./dialect.ts";
export { toWireBatch } from "./wire.ts";
