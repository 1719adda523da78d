export { createMockEngine, type MockEngineOptions, type Pace } from "./mock/index.ts";
export { countPromptTokens, countTokens } from "./tokens.ts";
