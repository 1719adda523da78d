import { countNeverRan, describeEnds, formatCount, formatNumber, outcomeOf } from "#contract";
import { listEnds } from "../batch-report.ts";
import { type ExitCode, exitCodes } from "../cli-error.ts";
import { type CommandProcess, print, printError } from "../command-process.ts";
import type { JobFlags } from "../job-flags.ts";
import { findJobsFolder, type JobManifest, listJobs } from "../jobs/job-folder.ts";

/** `sheaf status`: the jobs of the command line, newest first, as the last command left them. */
export async function listStatus(flags: JobFlags, io: CommandProcess): Promise<ExitCode> {
  const jobs = await listJobs(findJobsFolder(flags, io));
  if (flags.json) {
    print(JSON.stringify(jobs.map(({ manifest }) => toJson(manifest))), io);
    return exitCodes.ok;
  }
  for (const { manifest } of jobs) {
    print(
      [
        manifest.id,
        describeStatus(manifest),
        describeCounts(manifest),
        nameFile(manifest),
        manifest.connection.name,
      ].join("\t"),
      io,
    );
  }
  if (jobs.length === 0) printError("There is no job yet: sheaf run FILE --connection NAME -o OUT begins one.", io);
  return exitCodes.ok;
}

/** The status as scripts know it, or "never ran". */
export function describeStatus(manifest: JobManifest): string {
  const outcome = outcomeOf(manifest);
  return outcome === "never_ran" ? "never ran" : outcome;
}

export function describeCounts(manifest: JobManifest): string {
  const { total, completed, failed, awaited = 0 } = manifest.counts;
  const neverRan = countNeverRan(manifest);
  const parts = [
    `${formatNumber(completed)} of ${formatCount(total, "request")} answered`,
    ...describeEnds(manifest.ends ?? {}),
    failed === awaited ? null : `${formatNumber(failed - awaited)} failed`,
    awaited === 0 ? null : `${formatCount(awaited, "result")} not there yet`,
    neverRan === 0 ? null : `${formatNumber(neverRan)} never ran`,
  ];
  return parts.filter((part) => part !== null).join(", ");
}

/** The name of the file that a job was made from, with its rows. */
export const nameFile = ({ file, rows }: Pick<JobManifest, "file" | "rows">) =>
  rows === "" ? file : `${file} (${rows})`;

/** A job as scripts read it. */
export function toJson(manifest: JobManifest) {
  const { id, file, rows, connection, status, counts, createdAt } = manifest;
  const { total, completed, failed, awaited = 0 } = counts;
  const about = { id, file, rows: rows || null, connection: connection.name, status };
  return {
    ...about,
    total,
    completed,
    failed: failed - awaited,
    ...(awaited > 0 && { awaited }),
    never_ran: countNeverRan(manifest),
    ends: manifest.ends && listEnds(manifest.ends),
    created_at: new Date(createdAt).toISOString(),
  };
}
