import { verifyWithConnection } from "#main/connections";
import { systemTextOf } from "#main/verifications";
import { os, type RpcContext } from "./base.ts";
import { openConnection } from "./connections.ts";
import { watchRuns } from "./watch-runs.ts";

export const verifications = os.verifications.router({
  verifyResponse: os.verifications.verifyResponse.handler(
    ({ context, input: { judge, model, preset, connectionId, ...input }, signal }) => {
      const choice = { judge, model, preset, ...(connectionId !== undefined && { connectionId }) };
      return context.singleVerifications.verify(input, choice, signal);
    },
  ),
  verifyWithConnection: os.verifications.verifyWithConnection.handler(
    async ({ context, input: { connectionId, ...input }, signal = new AbortController().signal }) => {
      const { connection } = await openConnection(connectionId, context);
      return verifyWithConnection(connection, input, { keys: context.connections, machine: context.machine, signal });
    },
  ),
  history: os.verifications.history.handler(({ context }) => context.singleVerifications.history()),
  fromHistory: os.verifications.fromHistory.handler(({ context, input }) => context.singleVerifications.get(input.id)),
  clearHistory: os.verifications.clearHistory.handler(({ context }) => context.singleVerifications.clearHistory()),
  get: os.verifications.get.handler(({ context: { service }, input }) => service.verifications.get(input.batchId)),
  options: os.verifications.options.handler(async ({ context: { service, build }, input: { batchId } }) => ({
    hasSystemMessages: await service.verifications.hasSystemMessages(batchId),
    columns: [...(await build.batchSources.columns(batchId))],
  })),
  start: os.verifications.start.handler(async ({ context: { service, build }, input }) => {
    if (input.document.from === "column") await build.batchSources.requireColumn(input.batchId, input.document.column);
    const readColumn = await build.batchSources.columnReader(input.batchId);
    return service.verifications.start({ ...input, ...(readColumn && { readColumn }) });
  }),
  resume: os.verifications.resume.handler(async ({ context: { service, build }, input: { batchId } }) =>
    service.verifications.resume(batchId, await build.batchSources.columnReader(batchId)),
  ),
  cancel: os.verifications.cancel.handler(({ context: { service }, input }) =>
    service.verifications.cancel(input.batchId),
  ),
  watch: os.verifications.watch.handler(({ context: { service, machine }, signal }) =>
    watchRuns(service.verifications, machine, signal),
  ),
  line: os.verifications.line.handler(async ({ context, input: { batchId, line } }) => {
    const result = await context.service.verifications.line(batchId, line);
    return result && { result, document: await readDocument(context, batchId, line) };
  }),
});

/** The document that a line was judged by; null where there was none, and where its table is gone. */
async function readDocument({ service, build }: RpcContext, batchId: string, line: number): Promise<string | null> {
  const run = await service.verifications.get(batchId);
  if (run === null || run.document.from === "none") return null;
  if (run.document.from === "system_message") {
    const [detail] = await service.results.lines(batchId, [line]);
    return detail === undefined ? null : systemTextOf(detail.messages);
  }
  const readColumn = await build.batchSources.columnReader(batchId);
  for await (const [cell = null] of readColumn?.(run.document.column, line) ?? []) return cell;
  return null;
}
