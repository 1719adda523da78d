export { createFaults, createFaultyEngine, type Faults, type HttpTarget } from "./faults/index.ts";
export { createMockEngine, type MockEngineOptions, type Pace } from "./mock/index.ts";
export { countPromptTokens } from "./prompt.ts";
export {
  createRecordingEngine,
  createScriptedEngine,
  createSettableRules,
  openRulesFile,
  RulesError,
  type RulesInput,
  type RulesSource,
  type SettableRules,
} from "./scripted/index.ts";
export { streamReply } from "./stream-reply.ts";
export { createUpstreamEngine } from "./upstream/index.ts";
