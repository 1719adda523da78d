import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openHttpApp } from "#main/http";
import type { Service } from "#main/service";
import { createSystemMachine } from "../../src/main/base/clock/machine.ts";
import { checkFolder, type Expected } from "./check-folder.ts";
import { callApi, uploadOf } from "./client.ts";
import type { DiskFault } from "./disk/disk-log.ts";
import { disk } from "./disk/patched-disk.ts";
import { createNotingEngine, endpoint, hashOf, inputOf, openFolder, settleAll, within } from "./service-run.ts";

/** How long a call may take while the disk fails, in milliseconds. */
const longestCall = 30_000;
/** How long it may take after that until all is well again. */
const longestHealing = 30_000;

const machine = createSystemMachine();

/** What a client has been told in a run. */
interface Told {
  readonly uploads: Map<string, string>;
  readonly batches: Map<string, { readonly input: string; readonly requests: readonly string[] }>;
  /** Asked to be cancelled, whatever the answer was. */
  readonly cancels: Set<string>;
  readonly removed: Set<string>;
}

export interface FaultReport {
  readonly problems: readonly string[];
  /** How many operations could have failed with each error until the disk was well. */
  readonly failable: Readonly<Record<DiskFault["code"], number>>;
  /** Whether one did. */
  readonly hasFailed: boolean;
}

/**
 * A short run (a start, uploads, batches, a cancel, a removal, an end) in which an operation of the disk fails, or all from one on
 * until the disk is well again. Returns all that is wrong: something acknowledged that is gone, a wrong byte, a call without an answer,
 * a batch that is stuck or ends otherwise than it should.
 */
export async function tryFault(fault: DiskFault): Promise<FaultReport> {
  const folder = mkdtempSync(join(tmpdir(), "sheaf-fault-"));
  const dataDir = join(folder, "data");
  mkdirSync(dataDir, { mode: 0o700 });
  const injected = disk.fail(dataDir, fault);
  const told: Told = { uploads: new Map(), batches: new Map(), cancels: new Set(), removed: new Set() };
  const problems: string[] = [];
  const report = (problem: string) =>
    problems.push(`${problem} (${fault.code} ${fault.forGood ? "from" : "at"} ${fault.after}, ${injected.failed})`);
  try {
    let service: Service | null = null;
    // A start may be refused while the disk fails, and says so; then it is tried again.
    for (let attempt = 0; service === null; attempt++) {
      if (attempt > 0) {
        injected.heal();
        await machine.sleep(200);
      }
      service = await within(openFolder(dataDir, createNotingEngine()), longestCall, machine, "The start hangs").catch(
        (error: unknown) => {
          if (attempt > 5 || String(error).includes("hangs")) throw error;
          return null;
        },
      );
    }
    await use(service, told, report, () => fault.forGood && injected.heal());
    injected.heal();
    for (const id of await settleAll(service, longestHealing)) {
      const { status, waiting } = service.batches.get(id) ?? {};
      report(`hangs: the batch ${id}, ${status}, ${waiting}`);
    }
    await within(service.close(0), longestCall, machine, "The end hangs");
    if (problems.length === 0) for (const problem of await checkFolder(dataDir, expect(told))) report(problem);
  } catch (error) {
    report(`thrown: ${error instanceof Error ? error.stack : String(error)}`);
  } finally {
    injected.heal();
    rmSync(folder, { recursive: true, force: true });
  }
  return { problems, failable: injected.failable, hasFailed: injected.failed !== null };
}

async function use(service: Service, told: Told, report: (problem: string) => void, heal: () => void): Promise<void> {
  const app = await openHttpApp({ service, apiKey: null });
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  const call = async (method: string, path: string, body?: object | FormData) => {
    // Ports are used again by other runs.
    const asked = callApi(url + path, method, body, { closes: true });
    const response = await within(asked, longestCall, machine, `${method} ${path} is not answered`);
    const answer = (await response.json()) as Record<string, unknown>;
    if (response.status === 500) report(`500: ${method} ${path}: ${JSON.stringify(answer)}`);
    const isGone = method === "DELETE" && response.status === 404;
    return response.ok || isGone ? answer : null;
  };
  /** Until it is answered well; after the first refusals the disk is well again. */
  const insist = async (method: string, path: string, body: () => object | FormData | undefined) => {
    const end = machine.monotonic() + longestHealing;
    for (let attempt = 0; ; attempt++) {
      const answer = await call(method, path, body());
      if (answer !== null) return answer;
      if (attempt === 1) heal();
      if (machine.monotonic() > end) throw new Error(`${method} ${path} is refused although the disk is well`);
      await machine.sleep(200);
    }
  };
  try {
    let attempt = 0;
    const upload = async (ids: readonly string[]) => {
      const input = inputOf(ids);
      const file = await insist("POST", "/v1/files", () => uploadOf(input, `${attempt++}.jsonl`));
      told.uploads.set(String(file.id), hashOf(input));
      return String(file.id);
    };
    const submit = async (ids: readonly string[]) => {
      const input_file_id = await upload(ids);
      const about = { input_file_id, endpoint, completion_window: "24h" };
      const batch = await insist("POST", "/v1/batches", () => about);
      told.batches.set(String(batch.id), { input: input_file_id, requests: ids });
      return String(batch.id);
    };
    const first = await submit(["a-1", "a-2", "a-3"]);
    const unused = await upload(["unused"]);
    await call("GET", `/v1/batches/${first}`);
    const second = await submit(Array.from({ length: 12 }, (_, at) => `b-${at}`));
    told.cancels.add(second);
    await call("POST", `/v1/batches/${second}/cancel`);
    await insist("DELETE", `/v1/files/${unused}`, () => undefined);
    told.removed.add(unused);
    await settleAll(service, 1_000);
    await call("GET", "/health");
    await call("GET", "/v1/batches");
    for (const file of service.files.list()) await call("GET", `/v1/files/${file.id}`);
  } finally {
    heal();
    await app.close();
  }
}

/** What the folder must have, on a disk that is well. */
const expect = ({ uploads, batches, cancels, removed }: Told): Expected => ({
  uploads: new Map([...uploads].filter(([id]) => !removed.has(id))),
  batches: new Map([...batches].map(([id, { input }]) => [id, input])),
  requestsOf: ({ id }) => batches.get(id)?.requests,
  cancelled: new Set(),
  cancels,
  removed,
  // Bytes of an upload that was refused may be left.
  notices: ["files_quarantined"],
});
