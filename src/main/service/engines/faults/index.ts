export { createFaults, type Faults, type HttpTarget } from "./faults.ts";
export { createFaultyEngine } from "./faulty-engine.ts";
