import { afterAll, afterEach, beforeAll, beforeEach } from "@jest/globals";
import { setEnvironment } from "./environment.ts";
import { startSheafProcess } from "./process.ts";
import type { SheafJestOptions, SheafProcess, SheafScope } from "./types.ts";

export type * from "./types.ts";
export type * from "./wire-types.ts";

/** Milliseconds. jest gives a hook five seconds, which a busy machine may need to start a process. */
const patience = 60_000;

/**
 * Starts a service for the tests of the file that calls this, with the answers and times of OpenAI's own API and any model. What it
 * returns has a scope of its own in each test: no rules, faults, files or requests of another.
 */
export function setupSheaf({ env = false, ...options }: SheafJestOptions = {}): SheafScope {
  let restore = () => {};
  let starting: Promise<SheafProcess> | undefined;
  let scope: SheafScope | undefined;
  beforeAll(async () => {
    starting = startSheafProcess({ dialect: "openai", ...options });
    await starting;
  }, patience);
  beforeEach(async () => {
    scope = (await starting)?.scope();
    if (env && scope !== undefined) restore = setEnvironment(scope);
  }, patience);
  afterEach(() => restore());
  // Also where jest has given up its start: a process that is left would keep jest from ending.
  afterAll(async () => (await starting)?.stop(), patience);

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
    get webhookSecret() {
      return current().webhookSecret;
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
    waitForRequest: (where, options) => current().waitForRequest(where, options),
    reset: () => current().reset(),
  };
}
