import type { Connection, UnlistedModel } from "#contract";
import type { Machine } from "#main/base";
import { ConnectionError } from "./adapters/connection-error.ts";
import { listModels } from "./adapters/open-adapter.ts";
import { modelAt, presetOf } from "./connection-settings.ts";

interface ListDeps {
  readonly key: string | null;
  readonly machine: Machine;
}

/** How many names are suggested. */
const mostNearest = 3;

/**
 * Those of the models that the connection's service doesn't list, with the nearest names that it does. A service may have more models
 * than it lists: aliases, fine-tunes, deployments. None where it lists no models, or can't be asked now.
 */
export async function findUnlisted(
  connection: Connection,
  models: readonly string[],
  parts: ListDeps,
  signal: AbortSignal,
): Promise<UnlistedModel[]> {
  const toName = modelAt(connection);
  const listed = await listModels({ ...connection, models: {} }, parts, signal).catch((error: unknown) => {
    if (error instanceof ConnectionError) return [];
    throw error;
  });
  if (listed.length === 0) return [];
  const { default: countChanges } = await import("leven");
  const known = new Set(listed.map(withoutTag));
  return models
    .filter((model) => !known.has(withoutTag(toName(model))))
    .map((model) => ({
      model,
      nearest: findNearest(toName(model), listed, countChanges),
      isProblem: presetOf(connection).listsAllModels,
    }));
}

/** Ollama's usual tag may be left out, and Gemini lists its models below `models/`. */
function withoutTag(name: string): string {
  return name
    .toLowerCase()
    .replace(/^models\//, "")
    .replace(/:latest$/, "");
}

/** Names that hold the name, or are held by it, come first; of these and of the others those with the fewest changes. */
function findNearest(
  name: string,
  listed: readonly string[],
  countChanges: (one: string, other: string) => number,
): string[] {
  const wanted = withoutTag(name);
  const distances = new Map(
    listed.map((other) => {
      const own = withoutTag(other);
      const isPart = wanted.length > 2 && (own.includes(wanted) || wanted.includes(own));
      return [other, countChanges(own, wanted) - (isPart ? longestName : 0)];
    }),
  );
  return [...listed].sort((a, b) => (distances.get(a) ?? 0) - (distances.get(b) ?? 0)).slice(0, mostNearest);
}

/** More than any two names differ. */
const longestName = 10_000;
