export { type Backup, backUpFolder } from "./back-up-folder.ts";
export { createDoctorThread, type DoctorThread } from "./doctor-thread.ts";
export { type Examined, examineFolder } from "./examine-folder.ts";
export { type ExportedAnswers, exportAnswers } from "./export-answers.ts";
export type { Finding } from "./findings.ts";
export { FolderError } from "./folder-error.ts";
export { describeInUse, type Repaired, repairFolder } from "./repair-folder.ts";
