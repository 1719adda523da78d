export { describeFileError } from "./cli-error.ts";
export { findDataFolder } from "./data-folder.ts";
export { parseFlags, webFlags } from "./flags.ts";
export { listJobFolders } from "./jobs/job-folder.ts";
export { openSecrets } from "./open-secrets.ts";
export { runCli } from "./run-cli.ts";
