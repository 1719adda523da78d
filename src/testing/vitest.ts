import { test as base, type TestAPI } from "vitest";
import { startSheaf } from "./start-sheaf.ts";
import type { Sheaf, SheafScope } from "./types.ts";

export type * from "./types.ts";
export type * from "./wire-types.ts";

/**
 * vitest's `test` with `sheaf`: a service with the answers and times of OpenAI's own API, that takes any model, started once for all tests of a
 * worker. Each test has a scope of its own in it: no rules, faults, files or requests of another.
 */
export const test: TestAPI<{ readonly sheaf: SheafScope }> = base.extend<{ sheaf: SheafScope; $sheaf: Sheaf }>({
  $sheaf: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern what a fixture needs.
    async ({}, use) => {
      const sheaf = await startSheaf({ dialect: "openai", anyModel: true });
      await use(sheaf);
      await sheaf.stop();
    },
    { scope: "worker" },
  ],
  sheaf: async ({ $sheaf }, use) => {
    const scope = $sheaf.scope();
    await use(scope);
    await scope.reset();
  },
});
