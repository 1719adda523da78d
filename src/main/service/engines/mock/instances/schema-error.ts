/** A JSON schema that no value can be made for: it contradicts itself, can't be read, or asks for too much. */
export class SchemaError extends Error {
  override readonly name = "SchemaError";
}
