export { describeFileError } from "./cli-error.ts";
export { findDataFolder } from "./data-folder.ts";
export { type FlagsOf, parseFlags, toKebabCase } from "./flag.ts";
export { listJobFolders } from "./jobs/job-folder.ts";
export { repairWithJobs } from "./jobs/repair-with-jobs.ts";
export { openSecrets } from "./open-secrets.ts";
export { runCli } from "./run-cli.ts";
export { webFlags } from "./server-flags.ts";
