import { isPromise } from "node:util/types";
import type { ChatRequest } from "#contract";
import { type EngineCall, secretHeaders } from "#main/base";
import { listProblems } from "#main/storage";
import { type Reply, type Rule, type Rules, replySchema } from "./rule-schema.ts";
import { checkRules } from "./rules-source.ts";

/** A rule of a program in this process: its reply to a request, or nothing where the rules after it are to answer. */
type RuleFunction = (request: ChatRequest, call: ReturnType<typeof describeCall>) => unknown;

/** Checks rules that may be functions. Throws a RulesError. */
export function checkProgramRules(value: unknown): Rules {
  const given = listRules(value);
  const functions = given.map((rule) => (typeof rule === "function" ? (rule as RuleFunction) : null));
  if (functions.every((each) => each === null)) return checkRules(value);
  const written = given.map((rule) => (typeof rule === "function" ? { reply: { text: "" } } : rule));
  const checked = checkRules({ ...Object(value), rules: written });
  const rules = checked.rules.map((rule, at) => toRule(functions[at] ?? null) ?? rule);
  return { ...checked, rules };
}

function listRules(value: unknown): readonly unknown[] {
  const rules: unknown = typeof value === "object" && value !== null && "rules" in value ? value.rules : null;
  return Array.isArray(rules) ? rules : [];
}

function toRule(answer: RuleFunction | null): Rule | null {
  if (answer === null) return null;
  const name = answer.name === "" ? "a function" : `the function ${answer.name}`;
  return { name, answer: (call) => callFunction(answer, name, call) };
}

/** If the function throws, or its reply is wrong, the client gets an error 500 that says why. */
function callFunction(answer: RuleFunction, name: string, call: EngineCall): Reply | null {
  const fail = (why: string): Reply => ({
    error: { status: 500, code: "rule_failed", message: `The rule (${name}) can't answer: ${why}` },
  });
  try {
    const given = answer(call.request, describeCall(call));
    if (given === null || given === undefined) return null;
    if (isPromise(given)) {
      given.catch(() => undefined);
      return fail("it returned a promise. Return the reply itself.");
    }
    const { data, error } = replySchema.safeParse(given, { reportInput: true });
    if (data === undefined)
      return fail(
        `its reply is wrong: ${listProblems(error)
          .map(({ message }) => message)
          .join(" ")}`,
      );
    return data.raw === undefined ? data : fail("a raw reply is for recorded requests alone.");
  } catch (error) {
    return fail(`it threw ${String(error)}.`);
  }
}

/** The second argument of a rule's function, as `src/testing/types.ts` declares it. */
function describeCall({ endpoint = "/v1/chat/completions", headers = {}, line }: EngineCall) {
  return {
    endpoint,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !secretHeaders.has(name))),
    customId: line?.customId ?? null,
    metadata: line?.metadata ?? {},
  };
}
