import { defaultScope } from "../../ports.ts";
import { createRuleBook, type RuleBook } from "./rule-book.ts";
import type { Rule, Rules } from "./rule-schema.ts";
import { createFixedRules, type RulesSource } from "./rules-source.ts";

/** The rules of one scope, and how often each was met there. */
interface RulesInForce {
  /** For people: where they are from. */
  readonly name: string;
  readonly rules: Rules;
  readonly book: RuleBook;
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
    const known = own.get(scope) ?? ofStart.get(scope);
    if (known !== undefined && (own.has(scope) || known.rules === start.current)) return known;
    const started = enforce(start.name, start.current);
    ofStart.set(scope, started);
    return started;
  }

  return {
    get hasRecorded() {
      return [of(), ...own.values()].some(({ book }) => book.hasRecorded);
    },
    of,
    set: (scope, rules) => own.set(scope, enforce("the rules", rules)),
    add(scope, rule) {
      const { name, rules, book } = of(scope);
      own.set(scope, { name, rules: { ...rules, rules: [rule, ...rules.rules] }, book: book.withFirst(rule) });
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
  return { name, rules, book: createRuleBook(rules.rules) };
}
