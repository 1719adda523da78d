import type { Multipart, MultipartFile } from "@fastify/multipart";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ServiceError } from "../errors.ts";
import { quote } from "../quote.ts";
import type { FileRecord, Files, PendingFile } from "../types.ts";
import { collectExpiresAfter } from "./expires-after.ts";

/** The service itself stops a file at its limit; the rest of a form is small. */
export const uploadLimits = { fileSize: Number.POSITIVE_INFINITY, fieldSize: 1_000, parts: 20, headerPairs: 100 };

/** What files are uploaded for; `batch_output` is what batches write. */
const uploadPurpose = "batch";

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

/** Takes an upload, its parts in any order. Nothing of it is kept unless all of it is right. */
export async function receiveUpload(request: FastifyRequest, files: Files): Promise<FileRecord> {
  let pending: PendingFile | undefined;
  let name: string | undefined;
  let hasPurpose = false;
  const expiresAfter = collectExpiresAfter();
  try {
    for await (const part of readWellFormed(request.parts())) {
      if (part.fieldname === "file") {
        if (pending !== undefined) throw repeated("file");
        const { file, filename } = requireFile(part);
        pending = await files.receive(readWellFormed(file));
        name = filename;
      } else if (part.fieldname === "purpose") {
        if (hasPurpose) throw repeated("purpose");
        checkPurpose(part);
        hasPurpose = true;
      } else if (!expiresAfter.take(part) && part.type === "file") {
        part.file.resume();
      }
    }
    if (pending === undefined) throw missing("file");
    if (!hasPurpose) throw missing("purpose");
    const lifetime = expiresAfter.lifetime();
    return await pending.keep({ filename: name || "upload.jsonl", purpose: uploadPurpose, lifetime });
  } catch (error) {
    await pending?.discard();
    throw error;
  }
}

/** The parts of a form, or the bytes of one: what the parser finds broken is the caller's to mend, not ours. */
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

function checkPurpose(part: Multipart): void {
  if (part.type === "file" || typeof part.value !== "string") {
    throw new ServiceError("invalid_type", "The part 'purpose' is a text, not a file.", "purpose");
  }
  if (part.value !== uploadPurpose) {
    throw new ServiceError(
      "invalid_value",
      `Invalid value for 'purpose': ${quote(part.value)}. Supported values are: '${uploadPurpose}'.`,
      "purpose",
    );
  }
}

function missing(part: string): ServiceError {
  return new ServiceError("missing_required_parameter", `The part '${part}' is missing from the form.`, part);
}

function repeated(part: string): ServiceError {
  return new ServiceError("invalid_value", `The part '${part}' may be there only once.`, part);
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
