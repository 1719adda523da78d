import { asObject, isObject, type JsonObject } from "#main/base";
import type { Reply } from "./rule-schema.ts";

/** Whether a rule sets fields of an answer that it, or the engine, writes. */
export function setsFields({ usage, fields }: Reply): boolean {
  return usage !== undefined || fields !== undefined;
}

/** A chat completion with the token counts and fields that a rule sets. */
export function mergeFields(completion: JsonObject, { usage, fields }: Reply): JsonObject {
  const counted = usage === undefined ? completion : { ...completion, usage: mergeUsage(completion.usage, usage) };
  return fields === undefined ? counted : asObject(merge(counted, fields));
}

/** The total follows from its parts, unless the rule sets it. */
function mergeUsage(before: unknown, usage: NonNullable<Reply["usage"]>): JsonObject {
  const merged = asObject(merge(before, usage));
  const { prompt_tokens: prompt, completion_tokens: completion } = merged;
  const hasTotal = usage.total_tokens !== undefined || typeof prompt !== "number" || typeof completion !== "number";
  return hasTotal ? merged : { ...merged, total_tokens: prompt + completion };
}

function merge(before: unknown, change: unknown): unknown {
  if (Array.isArray(before) && Array.isArray(change)) {
    return Array.from({ length: Math.max(before.length, change.length) }, (_, at) =>
      at in change ? merge(before[at], change[at]) : before[at],
    );
  }
  if (!isObject(before) || !isObject(change)) return change;
  const merged = Object.entries(change).map(([name, value]) => [name, merge(before[name], value)]);
  return { ...before, ...Object.fromEntries(merged) };
}
