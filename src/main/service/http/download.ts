import type { FastifyReply, FastifyRequest } from "fastify";
import { ServiceError } from "../errors.ts";
import type { FileRecord, Files } from "../types.ts";

/** Streams the content of a file, or the range of it that is asked for. */
export async function sendContent(
  file: FileRecord,
  files: Files,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const range = readRange(request, file.bytes);
  if (range === "unsatisfiable") {
    reply.header("content-range", `bytes */${file.bytes}`);
    throw new ServiceError(
      "range_not_satisfiable",
      `The file has ${file.bytes} bytes; the range asked for is not within.`,
    );
  }
  const { start, end } = range ?? { start: 0, end: file.bytes };
  // Before there is a header: what can't be read is answered with an error.
  const content = await files.read(file.id, { start, end });
  reply.headers({
    "content-type": "application/jsonl",
    "content-length": end - start,
    "content-disposition": describeDisposition(file.filename),
    "accept-ranges": "bytes",
    // The content is whatever somebody uploaded: no browser should guess what it is.
    "x-content-type-options": "nosniff",
  });
  if (range !== null) reply.code(206).header("content-range", `bytes ${start}-${end - 1}/${file.bytes}`);
  if (request.method !== "HEAD") return reply.send(content);
  content.destroy();
  return reply.send();
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
