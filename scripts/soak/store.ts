/**
 * What a crash, a power cut, a failing and a rotten disk may do to a data folder, tried again and again:
 *
 *     node scripts/soak/store.ts crash-states 500
 *     node scripts/soak/store.ts migration 200
 *     node scripts/soak/store.ts recovery 300
 *     node scripts/soak/store.ts failing-disk all
 *     node scripts/soak/store.ts damage 3000
 *
 * A number with `s` is for how many seconds. What is wrong goes to stdout, a line each; the last line is how many cases there were.
 */
import "./disk/patched-disk.ts";
import { createSystemMachine } from "#service/machine";
import type { DiskFault } from "./disk/disk-log.ts";
import { createRandom, readSeed } from "./random.ts";

// After the disk is patched: what these load uses it.
const { tryCrashState } = await import("./crash-states.ts");
const { recordMigration, tryMigration } = await import("./migration.ts");
const { recordRecoveries, tryRecovery } = await import("./recovery.ts");
const { recordRun } = await import("./record-run.ts");
const { listDamages, makeSmallFolder, tryDamage } = await import("./damage.ts");
const { tryFault } = await import("./failing-disk.ts");
const { closeThreads } = await import("./service-run.ts");

const [kind = "", amount = "all"] = process.argv.slice(2);
const seed = readSeed();
const random = createRandom(seed);
const machine = createSystemMachine();
const begin = machine.monotonic();
const most = amount.endsWith("s") || amount === "all" ? Number.POSITIVE_INFINITY : Number(amount);
const longest = amount.endsWith("s") ? Number.parseFloat(amount) * 1_000 : Number.POSITIVE_INFINITY;
/** Many cases wait for a disk that is healed within seconds, or for a sync. */
const atOnce = 8;
let cases = 0;
let wrong = 0;

const isOver = () => cases >= most || machine.monotonic() - begin > longest;

async function run(next: () => Promise<readonly string[]> | null): Promise<void> {
  while (!isOver()) {
    const running = next();
    if (running === null) return;
    cases += 1;
    for (const problem of await running) {
      wrong += 1;
      print(problem);
    }
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** A run is recorded alone, and a few seconds of it are worth so many states. */
const statesOfRun = 50;
/** Of two short starts there are not many more, and not of four. */
const statesOfMigrations = 500;
const statesOfRecoveries = 1_000;

async function tryCrashStates(): Promise<void> {
  for (let part = 0; !isOver(); part++) {
    const recorded = await recordRun(seed + part, longest < 10_000 ? 1_000 : 2_500);
    let state = 0;
    const next = () => (state++ < statesOfRun ? tryCrashState(recorded, seed + part * statesOfRun + state) : null);
    await Promise.all([run(next), run(next)]);
    recorded.remove();
  }
}

async function tryMigrations(): Promise<void> {
  const [one, other] = [await recordMigration("2db1be4"), await recordMigration("7ab37f8")];
  let state = 0;
  const next = () => {
    state += 1;
    return state > statesOfMigrations ? null : tryMigration(state % 2 === 0 ? one : other, seed + state);
  };
  await Promise.all([run(next), run(next)]);
  one.remove();
  other.remove();
}

async function tryRecoveries(): Promise<void> {
  const small = await makeSmallFolder();
  const recorded = await recordRecoveries(small);
  let state = 0;
  const next = () => {
    const one = recorded[state++ % recorded.length];
    return one === undefined || state > statesOfRecoveries ? null : tryRecovery(one, seed + state);
  };
  await Promise.all([run(next), run(next)]);
  for (const one of [small, ...recorded]) one.remove();
}

async function tryFaults(): Promise<void> {
  const { failable } = await tryFault({ code: "EIO", after: Number.POSITIVE_INFINITY, forGood: false });
  const faults: DiskFault[] = [];
  for (const code of ["EIO", "ENOSPC", "EMFILE", "EACCES"] as const) {
    for (const forGood of [false, true]) {
      for (let after = 1; after <= failable; after++) faults.push({ code, after, forGood });
    }
  }
  await tryAll(faults, async (fault) => (await tryFault(fault)).problems);
}

async function tryDamages(): Promise<void> {
  const small = await makeSmallFolder();
  await tryAll(listDamages(small, random), (damage) => tryDamage(small, damage));
  small.remove();
}

/** All of them, or so many, in an order that follows from the seed. */
async function tryAll<T>(all: T[], attempt: (one: T) => Promise<readonly string[]>): Promise<void> {
  const next = () => {
    const [one] = all.splice(random.below(all.length), 1);
    return one === undefined ? null : attempt(one);
  };
  await Promise.all(Array.from({ length: atOnce }, () => run(next)));
}

const kinds = {
  "crash-states": tryCrashStates,
  migration: tryMigrations,
  recovery: tryRecoveries,
  "failing-disk": tryFaults,
  damage: tryDamages,
};
const chosen = Object.entries(kinds).find(([name]) => name === kind);
if (chosen === undefined) throw new Error(`One of ${Object.keys(kinds).join(", ")} is expected.`);
await chosen[1]();
await closeThreads();
print(
  `${kind}: ${cases} cases, ${wrong} problems, ${Math.round((machine.monotonic() - begin) / 1_000)} s, SHEAF_SEED=${seed}`,
);
if (wrong > 0) process.exitCode = 1;
