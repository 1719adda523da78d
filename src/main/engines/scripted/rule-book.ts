import { hash } from "node:crypto";
import { sortKeys } from "#main/answers";
import type { AnsweringRule, EndpointCall, EngineCall } from "#main/base";
import { type Condition, createConditions } from "./conditions.ts";
import { listDifferences } from "./request-differences.ts";
import type { Match, Reply, Rule } from "./rule-schema.ts";

/** Rules that are ready to be used. It counts the calls, so that the same calls in the same order get the same replies. */
export interface RuleBook {
  /** How many rules there are. */
  readonly size: number;
  /** The reply of the first rule that matches, of those whose replies all fit; null when none does. */
  findReply(call: EngineCall, fits: (reply: Reply) => boolean): RuleReply | null;
  /** The rule that is nearest to a call that none matches, and what differs; null where there are no rules. */
  findNearest(call: EngineCall): NearestRule | null;
  /** Whether a rule is for this very request, as it came to its endpoint. */
  isRecorded(call: PassedCall): boolean;
  /** Whether a rule is for one request alone. */
  readonly hasRecorded: boolean;
  /** The reply of the first rule for this very request, as it came; null where there is none. */
  findRecorded(call: EndpointCall): RuleReply | null;
  /** The same with one more rule before all others, whose counts stay. */
  withFirst(rule: Rule): RuleBook;
  /** Puts a rule behind all others; a reply to the same match follows those that there are. */
  append(rule: Rule): void;
}

type PassedCall = Pick<EndpointCall, "endpoint" | "body">;

interface RuleReply {
  readonly reply: Reply;
  readonly rule: AnsweringRule;
}

export interface NearestRule {
  readonly rule: AnsweringRule;
  /** In words; never empty. */
  readonly differences: readonly string[];
}

interface Entry {
  /** Equal for rules whose replies follow one another. */
  readonly key: string;
  readonly conditions: readonly Condition[];
  /** Which of the calls that meet it; null for all. */
  readonly calls: ReadonlySet<number> | null;
  /** How many calls it answers at most. */
  readonly times: number;
  readonly digest: string | null;
  /** The request that was recorded, where the rule has it. */
  readonly recorded: unknown;
  readonly order: number;
  readonly replies: RuleReply[];
  /** Set for a rule that is a function. */
  readonly answer: Rule["answer"] | undefined;
  met: number;
  used: number;
}

/** In place of a function's reply that the call can't be answered with. */
const unfit: Reply = {
  error: {
    status: 500,
    code: "rule_failed",
    message:
      "The rule's function returned a reply that doesn't fit this call. Chunks need a streamed call; embeddings and moderations take errors and delays only.",
  },
};

/** Most rules that are compared with a call that none of them matches. */
const mostCompared = 2_000;

/** Throws where a pattern is wrong: the rules must have passed `checkRules`. */
export function createRuleBook(rules: readonly Rule[]): RuleBook {
  const book = createBook([], 0);
  for (const rule of rules) book.append(rule);
  return book;
}

function createBook(initial: readonly Entry[], initialSize: number): RuleBook {
  const general: Entry[] = [];
  const byDigest = new Map<string, Entry[]>();
  const byKey = new Map<string, Entry>();
  let size = initialSize;
  for (const entry of initial) addEntry(entry);

  function addEntry(entry: Entry): void {
    byKey.set(entry.key, entry);
    if (entry.digest === null) general.push(entry);
    else byDigest.set(entry.digest, [...(byDigest.get(entry.digest) ?? []), entry]);
  }

  /** The rules that may match, in their order. Recordings have a rule for each request: these are looked up. */
  function listCandidates({ request }: EngineCall): readonly Entry[] {
    const exact = byDigest.size === 0 ? undefined : byDigest.get(digestRequest(request));
    return exact === undefined ? general : [...exact, ...general].sort((a, b) => a.order - b.order);
  }

  function takeReply(entry: Entry): RuleReply | null {
    entry.used += 1;
    return entry.replies[Math.min(entry.used, entry.replies.length) - 1] ?? null;
  }

  return {
    get size() {
      return size;
    },
    get hasRecorded() {
      return byDigest.size > 0;
    },
    isRecorded: (call) =>
      byDigest.size > 0 && (byDigest.has(digestCall(call)) || byDigest.has(digestRequest(call.body))),
    findRecorded(call) {
      // Besides the request, a recording names the custom_id of a batch's line.
      const engineCall = { ...call, request: { model: "", messages: [] } };
      const entries = byDigest.get(digestCall(call)) ?? [];
      const entry = entries.find(({ conditions }) => conditions.every((condition) => condition.meets(engineCall)));
      return entry === undefined ? null : takeReply(entry);
    },
    findReply(call, fits) {
      let found: RuleReply | null = null;
      for (const entry of listCandidates(call)) {
        // A rule that counts its calls counts those, too, that an earlier one answers.
        if (found !== null && entry.calls === null) continue;
        if (entry.answer !== undefined) {
          const reply = entry.answer(call);
          const [given] = entry.replies;
          if (reply !== null && given !== undefined) found = { reply: fits(reply) ? reply : unfit, rule: given.rule };
          continue;
        }
        if (!entry.replies.every(({ reply }) => fits(reply))) continue;
        if (!entry.conditions.every((condition) => condition.meets(call))) continue;
        entry.met += 1;
        const isOpen = (entry.calls === null || entry.calls.has(entry.met)) && entry.used < entry.times;
        if (isOpen) found ??= takeReply(entry);
      }
      return found;
    },
    findNearest(call) {
      const digest = digestRequest(call.request);
      let nearest: NearestRule | null = null;
      let fewest = Number.POSITIVE_INFINITY;
      for (const entry of [...byKey.values()].slice(0, mostCompared)) {
        const differences = listEntryDifferences(entry, call, digest);
        const [first] = entry.replies;
        if (first === undefined || differences.length >= fewest) continue;
        fewest = differences.length;
        nearest = { rule: first.rule, differences };
      }
      return nearest;
    },
    withFirst(rule) {
      const moved = [...byKey.values()].map((entry) => ({
        ...entry,
        order: entry.order + 1,
        replies: entry.replies.map(({ reply, rule: { index, name } }) => ({ reply, rule: { index: index + 1, name } })),
      }));
      const first = toEntry(rule, 0, 0);
      // With the same match it stays a rule of its own: it is asked before those that were there.
      return createBook([{ ...first, key: `${first.key} ${size}` }, ...moved], size + 1);
    },
    append(rule) {
      const entry = toEntry(rule, byKey.size, size);
      const known = byKey.get(entry.key);
      size += 1;
      if (known === undefined) addEntry(entry);
      else known.replies.push(...entry.replies);
    },
  };
}

/** Rules with the same conditions are one, and their replies follow one another; one that ends by itself is one of its own. */
function toEntry(rule: Rule, order: number, index: number): Entry {
  const { name = null, match = {}, reply, replies = [], times, recorded, answer } = rule;
  const given = answer === undefined ? replies : [{}];
  const { call, request = null } = match;
  return {
    key: times === undefined && answer === undefined ? JSON.stringify(match) : `${index}`,
    conditions: createConditions(match),
    calls: call === undefined ? null : new Set([call].flat()),
    times: times ?? Number.POSITIVE_INFINITY,
    digest: request,
    recorded,
    order,
    answer,
    replies: (reply === undefined ? given : [reply]).map((one) => ({ reply: one, rule: { index, name } })),
    met: 0,
    used: 0,
  };
}

function listEntryDifferences(entry: Entry, call: EngineCall, digest: string): string[] {
  const { conditions, recorded, calls, times, met, used } = entry;
  if (entry.answer !== undefined) return ["it returned nothing"];
  const unmet = conditions.filter((condition) => !condition.meets(call)).map((condition) => condition.describe(call));
  if (entry.digest !== null && entry.digest !== digest) {
    const changes = recorded === undefined ? [] : listDifferences(recorded, call.request);
    unmet.push(...(changes.length > 0 ? changes : ["the request is another than the recorded one"]));
  }
  if (unmet.length > 0) return unmet;
  if (calls !== null && !calls.has(met))
    return [`it is call ${met} of those that meet it, not ${[...calls].join(" or ")}`];
  if (used >= times) return [`it has answered ${times === 1 ? "once" : `${times} times`}, as often as it may`];
  return ["it answers streamed calls only"];
}

/** Tells of calls that are given in their order whether a rule with this match would answer them. */
export function createCallFilter(match: Match): (call: EngineCall) => boolean {
  const book = createRuleBook([{ match, reply: {} }]);
  return (call) => book.findReply(call, () => true) !== null;
}

/** The SHA-256 of a request as it came to an endpoint. */
export function digestCall({ endpoint, body }: PassedCall): string {
  return digestRequest({ endpoint, body });
}

/** The SHA-256 of a request in hexadecimal. The order of keys in its objects does not count. */
export function digestRequest(request: object): string {
  return hash("sha256", JSON.stringify(request, sortKeys));
}
