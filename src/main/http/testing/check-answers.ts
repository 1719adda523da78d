import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { onSendHookHandler } from "fastify";
import { z } from "zod";
import type { DialectName } from "#contract";
import type { Service } from "#main/service";
import type { Vendor } from "../../base/ports.ts";

import { type PrepareApp, toTemplate } from "../http-app.ts";
import { errorNameOf, vendorOf } from "../vendor.ts";

const documentSchema = z.looseObject({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        operationId: z.string(),
        responses: z.record(z.string(), z.object({ content: z.record(z.string(), z.unknown()).default({}) })),
      }),
    ),
  ),
});

const documentId = "openapi";
/** What was found wrong with the answers of a server. */
interface AnswerCheck {
  readonly problems: readonly string[];
  readonly prepare: PrepareApp;
  /** Begins, with the description of the server that has started. */
  begin(url: string): Promise<void>;
}

/** By the dialect, on which alone they depend: a description is made, and its schemas compiled, once for all tests of a process. */
const descriptions = new Map<DialectName, Description>();

/** Holds every answer of a server to its own description, and under the openai dialect to the public API's schemas. */
export function checkAnswers({ faults }: Service, dialect: DialectName): AnswerCheck {
  const problems: string[] = [];
  const checkPublic = dialect === "openai" ? findPublicApiCheck() : () => null;
  let description: Description | undefined;

  const check: onSendHookHandler = (request, reply, payload, done) => {
    done(null, payload);
    const isDamaged = faults.settings.drop_rate + faults.settings.malformed_rate > 0;
    if (description === undefined || isDamaged) return;
    const { method, routeOptions } = request;
    const type = String(reply.getHeader("content-type") ?? "").split(";")[0] ?? "";
    // A hidden route is there to refuse.
    const route = routeOptions.schema?.hide === true ? undefined : routeOptions.url;
    const answer = { method, route, status: reply.statusCode, type, vendor: vendorOf(request) };
    const note = (problem: string | null) => {
      if (problem !== null) problems.push(`${method} ${request.url} ${reply.statusCode}: ${problem}`);
    };
    const found = description.find(answer);
    if (typeof found === "string") return note(found);
    if (found.validate === null || payload instanceof Readable || type !== "application/json" || method === "HEAD")
      return;
    const body: unknown = JSON.parse(String(payload));
    if (!found.validate(body)) note(listErrors(found.validate));
    if (reply.statusCode === 200) note(checkPublic(found.operationId, body));
  };
  return {
    problems,
    prepare: (app) => app.addHook("onSend", check),
    async begin(url) {
      description = descriptions.get(dialect) ?? readDescription(await (await fetch(`${url}/openapi.json`)).text());
      descriptions.set(dialect, description);
    },
  };
}

interface Answer {
  readonly method: string;
  readonly route: string | undefined;
  readonly status: number;
  readonly type: string;
  readonly vendor: Vendor;
}

interface Description {
  /** The schema for an answer, or why there is none. */
  find(answer: Answer): { readonly operationId: string; readonly validate: ValidateFunction | null } | string;
}

function readDescription(text: string): Description {
  const document = documentSchema.parse(JSON.parse(text));
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, documentId);

  function compile(pointer: string): ValidateFunction {
    const validate = ajv.getSchema(`${documentId}${pointer}`);
    if (validate === undefined) throw new Error(`No schema at ${pointer}.`);
    return validate;
  }

  return {
    find({ method, route, status, type, vendor }) {
      if (route === undefined)
        return {
          operationId: "",
          validate: compile(`#/components/schemas/${errorNameOf(vendor)}`),
        };
      const path = toTemplate(route).replace("*", "{model}");
      const verb = (method === "HEAD" ? "GET" : method).toLowerCase();
      const operation = document.paths[path]?.[verb];
      if (operation === undefined) return "The route is not described.";
      const key = [String(status), `${Math.floor(status / 100)}XX`].find((name) => name in operation.responses);
      if (key === undefined) return "The status is not described.";
      const { content = {} } = operation.responses[key] ?? {};
      // Nothing is said of a type where there is no body.
      if (type === "" && Object.keys(content).length === 0)
        return { operationId: operation.operationId, validate: null };
      if (content[type] === undefined) return `The type '${type}' is not described.`;
      const steps = ["paths", path, verb, "responses", key, "content", type, "schema"];
      return { operationId: operation.operationId, validate: compile(toPointer(steps)) };
    },
  };
}

function toPointer(steps: readonly string[]): string {
  return `#/${steps.map((step) => encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/")}`;
}

function listErrors({ errors }: ValidateFunction): string {
  return (errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`).join("; ");
}

const publicId = "public";

type PublicApiCheck = (operationId: string, body: unknown) => string | null;
let publicApiCheck: PublicApiCheck | null = null;

function findPublicApiCheck(): PublicApiCheck {
  publicApiCheck ??= createPublicApiCheck();
  return publicApiCheck;
}

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
const publicDocumentSchema = z.looseObject({
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
});

/**
 * Checks bodies against the public API's schemas. Three parts are compared with what the live service sends instead: the optional
 * fields of a batch are null until they are set, the ids of an empty page are null, and a file may be there for evals.
 */
function createPublicApiCheck(): PublicApiCheck {
  const text = readFileSync(new URL("public-api.json", import.meta.url), "utf8");
  const document = publicDocumentSchema.parse(JSON.parse(text));
  const { schemas } = document.components;
  schemas.Batch = allowNull(schemas.Batch, isOptional);
  schemas.BatchError = allowNull(schemas.BatchError, isOptional);
  for (const list of ["ListFilesResponse", "ListBatchesResponse"]) {
    schemas[list] = allowNull(schemas[list], (name) => name === "first_id" || name === "last_id");
  }
  schemas.OpenAIFile = allowPurpose(schemas.OpenAIFile, "evals");
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, publicId);
  return (operationId, body) => {
    const shape = shapes[operationId];
    const validate = shape === undefined ? undefined : ajv.getSchema(`${publicId}#/components/schemas/${shape}`);
    if (validate === undefined || validate(body)) return null;
    const found = (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
    return `not the public API's ${shape}: ${found.join("; ")}`;
  };
}

function allowPurpose(schema: unknown, purpose: string): object {
  const { properties, ...rest } = objectSchema.parse(schema);
  return { ...rest, properties: { ...properties, purpose: { anyOf: [properties.purpose, { const: purpose }] } } };
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
