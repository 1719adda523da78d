import type { RetryChoice } from "#contract";
import { parseBody } from "#main/answers";
import { asCount, asObject, asText, type JsonObject } from "#main/base";
import { limitFieldsOf } from "#main/requests";
import { type Attempt, type LineIndex, type MergedLines, pathsOf, readRequests } from "#main/results";
import type { BatchRecord, StoredFolder } from "#main/storage";
import type { ChosenLine, ChosenLines } from "./retry-lines.ts";

/** A request as it is asked again. */
export interface RetriedRequest {
  /** A line of an input file, without its end. */
  readonly bytes: Uint8Array;
  /** Where its answer may have more tokens: what it may cost. */
  readonly raised: RaisedLine | null;
}

export interface RaisedLine {
  readonly model: string;
  /** Of the answer before; null where they are not known. */
  readonly promptTokens: number | null;
  /** The most tokens of the answer; null where the request sets no limit. */
  readonly mostTokens: number | null;
}

interface RetryOptions {
  readonly store: StoredFolder;
  readonly batch: BatchRecord;
  readonly index: LineIndex;
  /** In place of the model that each line names. */
  readonly model?: string | undefined;
  /** In place of twice the limit that was too small. */
  readonly maxTokens?: number | undefined;
  /** The most tokens of an answer of a model; null where that is not known. */
  readonly mostOf: (model: string) => number | null;
}

/** Lines that are read at a time. */
const step = 500;
/** Those whose answers may have more tokens the next time. */
const shortKinds: ReadonlySet<RetryChoice> = new Set(["cut", "empty"]);

/**
 * The requests of these lines, byte for byte; written anew with another model, or where more tokens are allowed. `onDamaged` is
 * called with the number of each line that is damaged on disk: it is left out.
 */
export async function* readRetried(
  { lines, retryGroup }: ChosenLines,
  options: RetryOptions,
  onDamaged: (line: number) => void,
): AsyncGenerator<readonly RetriedRequest[]> {
  const { store, batch, index, model, maxTokens } = options;
  const { input } = pathsOf(batch, store);
  for (let from = 0; from < lines.length; from += step) {
    const some = lines.slice(from, from + step);
    const texts = await readRequests(
      input,
      index,
      some.map(({ line }) => line),
    );
    const shortRequests = retryGroup === null ? noRequests : await readShort(some, retryGroup, store);
    yield texts.flatMap((bytes, at): RetriedRequest[] => {
      const { line = 0, kind = "lines", place = null } = some[at] ?? {};
      if (bytes === null) {
        onDamaged(line);
        return [];
      }
      const isShort = shortKinds.has(kind);
      const isRaised = isShort || (kind === "lines" && maxTokens !== undefined);
      if (model === undefined && !isRaised) return [{ bytes, raised: null }];
      // The line has passed the check of its file.
      const request = asObject(parseBody(Buffer.from(bytes).toString()));
      const body = { ...asObject(request.body), ...(model !== undefined && { model }) };
      const facts = factsOf(place, retryGroup);
      const before = isShort ? ((place && shortRequests.get(place)) ?? body) : null;
      const limit = isRaised ? limitFor(body, before && { before, ...facts }, options) : {};
      const changed = { ...body, ...limit };
      const mostTokens = readLimit(changed, batch.endpoint);
      const raised = isRaised && { model: asText(body.model) ?? "", promptTokens: facts.promptTokens, mostTokens };
      return [{ bytes: Buffer.from(JSON.stringify({ ...request, body: changed })), raised: raised || null }];
    });
  }
}

interface ShortAnswer {
  /** The body of its request. */
  readonly before: JsonObject;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
}

/** The fields that limit the next answer: none where nothing says what was too little. */
function limitFor(
  body: JsonObject,
  short: ShortAnswer | null,
  { batch: { endpoint }, maxTokens, mostOf }: RetryOptions,
): JsonObject {
  const before = short && (readLimit(short.before, endpoint) ?? short.completionTokens);
  const doubled = before && Math.max(before, Math.min(before * 2, mostOf(asText(body.model) ?? "") ?? before * 2));
  const limit = maxTokens ?? doubled;
  if (!limit) return {};
  const fields = limitFieldsOf(endpoint);
  const set = fields.filter((field) => asCount(body[field]) !== null);
  return Object.fromEntries((set.length > 0 ? set : fields.slice(0, 1)).map((field) => [field, limit]));
}

/** The least of the limits that a request sets; null where it sets none. */
function readLimit(body: JsonObject, endpoint: string): number | null {
  const limits = limitFieldsOf(endpoint).flatMap((field) => asCount(body[field]) ?? []);
  return limits.length === 0 ? null : Math.min(...limits);
}

const noRequests: ReadonlyMap<Attempt, JsonObject> = new Map();

/** The bodies of the requests whose answers were too short: some were asked by retries, with limits of their own. */
async function readShort(
  lines: readonly ChosenLine[],
  { batches, indexes }: MergedLines,
  store: StoredFolder,
): Promise<ReadonlyMap<Attempt, JsonObject>> {
  const found = new Map<Attempt, JsonObject>();
  const short = lines.flatMap(({ kind, place }) => (place !== null && shortKinds.has(kind) ? [place] : []));
  for (const [at, attempts] of Map.groupBy(short, ({ batch }) => batch)) {
    const [batch, index] = [batches[at], indexes[at]];
    if (batch === undefined || !index) continue;
    const { input } = pathsOf(batch, store);
    const texts = await readRequests(
      input,
      index,
      attempts.map(({ line }) => line),
    );
    for (const [place, attempt] of attempts.entries()) {
      const text = texts[place];
      if (text) found.set(attempt, asObject(asObject(parseBody(Buffer.from(text).toString())).body));
    }
  }
  return found;
}

function factsOf(place: Attempt | null, retryGroup: MergedLines | null) {
  const facts = place === null ? undefined : retryGroup?.indexes[place.batch]?.columns.facts(place.line - 1);
  const isCut = facts?.end === "cut";
  return {
    promptTokens: facts?.promptTokens ?? null,
    // An empty answer has no length to double.
    completionTokens: isCut ? facts.completionTokens : null,
  };
}
