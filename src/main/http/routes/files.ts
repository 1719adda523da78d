import { fastifyMultipart } from "@fastify/multipart";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { deletedFileSchema, filePurposeSchema, fileSchema, type WireDeletedFile } from "#contract";
import { quote, ServiceError } from "#main/base";
import { anthropicFileSchema, deletedAnthropicFileSchema, fromAnthropicFileId, toAnthropicFile } from "#main/requests";
import type { Service } from "#main/service";
import type { FileRecord } from "#main/storage";
import { anthropicFilePageSchema, isAnthropicUpload, listAnthropicFiles } from "../anthropic-files.ts";
import type { Dialect } from "../dialect.ts";
import { addBodiless, type HttpApp } from "../http-app.ts";
import { answers, answersOf, listOf, listQuery } from "../schemas.ts";
import { receiveUpload, requireMultipart, uploadLimits } from "../upload.ts";
import { collectAnthropicFileFields, collectFileFields } from "../upload-fields.ts";
import { anyErrorSchema, vendorOf } from "../vendor.ts";
import { toWireFile, toWireFileList } from "../wire.ts";

const fileParams = z.object({ file_id: z.string() });
const fileListQuery = listQuery({ most: 10_000, default: 10_000 }).extend({
  purpose: filePurposeSchema.optional(),
  order: z.enum(["asc", "desc"]).default("desc"),
});

const deletedSchema = z.union([deletedFileSchema, deletedAnthropicFileSchema]);

const isOfAnthropic = (request: FastifyRequest) => vendorOf(request) === "anthropic";

/** Files: upload, read, list, download, delete; for Anthropic's clients in the shape of its API. */
export function addFileRoutes(
  app: HttpApp,
  { files, readStrictness }: Pick<Service, "files" | "readStrictness">,
  dialect: Dialect,
): void {
  const fileAnswers = answers(z.union([fileSchema, anthropicFileSchema]), anyErrorSchema);
  const listAnswers = answers(z.union([listOf(fileSchema), anthropicFilePageSchema]), anyErrorSchema);
  const show = (file: FileRecord, request: FastifyRequest) =>
    isOfAnthropic(request) ? toAnthropicFile(file) : toWireFile(file, dialect);

  app.register(async (uploads: HttpApp) => {
    await uploads.register(fastifyMultipart, { limits: uploadLimits });
    uploads.post(
      "/v1/files",
      { schema: { consumes: ["multipart/form-data"], response: fileAnswers }, onRequest: requireMultipart },
      async (request, reply) => {
        const fields = isOfAnthropic(request) ? collectAnthropicFileFields() : collectFileFields();
        return reply.send(show(await receiveUpload(request, files, fields), request));
      },
    );
  });

  app.get("/v1/files", { schema: { querystring: fileListQuery, response: listAnswers } }, (request, reply) => {
    if (isOfAnthropic(request)) {
      reply.send(listAnthropicFiles(files.list(request.scope.owner), request));
      return;
    }
    const page = selectFiles(files.list(request.scope.owner), request.query);
    reply.send(toWireFileList(page.files, page.hasMore, dialect));
  });

  app.get("/v1/files/:file_id", { schema: { params: fileParams, response: fileAnswers } }, (request, reply) => {
    reply.send(show(findFile(request, request.params.file_id), request));
  });

  app.route({
    method: ["GET", "HEAD"],
    url: "/v1/files/:file_id/content",
    schema: { params: fileParams, response: answersOf("application/jsonl", "The bytes.", [200, 206], anyErrorSchema) },
    handler: (request, reply) => {
      const file = findFile(request, request.params.file_id);
      if (isOfAnthropic(request) && readStrictness() !== "lenient") throw notDownloadable();
      return sendContent(file, request, reply);
    },
  });

  addBodiless(app, (deleting) => {
    deleting.delete(
      "/v1/files/:file_id",
      { schema: { params: fileParams, response: answers(deletedSchema, anyErrorSchema) } },
      async (request, reply) => {
        const { id } = findFile(request, request.params.file_id);
        await files.remove(id);
        if (isOfAnthropic(request)) return reply.send({ id: request.params.file_id, type: "file_deleted" });
        return reply.send({ id, object: "file", deleted: true } satisfies WireDeletedFile);
      },
    );
  });

  function findFile(request: FastifyRequest, id: string): FileRecord {
    const { owner } = request.scope;
    const isAnthropic = isOfAnthropic(request);
    const file = files.get(isAnthropic ? fromAnthropicFileId(id) : id, owner);
    if (file === undefined || (isAnthropic && !isAnthropicUpload(file)))
      throw new ServiceError("not_found", `No file with the id ${quote(id)}.`, "file_id");
    return file;
  }

  /** Streams the content of a file, or the range of it that is asked for. */
  async function sendContent(file: FileRecord, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const size = await files.sizeOf(file);
    const range = readRange(request, size);
    if (range === "unsatisfiable") {
      reply.header("content-range", `bytes */${size}`);
      throw new ServiceError("range_not_satisfiable", `The file has ${size} bytes; the range asked for is not within.`);
    }
    const { start, end } = range ?? { start: 0, end: size };
    // Before there is a header: what can't be read is answered with an error.
    const content = await files.read(file.id, { start, end });
    reply.headers({
      "content-type": "application/jsonl",
      "content-length": end - start,
      "content-disposition": describeDisposition(file.filename),
      "accept-ranges": "bytes",
      // The content is whatever someone uploaded: no browser should guess what it is.
      "x-content-type-options": "nosniff",
    });
    if (range !== null) reply.code(206).header("content-range", `bytes ${start}-${end - 1}/${size}`);
    if (request.method !== "HEAD") return reply.send(content);
    content.destroy();
    return reply.send();
  }
}

function notDownloadable(): ServiceError {
  return new ServiceError(
    "file_not_downloadable",
    "Anthropic's API sends only files that a tool wrote, and this one was uploaded. Started with --lenient, this server sends it.",
  );
}

/** A page of files, newest first unless `asc` is asked for. */
function selectFiles(
  all: readonly FileRecord[],
  { purpose, order, limit, after }: z.infer<typeof fileListQuery>,
): { files: readonly FileRecord[]; hasMore: boolean } {
  const newestFirst = all.filter((file) => purpose === undefined || file.purpose === purpose);
  const ordered = order === "desc" ? newestFirst : newestFirst.toReversed();
  const start = after === undefined ? 0 : ordered.findIndex((file) => file.id === after) + 1;
  if (after !== undefined && start === 0) {
    throw new ServiceError("not_found", `No file with the id ${quote(after)}.`, "after");
  }
  return { files: ordered.slice(start, start + limit), hasMore: start + limit < ordered.length };
}

/** `[start, end)` of a single range; null where the whole file is to be sent. */
function readRange({ headers }: FastifyRequest, size: number): { start: number; end: number } | null | "unsatisfiable" {
  // Without validators of our own a conditional range can't be known to hold.
  if (headers["if-range"] !== undefined) return null;
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? "") ?? [];
  if (first === "" && last === "") return null;
  if (first !== "" && last !== "" && Number(last) < Number(first)) return null;
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size : Math.min(size, Number(last) + 1);
  return start < end ? { start, end } : "unsatisfiable";
}

/** Saved under the file's own name: as ASCII for old clients, in full for the others (RFC 6266). */
function describeDisposition(filename: string): string {
  const name = filename.toWellFormed();
  const ascii = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, "_");
  const full = encodeURIComponent(name).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${full}`;
}
