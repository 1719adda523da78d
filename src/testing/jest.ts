import { afterAll, beforeAll, beforeEach } from "@jest/globals";
import { startSheafProcess } from "./process.ts";
import type { SheafProcess, SheafProcessOptions, SheafScope } from "./types.ts";

export type * from "./types.ts";
export type * from "./wire-types.ts";

/**
 * Starts a service for the tests of the file that calls this, with the answers and times of OpenAI's own API and any model. What it
 * returns has a scope of its own in each test: no rules, faults, files or requests of another.
 */
export function setupSheaf(options: SheafProcessOptions = {}): SheafScope {
  let server: SheafProcess | undefined;
  let scope: SheafScope | undefined;
  beforeAll(async () => {
    server = await startSheafProcess({ dialect: "openai", anyModel: true, ...options });
  });
  beforeEach(() => {
    scope = server?.scope();
  });
  afterAll(() => server?.stop());

  function current(): SheafScope {
    if (scope === undefined) throw new Error("The service is there within a test and in beforeEach, not before.");
    return scope;
  }
  return {
    get url() {
      return current().url;
    },
    get baseURL() {
      return current().baseURL;
    },
    get apiKey() {
      return current().apiKey;
    },
    get rules() {
      return current().rules;
    },
    get faults() {
      return current().faults;
    },
    get clock() {
      return current().clock;
    },
    requests: (query) => current().requests(query),
    reset: () => current().reset(),
  };
}
