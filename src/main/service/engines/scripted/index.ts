export { createRecordingEngine } from "./recording.ts";
export type { RulesInput } from "./rule-schema.ts";
export { RulesError } from "./rules-error.ts";
export { openRulesFile } from "./rules-file.ts";
export { createSettableRules, type RulesSource, type SettableRules } from "./rules-source.ts";
export { createScriptedEngine } from "./scripted-engine.ts";
