export { backUpFolder } from "./back-up-folder.ts";
export { type Examined, examineFolder, FolderError } from "./examine-folder.ts";
export { type ExportedAnswers, exportAnswers } from "./export-answers.ts";
export type { Finding } from "./findings.ts";
export { repairFolder } from "./repair-folder.ts";
