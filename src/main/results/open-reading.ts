import type { Logger, Machine } from "#main/base";
import type { Archive, Store, StoredFolder } from "#main/storage";
import { createAnswerFields } from "./answer-fields.ts";
import { createBatchCosts } from "./batch-costs.ts";
import { type BatchPrices, createBatchPrices } from "./batch-prices.ts";
import { createColumns, type Tables } from "./columns.ts";
import { type ComparisonDeps, createComparisons } from "./comparisons.ts";
import { createDamageRecords } from "./damaged-answers.ts";
import { createIndexCache } from "./index-cache.ts";
import type { Prices } from "./line-costs.ts";
import { createMergedBatches } from "./merged.ts";
import { createResults, type ResultsDeps } from "./results.ts";
import { createSchemaChecks } from "./schema-checks.ts";
import { createSearches, type SearchThread } from "./searches.ts";

interface ReadingDeps {
  readonly store: Store;
  /** Batches of other data folders that are read as well; null where none are. */
  readonly archive: Archive | null;
  readonly verdicts: ResultsDeps["verdicts"];
  readonly grades: ResultsDeps["grades"] & ComparisonDeps["grades"];
  readonly thread: SearchThread;
  readonly machine: Machine;
  readonly logger: Logger;
}

/** All that reads the batches of a folder: indexes, results, comparisons, costs. */
export function openReading({ store, archive, thread, verdicts, grades, machine, logger }: ReadingDeps) {
  const readable: StoredFolder = archive?.joined ?? store;
  const damage = createDamageRecords({ readable, store, openIndex: (batch) => indexes.get(batch) });
  const { durability } = store;
  const indexes = createIndexCache({ store: readable, own: store, durability, damage, machine, logger });
  archive?.subscribe(({ id }) => indexes.forget(id));
  const merged = createMergedBatches(readable, indexes);
  let tables: Tables | null = null;
  let prices: BatchPrices = createBatchPrices({ readable, store, prices: null });
  const searches = createSearches(thread, readable, machine);
  const schemaChecks = createSchemaChecks(thread, readable);
  const columns = createColumns({ thread, schemaChecks, store: readable, readTables: () => tables, machine });
  const costs = createBatchCosts({ indexes, readPrices: () => prices, machine });
  const shared = { store: readable, indexes, verdicts, grades };
  const results = createResults({
    ...shared,
    machine,
    searches,
    columns,
    costs,
    damage,
    merged,
    thread,
    schemaChecks,
    lists: store.lists,
    isOwn: (batchId) => store.batches.get(batchId) !== undefined,
  });

  return {
    damage,
    indexes,
    merged,
    results,
    /** What the answers of batches cost, by the prices that were set. */
    costs,
    comparisons: createComparisons({ ...shared, results, costs }),
    answerFields: createAnswerFields({ readable, store, results }),
    /** Where the tables are that batches were built from: lines are filtered and sorted by their columns. */
    setTables(found: Tables): void {
      tables = found;
    },
    /** Reads columns of the table that a batch was built from; undefined where there is none (any more). */
    columnReader: async (batchId: string) => await tables?.columnReader(batchId),
    /** Today's prices: those that batches are made with are kept with them. */
    setPrices(found: Prices): void {
      prices.close();
      prices = createBatchPrices({ readable, store, prices: found });
    },
    async close(): Promise<void> {
      prices.close();
      await damage.close();
      await indexes.close();
    },
  };
}
