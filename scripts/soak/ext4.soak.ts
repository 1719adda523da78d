import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { startSheaf } from "../../src/main/cli/testing/sheaf-process.ts";
import { createRandom, readSeed } from "./random.ts";
import {
  closeThreads,
  createNotingEngine,
  endpoint,
  hashOf,
  inputOf,
  openFolder,
  readFile,
  readLines,
  settleAll,
} from "./service-run.ts";

const cuts = 12;
const imageBytes = 64_000_000;
const apiKey = "sk-sheaf-soak-0123456789";
const longest = 30_000;

/** Why no file system can be made and mounted here; null where it can. */
function findObstacle(): string | null {
  if (process.platform !== "linux" || process.getuid?.() !== 0)
    return "a file system is mounted by root on Linux alone";
  const folder = mkdtempSync(join(tmpdir(), "sheaf-loop-"));
  try {
    mount(makeImage(join(folder, "image")), folder);
    execFileSync("umount", [join(folder, "mounted")]);
    return null;
  } catch (error) {
    return `loop devices can't be used here: ${String(error).split("\n")[0]}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function makeImage(path: string): string {
  writeFileSync(path, "");
  truncateSync(path, imageBytes);
  execFileSync("mkfs.ext4", ["-q", "-F", path], { stdio: "pipe" });
  return path;
}

function mount(image: string, folder: string): string {
  const at = join(folder, "mounted");
  mkdirSync(at, { recursive: true });
  execFileSync("mount", ["-o", "loop", image, at], { stdio: "pipe" });
  return at;
}

interface Told {
  readonly uploads: Map<string, string>;
  readonly batches: Map<string, readonly string[]>;
}

test(`an ext4 file system that is cut ${cuts} times under a running server has all that was answered`, async ({
  skip,
}) => {
  const obstacle = findObstacle();
  skip(obstacle !== null, obstacle ?? "");
  const seed = readSeed();
  process.stdout.write(`\next4: SHEAF_SEED=${seed}\n`);
  const random = createRandom(seed);
  const folder = mkdtempSync(join(tmpdir(), "sheaf-ext4-"));
  const image = makeImage(join(folder, "image"));
  const at = mount(image, folder);
  const child = startSheaf([
    "serve",
    "--json",
    "--port",
    "0",
    "--pace",
    "30",
    "--api-key",
    apiKey,
    "--data-dir",
    join(at, "data"),
  ]);
  onTestFinished(async () => {
    const isOver = child.exitCode !== null || child.signalCode !== null;
    child.kill("SIGKILL");
    if (!isOver) await once(child, "exit");
    execFileSync("umount", [at]);
    rmSync(folder, { recursive: true, force: true });
    await closeThreads();
  });
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  const { url } = JSON.parse(String(line)) as { url: string };
  const headers = { authorization: `Bearer ${apiKey}` };
  const told: Told = { uploads: new Map(), batches: new Map() };
  let isOver = false;
  const act = async (client: number) => {
    for (let round = 0; !isOver; round++) {
      const ids = Array.from({ length: 1 + random.below(30) }, (_, number) => `${client}-${round}-${number}`);
      const form = new FormData();
      form.set("purpose", "batch");
      form.set("file", new File([Uint8Array.from(inputOf(ids))], "input.jsonl"));
      const file = (await (await fetch(`${url}/v1/files`, { method: "POST", headers, body: form })).json()) as {
        id: string;
      };
      told.uploads.set(file.id, hashOf(inputOf(ids)));
      const body = JSON.stringify({ input_file_id: file.id, endpoint, completion_window: "24h" });
      const json = { ...headers, "content-type": "application/json" };
      const batch = (await (await fetch(`${url}/v1/batches`, { method: "POST", headers: json, body })).json()) as {
        id: string;
      };
      told.batches.set(batch.id, ids);
      await wait(random.below(60));
    }
  };
  const clients = Promise.all([act(1), act(2)]);

  const copies: { readonly image: string; readonly told: Told }[] = [];
  for (let cut = 0; cut < cuts; cut++) {
    await wait(200 + random.below(500));
    // What was answered by now; then nothing more is written while the image is copied.
    const known = { uploads: new Map(told.uploads), batches: new Map(told.batches) };
    child.kill("SIGSTOP");
    const copy = join(folder, `copy-${cut}`);
    copyFileSync(image, copy);
    child.kill("SIGCONT");
    copies.push({ image: copy, told: known });
  }
  isOver = true;
  await clients;

  const problems: string[] = [];
  for (const [cut, copy] of copies.entries()) {
    const mounted = mount(copy.image, join(folder, `at-${cut}`));
    try {
      for (const problem of await check(join(mounted, "data"), copy.told)) problems.push(`cut ${cut}: ${problem}`);
    } finally {
      execFileSync("umount", [mounted]);
    }
  }
  expect(problems).toEqual([]);
});

async function check(dataDir: string, { uploads, batches }: Told): Promise<string[]> {
  if (!existsSync(dataDir)) return uploads.size === 0 ? [] : ["lost: the whole folder"];
  const problems: string[] = [];
  const service = await openFolder(dataDir, createNotingEngine());
  try {
    for (const [id, hash] of uploads) {
      const bytes = await readFile(service, id).catch((error: unknown) => String(error));
      if (typeof bytes === "string") problems.push(`lost: the upload ${id}: ${bytes}`);
      else if (hashOf(bytes) !== hash) problems.push(`wrong bytes: the upload ${id}`);
    }
    for (const id of await settleAll(service, longest)) problems.push(`hangs: the batch ${id}`);
    for (const [id, requests] of batches) {
      const batch = service.batches.get(id);
      const lines = await readLines(service, batch?.outputFileId ?? null).catch((error: unknown) => [String(error)]);
      const ids = lines.map((text) => /"custom_id":"([^"]*)"/.exec(text)?.[1]).sort();
      if (ids.join() !== [...requests].sort().join())
        problems.push(`lines: the batch ${id}, ${batch?.status}: ${ids.length} of ${requests.length}`);
    }
    // An upload that was not answered yet may have its bytes there.
    const notices = service.notices.list().filter(({ code }) => code !== "files_quarantined");
    for (const { message } of notices) problems.push(`notice: ${message}`);
  } finally {
    await service.close(0);
  }
  return problems;
}
