import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { startSheaf } from "../../src/main/cli/testing/sheaf-process.ts";
import { killHosts, type Lives } from "./kills.ts";
import { createRandom, readSeed } from "./random.ts";
import { closeThreads } from "./service-run.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const seed = readSeed();
/** Each core has one. */
const folders = 2;
const killsOfFolder = 60;

afterAll(closeThreads);

/** Lives in that many folders at once; prints how many there were. */
async function live(what: string, count: number, lives: (folder: number) => Lives): Promise<void> {
  const begin = performance.now();
  const all = Array.from({ length: count }, (_, at) => killHosts(createRandom(seed + at), lives(at)));
  const problems = (await Promise.all(all)).flat();
  const seconds = Math.round((performance.now() - begin) / 1_000);
  const kills = count * lives(0).count;
  process.stdout.write(`\n${what}: ${kills} kills, ${problems.length} problems, ${seconds} s, SHEAF_SEED=${seed}\n`);
  expect(problems).toEqual([]);
}

test("serve and web are killed, and lose nothing, double nothing and change nothing", async () => {
  await live("kills", folders, () => ({
    count: killsOfFolder,
    commands: ["serve", "serve", "web"],
    start: (args) => startSheaf(args),
    use: (random) => wait(random.below(600)),
    mayRefuse: false,
  }));
});

/** Calls of the system that store something, with how each fails; strace counts them for each thread of the process. */
const injections = [
  ["fdatasync", "EIO", "2+3"],
  ["fdatasync", "EIO", "1..4"],
  ["fdatasync", "ENOSPC", "3+5"],
  ["fsync", "EIO", "1+2"],
  ["pwrite64", "ENOSPC", "4+6"],
  ["pwrite64", "EIO", "3..8"],
  ["rename", "EIO", "1+2"],
  ["rename", "EACCES", "2+2"],
  ["ftruncate", "EIO", "1+2"],
  ["unlink", "EACCES", "1+3"],
] as const;

/** The longest that a process waits for its first failure, in milliseconds. */
const longestWait = 10_000;

/** Why strace can't make calls fail here; null where it can. */
function findObstacle(): string | null {
  const { error, status } = spawnSync("strace", ["-qq", "-e", "inject=fdatasync:error=EIO", "true"]);
  return error === undefined && status === 0 ? null : "strace is not there, or may not be used";
}

test("a server whose calls of the system fail, and that is killed, loses nothing", async ({ skip }) => {
  const obstacle = findObstacle();
  skip(obstacle !== null, obstacle ?? "");
  const folder = mkdtempSync(join(temporaryFolder, "sheaf-strace-"));
  const headless = fileURLToPath(new URL("../../src/main/headless.ts", import.meta.url));
  const logOf = (life: number) => join(folder, `${life}.log`);
  const countFailed = (life: number) => readFileSync(logOf(life), "utf8").split("(INJECTED)").length - 1;
  try {
    await live("strace", 1, () => ({
      count: injections.length,
      commands: ["serve"],
      start(args, life) {
        const [call, error, when] = injections[life] ?? injections[0];
        const inject = ["-e", `trace=${call}`, "-e", `inject=${call}:error=${error}:when=${when}`];
        // The process itself is the child, and not strace.
        const traced = ["-D", "-f", "-qq", "-o", logOf(life), ...inject, process.execPath, headless, ...args];
        return spawn("strace", traced, { stdio: ["ignore", "pipe", "ignore"] });
      },
      // Until one of its calls has failed, however slow the machine is; not all of them come to be made.
      async use(random, life) {
        for (let waited = 0; waited < longestWait && countFailed(life) === 0; waited += 50) await wait(50);
        await wait(random.below(1_000));
      },
      mayRefuse: true,
    }));
    const failed = injections.map((_, life) => countFailed(life));
    process.stdout.write(`\nstrace: calls that failed: ${failed.join(", ")}\n`);
    expect(failed.filter((count) => count > 0).length).toBeGreaterThan(injections.length / 2);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
