import type { ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { createORPCClient } from "@orpc/client";
import { RPCLink } from "@orpc/client/websocket";
import type { RpcClient } from "../../src/main/app/testing/app-fixture.ts";
import { exitOf } from "../../src/main/cli/testing/sheaf-process.ts";
import { exchangeCode, openSocket } from "../../src/main/web/testing/enter.ts";
import { checkFolder, type Expected } from "./check-folder.ts";
import { callApi, uploadOf } from "./client.ts";
import type { Random } from "./random.ts";
import { endpoint, hashOf, inputOf } from "./service-run.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const apiKey = "sk-sheaf-soak-0123456789";
const clients = 2;

/** What the clients of a folder asked for and were told, over all its lives. */
function createHistory() {
  return {
    uploads: new Map<string, string>(),
    sent: new Set<string>(),
    batches: new Map<string, string>(),
    requests: new Map<string, readonly string[]>(),
    cancels: new Set<string>(),
    cancelled: new Set<string>(),
    removals: new Set<string>(),
    removed: new Set<string>(),
    counted: new Map<string, number>(),
    read: new Map<string, readonly string[]>(),
    /** The names that a draft was given, the last that was answered first. */
    drafts: new Map<string, string[]>(),
  };
}
type History = ReturnType<typeof createHistory>;

function expect({ removals, uploads, batches, requests, ...told }: History): Expected {
  const stays = ([id]: readonly [string, string]) => !removals.has(id);
  return {
    ...told,
    uploads: new Map([...uploads].filter(stays)),
    batches: new Map([...batches].filter(stays)),
    requestsOf: ({ metadata }) => requests.get(metadata.key ?? ""),
    // By the mock; what a client has read of it is compared.
    isWritten: () => true,
    // An upload that was not answered may have its bytes there.
    notices: ["files_quarantined"],
  };
}

/** The processes that are killed. */
export interface Lives {
  readonly count: number;
  readonly commands: readonly ("serve" | "web")[];
  /** Starts one. */
  readonly start: (
    args: readonly string[],
    life: number,
  ) => ChildProcessByStdio<Writable | null, Readable, Readable | null>;
  /** Resolves when one has been used long enough. */
  readonly use: (random: Random, life: number) => Promise<unknown>;
  /** Whether the disk fails under it: a start, an upload and all changes may be refused then. */
  readonly mayRefuse: boolean;
}

/**
 * Kills `serve` and `web` again and again in one folder, under clients that upload, submit, poll, read, cancel, remove and save drafts.
 * After each kill a copy of the folder is opened. Returns all that is wrong.
 */
export async function killHosts(random: Random, { count, commands, start, use, mayRefuse }: Lives): Promise<string[]> {
  const root = mkdtempSync(join(temporaryFolder, "sheaf-kills-"));
  const dataDir = join(root, "data");
  const copy = join(root, "copy");
  const history = createHistory();
  const problems: string[] = [];
  for (let kill = 0; kill < count; kill++) {
    const command = random.oneOf(commands);
    const flags = command === "serve" ? ["--api-key", apiKey] : [];
    const child = start([command, "--json", "--port", "0", "--pace", "30", "--data-dir", dataDir, ...flags], kill);
    const ended = exitOf(child);
    let isKilled = false;
    const using: Promise<unknown>[] = [];
    // Also within its start, and what it repairs then.
    if (kill > 0 && random.chance(0.2)) {
      await Promise.race([wait(random.below(700)), ended]);
      if (child.exitCode !== null && !mayRefuse) problems.push(`${command} ends by itself: code ${child.exitCode}`);
    } else {
      const [line] = await Promise.race([once(createInterface({ input: child.stdout }), "line"), ended.then(() => [])]);
      if (line === undefined) {
        if (!mayRefuse) problems.push(`${command} does not start after kill ${kill}: code ${child.exitCode}`);
      } else {
        const { url } = JSON.parse(String(line)) as { url: string };
        const parts = { url, history, random, mayRefuse };
        const report = (problem: string) => void (isKilled || problems.push(`in life ${kill}: ${problem}`));
        const acting = command === "web" ? [actAsPage(parts, kill, report)] : actAsClients(parts, kill);
        // What a page waits for when its server dies may never end.
        using.push(...acting.map((one) => Promise.race([one.catch((error: unknown) => report(String(error))), ended])));
        await use(random, kill);
      }
    }
    isKilled = true;
    child.kill("SIGKILL");
    await ended;
    await Promise.all(using);
    rmSync(copy, { recursive: true, force: true });
    if (!existsSync(dataDir)) continue;
    cpSync(dataDir, copy, { recursive: true, filter: (path) => !/^(owner|lock)/.test(path.slice(dataDir.length + 1)) });
    const found = await checkFolder(copy, expect(history)).catch((error: unknown) => [`thrown: ${error}`]);
    problems.push(...found.map((problem) => `kill ${kill} of ${command}: ${problem}`));
    // What a kill has broken stays so: it is reported once, and can be looked at.
    if (problems.length > 0) return [...problems, `The folder is ${root}.`];
  }
  rmSync(root, { recursive: true, force: true });
  return problems;
}

interface Use {
  readonly url: string;
  readonly history: History;
  readonly random: Random;
  readonly mayRefuse: boolean;
}

const actAsClients = (use: Use, kill: number) =>
  Array.from({ length: clients }, (_, at) => actAsClient(use, `${kill}-${at}`));

/** A client of the service's API that does one thing after the other. */
async function actAsClient({ url, history, random, mayRefuse }: Use, name: string): Promise<void> {
  const request = async (method: string, path: string, body?: FormData | object) => {
    const response = await callApi(url + path, method, body, { apiKey });
    if (!response.ok) throw new Refusal(response.status, `${method} ${path}: ${await response.text()}`);
    return response;
  };
  const ask = async (...call: Parameters<typeof request>) => (await (await request(...call)).json()) as Answer;
  async function act(key: string): Promise<void> {
    const ids = Array.from({ length: 1 + random.below(random.chance(0.1) ? 300 : 30) }, (_, at) => `${key}-${at}`);
    const input = inputOf(ids);
    history.sent.add(hashOf(input));
    const { id: file } = await ask("POST", "/v1/files", uploadOf(input, `${key}.jsonl`));
    history.uploads.set(file, hashOf(input));
    if (random.chance(0.2)) {
      history.removals.add(file);
      await ask("DELETE", `/v1/files/${file}`);
      history.removed.add(file);
      return;
    }
    history.requests.set(key, ids);
    const about = { input_file_id: file, endpoint, completion_window: "24h", metadata: { key } };
    const { id } = await ask("POST", "/v1/batches", about);
    history.batches.set(id, file);
    for (let poll = random.below(6); poll > 0; poll--) {
      await wait(random.below(40));
      const { request_counts, output_file_id } = await ask("GET", `/v1/batches/${id}`);
      history.counted.set(id, request_counts?.completed ?? 0);
      if (output_file_id == null) continue;
      const text = await (await request("GET", `/v1/files/${output_file_id}/content`)).text();
      history.read.set(id, text.split("\n").slice(0, -1));
    }
    if (random.chance(0.2)) {
      history.cancels.add(id);
      // One that has ended meanwhile can't be cancelled.
      const { status } = await ask("POST", `/v1/batches/${id}/cancel`).catch(
        (error: unknown): Pick<Answer, "status"> => {
          if (error instanceof Refusal && error.status < 500) return { status: "completed" };
          throw error;
        },
      );
      if (status !== "completed") history.cancelled.add(id);
    }
  }
  for (let round = 0; ; round++) {
    await act(`${name}-${round}`).catch(async (error: unknown) => {
      const isRefused = error instanceof Refusal && [503, 507].includes(error.status);
      if (!mayRefuse || !isRefused) throw error;
      await wait(100);
    });
  }
}

/** An answer that is an error. */
class Refusal extends Error {
  readonly status: number;

  constructor(status: number, about: string) {
    super(`${status}: ${about}`);
    this.status = status;
  }
}

/** Of the service's answers, what is looked at. */
interface Answer {
  readonly id: string;
  readonly status?: string;
  readonly output_file_id?: string | null;
  readonly request_counts?: { readonly completed: number };
}

/** The page of the app: it has all drafts of before, saves more, stores files and cancels what runs. */
async function actAsPage(
  { url, history, random }: Use,
  kill: number,
  report: (problem: string) => void,
): Promise<void> {
  const socket = await openSocket(new URL(url).origin, await exchangeCode(url));
  const client: RpcClient = createORPCClient(new RPCLink({ websocket: socket }));
  const found = new Map((await client.drafts.list()).map(({ id, name }) => [id, name]));
  for (const [id, names] of history.drafts) {
    if (!names.includes(found.get(id) ?? "")) report(`lost: the draft ${names[0]}, it is ${found.get(id)}`);
  }
  for (let round = 0; ; round++) {
    const name = `${kill}-${round}`;
    const draft = await client.drafts.create({ name });
    history.drafts.set(draft.id, [name]);
    history.drafts.set(draft.id, [`${name} saved`, name]);
    const { updatedAt: _, ...saved } = draft;
    await client.drafts.save({ ...saved, name: `${name} saved` });
    history.drafts.set(draft.id, [`${name} saved`]);
    const input = inputOf([`${name}-page`]);
    history.sent.add(hashOf(input));
    const upload = await client.files.begin({ bytes: input.length });
    await client.files.append({ ...upload, offset: 0, chunk: new Blob([Uint8Array.from(input)]) });
    const { id } = await client.files.store({ ...upload, filename: `${name}.jsonl` });
    history.uploads.set(id, hashOf(input));
    const { batches } = await client.batches.list({ limit: 20 });
    const running = batches.find(({ status }) => status === "in_progress");
    if (running !== undefined && random.chance(0.3)) {
      history.cancels.add(running.id);
      const { status } = await client.batches.cancel({ id: running.id });
      if (status === "cancelling" || status === "cancelled") history.cancelled.add(running.id);
    }
  }
}
