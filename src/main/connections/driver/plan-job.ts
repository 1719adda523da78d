import type { Connection, Problem } from "#contract";
import { countPromptTokens } from "#service";
import { openBatchAdapter } from "../adapters/open-adapter.ts";
import { limitsOf } from "../connection.ts";
import { listProblems, parsePartLine } from "./part-line.ts";
import { type PartRange, planParts } from "./plan.ts";

/** What a job would come to at a connection, before anything is sent. */
export interface JobPlanner {
  /** Takes in the next request of the file; answers with what the service can't do of it. */
  add(text: string, line: number): readonly Problem[];
  /** The parts that the requests so far are cut into; null where lines are called one by one. */
  parts(): readonly PartRange[] | null;
  close(): Promise<void>;
}

/** Plans a job as the connection's driver would. No service is asked, so no key is needed. */
export function createJobPlanner(connection: Connection): JobPlanner {
  const adapter = openBatchAdapter(connection, null);
  const limits = limitsOf(connection);
  const bytes: number[] = [];
  const tokens: number[] = [];
  return {
    add(text, line) {
      if (adapter === null) return [];
      const part = parsePartLine(text, line);
      if (limits.tokens !== null) tokens.push(countPromptTokens(part.request.messages));
      const encoded = adapter.encode(part);
      bytes.push("text" in encoded ? Buffer.byteLength(encoded.text) + 1 : 0);
      return listProblems(encoded, line);
    },
    parts: () =>
      adapter === null ? null : planParts({ bytes, tokens: limits.tokens === null ? null : tokens }, limits),
    close: async () => await adapter?.close(),
  };
}
