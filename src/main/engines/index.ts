export { createEndpointCaller } from "./endpoint-caller.ts";
export { createEngineError } from "./engine-error.ts";
export {
  createFaults,
  createScopedFaults,
  type Fault,
  type Faults,
  type HttpTarget,
  type ScopedFaults,
} from "./faults.ts";
export { createMockEngine } from "./mock/mock-engine.ts";
export type { Pace } from "./mock/pace.ts";
export { createSample } from "./random.ts";
export { type RealtimeGate, realtimeLimits } from "./realtime-gate.ts";
export { checkProgramRules } from "./scripted/function-rules.ts";
export { createRecordingEngine } from "./scripted/recording.ts";
export { createCallFilter } from "./scripted/rule-book.ts";
export {
  jsonValueSchema,
  type Match,
  matchSchema,
  type Rules,
  type RulesInput,
  ruleSchema,
  rulesSchema,
} from "./scripted/rule-schema.ts";
export {
  createFixedRules,
  isFolder,
  openRecordings,
  openRulesFile,
  parseRules,
  RulesError,
  type RulesSource,
} from "./scripted/rules-source.ts";
export { createScopedRules, type ScopedRules } from "./scripted/scoped-rules.ts";
export { ConnectionReset, createScriptedEngine, toEngineCall } from "./scripted/scripted-engine.ts";
export { loadTemplates } from "./scripted/templates.ts";
export { createSteeredEngine, type SteeredEngineSettings } from "./steered-engine.ts";
export { createStoredResponses, type StoredResponse, type StoredResponses } from "./stored-responses.ts";
export {
  describeFailedAnswer,
  describeUnreadable,
  hideKeyInError,
} from "./upstream/failures.ts";
export { type NetworkFailure, readNetworkFailure } from "./upstream/network-failures.ts";
export { StreamError } from "./upstream/read-answer.ts";
export { passingStatuses, readWait } from "./upstream/read-wait.ts";
export { readData } from "./upstream/server-events.ts";
export {
  AnswerTooLargeError,
  decompress,
  limitAnswer,
  readText,
  UnusableKeyError,
  writeKey,
} from "./upstream/transport.ts";
export type { UpstreamApi } from "./upstream/upstream-api.ts";
export { createUpstreamEngine, type UpstreamOptions } from "./upstream/upstream-engine.ts";
export { readAskedWait, waitAsAsked } from "./wait-as-asked.ts";
