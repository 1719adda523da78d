export { createFakeMachine, type FakeMachine } from "../clock/index.ts";
export { makeBatchRecord } from "./batch-record.ts";
export { createManualEngine, createTestEngine, type ManualEngine, replyTo } from "./engines.ts";
export {
  fileOf,
  makeTempDir,
  openTestService,
  readContent,
  readGsm8kQuestions,
  requestLine,
  sharedThreads,
  type TestService,
  toJsonl,
  upload,
} from "./service.ts";
