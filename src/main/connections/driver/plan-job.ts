import type { Connection, Problem } from "#contract";
import type { Machine } from "#main/base";
import { parsePartLine } from "#main/requests";
import { openBatchAdapter } from "../adapters/open-adapter.ts";
import { limitsOf } from "../connection-settings.ts";
import { createPartPlanner, type PlannedPart } from "./plan.ts";

/** Plans a job at a connection before anything is sent. */
export interface JobPlanner {
  /** Adds the next request of the file; returns what the service doesn't support in it. */
  add(text: string, line: number): readonly Problem[];
  /** The parts that the requests so far are cut into; null where lines are called one by one. */
  parts(): readonly PlannedPart[] | null;
  close(): Promise<void>;
}

/** Plans a job as the connection's driver would. No service is asked, so no key is needed. */
export function createJobPlanner(connection: Connection, machine: Machine): JobPlanner {
  const adapter = openBatchAdapter(connection, { key: null, machine });
  if (adapter === null) return { add: () => [], parts: () => null, close: async () => {} };
  const planner = createPartPlanner(adapter, limitsOf(connection));
  let requests = 0;
  return {
    add(text, line) {
      requests += 1;
      return planner.add({ ...parsePartLine(text, line), line: requests }).map((problem) => ({ ...problem, line }));
    },
    parts: () => planner.parts({ from: 1, to: requests }),
    close: () => adapter.close(),
  };
}
