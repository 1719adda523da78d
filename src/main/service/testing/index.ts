export { createFakeMachine, type FakeMachine } from "../../base/clock/fake-machine.ts";
export { createManualEngine, createTestEngine, type ManualEngine, replyTo } from "./engines.ts";
export { makeBatchRecord, makeFileRecord } from "./records.ts";
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
