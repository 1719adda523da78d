import {
  CaseTag,
  Context,
  defaultOperators,
  type Emitter,
  evalToken,
  type FilterImplOptions,
  filters,
  Liquid,
  type Template,
  toValue,
} from "liquidjs";
import { limitSteps } from "#main/base";
import { printText, printValue, TableNumber, toNumber } from "./template-values.ts";

/** The most steps that one template may take for one row. */
const renderSteps = 1_000_000;
/** The most characters and list items that one template may allocate for one row. */
const renderMemory = 10_000_000;
/** The longest template, in characters. */
const longestTemplate = 1_000_000;

/**
 * Tags that read files, or that change the row for the templates after this one. Without them a template sees its row
 * and nothing else.
 */
const removedTags = ["include", "render", "layout", "block", "increment", "decrement"];

/** Filters that take a value as it is. All others take the text that is printed of it. */
const typedFilters: ReadonlySet<string> = new Set(
  [
    "join last first reverse sort sort_natural size map sum compact concat push shift unshift pop slice where reject",
    "where_exp reject_exp group_by group_by_exp has has_exp find find_exp find_index find_index_exp uniq sample",
    "array_to_sentence_string default raw json jsonify inspect to_integer abs at_least at_most ceil divided_by floor",
    "minus modulo times round plus",
  ].flatMap((names) => names.split(" ")),
);

/**
 * Liquid as templates of prompts use it: strict about names and filters, without files, bounded in steps and size. Lists and
 * objects are printed as JSON, and a text that is a number, `true` or `false` equals that value.
 */
export function createTemplateEngine(): Liquid {
  const engine = new Liquid({
    strictVariables: true,
    strictFilters: true,
    ownPropertyOnly: true,
    relativeReference: false,
    dynamicPartials: false,
    templates: {},
    parseLimit: longestTemplate,
    memoryLimit: renderMemory,
    operators: { ...defaultOperators, ...operators },
    outputEscape: printText,
  });
  for (const tag of removedTags) delete engine.tags[tag];
  engine.registerTag("case", TypedCaseTag);
  for (const [name, filter] of Object.entries(filters)) {
    if (!typedFilters.has(name)) engine.registerFilter(name, printFirst(filter));
  }
  return engine;
}

/** Fills templates of the engine. Throws where one takes too many steps. */
export function fillTemplates(engine: Liquid, templates: Template[], scope: object, globals: object): string {
  const context = new Context(scope, engine.options, { sync: true, globals }, { liquid: engine });
  return String(engine.renderSync(templates, limitSteps(context, renderSteps)));
}

/** The filter on the texts that are printed of its values. */
function printFirst(filter: FilterImplOptions): FilterImplOptions {
  const handler = typeof filter === "function" ? filter : filter.handler;
  return function (value: unknown, ...others: unknown[]) {
    const { args } = this.token;
    // An argument with a name is a pair, and no list.
    const printed = others.map((other, at) => (Array.isArray(args[at]) ? other : printValue(other)));
    return handler.call(this, printValue(value), ...printed);
  };
}

type Compare = (left: unknown, right: unknown) => Generator<unknown, boolean, unknown>;

function* isEqual(left: unknown, right: unknown): Generator<unknown, boolean, unknown> {
  for (const [one, other] of [
    [left, right],
    [right, left],
  ]) {
    if (typeof one !== "string") continue;
    if (typeof other === "number") return !Number.isNaN(toNumber(one)) && new TableNumber(one).equals(other);
    if (typeof other === "boolean") return one.trim().toLowerCase() === String(other);
  }
  return (yield* compare("==", left, right)) === true;
}

/** Liquid's own comparison. */
function* compare(operator: string, left: unknown, right: unknown): Generator<unknown, unknown, unknown> {
  const own: unknown = defaultOperators[operator];
  return typeof own === "function" ? yield own(left, right) : false;
}

/** A comparison of sizes: two texts that are numbers are compared as these. */
function compareSizes(operator: string): Compare {
  return function* (left, right) {
    const areTexts = typeof left === "string" && typeof right === "string";
    const areNumbers = areTexts && ![left, right].map(toNumber).some(Number.isNaN);
    const [one, other] = areNumbers ? [new TableNumber(left), right] : [left, right];
    // An empty text is no number, although JavaScript takes it for 0.
    const isEmpty =
      [one, other].some((value) => value === "") && [one, other].some((value) => typeof value === "number");
    return !isEmpty && (yield* compare(operator, one, other)) === true;
  };
}

const operators: Readonly<Record<string, Compare>> = {
  "==": isEqual,
  *"!="(left, right) {
    return !(yield* isEqual(left, right));
  },
  ">": compareSizes(">"),
  "<": compareSizes("<"),
  ">=": compareSizes(">="),
  "<=": compareSizes("<="),
  *contains(left, right) {
    const whole: unknown = yield toValue(left);
    if (!Array.isArray(whole)) return (yield* compare("contains", printValue(whole), printValue(right))) === true;
    for (const item of whole) if (yield* isEqual(item, right)) return true;
    return false;
  },
};

/** `case`, whose values equal as with `==`. */
class TypedCaseTag extends CaseTag {
  override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const { renderer } = this.liquid;
    const target: unknown = yield this.value.value(context, context.opts.lenientIf);
    let isFound = false;
    for (const { values, templates } of this.branches) {
      for (const token of values) {
        const value: unknown = yield evalToken(token, context, context.opts.lenientIf);
        if (!(yield* isEqual(target, value))) continue;
        yield renderer.renderTemplates(templates, context, emitter);
        isFound = true;
        break;
      }
    }
    if (!isFound) yield renderer.renderTemplates(this.elseTemplates, context, emitter);
  }
}
