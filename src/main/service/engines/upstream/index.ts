export { createUpstreamEngine, type UpstreamOptions } from "./upstream-engine.ts";
