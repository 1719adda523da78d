export { createRulesThread, type RulesThread } from "./rules-thread.ts";
