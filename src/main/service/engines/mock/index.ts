export { createMockEngine, type MockEngineOptions } from "./mock-engine.ts";
export type { Pace } from "./pace.ts";
