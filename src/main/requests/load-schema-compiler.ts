/** Loads the compiler of JSON schemas, which takes longer than all checks of requests. */
export function loadSchemaCompiler(): Promise<typeof import("./json-schema.ts")> {
  return import("./json-schema.ts");
}
