import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { exitOf, startSheaf } from "../../src/main/cli/testing/sheaf-process.ts";
import { checkFolder } from "./check-folder.ts";
import { callApi, uploadOf } from "./client.ts";
import { createRandom, readSeed } from "./random.ts";
import { closeThreads, endpoint, hashOf, inputOf } from "./service-run.ts";

const cuts = 12;
const imageBytes = 64_000_000;
const apiKey = "sk-sheaf-soak-0123456789";

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
  /** The hash of each upload that was answered, by its id. */
  readonly uploads: ReadonlyMap<string, string>;
  /** The input of each batch that was answered. */
  readonly batches: ReadonlyMap<string, string>;
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
  const flags = ["--pace", "30", "--api-key", apiKey, "--data-dir", join(at, "data")];
  const child = startSheaf(["serve", "--json", "--port", "0", ...flags]);
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exitOf(child);
    execFileSync("umount", [at]);
    rmSync(folder, { recursive: true, force: true });
    await closeThreads();
  });
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  const { url } = JSON.parse(String(line)) as { url: string };
  const told = { uploads: new Map<string, string>(), batches: new Map<string, string>() };
  const requests = new Map<string, readonly string[]>();
  let isOver = false;
  const ask = async (path: string, body: FormData | object) =>
    (await (await callApi(url + path, "POST", body, { apiKey })).json()) as { id: string };
  const act = async (client: number) => {
    for (let round = 0; !isOver; round++) {
      const key = `${client}-${round}`;
      const ids = Array.from({ length: 1 + random.below(30) }, (_, number) => `${key}-${number}`);
      const input = inputOf(ids);
      requests.set(key, ids);
      const file = await ask("/v1/files", uploadOf(input, "input.jsonl"));
      told.uploads.set(file.id, hashOf(input));
      const about = { input_file_id: file.id, endpoint, completion_window: "24h", metadata: { key } };
      told.batches.set((await ask("/v1/batches", about)).id, file.id);
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
      const dataDir = join(mounted, "data");
      mkdirSync(dataDir, { recursive: true, mode: 0o700 });
      // A process of before that can't be found is waited for: its own tests are about that.
      for (const name of readdirSync(dataDir)) if (name.startsWith("owner")) rmSync(join(dataDir, name));
      const found = await checkFolder(dataDir, {
        ...copy.told,
        requestsOf: ({ metadata }) => requests.get(metadata.key ?? ""),
        cancelled: new Set(),
        cancels: new Set(),
        removed: [],
        // By the mock of the server.
        isWritten: () => true,
        notices: ["journal_damaged", "files_quarantined"],
      });
      problems.push(...found.map((problem) => `cut ${cut}: ${problem}`));
    } finally {
      execFileSync("umount", [mounted]);
    }
  }
  expect(problems).toEqual([]);
});
