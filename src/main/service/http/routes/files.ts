import { fastifyMultipart } from "@fastify/multipart";
import { z } from "zod";
import { deletedFileSchema, filePurposeSchema, fileSchema, type WireDeletedFile } from "#contract";
import { ServiceError } from "../../errors.ts";
import { quote } from "../../quote.ts";
import type { FileRecord, Files, Service } from "../../types.ts";
import type { HttpApp } from "../app.ts";
import type { Dialect } from "../dialect.ts";
import { sendContent } from "../download.ts";
import { ignoreBodies } from "../ignore-bodies.ts";
import { answers, answersOf, listOf, listQuery } from "../schemas.ts";
import { receiveUpload, requireMultipart, uploadLimits } from "../upload.ts";
import { toWireFile, toWireFileList } from "../wire.ts";

const fileParams = z.object({ file_id: z.string() });
const fileListQuery = listQuery({ most: 10_000, default: 10_000 }).extend({
  purpose: filePurposeSchema.optional(),
  order: z.enum(["asc", "desc"]).default("desc"),
});

/** Files: upload, read, list, download, delete. */
export function addFileRoutes(app: HttpApp, { files }: Service, dialect: Dialect): void {
  app.register(async (uploads: HttpApp) => {
    await uploads.register(fastifyMultipart, { limits: uploadLimits });
    uploads.post(
      "/v1/files",
      { schema: { consumes: ["multipart/form-data"], response: answers(fileSchema) }, onRequest: requireMultipart },
      async (request, reply) => reply.send(toWireFile(await receiveUpload(request, files), dialect)),
    );
  });

  app.get(
    "/v1/files",
    { schema: { querystring: fileListQuery, response: answers(listOf(fileSchema)) } },
    (request, reply) => {
      const page = selectFiles(files, request.query);
      reply.send(toWireFileList(page.files, page.hasMore, dialect));
    },
  );

  app.get("/v1/files/:file_id", { schema: { params: fileParams, response: answers(fileSchema) } }, (request, reply) => {
    reply.send(toWireFile(findFile(files, request.params.file_id), dialect));
  });

  app.route({
    method: ["GET", "HEAD"],
    url: "/v1/files/:file_id/content",
    schema: { params: fileParams, response: answersOf("application/jsonl", "The bytes.", [200, 206]) },
    handler: (request, reply) => sendContent(findFile(files, request.params.file_id), files, request, reply),
  });

  app.register((deleting: HttpApp, _options, registered) => {
    ignoreBodies(deleting);
    deleting.delete(
      "/v1/files/:file_id",
      { schema: { params: fileParams, response: answers(deletedFileSchema) } },
      async (request, reply) => {
        const { id } = findFile(files, request.params.file_id);
        await files.remove(id);
        return reply.send({ id, object: "file", deleted: true } satisfies WireDeletedFile);
      },
    );
    registered();
  });
}

function findFile(files: Files, id: string): FileRecord {
  const file = files.get(id);
  if (file === undefined) throw new ServiceError("not_found", `No file with the id ${quote(id)}.`, "file_id");
  return file;
}

/** A page of files, newest first unless `asc` is asked for. */
function selectFiles(
  files: Files,
  { purpose, order, limit, after }: z.infer<typeof fileListQuery>,
): { files: readonly FileRecord[]; hasMore: boolean } {
  const newestFirst = files.list().filter((file) => purpose === undefined || file.purpose === purpose);
  const ordered = order === "desc" ? newestFirst : newestFirst.toReversed();
  const start = after === undefined ? 0 : ordered.findIndex((file) => file.id === after) + 1;
  if (after !== undefined && start === 0) {
    throw new ServiceError("not_found", `No file with the id ${quote(after)}.`, "after");
  }
  return { files: ordered.slice(start, start + limit), hasMore: start + limit < ordered.length };
}
