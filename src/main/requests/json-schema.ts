import { Ajv2020, type Options } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { RE2JS } from "re2js";

/** A pattern of a schema is its author's: RE2 looks for it, so that none can take for ever. */
const regExp = Object.assign(createPattern, { code: "createPattern" });

function createPattern(source: string) {
  const pattern = RE2JS.compile(source);
  return { test: (text: string) => pattern.test(text), toString: () => source };
}

/** A compiler of JSON schemas (draft 2020-12) that keeps none of them. */
export function createSchemaCompiler(options: Options = {}): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, logger: false, addUsedSchema: false, ...options, code: { regExp } });
  return addFormats.default(ajv);
}

/** A schema without its dialect and id: the newer dialects differ in nothing that matters here, and a compiler for one refuses the others. */
export function withoutDialect(schema: object): object {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== "$schema" && key !== "$id"));
}
