import { hash } from "node:crypto";
import { type ChatRequest, messageText } from "#contract";
import { sortKeys } from "../../io/index.ts";
import type { AnsweringRule, EngineCall } from "../../ports.ts";
import { createPattern, type Match, type Reply, type Rule, type TextMatch } from "./rule-schema.ts";

/** Rules that are ready to be used. It counts the calls, so that the same calls in the same order get the same replies. */
export interface RuleBook {
  /** How many rules there are. */
  readonly size: number;
  /** The reply of the first rule that matches, of those whose replies all fit; null when none does. */
  findReply(call: EngineCall, fits: (reply: Reply) => boolean): RuleReply | null;
  /** The same with one more rule before all others, whose counts stay. */
  withFirst(rule: Rule): RuleBook;
}

interface RuleReply {
  readonly reply: Reply;
  readonly rule: AnsweringRule;
}

interface Entry {
  readonly meets: (call: EngineCall) => boolean;
  /** Which of the calls that meet it; null for all. */
  readonly calls: ReadonlySet<number> | null;
  readonly digest: string | null;
  readonly order: number;
  readonly replies: readonly RuleReply[];
  met: number;
  used: number;
}

/** Throws where a pattern is wrong: the rules must have passed `checkRules`. */
export function createRuleBook(rules: readonly Rule[]): RuleBook {
  return createBook(mergeSame(rules).map(toEntry), rules.length);
}

function createBook(entries: readonly Entry[], size: number): RuleBook {
  const general = entries.filter(({ digest }) => digest === null);
  const byDigest = new Map<string, Entry[]>();
  for (const entry of entries) {
    if (entry.digest !== null) byDigest.set(entry.digest, [...(byDigest.get(entry.digest) ?? []), entry]);
  }

  /** The rules that may match, in their order. Recordings have a rule for each request: these are looked up. */
  function listCandidates({ request }: EngineCall): readonly Entry[] {
    const exact = byDigest.size === 0 ? undefined : byDigest.get(digestRequest(request));
    return exact === undefined ? general : [...exact, ...general].sort((a, b) => a.order - b.order);
  }

  return {
    size,
    findReply(call, fits) {
      let winner: Entry | null = null;
      for (const entry of listCandidates(call)) {
        // A rule that counts its calls counts those, too, that an earlier one answers.
        if (winner !== null && entry.calls === null) continue;
        if (!entry.replies.every(({ reply }) => fits(reply))) continue;
        if (!entry.meets(call)) continue;
        entry.met += 1;
        if (entry.calls === null || entry.calls.has(entry.met)) winner ??= entry;
      }
      if (winner === null) return null;
      winner.used += 1;
      return winner.replies[Math.min(winner.used, winner.replies.length) - 1] ?? null;
    },
    withFirst(rule) {
      const moved = entries.map((entry) => ({
        ...entry,
        order: entry.order + 1,
        replies: entry.replies.map(({ reply, rule: { index, name } }) => ({ reply, rule: { index: index + 1, name } })),
      }));
      return createBook([...mergeSame([rule]).map(toEntry), ...moved], size + 1);
    },
  };
}

/** Rules with the same conditions are one: the replies follow one another. */
function mergeSame(rules: readonly Rule[]): { match: Match; replies: RuleReply[] }[] {
  const merged = new Map<string, { match: Match; replies: RuleReply[] }>();
  for (const [index, { name = null, match = {}, reply, replies = [] }] of rules.entries()) {
    const key = JSON.stringify(match);
    const known = merged.get(key) ?? { match, replies: [] };
    for (const one of reply === undefined ? replies : [reply])
      known.replies.push({ reply: one, rule: { index, name } });
    merged.set(key, known);
  }
  return [...merged.values()];
}

function toEntry({ match, replies }: { match: Match; replies: RuleReply[] }, order: number): Entry {
  const { call, request = null } = match;
  const calls = call === undefined ? null : new Set([call].flat());
  return { meets: createCondition(match), calls, digest: request, order, replies, met: 0, used: 0 };
}

function createCondition({ model, custom_id: customId, last_user_message: message, metadata = {} }: Match) {
  const conditions: ((call: EngineCall) => boolean)[] = [];
  const add = (match: Match["model"], textOf: (call: EngineCall) => string | null) => {
    if (match === undefined) return;
    const matches = createTextMatcher(match);
    conditions.push((call) => meetsText(matches, textOf(call)));
  };
  add(model, ({ request }) => request.model);
  add(customId, ({ line }) => line?.customId ?? null);
  for (const [key, match] of Object.entries(metadata)) add(match, (call) => readMetadata(call, key));
  add(message, ({ request }) => {
    const last = request.messages.findLast(({ role }) => role === "user");
    return last === undefined ? null : messageText(last);
  });
  return (call: EngineCall): boolean => conditions.every((meets) => meets(call));
}

function meetsText(matches: TextMatcher, text: string | null): boolean {
  return text !== null && matches(text);
}

/** A pair of the request's own metadata, else of its batch's. */
function readMetadata({ request, line }: EngineCall, key: string): string | null {
  const { metadata } = request;
  if (typeof metadata === "object" && metadata !== null && Object.hasOwn(metadata, key)) {
    const value: unknown = Object.getOwnPropertyDescriptor(metadata, key)?.value;
    return typeof value === "string" ? value : null;
  }
  const pairs = line?.metadata ?? {};
  return Object.hasOwn(pairs, key) ? (pairs[key] ?? null) : null;
}

type TextMatcher = (text: string) => boolean;

function createTextMatcher(match: TextMatch): TextMatcher {
  if (typeof match === "string") return (text) => text === match;
  const { contains, regex, ignore_case: ignoreCase = false } = match;
  if (regex !== undefined) return createPattern(regex, ignoreCase);
  return (text) => text.includes(contains ?? "");
}

/** The SHA-256 of a request in hexadecimal. The order of keys in its objects does not count. */
export function digestRequest(request: ChatRequest): string {
  return hash("sha256", JSON.stringify(request, sortKeys));
}
