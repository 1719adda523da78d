import type { Connections } from "../connections.ts";
import type { Faults } from "../engines/index.ts";
import type { FileChecker } from "../files/index.ts";
import type { ModelCatalog, Tier } from "../model-catalog.ts";
import type { Clock, Engine, Ids, Logger } from "../ports.ts";
import type { IndexCache } from "../results/index.ts";
import type { Store } from "../store/index.ts";

/** What batches are made to run with. */
export interface BatchParts {
  readonly store: Store;
  readonly checker: FileChecker;
  readonly indexes: IndexCache;
  readonly engine: Engine;
  /** For batches of connections; null in a service that has none. */
  readonly elsewhere: Elsewhere | null;
  readonly faults: Faults;
  readonly catalog: ModelCatalog;
  /** Decides the priority of batches that don't ask for one. */
  readonly tier: () => Tier;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
}

/** What is different for the batches of connections: real time, any model, and nothing that fails on purpose. */
export interface Elsewhere extends Pick<BatchParts, "checker" | "faults" | "clock"> {
  readonly connections: Connections;
}
