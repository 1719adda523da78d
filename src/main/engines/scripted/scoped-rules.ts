import { defaultScope } from "#main/base";
import { createFaultCounts, type FaultCounts } from "../fault-counts.ts";
import { createRuleBook, type RuleBook } from "./rule-book.ts";
import type { Rule, Rules } from "./rule-schema.ts";
import { createFixedRules, type RulesSource } from "./rules-source.ts";

/** The rules of one scope, and how often each was met there. */
interface RulesInForce {
  /** For people: where they are from. */
  readonly name: string;
  readonly rules: Rules;
  readonly book: RuleBook;
  /** Its faults by count. */
  readonly counts: FaultCounts;
}

/** The rules of each scope: those that the service was started with, until the scope sets its own. Kept in memory. */
export interface ScopedRules {
  /** Whether any scope has rules for one request alone, as recordings do. */
  readonly hasRecorded: boolean;
  /** What is in force; the default scope's by default. */
  of(scope?: string): RulesInForce;
  /** Replaces all of them; their calls are counted from the start. */
  set(scope: string, rules: Rules): void;
  /** Puts a rule before the others, whose counts stay. */
  add(scope: string, rule: Rule): void;
  /** Puts a rule behind those of the start, for each scope that has the same ones; counts stay. */
  append(scope: string, rule: Rule): void;
  /** Has those of the start in force again, with calls counted from the start. */
  reset(scope: string): void;
  /** Replaces those of the start, for all scopes that have none of their own. */
  replaceStart(source: RulesSource): void;
  close(): void;
}

const none = createFixedRules({ rules: [] });

export function createScopedRules(initial: RulesSource = none): ScopedRules {
  let start = initial;
  const own = new Map<string, RulesInForce>();
  const ofStart = new Map<string, RulesInForce>();

  function of(scope = defaultScope): RulesInForce {
    const changed = own.get(scope);
    if (changed !== undefined) return changed;
    const rules = start.ofScope?.(scope) ?? start.current;
    const known = ofStart.get(scope);
    if (known?.rules === rules) return known;
    const started = enforce(start.name, rules);
    ofStart.set(scope, started);
    return started;
  }

  return {
    get hasRecorded() {
      if (start.ofScope !== undefined || of().book.hasRecorded) return true;
      for (const { book } of own.values()) if (book.hasRecorded) return true;
      return false;
    },
    of,
    set: (scope, rules) => own.set(scope, enforce("the rules", rules)),
    add(scope, rule) {
      const { rules, book, ...rest } = of(scope);
      own.set(scope, { ...rest, rules: { ...rules, rules: [rule, ...rules.rules] }, book: book.withFirst(rule) });
    },
    append(scope, rule) {
      const rules = start.ofScope?.(scope) ?? start.current;
      rules.rules.push(rule);
      for (const inForce of ofStart.values()) if (inForce.rules === rules) inForce.book.append(rule);
    },
    reset(scope) {
      own.delete(scope);
      ofStart.delete(scope);
    },
    replaceStart(source) {
      start.close();
      start = source;
    },
    close: () => start.close(),
  };
}

function enforce(name: string, rules: Rules): RulesInForce {
  return { name, rules, book: createRuleBook(rules.rules), counts: createFaultCounts(rules.faults) };
}
