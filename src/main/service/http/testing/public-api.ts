import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { z } from "zod";

const documentId = "public";

/** The public API's shape of what an operation answers. */
const shapes: Readonly<Record<string, string>> = {
  createFile: "OpenAIFile",
  listFiles: "ListFilesResponse",
  retrieveFile: "OpenAIFile",
  deleteFile: "DeleteFileResponse",
  createBatch: "Batch",
  listBatches: "ListBatchesResponse",
  retrieveBatch: "Batch",
  cancelBatch: "Batch",
  createChatCompletion: "CreateChatCompletionResponse",
  listModels: "ListModelsResponse",
  retrieveModel: "Model",
};

const objectSchema = z.looseObject({
  required: z.array(z.string()).default([]),
  properties: z.record(z.string(), z.unknown()).default({}),
});
const documentSchema = z.looseObject({
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
});

/**
 * Checks bodies against the public API's schemas. Two places are held to what the live service sends instead: the optional
 * fields of a batch are null until they are set, and the ids of an empty page are null.
 */
export function createPublicApiCheck(): (operationId: string, body: unknown) => string | null {
  const text = readFileSync(new URL("public-api.json", import.meta.url), "utf8");
  const document = documentSchema.parse(JSON.parse(text));
  const { schemas } = document.components;
  schemas.Batch = allowNull(schemas.Batch, isOptional);
  schemas.BatchError = allowNull(schemas.BatchError, isOptional);
  for (const list of ["ListFilesResponse", "ListBatchesResponse"]) {
    schemas[list] = allowNull(schemas[list], (name) => name === "first_id" || name === "last_id");
  }
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, documentId);
  return (operationId, body) => {
    const shape = shapes[operationId];
    const validate = shape === undefined ? undefined : ajv.getSchema(`${documentId}#/components/schemas/${shape}`);
    if (validate === undefined || validate(body)) return null;
    const found = (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
    return `not the public API's ${shape}: ${found.join("; ")}`;
  };
}

function isOptional(name: string, required: readonly string[]): boolean {
  return !required.includes(name);
}

function allowNull(schema: unknown, isNullable: (name: string, required: readonly string[]) => boolean): object {
  const { required, properties, ...rest } = objectSchema.parse(schema);
  const nullable = Object.entries(properties).map(([name, property]) => [
    name,
    isNullable(name, required) ? { anyOf: [property, { type: "null" }] } : property,
  ]);
  return { ...rest, required, properties: Object.fromEntries(nullable) };
}
