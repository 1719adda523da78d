/**
 * What a crash, a power cut, a failing and a rotten disk may do to a data folder, tried again and again, one kind after the other:
 *
 *     node scripts/soak/store.ts crash-states:500 migration:200 recovery:300 failing-disk:all damage:all:1/2
 *
 * Of failing operations and damage `1/2` tries one half, `2/2` the other. What is wrong goes to stdout, a line each; the last line of each
 * kind is how many cases there were.
 */
import "./disk/patched-disk.ts";
import { createSystemMachine } from "../../src/main/base/clock/machine.ts";
import { type DiskFault, faultCodes } from "./disk/disk-log.ts";
import { createRandom, readSeed } from "./random.ts";

// After the disk is patched: what these load uses it.
const { tryCrashState } = await import("./crash-states.ts");
const { recordMigration, tryMigration } = await import("./migration.ts");
const { recordRecoveries, tryRecovery } = await import("./recovery.ts");
const { recordRun } = await import("./record-run.ts");
const { listDamages, makeSmallFolder, tryDamage } = await import("./damage.ts");
const { tryFault } = await import("./failing-disk.ts");
const { closeThreads } = await import("./service-run.ts");

const seed = readSeed();
const machine = createSystemMachine();
/** Many cases wait for a disk that is healed within seconds, or for a sync. */
const atOnce = 8;
/** A run is recorded alone, and a few seconds of it are worth so many states. */
const statesOfRun = 50;
/** How long such a run is, in milliseconds. */
const longRun = 2_500;
const shortRun = 700;
/** Of two short starts there are not many more, and not of four. */
const statesOfMigrations = 500;
const statesOfRecoveries = 1_000;
/** No two runs do exactly as many operations. */
const moreOperations = 5;

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** What is wrong; null where it was no case. */
type Outcome = Promise<readonly string[] | null>;

/** The cases of a kind that are tried. */
interface Cases {
  readonly most: number;
  isOver(): boolean;
  /** Tries one after the other, so many at once, until there is no next one. */
  run(next: () => Outcome | null, together: number): Promise<void>;
  /** Tries all of this process's share, in an order that follows from the seed. */
  runAll<T>(all: readonly T[], together: number, attempt: (one: T) => Outcome): Promise<void>;
}

async function tryCrashStates({ most, isOver, run }: Cases): Promise<void> {
  for (let part = 0; !isOver(); part++) {
    const recorded = await recordRun(seed + part, most < statesOfRun ? shortRun : longRun);
    let state = 0;
    const next = () => (state++ < statesOfRun ? tryCrashState(recorded, seed + part * statesOfRun + state) : null);
    await run(next, 2);
    recorded.remove();
  }
}

async function tryMigrations({ run }: Cases): Promise<void> {
  const [one, other] = [await recordMigration("2db1be4"), await recordMigration("7ab37f8")];
  let state = 0;
  const next = () => {
    state += 1;
    return state > statesOfMigrations ? null : tryMigration(state % 2 === 0 ? one : other, seed + state);
  };
  await run(next, 2);
  one.remove();
  other.remove();
}

async function tryRecoveries({ run }: Cases): Promise<void> {
  const small = await makeSmallFolder();
  const recorded = await recordRecoveries(small);
  let state = 0;
  const next = () => {
    const one = recorded[state++ % recorded.length];
    return one === undefined || state > statesOfRecoveries ? null : tryRecovery(one, seed + state);
  };
  await run(next, 2);
  for (const one of [small, ...recorded]) one.remove();
}

async function tryFaults({ runAll }: Cases): Promise<void> {
  const { failable } = await tryFault({ code: "EIO", after: Number.POSITIVE_INFINITY, forGood: false });
  const faults: DiskFault[] = [];
  for (const code of faultCodes) {
    for (let after = 1; after <= failable[code] + moreOperations; after++) {
      faults.push({ code, after, forGood: false }, { code, after, forGood: true });
    }
  }
  await runAll(faults, 3 * atOnce, async (fault) => {
    const { problems, hasFailed } = await tryFault(fault);
    return hasFailed || problems.length > 0 ? problems : null;
  });
}

async function tryDamages({ runAll }: Cases): Promise<void> {
  const small = await makeSmallFolder();
  await runAll(listDamages(small, createRandom(seed)), atOnce, (damage) => tryDamage(small, damage));
  small.remove();
}

const kinds: Readonly<Record<string, (cases: Cases) => Promise<void>>> = {
  "crash-states": tryCrashStates,
  migration: tryMigrations,
  recovery: tryRecoveries,
  "failing-disk": tryFaults,
  damage: tryDamages,
};

async function tryKind(kind: string, amount: string, share: string): Promise<void> {
  const attempt = kinds[kind];
  if (attempt === undefined) throw new Error(`One of ${Object.keys(kinds).join(", ")} is expected.`);
  const begin = machine.monotonic();
  const most = amount === "all" ? Number.POSITIVE_INFINITY : Number(amount);
  const [which = 1, processes = 1] = share.split("/").map(Number);
  const random = createRandom(seed);
  let cases = 0;
  let wrong = 0;
  const isOver = () => cases >= most;
  async function tryNext(next: () => Outcome | null): Promise<void> {
    while (!isOver()) {
      const running = next();
      if (running === null) return;
      cases += 1;
      const problems = await running;
      if (problems === null) cases -= 1;
      for (const problem of problems ?? []) {
        wrong += 1;
        print(problem);
      }
    }
  }
  const run: Cases["run"] = async (next, together) => {
    await Promise.all(Array.from({ length: together }, () => tryNext(next)));
  };
  await attempt({
    most,
    isOver,
    run,
    async runAll(all, together, one) {
      const left = all.filter((_, at) => at % processes === which - 1);
      const next = () => {
        const at = random.below(left.length);
        const [chosen, last] = [left[at], left.pop()];
        if (chosen === undefined || last === undefined) return null;
        if (at < left.length) left[at] = last;
        return one(chosen);
      };
      await run(next, together);
    },
  });
  const seconds = Math.round((machine.monotonic() - begin) / 1_000);
  print(`${kind}: ${cases} cases, ${wrong} problems, ${seconds} s, SHEAF_SEED=${seed}`);
  if (wrong > 0) process.exitCode = 1;
}

for (const argument of process.argv.slice(2)) {
  const [kind = "", amount = "all", share = "1/1"] = argument.split(":");
  await tryKind(kind, amount, share);
}
await closeThreads();
