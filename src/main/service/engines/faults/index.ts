export type { Fault } from "./draw-fault.ts";
export { createFaults, type Faults, type HttpTarget, noFaults } from "./faults.ts";
export { createFaultyEngine } from "./faulty-engine.ts";
