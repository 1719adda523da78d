import { asCount, asNumber, asObject, asText, type JsonObject } from "#main/base";

/** What the price of an answer depends on besides its prompt, cached and completion tokens. */
export interface ReadBill {
  /** Of the prompt's tokens, the ones that the service stored in its cache; of these, the ones that it keeps for an hour. */
  readonly cacheWriteTokens: number;
  readonly cacheWrite1hTokens: number;
  /** What the service itself says that it cost, in US dollars. */
  readonly cost: number | null;
  /** What gives it other prices than the usual ones, in a word; null for the usual ones. */
  readonly tier: string | null;
}

/** Tiers with the usual prices. That a batch costs less is no tier: each batch has a factor. */
const usualTiers: ReadonlySet<string> = new Set([
  "",
  "auto",
  "batch",
  "default",
  "global",
  "not_available",
  "on_demand",
  "standard",
  "standard_only",
]);

/** Reads that from the answer of any service; undefined where there is nothing of it. */
export function readBill(body: JsonObject): ReadBill | undefined {
  const usage = asObject(body.usage);
  const details = asObject(usage.prompt_tokens_details ?? usage.input_tokens_details);
  const { ephemeral_1h_input_tokens: hour, ephemeral_5m_input_tokens: minutes } = asObject(
    usage.cache_creation ?? details.cache_creation_token_details,
  );
  const hourTokens = asCount(details.cache_write_1h_tokens ?? hour) ?? 0;
  const written = asCount(
    details.cache_write_tokens ?? details.cache_creation_tokens ?? usage.cache_creation_input_tokens,
  );
  const cacheWriteTokens = Math.max(written ?? (asCount(minutes) ?? 0) + hourTokens, hourTokens);
  const cost = readCost(usage);
  const tier = readTier(body, usage);
  if (cacheWriteTokens === 0 && cost === null && tier === null) return undefined;
  return { cacheWriteTokens, cacheWrite1hTokens: hourTokens, cost, tier };
}

/** With a key of the user's own for another service, a gateway's cost is its fee: the other's is counted apart. */
function readCost({ cost, is_byok: isOwnKey, cost_details: details }: JsonObject): number | null {
  const known = asAmount(cost) ?? asAmount(asObject(cost).total_cost);
  if (known === null || isOwnKey !== true) return known;
  const elsewhere = asAmount(asObject(details).upstream_inference_cost);
  return elsewhere === null ? null : known + elsewhere;
}

function asAmount(value: unknown): number | null {
  const amount = asNumber(value);
  return amount !== null && Number.isFinite(amount) && amount >= 0 ? amount : null;
}

function readTier(body: JsonObject, usage: JsonObject): string | null {
  const words = [body.service_tier ?? usage.service_tier, usage.speed, usage.inference_geo];
  for (const word of words) {
    const tier = asText(word)?.toLowerCase() ?? "";
    if (!usualTiers.has(tier)) return tier;
  }
  const searches = asCount(asObject(usage.server_tool_use).web_search_requests) ?? 0;
  if (searches > 0) return "web search";
  const details = [
    usage.prompt_tokens_details ?? usage.input_tokens_details,
    usage.completion_tokens_details ?? usage.output_tokens_details,
  ];
  const has = (kind: string) => details.some((one) => (asCount(asObject(one)[kind]) ?? 0) > 0);
  if (has("audio_tokens")) return "audio";
  // Of the prompt, pictures are paid like text.
  return (asCount(asObject(details[1]).image_tokens) ?? 0) > 0 ? "image" : null;
}
