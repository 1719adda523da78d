import { defineCommand, type SheafCommand } from "./define-command.ts";
import { costsFlags, fetchFlags, jobFlags, resolveFlags, retryFlags, submitFlags } from "./job-flags.ts";

const details = `
Examples:
  sheaf status                                 all jobs of the command line
  sheaf status batch_0123abcd                  one of them, asked at its service
  sheaf fetch batch_0123abcd -o answers.jsonl --wait
  sheaf retry batch_0123abcd -o answers.jsonl
  sheaf retry batch_0123abcd --cut --empty -o answers.jsonl
  sheaf cancel batch_0123abcd
  sheaf resolve batch_0123abcd --send-again    after a create whose answer was lost

Exit codes: 0 done; of fetch: all requests were answered; 1 something failed or is still missing; 2 no such job, or wrong
flags.`;
const batchId = { "<ID>": "of a batch, as sheaf submit and sheaf status print it" };

/** Jobs on connections, which outlive a command. */
export const jobCommands: readonly SheafCommand[] = [
  defineCommand({
    name: "submit",
    summary: "hand a batch to a batch service",
    description: "Submit a batch file to a batch service, print its id and exit.",
    arguments: { "<FILE>": "batch file, one request per line (JSONL); - is standard input" },
    flags: submitFlags,
    details: `
The batch's id is the only thing on stdout. The service works on while nothing runs here; sheaf fetch has the answers.

Examples:
  sheaf submit batch.jsonl --connection OpenAI --first 1000
  id=$(sheaf submit batch.jsonl --connection OpenAI)
  sheaf status "$id"
  sheaf fetch "$id" -o answers.jsonl --wait

Exit codes: 0 all of it is at the service, 1 it could not be sent, 2 wrong flags, or FILE does not validate.`,
    run: async (flags, io, file: string) => {
      const { submit } = await import("./commands/run-on-connection.ts");
      return await submit(file, flags, io);
    },
  }),
  defineCommand({
    name: "status",
    summary: "show the progress of jobs on connections",
    description: "List the jobs of the command line, or look at one of them and at its service.",
    arguments: { "[ID]": "of a batch; all jobs without" },
    flags: jobFlags,
    details,
    run: async (flags, io, id: string | undefined) => {
      if (id === undefined) {
        const { listStatus } = await import("./commands/list-jobs.ts");
        return await listStatus(flags, io);
      }
      const { showStatus } = await import("./commands/jobs.ts");
      return await showStatus(id, flags, io);
    },
  }),
  defineCommand({
    name: "fetch",
    summary: "write the answers of a job",
    description: "Write the answers that a job has so far, after a look at its service.",
    arguments: batchId,
    flags: fetchFlags,
    details,
    run: async (flags, io, id: string) => {
      const { fetchAnswers } = await import("./commands/jobs.ts");
      return await fetchAnswers(id, flags, io);
    },
  }),
  defineCommand({
    name: "retry",
    summary: "send unanswered requests again",
    description:
      "Send the requests of a job again that failed or never ran, and on request those with a cut or empty answer.",
    arguments: batchId,
    flags: retryFlags,
    details,
    run: async (flags, io, id: string) => {
      const { retryJob } = await import("./commands/jobs.ts");
      return await retryJob(id, flags, io);
    },
  }),
  defineCommand({
    name: "resolve",
    summary: "decide what to do after an unconfirmed submit",
    description:
      "When the reply to a batch's creation was lost and its service does not list the batch, nothing is sent again by itself. Choose what to do.",
    arguments: batchId,
    flags: resolveFlags,
    details,
    run: async (flags, io, id: string) => {
      const { resolveJob } = await import("./commands/jobs.ts");
      return await resolveJob(id, flags, io);
    },
  }),
  defineCommand({
    name: "cancel",
    summary: "cancel a job",
    description: "Cancel a job, here and at its service. Its answers stay.",
    arguments: batchId,
    flags: jobFlags,
    details,
    run: async (flags, io, id: string) => {
      const { cancelJob } = await import("./commands/jobs.ts");
      return await cancelJob(id, flags, io);
    },
  }),
  defineCommand({
    name: "costs",
    summary: "show what a month cost",
    description: "Show the cost of a month by day, connection, model and kind, for the app and the command line.",
    flags: costsFlags,
    details: `
A batch counts on the day that it was created, in UTC. Trials and direct calls count. Reused answers cost nothing, and
are not counted. Deleted batches are missing.

Examples:
  sheaf costs
  sheaf costs --month 2026-11 --json    {"month","total","at_least","rows"}

Exit codes: 0 shown, 2 wrong flags.`,
    run: async (flags, io) => {
      const { showCosts } = await import("./commands/costs.ts");
      return await showCosts(flags, io);
    },
  }),
];
