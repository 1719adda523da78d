import type { Context, Liquid, Template } from "liquidjs";
import { limitSteps } from "#main/base";

/** The most steps that one text may take, and the most characters that it may have. */
const mostSteps = 100_000;
const mostCharacters = 1_000_000;
/** Tags that read files, or change what the next text sees. */
const removedTags = ["include", "render", "layout", "block", "increment", "decrement"];

type LiquidModule = typeof import("liquidjs");
type Operators = LiquidModule["defaultOperators"];
type BinaryOperator = (left: unknown, right: unknown, context: Context) => ReturnType<Operators[string]>;
interface LoadedLiquid {
  readonly engine: Liquid;
  readonly Context: LiquidModule["Context"];
}

let liquid: LoadedLiquid | null = null;

/**
 * Loads Liquid, which takes longer than all other rules: for those who are about to check rules that have templates, or that
 * may have some. Without it, a mistake in a template shows when it is filled.
 * @param rules loads it only where they have one
 */
export async function loadTemplates(rules?: unknown): Promise<void> {
  if (rules !== undefined && !JSON.stringify(rules)?.includes('"template":true')) return;
  await openLiquid();
}

async function openLiquid(): Promise<LoadedLiquid> {
  if (liquid !== null) return liquid;
  const module = await import("liquidjs");
  const engine = new module.Liquid({
    strictVariables: true,
    strictFilters: true,
    lenientIf: true,
    ownPropertyOnly: true,
    relativeReference: false,
    dynamicPartials: false,
    templates: {},
    parseLimit: mostCharacters,
    memoryLimit: mostCharacters,
    operators: countOperands(module.defaultOperators),
  });
  for (const tag of removedTags) delete engine.tags[tag];
  liquid = { engine, Context: module.Context };
  return liquid;
}

/** Characters of an operand that are one step. */
const charactersOfStep = 1_000;

const comparisons = ["==", "!=", "<", ">", "<=", ">=", "contains"];

/** The same operators, which take as many steps as they have to read: `contains` and `==` go through long texts and lists. */
function countOperands(operators: Operators): Operators {
  const counted = comparisons.map((name) => {
    const compare = operators[name] as BinaryOperator;
    const count: BinaryOperator = (left, right, context) => {
      const weight = weigh(left) + weigh(right);
      for (let step = 0; step < weight; step += 1) context.renderLimit.check(0);
      return compare(left, right, context);
    };
    return [name, count] as const;
  });
  return { ...operators, ...Object.fromEntries(counted) };
}

function weigh(operand: unknown): number {
  if (typeof operand === "string") return Math.floor(operand.length / charactersOfStep);
  return Array.isArray(operand) ? operand.reduce<number>((sum, one) => sum + 1 + weigh(one), 0) : 0;
}

/** Why a text is no template; null when it is one, or templates are not loaded. */
export function findTemplateMistake(text: string): string | null {
  try {
    liquid?.engine.parse(text);
    return null;
  } catch (error) {
    return explainTemplateError(error);
  }
}

/** The fields of a reply that are templates where it says so. */
export const templateFields = ["text", "json", "tool_calls", "stream", "reasoning", "error"] as const;

/** What fills texts from `scope`. It throws where one of them can't be filled, or has no end. */
export async function createTemplateFiller(scope: object): Promise<(text: string) => string> {
  const { engine, Context } = await openLiquid();
  return (text) => {
    const context = new Context(scope, engine.options, { sync: true }, { liquid: engine });
    const filled = String(engine.renderSync(parse(engine, text), limitSteps(context, mostSteps)));
    if (filled.length > mostCharacters) throw new Error("its text is longer than 1 MB");
    return filled;
  };
}

/** Rules answer again and again: the last templates used stay parsed. */
const mostParsed = 1_000;
const parsed = new Map<string, Template[]>();

function parse(engine: Liquid, text: string): Template[] {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const [oldest] = parsed.keys();
  if (parsed.size === mostParsed && oldest !== undefined) parsed.delete(oldest);
  const template = engine.parse(text);
  parsed.set(text, template);
  return template;
}

/** The reason, for a sentence. */
export function explainTemplateError(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/, line:\d+, col:\d+$/, "").replace(/\.$/, "");
}
