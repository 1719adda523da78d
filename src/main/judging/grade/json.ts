import type { ErrorObject } from "ajv/dist/2020.js";
import { z } from "zod";
import { answerPrefix, type Misfit } from "#contract";
import {
  composeText,
  foldText,
  isJsonObject,
  listJson,
  parseAnswerJson,
  parseExactJson,
  printValue,
  readAnswerText,
  toEqualForm,
} from "#main/answers";
import { quote } from "#main/base";
import { loadSchemaCompiler } from "#main/requests";
import { splitCell } from "./cells.ts";
import { isSameNumberAlone } from "./numbers.ts";
import { type AnswerGrader, type Found, GraderError } from "./types.ts";

// This module is loaded when a schema is first looked at.
const { createSchemaCompiler, withoutDialect } = await loadSchemaCompiler();

const notJson = "The answer is no JSON.";

/**
 * @param path `$.items[0].name`, `items[0].name` or `$['a name']`
 * @throws GraderError when it is no path
 */
export function createJsonGrader(path: string, ordered = false): AnswerGrader {
  const steps = readPath(path);

  function gradeValue(answer: string, isExpected: (value: unknown) => boolean): Found {
    const json = findJsonText(answer);
    if (json === null) return { passed: false, given: null, why: notJson };
    const value = follow(parseExactJson(json), steps);
    if (value === undefined) return { passed: false, given: null, why: `The answer has nothing at ${path}.` };
    const passed = isExpected(value);
    return {
      passed,
      given: printValue(value),
      why: `The value at ${path} is ${passed ? "as expected" : "not the expected one"}.`,
    };
  }

  return {
    fold: composeText,
    readList(answer) {
      const json = findJsonText(answer);
      const value = json === null ? undefined : follow(parseExactJson(json), steps);
      return Array.isArray(value) ? value.map(printValue) : null;
    },
    gradeSet: (answer, expected) =>
      gradeValue(answer, (value) => isSameList(Array.isArray(value) ? value : [value], expected, ordered)),
    grade: (answer, expected) => gradeValue(answer, (value) => isEqual(value, expected, ordered)),
  };
}

/** How deep values of answers are offered to be graded, and how many of an answer. */
const deepest = 4;
const mostFields = 40;

/** The texts, numbers, truth values and lists of these of an answer that is a JSON object, by their paths; null for any other answer. */
export function readFields(answer: string): ReadonlyMap<string, unknown> | null {
  const json = findJsonText(answer);
  const value = json === null ? undefined : parseExactJson(json);
  if (!isJsonObject(value)) return null;
  const fields = new Map<string, unknown>();

  function collect(member: unknown, path: string, depth: number): void {
    if (typeof member !== "object" || member === null || JSON.isRawJSON(member)) {
      if (member !== null && fields.size < mostFields) fields.set(path, member);
    } else if (depth < deepest) {
      const isList = Array.isArray(member);
      if (
        isList &&
        depth > 0 &&
        member.every((one) => typeof one !== "object" || one === null || JSON.isRawJSON(one))
      ) {
        fields.set(path, member);
      }
      for (const [key, inner] of Object.entries(member)) {
        collect(inner, isList ? `${path}[${key}]` : `${path}${formatStep(key)}`, depth + 1);
      }
    }
  }

  collect(value, "$", 0);
  return fields;
}

/** A name as it is in a path. */
function formatStep(name: string): string {
  if (plainName.test(name)) return `.${name}`;
  return name.includes("'") ? `["${name}"]` : `['${name}']`;
}

/** Valid by the schema of the request itself. */
export function createSchemaGrader(): AnswerGrader {
  return {
    needsExpected: false,
    fold: composeText,
    grade(answer, _expected, schema) {
      if (schema === null) return { passed: false, given: null, why: "The request asks for no JSON schema." };
      const [first] = findMisfits(answer, schema);
      if (first?.why === notJson) return { passed: false, given: null, why: notJson };
      return { passed: !first, why: first?.why ?? "The answer fits its request's schema." };
    },
  };
}

/** Where an answer breaks a JSON schema, in whatever way; none where it fits. */
export function findMisfits(answer: string, schema: string): Misfit[] {
  const json = findJsonText(answer);
  return json === null ? [{ path: "answer", why: notJson }] : compileSchema(schema)(parseAnswerJson(json));
}

/** The text of the JSON that an answer is, or its only code block, or the only object or list in it; null where there is none. */
function findJsonText(answer: string): string | null {
  const text = readAnswerText(answer).text.replace(/^\ufeff/, "");
  if (isJson(text)) return text;
  const [block, ...others] = listBlocks(text);
  if (block !== undefined && others.length === 0 && isJson(block)) return block;
  const [only, another] = listJson(text);
  return only === undefined || another !== undefined ? null : text.slice(only.range.start, only.range.end);
}

/** The contents of the code blocks of a text, between fences of three and more backticks or tildes, indented or not. */
function listBlocks(text: string): string[] {
  const blocks: string[] = [];
  let open: { readonly mark: string; readonly lines: string[] } | null = null;
  for (const line of text.split(/\r?\n/)) {
    const mark = /^[ \t]*(`{3,}|~{3,})/.exec(line)?.[1];
    if (open === null) open = mark === undefined ? null : { mark, lines: [] };
    else if (mark?.startsWith(open.mark) && line.trim() === mark) {
      blocks.push(open.lines.join("\n"));
      open = null;
    } else open.lines.push(line);
  }
  return blocks;
}

const isJson = (text: string) => parseAnswerJson(text) !== undefined;

const plainName = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u;
const step = /\.?([\p{L}_$][\p{L}\p{N}_$-]*)|\[(\d{1,9})\]|\['([^']*)'\]|\["([^"]*)"\]/uy;

function readPath(path: string): readonly (string | number)[] {
  const steps: (string | number)[] = [];
  let at = path.startsWith("$") ? 1 : 0;
  while (at < path.length) {
    step.lastIndex = at;
    const found = step.exec(path);
    if (found === null) {
      throw new GraderError(`${quote(path)} is no path such as $.items[0].name: character ${at + 1} can't be read.`);
    }
    const [text, name, index, ...quoted] = found;
    steps.push(index === undefined ? (name ?? quoted.find((part) => part !== undefined) ?? "") : Number(index));
    at += text.length;
  }
  return steps;
}

const objectSchema = z.record(z.string(), z.unknown());

function follow(value: unknown, steps: readonly (string | number)[]): unknown {
  let found = value;
  for (const name of steps) {
    if (Array.isArray(found)) found = typeof name === "number" ? found[name] : undefined;
    else found = isJsonObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  }
  return found;
}

/**
 * A cell is text: it has a text as it is, and any other value as JSON. Numbers are equal that are the same decimal, or that
 * the grader of numbers reads alike. A list has the values of the cell, in any order unless `ordered`.
 */
export function isEqual(value: unknown, cell: string, ordered = false): boolean {
  const text = foldText(cell);
  if (typeof value === "string") {
    return (
      foldText(value) === text ||
      (isFormatted(value) !== isFormatted(text) && isSameNumberAlone(foldText(value), text.trim()))
    );
  }
  if (Array.isArray(value)) {
    if (isSameList(value, splitCell(cell), ordered)) return true;
    // "Washington, D.C." is one value, too.
    const [only, ...others] = value;
    if (typeof only === "string" && others.length === 0 && isEqual(only, cell)) return true;
  }
  const expected = parseCell(text);
  if (expected !== undefined && keyOf(value) === keyOf(expected)) return true;
  return isNumber(value) && isSameNumberAlone(printValue(value), text.trim());
}

/** Whether a number has more than digits and a point, which are those of versions, too: "1.10" is not "1.1". */
const isFormatted = (text: string) => !/^\s*-?\d+(?:\.\d+)?\s*$/.test(text);

const isNumber = (value: unknown) => typeof value === "number" || JSON.isRawJSON(value);

function isSameList(values: readonly unknown[], cells: readonly string[], ordered: boolean): boolean {
  if (ordered)
    return values.length === cells.length && values.every((value, at) => isEqual(value, cells[at] ?? "", true));
  // Most have the same key as one of the others; only the rest is compared with each.
  const valueKeys = new Set(values.map(keyOf));
  const cellKeys = cells.map(keysOfCell);
  const allCellKeys = new Set(cellKeys.flat());
  return (
    values.every((value) => allCellKeys.has(keyOf(value)) || cells.some((cell) => isEqual(value, cell))) &&
    cells.every(
      (cell, at) => cellKeys[at]?.some((key) => valueKeys.has(key)) || values.some((value) => isEqual(value, cell)),
    )
  );
}

/** The JSON value of a folded cell, whose truth values may be in capitals; undefined where it is none. */
const parseCell = (text: string) =>
  parseExactJson(/^\s*(?:true|false|null)\s*$/i.test(text) ? text.toLowerCase() : text.trim());

/** What equal values have in common. */
const keyOf = (value: unknown) => JSON.stringify(value, toFoldedForm);

/** The keys of the values that a cell is equal to: its text, and its JSON but for a text's, whose quotation marks count. */
function keysOfCell(cell: string): string[] {
  const text = foldText(cell);
  const value = parseCell(text);
  return [keyOf(text), ...(value === undefined || typeof value === "string" ? [] : [keyOf(value)])];
}

const toFoldedForm = (key: string, value: unknown) =>
  typeof value === "string" ? foldText(value) : toEqualForm(key, value);

type SchemaCheck = (value: unknown) => Misfit[];

/** The most misfits of an answer that are listed. */
const mostMisfits = 20;

/** Lines of a batch share their schema: the last ones used stay compiled. */
const mostCompiled = 50;
const compiled = new Map<string, SchemaCheck>();

function compileSchema(text: string): SchemaCheck {
  const known = compiled.get(text);
  if (known !== undefined) return known;
  if (compiled.size >= mostCompiled) compiled.clear();
  const check = createSchemaCheck(text);
  compiled.set(text, check);
  return check;
}

function createSchemaCheck(text: string): SchemaCheck {
  const unusable = (error: unknown): Misfit[] => {
    const why = `The request's schema can't be used: ${error instanceof Error ? error.message : String(error)}.`;
    return [{ path: "answer", why }];
  };
  const ajv = createSchemaCompiler({ allErrors: true });
  try {
    const validate = ajv.compile<unknown>(withoutDialect(objectSchema.parse(JSON.parse(text))));
    return (value) => {
      try {
        return validate(value) ? [] : (validate.errors ?? []).slice(0, mostMisfits).map(toMisfit);
      } catch (error) {
        return unusable(error);
      }
    };
  } catch (error) {
    return () => unusable(error);
  }
}

/** With the path of the value as columns name it; of a missing member, or one too many, the path of that. */
function toMisfit({ instancePath, params, message }: ErrorObject): Misfit {
  const steps = instancePath.split("/").slice(1);
  const member: unknown = params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty;
  const path = [...steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~")), ...(member ? [member] : [])];
  const why = `${instancePath || "The answer"} ${message ?? "does not fit its request's schema"}.`;
  return { path: path.length === 0 ? "answer" : `${answerPrefix}${path.join(".")}`, why };
}
