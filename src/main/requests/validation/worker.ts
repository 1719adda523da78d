import { eventIterator, os, type RouterClient } from "@orpc/server";
import { z } from "zod";
import { problemGroupSchema, problemSchema } from "#contract";
import { createSystemMachine } from "#main/base";
import { followProgress, serveWorker } from "#main/storage";
import { checkFile, type FileCheck } from "./check-file.ts";
import { type CheckRules, checkRulesSchema } from "./rules.ts";

const machine = createSystemMachine();

/** Between two reports of progress, in milliseconds. */
const progressInterval = 100;

const fileCheckSchema: z.ZodType<FileCheck> = z.object({
  report: z.object({
    requests: z.int(),
    bytes: z.number(),
    problems: z.array(problemSchema),
    errorCount: z.int(),
    warningCount: z.int(),
    faultyLines: z.int(),
    groups: z.array(problemGroupSchema),
    models: z.array(z.string()),
  }),
  lineStarts: z.instanceof(Float64Array<ArrayBuffer>),
  lineChecksums: z.instanceof(Uint32Array<ArrayBuffer>),
});

const checkEventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("progress"), bytes: z.number(), total: z.number() }),
  z.object({ type: z.literal("checked"), check: fileCheckSchema }),
]);
type CheckEvent = z.infer<typeof checkEventSchema>;

/** Several checks at a time take turns by chunk of their file. */
async function* check(path: string, rules: CheckRules, signal: AbortSignal | undefined): AsyncGenerator<CheckEvent> {
  const check = yield* followProgress<CheckEvent, FileCheck>(
    (report, ended) =>
      checkFile(path, rules, {
        signal: ended,
        onProgress: (bytes, total) => report({ type: "progress", bytes, total }),
      }),
    { machine, interval: progressInterval, signal },
  );
  yield { type: "checked", check };
}

const router = {
  check: os
    .input(z.object({ path: z.string(), rules: checkRulesSchema }))
    .output(eventIterator(checkEventSchema))
    .handler(({ input, signal }) => check(input.path, input.rules, signal)),
};

/** What the thread that checks batch input files can be asked. */
export type ValidationClient = RouterClient<typeof router>;

serveWorker(router);
