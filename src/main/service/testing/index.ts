export { createHeldEngine, createTestEngine, type HeldEngine, replyTo } from "./engines.ts";
export { fileOf, readGsm8kQuestions, requestLine, toJsonl } from "./requests.ts";
export { openTestService, readContent, sharedJudge, sharedValidation, type TestService, upload } from "./service.ts";
export { makeTempDir } from "./temp-dir.ts";
