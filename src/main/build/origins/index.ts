export { createOrigins, type Origins } from "./origins.ts";
