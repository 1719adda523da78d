import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { quote, ServiceError } from "#main/base";
import type { Files, PendingFile } from "#main/batches";
import {
  fromGeminiFileName,
  geminiErrorSchema,
  geminiFileSchema,
  startUploadSchema,
  toCamelCase,
  toGeminiFile,
} from "#main/requests";
import type { Service } from "#main/service";
import type { FileRecord } from "#main/storage";
import { geminiPageQuery, toGeminiPage } from "../gemini-pages.ts";
import { addBodiless, type HttpApp } from "../http-app.ts";
import { readJson } from "../json-bodies.ts";
import { answers } from "../schemas.ts";
import { readBaseAddress, type Scope } from "../scopes.ts";
import { parseVendorBody } from "../validate.ts";
import { injectFaults } from "./faults.ts";

const uploadPath = "/upload/v1beta/files";
const filesPath = "/v1beta/files";

/** As Gemini's own: 48 hours, in milliseconds. */
const lifetime = 48 * 60 * 60_000;

/** Uploads that have begun and not ended, of which the oldest give way. */
const mostUploads = 1_000;
/** The longest body that begins one. */
const mostStartBytes = 1_000_000;
const usualType = "application/octet-stream";
/** How long an upload waits for its next bytes, in milliseconds. */
const longestIdle = 15 * 60_000;

/** An upload whose bytes may come in several requests. */
interface Upload {
  readonly scope: Scope;
  readonly filename: string;
  readonly mimeType: string;
  readonly pending: Promise<PendingFile>;
  received: number;
  /** Takes the bytes of a request; with null there are no more. */
  append(body: Readable | null): Promise<void>;
  /** Nothing of it is kept. */
  cancel(): void;
}

/** Fields of the one route that bytes are sent to, with those that begin an upload. */
const uploadQuery = z.object({ upload_id: z.string().optional() });
const uploadedSchema = z.object({ file: geminiFileSchema.optional() });

/**
 * Uploads in Gemini's resumable way: a request begins one and gets an address, which is all that those with the bytes need: they
 * come without a key.
 * @param admit checks the key of a request and gives it its scope
 */
export function addGeminiUploadRoutes(app: HttpApp, service: Service, admit: (request: FastifyRequest) => void): void {
  injectFaults(app, service);
  const uploads = new Map<string, Upload>();
  const find = ({ query }: Pick<FastifyRequest, "query">) => uploads.get(uploadQuery.parse(query).upload_id ?? "");

  app.addHook("onRequest", (request, _reply, done) => {
    const upload = find(request);
    if (upload === undefined) admit(request);
    else request.scope = upload.scope;
    done();
  });
  // The bytes may have any type, and clients write `application/json` over them.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, body, done) => done(null, body));

  app.post(
    uploadPath,
    {
      bodyLimit: service.fileLimits.bytes,
      schema: { querystring: uploadQuery, response: answers(uploadedSchema, geminiErrorSchema) },
    },
    async (request, reply) => {
      const command = readHeader(request, "x-goog-upload-command");
      if (command === "start") return await begin(request, reply);
      const upload = find(request);
      if (upload === undefined) {
        throw new ServiceError(
          "not_found",
          "There is no such upload: begin one with the header 'X-Goog-Upload-Command: start'.",
        );
      }
      const ends = /\bfinalize\b/.test(command);
      if (/\bupload\b/.test(command)) {
        const offset = Number(readHeader(request, "x-goog-upload-offset"));
        if (offset !== upload.received) {
          const message = `The offset is ${offset}; ${upload.received} bytes have been received.`;
          throw new ServiceError("invalid_value", message);
        }
        await upload.append(readBytes(request));
      } else if (!ends) {
        throw new ServiceError("invalid_value", `Invalid value for 'X-Goog-Upload-Command': ${quote(command)}.`);
      }
      reply.header("x-goog-upload-status", ends ? "final" : "active");
      if (!ends) return reply.send({});
      await upload.append(null);
      const { filename, mimeType, pending } = upload;
      const file = await (await pending).store({ filename, purpose: "batch", lifetime, mimeType });
      return reply.send({ file: show(file, request) });
    },
  );
  app.addHook("preClose", (done) => {
    for (const upload of uploads.values()) upload.cancel();
    done();
  });

  async function begin(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const about = parseVendorBody(startUploadSchema, toCamelCase(await readStart(request)));
    const { displayName = "file", mimeType } = about.file ?? {};
    const id = randomUUID();
    const type = mimeType ?? readHeader(request, "x-goog-upload-header-content-type");
    const upload = startUpload(service, request.scope, { filename: displayName, mimeType: type || usualType });
    uploads.set(id, upload);
    const forget = () => uploads.delete(id);
    upload.pending.then(forget, forget);
    const [oldest] = uploads.values();
    if (uploads.size > mostUploads) oldest?.cancel();
    const address = `${readBaseAddress(request)}${uploadPath}?upload_id=${id}&upload_protocol=resumable`;
    return reply.headers({ "x-goog-upload-url": address, "x-goog-upload-status": "active" }).send({});
  }
}

function readHeader({ headers }: FastifyRequest, name: string): string {
  return [headers[name]].flat()[0] ?? "";
}

function readBytes({ body }: FastifyRequest): Readable {
  return body instanceof Readable ? body : Readable.from([]);
}

/** The bytes of a body. Who stops before their end can still answer: the connection stays open. */
function readKeepingOpen(body: Readable): AsyncIterable<Uint8Array> {
  return body.iterator({ destroyOnReturn: false });
}

async function readStart(request: FastifyRequest): Promise<unknown> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of readKeepingOpen(readBytes(request))) {
    length += piece.length;
    if (length > mostStartBytes) {
      throw new ServiceError("body_too_large", "The request that begins an upload has a body of 1 MB at most.");
    }
    pieces.push(piece);
  }
  const text = Buffer.concat(pieces).toString();
  return text === "" ? {} : readJson(request, text);
}

function startUpload({ files, machine }: Service, scope: Scope, about: Pick<Upload, "filename" | "mimeType">): Upload {
  interface Piece {
    readonly body: Readable | null;
    readonly taken: () => void;
  }
  let next = Promise.withResolvers<Piece>();

  async function* readPieces(): AsyncGenerator<Uint8Array, void> {
    for (;;) {
      const stopWaiting = machine.after(longestIdle, cancel, { unref: true });
      const { body, taken } = await next.promise.finally(stopWaiting);
      next = Promise.withResolvers();
      if (body === null) return taken();
      for await (const chunk of readKeepingOpen(body)) {
        upload.received += chunk.length;
        yield chunk;
      }
      taken();
    }
  }

  function cancel(): void {
    next.reject(new ServiceError("not_found", "The upload was given up. Begin another one."));
    next.promise.catch(() => {});
  }

  const upload: Upload = {
    ...about,
    scope,
    pending: files.receive(readPieces(), { owner: scope.owner }),
    received: 0,
    async append(body) {
      const { promise: taken, resolve } = Promise.withResolvers<void>();
      next.resolve({ body, taken: resolve });
      // What it fails with (it is too large, or its client has gone) is the answer to this request.
      await Promise.race([taken, upload.pending]);
    },
    cancel,
  };
  upload.pending.catch(() => {});
  return upload;
}

/** Gemini's files: read, list, delete. They are kept for 48 hours. */
export function addGeminiFileRoutes(app: HttpApp, { files }: Pick<Service, "files">): void {
  const params = z.object({ file: z.string() });
  const listSchema = z.object({ files: z.array(geminiFileSchema), nextPageToken: z.string().optional() });

  app.get(
    filesPath,
    { schema: { querystring: geminiPageQuery(10), response: answers(listSchema, geminiErrorSchema) } },
    (request, reply) => {
      const own = files.list(request.scope.owner).filter(isUploaded);
      const { items, next } = toGeminiPage(own, request.query, ({ createdAt }) => createdAt);
      reply.send({ files: items.map((file) => show(file, request)), ...next });
    },
  );

  app.get(
    `${filesPath}/:file`,
    { schema: { params, response: answers(geminiFileSchema, geminiErrorSchema) } },
    (request, reply) => {
      reply.send(show(findGeminiFile(files, request.scope, request.params.file), request));
    },
  );

  addBodiless(app, (deleting) => {
    deleting.delete(
      `${filesPath}/:file`,
      { schema: { params, response: answers(z.object({}), geminiErrorSchema) } },
      async (request, reply) => {
        await files.remove(findGeminiFile(files, request.scope, request.params.file).id);
        return reply.send({});
      },
    );
  });
}

/** What batches were made of is no file of their client. */
function isUploaded({ purpose, generated }: FileRecord): boolean {
  return purpose === "batch" && !generated;
}

/** The file of that name, with or without `files/`. */
export function findGeminiFile(files: Pick<Files, "get">, { owner }: Scope, name: string): FileRecord {
  const file = files.get(fromGeminiFileName(name), owner);
  if (file === undefined || !isUploaded(file))
    throw new ServiceError("not_found", `No file with the name ${quote(name)}.`);
  return file;
}

function show(file: FileRecord, request: FastifyRequest) {
  return toGeminiFile(file, `${readBaseAddress(request)}${filesPath}/${fileNameOf(file)}`);
}

function fileNameOf({ id }: FileRecord): string {
  return id.replace(/^file-/, "");
}
