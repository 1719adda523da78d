import { isDeepStrictEqual } from "node:util";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { RE2JS } from "re2js";
import { z } from "zod";
import { parseJson } from "../io/index.ts";
import { quote } from "../quote.ts";
import { type AnswerGrader, GraderError } from "./types.ts";

const notJson = "The answer is no JSON.";

/**
 * @param path `$.items[0].name`, `items[0].name` or `$['a name']`
 * @throws GraderError when it is no path
 */
export function createJsonGrader(path: string): AnswerGrader {
  const steps = readPath(path);
  return {
    grade(answer, expected) {
      const whole = readJson(answer);
      if (whole === undefined) return { passed: false, given: null, why: notJson };
      const value = follow(whole, steps);
      if (value === undefined) return { passed: false, given: null, why: `The answer has nothing at ${path}.` };
      const given = typeof value === "string" ? value : JSON.stringify(value);
      const passed = isEqual(value, expected);
      return { passed, given, why: `The value at ${path} is ${passed ? "as expected" : "another"}.` };
    },
  };
}

/** Valid by the schema of the request itself. */
export function createSchemaGrader(): AnswerGrader {
  return {
    needsExpected: false,
    grade(answer, _expected, schema) {
      if (schema === null) return { passed: false, given: null, why: "The request asks for no JSON schema." };
      const value = readJson(answer);
      if (value === undefined) return { passed: false, given: null, why: notJson };
      const problem = compileSchema(schema)(value);
      return { passed: problem === null, given: answer, why: problem ?? "The answer fits its request's schema." };
    },
  };
}

/** The JSON that an answer is, or that stands in its only code block. */
function readJson(answer: string): unknown {
  const [block, ...others] = Array.from(answer.matchAll(/^```[a-z]*\n([\s\S]*?)^```/gim), ([, code = ""]) => code);
  const whole = parseJson(answer);
  return whole === undefined && block !== undefined && others.length === 0 ? parseJson(block) : whole;
}

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
    else {
      const members = objectSchema.safeParse(found).data;
      found = members !== undefined && Object.hasOwn(members, name) ? members[name] : undefined;
    }
  }
  return found;
}

/** A cell is text: it says a text as it is, and anything else as JSON. */
function isEqual(value: unknown, cell: string): boolean {
  if (typeof value === "string") return value === cell;
  return isDeepStrictEqual(value, parseJson(cell.trim()));
}

/** Says what does not fit; null when all fits. */
type SchemaCheck = (value: unknown) => string | null;

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
  const unusable = (error: unknown) =>
    `The request's schema can't be used: ${error instanceof Error ? error.message : String(error)}.`;
  // A pattern of a schema is its author's: RE2 looks for it, so that none can take for ever.
  const regExp = Object.assign(createPattern, { code: "createPattern" });
  const ajv = new Ajv2020({ strict: false, logger: false, addUsedSchema: false, code: { regExp } });
  addFormats.default(ajv);
  try {
    // A compiler for one dialect refuses the others by their name.
    const { $schema: _dialect, $id: _id, ...schema } = objectSchema.parse(JSON.parse(text));
    const validate = ajv.compile<unknown>(schema);
    return (value) => {
      try {
        if (validate(value)) return null;
      } catch (error) {
        return unusable(error);
      }
      const [error] = validate.errors ?? [];
      return `${error?.instancePath || "The answer"} ${error?.message ?? "does not fit its request's schema"}.`;
    };
  } catch (error) {
    return () => unusable(error);
  }
}

function createPattern(source: string) {
  const pattern = RE2JS.compile(source);
  return { test: (text: string) => pattern.test(text), toString: () => source };
}
