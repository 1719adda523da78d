import { checkRules } from "./parse-rules.ts";
import { createRuleBook, type RuleBook } from "./rule-book.ts";
import type { Rules } from "./rule-schema.ts";

/** The rules in force. */
export interface RulesInForce {
  readonly book: RuleBook;
  readonly fallback: Rules["fallback"];
}

/** Where rules come from. */
export interface RulesSource {
  /** For people: the file's name. */
  readonly name: string;
  readonly current: RulesInForce;
  close(): void;
}

/** Puts rules into force; the calls are counted from the start. */
export function enforce({ rules, fallback }: Rules): RulesInForce {
  return { book: createRuleBook(rules), fallback };
}

/** Rules that a program sets. */
export interface SettableRules extends RulesSource {
  /** Replaces all rules by what a rules file would hold. Throws a RulesError that tells all that is wrong. */
  set(rules: unknown): void;
}

export function createSettableRules(initial: unknown = { rules: [] }): SettableRules {
  let current = enforce(checkRules(initial));
  return {
    name: "the rules",
    get current() {
      return current;
    },
    set(rules) {
      current = enforce(checkRules(rules));
    },
    close() {},
  };
}
