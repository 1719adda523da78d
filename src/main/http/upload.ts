import type { Multipart, MultipartFile } from "@fastify/multipart";
import type { FastifyReply, FastifyRequest } from "fastify";
import { quote, ServiceError } from "#main/base";
import type { Files, PendingFile } from "#main/batches";
import type { FileRecord } from "#main/storage";
import { readForm } from "./inflate.ts";
import { missingPart, repeatedPart, type UploadFields } from "./upload-fields.ts";

/** The service itself stops a file at its limit; the rest of a form is small. */
export const uploadLimits = { fileSize: Number.POSITIVE_INFINITY, fieldSize: 1_000, parts: 20, headerPairs: 100 };

/** Refuses what is no form before any of it is read. */
export function requireMultipart(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  const type = request.headers["content-type"] ?? "";
  if (!/^multipart\/form-data *;.*boundary=/i.test(type)) {
    throw new ServiceError(
      "unsupported_media_type",
      `Uploads are sent as multipart/form-data with a boundary, with the parts 'file' and 'purpose'. The content type was ${type === "" ? "missing" : quote(type)}.`,
    );
  }
  done();
}

/** Takes an upload, its parts in any order, those beside the file by `fields`. Nothing of it is kept unless all of it is right. */
export async function receiveUpload(
  request: FastifyRequest,
  files: Pick<Files, "receive">,
  fields: UploadFields,
): Promise<FileRecord> {
  let pending: PendingFile | undefined;
  let name: string | undefined;
  let mimeType: string | undefined;
  try {
    for await (const part of readWellFormed(readForm(request).parts())) {
      if (part.fieldname === "file") {
        if (pending !== undefined) throw repeatedPart("file");
        const { file, filename, mimetype } = requireFile(part);
        mimeType = mimetype;
        pending = await files.receive(readWellFormed(file), { owner: request.scope.owner });
        name = decodeFileName(filename);
      } else if (!fields.take(part) && part.type === "file") {
        part.file.resume();
      }
    }
    if (pending === undefined) throw missingPart("file");
    const received = pending;
    const about = fields.describe({ filename: name, mimeType });
    const { sha256 } = received;
    const file = await request.scope.creations.once(request, { ...about, sha256 }, () => received.store(about));
    // Of a repeated upload nothing is kept: it is there already.
    await received.discard();
    return file;
  } catch (error) {
    await pending?.discard();
    throw error;
  }
}

/** Quotes and line ends of a file name, which browsers and fetch escape in a form's header (HTML, multipart/form-data). */
function decodeFileName(name: string): string {
  return name.replaceAll("%22", '"').replaceAll("%0D", "\r").replaceAll("%0A", "\n");
}

/** The parts of a form, or the bytes of one: what the parser finds broken is the caller's mistake, not ours. */
async function* readWellFormed<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* source;
  } catch (error) {
    throw malformed(error);
  }
}

function requireFile(part: Multipart): MultipartFile {
  if (part.type === "file") return part;
  throw new ServiceError("invalid_type", "The part 'file' came as text. Send it as a file, with a file name.", "file");
}

function malformed(error: unknown): ServiceError {
  const tooMany = error instanceof Error && "code" in error && error.code === "FST_PARTS_LIMIT";
  return new ServiceError(
    "invalid_value",
    tooMany
      ? `The form has more than ${uploadLimits.parts} parts.`
      : "The multipart body is cut off or malformed. Nothing of it was kept.",
  );
}
