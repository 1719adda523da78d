import { afterAll, test as base, beforeAll, inject, type TestAPI } from "vitest";
import { setEnvironment } from "./environment.ts";
import { startSheaf } from "./index.ts";
import type { LocalRulesInput, Sheaf, SheafFixtureOptions, SheafScope } from "./types.ts";

export type * from "./types.ts";
export type * from "./wire-types.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Options of the fixture, as `provide: { sheaf: { … } }` of vitest's configuration. */
    sheaf?: SheafFixtureOptions;
  }
}

/** Milliseconds. vitest gives a test five seconds, which a busy machine may need to start a service. */
const patience = 60_000;

let starting: Promise<Sheaf> | undefined;
let isTaken = false;

function start(): Promise<Sheaf> {
  const { env: _, ...options } = inject("sheaf") ?? {};
  starting ??= startSheaf({ dialect: "openai", ...options });
  return starting;
}

async function stop(): Promise<void> {
  const started = await starting;
  starting = undefined;
  await started?.stop();
}

// Before the tests of the file that loads this: what a fixture takes counts as time of its first test.
beforeAll(async () => void (await start()), patience);
// The fixture stops what it has taken, once for all files of a worker.
afterAll(async () => {
  if (!isTaken) await stop();
}, patience);

type LocalScope = SheafScope<LocalRulesInput>;

/**
 * vitest's `test` with `sheaf`: a service with the answers and times of OpenAI's own API, that takes any model, started once for all tests of a
 * worker. Each test has a scope of its own in it: no rules, faults, files or requests of another.
 */
export const test: TestAPI<{ readonly sheaf: LocalScope }> = base.extend<{ sheaf: LocalScope; $sheaf: Sheaf }>({
  $sheaf: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern what a fixture needs.
    async ({}, use) => {
      isTaken = true;
      await use(await start());
      await stop();
    },
    { scope: "worker" },
  ],
  sheaf: async ({ $sheaf }, use) => {
    const scope = $sheaf.scope();
    const restore = inject("sheaf")?.env === true ? setEnvironment(scope) : () => {};
    await use(scope);
    restore();
    await scope.reset();
  },
});
