export { createUpstreamEngine } from "./upstream-engine.ts";
