import {
  type Liquid,
  LiquidError,
  Output,
  type Template,
  Tokenizer,
  TokenKind,
  type TopLevelToken,
  Value,
} from "liquidjs";
import { type Problem, placeholderFor, rowNumberName } from "#contract";
import { TooManySteps } from "#main/base";
import { findClosest } from "./closest-name.ts";
import { findSimpleParts, joinSimpleParts } from "./simple-template.ts";
import { fillTemplates } from "./template-engine.ts";
import { findTested } from "./text-conditions.ts";

/** The longest text that one template may give for one row, in characters. */
const longestText = 10_000_000;

/** What a template sees: the cells of its row by column, and the number of the row. */
export interface TemplateRow {
  readonly cells: Readonly<Record<string, unknown>>;
  readonly number: number;
}

/** The compiled template of one text. */
export interface TextTemplate {
  readonly usedColumns: readonly string[];
  /** Columns whose text is a part of every prompt: not inside a condition or a loop, and without a default. */
  readonly plainColumns: readonly string[];
  /** Columns whose values are conditions by themselves: an `if` compares them with nothing. */
  readonly testedColumns: readonly string[];
  /** The text for a row. Throws a TemplateFailure where the template can't be filled from it. */
  render(row: TemplateRow): string;
}

/** The reason why a template has no text for a row. */
export class TemplateFailure extends Error {
  override readonly name = "TemplateFailure";
  readonly code: "template_error" | "unknown_column";

  constructor(code: "template_error" | "unknown_column", message: string) {
    super(message);
    this.code = code;
  }
}

/** Properties that Liquid gives every text. */
const textProperties: readonly unknown[] = ["size", "first", "last"];

function asSentence(message: string): string {
  const trimmed = message.replace(/, line:\d+, col:\d+$/, "");
  return `${trimmed.charAt(0).toUpperCase()}${trimmed.slice(1)}.`;
}

/** Liquid's message for `{{` without `}}`, which is common while one is typed. */
const unclosedOutput = /^output ".*" not closed/is;

/** Liquid's error message, and its position in the template. */
function describeSyntaxError(error: unknown): string {
  if (!(error instanceof Error)) return "The template can't be read.";
  if (!LiquidError.is(error)) return asSentence(error.message);
  const [line, column] = error.token.getPosition();
  const message = unclosedOutput.test(error.message)
    ? 'The placeholder that starts here is not closed. End it with "}}".'
    : asSentence(error.message);
  return `Line ${line}, column ${column}: ${message}`;
}

function describeUnknown(name: string, columns: readonly string[]): string {
  const closest = findClosest(name, columns);
  if (columns.length === 0) return `There is no column "${name}": the table has no columns.`;
  if (closest !== undefined) return `There is no column "${name}". The closest is ${placeholderFor(closest)}.`;
  const few = columns.slice(0, 5).map(placeholderFor).join(", ");
  return `There is no column "${name}". The table has ${few}${columns.length > 5 ? " and more" : ""}.`;
}

function outputText(token: TopLevelToken): string | undefined {
  return token.kind === TokenKind.Output && "content" in token && typeof token.content === "string"
    ? token.content
    : undefined;
}

/** A column named as several words (`{{ my column }}`), which Liquid would read as something else. */
function findSeveralWords(engine: Liquid, text: string, columns: readonly string[]): string | undefined {
  for (const token of new Tokenizer(text).readTopLevelTokens()) {
    const content = outputText(token);
    if (content === undefined) continue;
    const { postfix } = new Value(content, engine).initial;
    const values = postfix.filter(({ kind }) => kind !== TokenKind.Operator);
    if (values.length < 2 || values.length < postfix.length) continue;
    const words = content.split("|")[0]?.trim() ?? "";
    const [line, column] = token.getPosition();
    const closest = findClosest(words, columns);
    const hint = closest === undefined ? "" : ` For the column "${closest}" write ${placeholderFor(closest)}.`;
    return `Line ${line}, column ${column}: "${words}" is more than one name.${hint}`;
  }
  return undefined;
}

/** The columns that the templates use, and the names that are no columns. */
function findNames(engine: Liquid, templates: Template[], columns: ReadonlySet<string>) {
  const used = new Set<string>();
  const unknown = new Set<string>();
  const { globals } = engine.analyzeSync(templates, { partials: false });
  for (const { segments } of Object.values(globals).flat()) {
    const computed = segments.findIndex((segment) => typeof segment !== "string");
    const [root, ...others] = computed === -1 ? segments : segments.slice(0, computed);
    if (typeof root !== "string") continue;
    // A column may be named by its path: `meta.lang`.
    let name = root;
    while (!columns.has(name) && others.length > 0) name += `.${others.shift()}`;
    const [property] = others;
    if (property !== undefined && !textProperties.includes(property)) unknown.add([name, ...others].join("."));
    else if (columns.has(name)) used.add(name);
    else if (name !== rowNumberName) unknown.add(name);
  }
  return { used: [...used], unknown: [...unknown] };
}

/** The outputs that show in every row whatever is in it. */
function isPlainOutput(template: Template): boolean {
  return template instanceof Output && !template.value.filters.some(({ name }) => name === "default");
}

function failureOf(error: unknown, columns: readonly string[]): TemplateFailure {
  if (error instanceof TemplateFailure) return error;
  const original = LiquidError.is(error) ? (error.originalError ?? error) : error;
  if (!(original instanceof Error)) return new TemplateFailure("template_error", "The template can't be filled.");
  if ("variableName" in original && typeof original.variableName === "string") {
    return new TemplateFailure("unknown_column", describeUnknown(original.variableName, columns));
  }
  if (original instanceof TooManySteps) {
    return new TemplateFailure("template_error", `${asSentence(original.message)} Make the template simpler.`);
  }
  if (original instanceof RangeError || original.message.includes("memory alloc limit exceeded")) {
    return new TemplateFailure("template_error", "The template makes too much text for this row. Make it simpler.");
  }
  return new TemplateFailure("template_error", asSentence(original.message));
}

/**
 * Compiles a template. `param` is the path of the part of the request that it fills. Returns all problems that don't depend
 * on a row: its syntax, and names that are no columns.
 */
export function compileTextTemplate(
  engine: Liquid,
  text: string,
  columns: readonly string[],
  param: string,
): { template: TextTemplate; problems: readonly Problem[] } {
  const problem = (code: Problem["code"], message: string): Problem => ({
    code,
    message,
    param,
    line: null,
    severity: "error",
  });
  const nothing: TextTemplate = { usedColumns: [], plainColumns: [], testedColumns: [], render: () => "" };
  let parsed: Template[];
  try {
    parsed = engine.parse(text);
    const several = findSeveralWords(engine, text, columns);
    if (several !== undefined) return { template: nothing, problems: [problem("template_error", several)] };
  } catch (error) {
    return { template: nothing, problems: [problem("template_error", describeSyntaxError(error))] };
  }
  const known = new Set(columns);
  const parseOutput = (expression: string) => engine.parse(`{{ ${expression} }}`);
  const { used, unknown } = findNames(engine, parsed, known);
  const simple = findSimpleParts(parsed);
  const template: TextTemplate = {
    usedColumns: used,
    plainColumns: findNames(engine, parsed.filter(isPlainOutput), known).used,
    testedColumns: findNames(engine, [...findTested(parsed)].flatMap(parseOutput), known).used,
    render({ cells, number }) {
      try {
        const joined = simple && joinSimpleParts(simple, cells);
        const result = joined ?? fillTemplates(engine, parsed, cells, { [rowNumberName]: number });
        if (result.length > longestText) throw new RangeError("too long");
        return result;
      } catch (error) {
        throw failureOf(error, columns);
      }
    },
  };
  return { template, problems: unknown.map((name) => problem("unknown_column", describeUnknown(name, columns))) };
}
