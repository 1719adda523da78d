export { type ModelParts, noUsage } from "./ask-model.ts";
export { judgeStatements, type ModelJudgement } from "./judge-statements.ts";
