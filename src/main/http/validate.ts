import type { FastifySchemaCompiler } from "fastify";
import type { z } from "zod";
import type { Problem } from "#contract";
import { quote, ServiceError, type ServiceErrorCode, shorten } from "#main/base";
import {
  createBodyCheck,
  createCheckRules,
  describeIssues,
  dropServerTools,
  type IssueKind,
  isAcceptedLeniently,
  type JsonObject,
  listServerTools,
  listUnknownFields,
  narrowRanges,
  takeAnyModel,
  toCamelCase,
} from "#main/requests";
import type { Service } from "#main/service";
import { noteDropped } from "./dropped.ts";

/** Checks a part of a request against its zod schema, and reports the first thing that is wrong with it. */
export const compileValidator: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  // The router has made these from the path: they are there, and they are strings.
  if (httpPart === "params") return (value) => ({ value });
  return (data) => {
    const result = schema.safeParse(data, { reportInput: true });
    if (result.success) return { value: result.data };
    const [issue] = narrowRanges(result.error.issues);
    return { error: issue === undefined ? result.error : describeIssue(issue) };
  };
};

/** One finding of zod as an error of the API, which names the field. */
function describeIssue(issue: z.core.$ZodIssue): ServiceError {
  const param = formatPath(issue.path);
  const fail = (code: ServiceErrorCode, message: string) => new ServiceError(code, message, param);
  const field = param === null ? "the body" : `'${param}'`;
  switch (issue.code) {
    case "invalid_type":
      if (issue.input === undefined && param !== null) {
        return fail("missing_required_parameter", `Missing required parameter: ${field}.`);
      }
      return fail(
        "invalid_type",
        `Invalid type for ${field}: expected ${describeType(issue.expected)}, but got ${describeValue(issue.input)} instead.`,
      );
    case "too_big":
      if (typeof issue.input !== "number") return fail("invalid_value", `Invalid ${field}: ${describeMost(issue)}.`);
      return fail(
        "integer_above_max_value",
        `Invalid ${field}: integer above maximum value. Expected a value <= ${issue.maximum}, but got ${issue.input} instead.`,
      );
    case "too_small":
      if (typeof issue.input !== "number") return fail("invalid_value", `Invalid ${field}: ${describeLeast(issue)}.`);
      return fail(
        "integer_below_min_value",
        `Invalid ${field}: integer below minimum value. Expected a value >= ${issue.minimum}, but got ${issue.input} instead.`,
      );
    case "invalid_value":
      return fail(
        "invalid_value",
        `Invalid value for ${field}: ${describeValue(issue.input)}. Supported values are: ${issue.values.map((value) => `'${String(value)}'`).join(", ")}.`,
      );
    case "unrecognized_keys": {
      const name = formatPath([...issue.path, ...issue.keys.slice(0, 1)]);
      return new ServiceError("invalid_value", `Unknown parameter: '${name}'.`, name);
    }
    case "invalid_key": {
      const [finding] = issue.issues;
      const map = formatPath(issue.path.slice(0, -1));
      const reason = finding?.code === "too_big" ? describeMost(finding) : (finding?.message ?? issue.message);
      const message = `Invalid key in '${map}': ${reason}.`;
      return new ServiceError("invalid_value", message, map);
    }
    default:
  }
  return fail("invalid_value", `Invalid value for ${field}: ${issue.message}`);
}

function describeMost({ origin, maximum }: z.core.$ZodIssueTooBig): string {
  return origin === "array"
    ? `more than the ${maximum} entries that it may have`
    : `longer than the ${maximum} characters that it may have`;
}

function describeLeast({ origin, minimum }: z.core.$ZodIssueTooSmall): string {
  const unit = origin === "array" ? ["entry", "entries"] : ["character", "characters"];
  return `it needs at least ${minimum} ${minimum === 1 ? unit[0] : unit[1]}`;
}

/** `metadata.name`, `messages[0].role`; null for the whole. */
function formatPath(path: readonly PropertyKey[]): string | null {
  if (path.length === 0) return null;
  return path
    .map((key, index) => (typeof key === "number" ? `[${key}]` : `${index === 0 ? "" : "."}${shorten(String(key))}`))
    .join("");
}

const typeWords: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "an integer",
  boolean: "a boolean",
  object: "an object",
  record: "an object",
  array: "an array",
};

function describeType(expected: string): string {
  return typeWords[expected] ?? expected;
}

function describeValue(value: unknown): string {
  if (value === null) return "null";
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "string") return `the string ${quote(value)}`;
  if (typeof value === "number") return Number.isInteger(value) ? "an integer" : "a decimal number";
  return describeType(typeof value);
}

/** The first thing that is wrong with a body; null where nothing is. */
type FindProblem = (body: JsonObject) => ServiceError | null;

/**
 * Checks bodies as the lines of a batch are checked, by what is in force now.
 * @param takesAnyModel whether every name is a model
 */
export function createProblemFinder(
  { models, fileLimits, readTier, readDialect, readStrictness }: Service,
  endpoint: string,
  takesAnyModel = false,
): FindProblem {
  const read = () => [readTier(), readDialect(), readStrictness()] as const;
  function create(settings: ReturnType<typeof read>) {
    const rules = createCheckRules(models, fileLimits, endpoint, settings[2]);
    return { settings, check: createBodyCheck(takesAnyModel ? takeAnyModel(rules) : rules) };
  }
  /** What would have the server accept the body all the same; empty where nothing would. */
  function findHelp(body: JsonObject, { code }: ServiceError): string {
    if (code === "model_not_found") return anyModelHelp;
    return isAcceptedLeniently(createCheckRules(models, fileLimits, endpoint), body) ? lenientHelp : "";
  }

  let current = create(read());
  return (body) => {
    const settings = read();
    if (settings.some((value, at) => value !== current.settings[at])) current = create(settings);
    let error: ServiceError | null = null;
    current.check(body, (code, param, message, kind) => {
      error ??= new ServiceError(toErrorCode(code, kind), message, param?.replace("body.", "") ?? null);
    });
    return error === null ? null : withHelp(error, findHelp(body, error));
  };
}

/** These end a message. */
export const anyModelHelp = " Start the server with --any-model to accept any name.";
export const lenientHelp = " Start the server with --lenient to accept it.";

function withHelp({ code, message, param }: ServiceError, help: string): ServiceError {
  return new ServiceError(code, message + help, param);
}

/**
 * Checks the bodies of other vendors' requests, whose schemas hold what can be translated and nothing else. The message names
 * the field: their errors have no place for it.
 */
export function createVendorValidator({ readStrictness }: Strictness): FastifySchemaCompiler<z.ZodType> {
  return (route) => {
    if (route.httpPart !== "body") return compileValidator(route);
    return (body) => {
      try {
        return { value: parseVendorRequest(route.schema, body, readStrictness() === "lenient") };
      } catch (error) {
        if (error instanceof ServiceError) return { error };
        throw error;
      }
    };
  };
}

type Strictness = Pick<Service, "readStrictness">;

/** The same as `parseVendorBody`; where the server is lenient, without what only the vendor's own service has. */
function parseVendorRequest<T>(schema: z.ZodType<T>, body: unknown, isLenient: boolean): T {
  if (isLenient) {
    const { kept, dropped } = splitForeign(schema, body);
    const parsed = parseVendorBody(schema, kept);
    noteDropped(parsed, dropped);
    return parsed;
  }
  try {
    return parseVendorBody(schema, body);
  } catch (error) {
    const isAccepted = error instanceof ServiceError && schema.safeParse(withoutForeign(schema, body)).success;
    throw isAccepted ? withHelp(error, lenientHelp) : error;
  }
}

/** Most rounds of looking for unknown fields: those within one are found only when it is gone. */
const mostRounds = 10;

/** A body without the tools of the vendor's service, and without fields that the schema has no name for. */
export function withoutForeign(schema: z.ZodType, body: unknown): unknown {
  return splitForeign(schema, body).kept;
}

/** The same, with the names of what it leaves out. */
function splitForeign(schema: z.ZodType, body: unknown): { readonly kept: unknown; readonly dropped: string[] } {
  if (!isJsonObject(body)) return { kept: body, dropped: [] };
  const dropped = listServerTools(body);
  let kept: unknown = dropServerTools(body);
  for (let round = 0; round < mostRounds; round += 1) {
    const { error } = schema.safeParse(kept);
    const unknown = error === undefined ? [] : listUnknownFields(error.issues);
    if (unknown.length === 0) break;
    dropped.push(...unknown.map((path) => formatPath(path) ?? ""));
    kept = unknown.reduce<unknown>(dropAt, kept);
  }
  return { kept, dropped };
}

function dropAt(value: unknown, [key, ...rest]: readonly PropertyKey[]): unknown {
  if (key === undefined) return value;
  if (Array.isArray(value)) return value.map((entry, at) => (at === key ? dropAt(entry, rest) : entry));
  if (!isJsonObject(value) || !(key in value)) return value;
  const { [String(key)]: inner, ...others } = value;
  return rest.length === 0 ? others : { ...value, [key]: dropAt(inner, rest) };
}

/** What a schema of another vendor's wire makes of a value. Throws a ServiceError with the first thing that is wrong. */
export function parseVendorBody<T>(schema: z.ZodType<T>, body: unknown): T {
  const { data, error } = schema.safeParse(body);
  if (error === undefined) return data;
  const [issue] = isJsonObject(body) ? describeIssues(error.issues, body) : [];
  throw issue === undefined ? noObject() : new ServiceError(codeByKind[issue.kind], issue.message, issue.param);
}

/** The same for Gemini's, whose names may be as in Python. */
export function createGeminiValidator(service: Strictness): FastifySchemaCompiler<z.ZodType> {
  const compile = createVendorValidator(service);
  return (route) => {
    const validate = compile(route);
    return route.httpPart === "body" ? (body) => validate(toCamelCase(body)) : validate;
  };
}

/** What is wrong with a body that is no object. */
export function noObject(): ServiceError {
  return new ServiceError("invalid_type", "Invalid type for the body: expected an object.");
}

const codeByKind: Readonly<Record<IssueKind, ServiceErrorCode>> = {
  missing: "missing_required_parameter",
  wrong_type: "invalid_type",
  wrong_value: "invalid_value",
};

function toErrorCode(code: Problem["code"], kind: IssueKind = "wrong_value"): ServiceErrorCode {
  switch (code) {
    case "model_not_found":
    case "context_length_exceeded":
    case "max_output_exceeded":
      return code;
    default:
      return codeByKind[kind];
  }
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
