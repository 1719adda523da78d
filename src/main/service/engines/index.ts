export { createMockEngine, type MockEngineOptions, type Pace } from "./mock/index.ts";
export { countPromptTokens } from "./prompt.ts";
