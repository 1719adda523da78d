import { afterEach, beforeEach } from "vitest";
import { createFakeMachine, type FakeMachine, makeTempDir } from "../../../service/testing/index.ts";
import type { Kind } from "./kinds.ts";
import { type Scenario, type ScenarioOptions, startScenario } from "./start-scenario.ts";
import { type ClientRow, openVendorClient, type VendorClient } from "./vendor-client.ts";

const key = "sk-0123456789abcdef";
export const ids = ["q-1", "q-2", "q-3", "q-4", "q-5", "q-6"];
/** One of each protocol; Azure's and Groq's is OpenAI's below other addresses. */
export const kinds = ["openai", "together", "anthropic", "gemini"] as const satisfies readonly Kind[];

export let machine: FakeMachine;
let open: Scenario[] = [];
beforeEach(() => {
  machine = createFakeMachine();
  open = [];
});
afterEach(() => Promise.all(open.map((scenario) => scenario.close())));

/** A stand-in and the vendor's own client of it. */
export async function start(kind: Kind, options: Partial<ScenarioOptions> & { timeout?: number } = {}) {
  const { timeout = 30_000, ...rest } = options;
  const scenario = await startScenario(kind, { key, machine, ...rest });
  open.push(scenario);
  const client = openVendorClient(kind, { url: scenario.url, key, timeout, folder: await makeTempDir() });
  return { scenario, client };
}

export const answersOf = (rows: readonly ClientRow[]): string[] => rows.flatMap(({ answer }) => answer ?? []);
/** What a piece of work failed with, or null. */
export const failed = async (work: Promise<unknown>): Promise<string | null> => {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  return error === null ? null : String(error);
};

/** Waits for work while the machine's time passes. */
export async function passTime<T>(work: Promise<T>): Promise<T> {
  let isOver = false;
  const watched = work.finally(() => {
    isOver = true;
  });
  while (!isOver) await machine.advance(1_000);
  return await watched;
}

/** Reads a batch as long as `times`, both files each time. */
export async function readOn(client: VendorClient, id: string, times: number): Promise<ClientRow[]> {
  const rows: ClientRow[] = [];
  for (let time = 0; time < times; time++) {
    const batch = await client.retrieve(id);
    for (const file of ["output", "error"] as const) {
      if (batch[file] === null || batch[file] === "") continue;
      await client.read(batch, file).then(
        (read) => void rows.push(...read),
        () => {},
      );
    }
  }
  return rows;
}
