import type { Multipart, MultipartFile } from "@fastify/multipart";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type UploadPurpose, uploadPurposes } from "#contract";
import { quote, ServiceError } from "#main/base";
import type { Files, PendingFile } from "#main/batches";
import type { FileRecord } from "#main/storage";
import { readForm } from "./inflate.ts";

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

/** Takes an upload, its parts in any order. Nothing of it is kept unless all of it is right. */
export async function receiveUpload(request: FastifyRequest, files: Pick<Files, "receive">): Promise<FileRecord> {
  let pending: PendingFile | undefined;
  let name: string | undefined;
  let purpose: UploadPurpose | undefined;
  const expiresAfter = collectExpiresAfter();
  try {
    for await (const part of readWellFormed(readForm(request).parts())) {
      if (part.fieldname === "file") {
        if (pending !== undefined) throw repeated("file");
        const { file, filename } = requireFile(part);
        pending = await files.receive(readWellFormed(file), { owner: request.scope.owner });
        name = decodeFileName(filename);
      } else if (part.fieldname === "purpose") {
        if (purpose !== undefined) throw repeated("purpose");
        purpose = readPurpose(part);
      } else if (!expiresAfter.take(part) && part.type === "file") {
        part.file.resume();
      }
    }
    if (pending === undefined) throw missing("file");
    if (purpose === undefined) throw missing("purpose");
    const lifetime = expiresAfter.lifetime();
    const received = pending;
    const about = { filename: name || "upload.jsonl", purpose, lifetime } as const;
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

function readPurpose(part: Multipart): UploadPurpose {
  if (part.type === "file" || typeof part.value !== "string") {
    throw new ServiceError("invalid_type", "The part 'purpose' is a text, not a file.", "purpose");
  }
  const purpose = uploadPurposes.find((each) => each === part.value);
  if (purpose !== undefined) return purpose;
  const supported = uploadPurposes.map((each) => `'${each}'`).join(", ");
  const message = `Invalid value for 'purpose': ${quote(part.value)}. Supported values are: ${supported}.`;
  throw new ServiceError("invalid_value", message, "purpose");
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

/** The two fields of a form for how long a file is kept, as clients write them in brackets. */
const anchorField = "expires_after[anchor]";
const secondsField = "expires_after[seconds]";
const anchor = "created_at";
/** An hour, and 30 days. */
const leastSeconds = 3_600;
const mostSeconds = 2_592_000;

/** Collects `expires_after` from the fields of a form. */
interface ExpiresAfter {
  /** Takes the part when it is one of the two fields, and returns whether it was. */
  take(part: Multipart): boolean;
  /** Milliseconds from the upload on; null for a file that stays. Throws when one field came without the other. */
  lifetime(): number | null;
}

function collectExpiresAfter(): ExpiresAfter {
  const given = new Map<string, string>();
  return {
    take(part) {
      const { fieldname: name } = part;
      if (name !== anchorField && name !== secondsField) return false;
      if (part.type === "file" || typeof part.value !== "string") {
        throw new ServiceError("invalid_type", `The part '${name}' is a text, not a file.`, name);
      }
      if (given.has(name)) throw new ServiceError("invalid_value", `The part '${name}' may be there only once.`, name);
      (name === anchorField ? checkAnchor : checkSeconds)(part.value);
      given.set(name, part.value);
      return true;
    },
    lifetime() {
      if (given.size === 0) return null;
      for (const name of [anchorField, secondsField]) {
        if (given.has(name)) continue;
        throw new ServiceError("missing_required_parameter", `The part '${name}' is missing from the form.`, name);
      }
      return Number(given.get(secondsField)) * 1_000;
    },
  };
}

function checkAnchor(value: string): void {
  if (value === anchor) return;
  const message = `Invalid value for '${anchorField}': ${quote(value)}. Supported values are: '${anchor}'.`;
  throw new ServiceError("invalid_value", message, anchorField);
}

function checkSeconds(value: string): void {
  const got = `but got ${quote(value)} instead.`;
  if (!/^[+-]?\d+$/.test(value)) {
    const message = `Invalid type for '${secondsField}': expected an integer, ${got}`;
    throw new ServiceError("invalid_type", message, secondsField);
  }
  if (Number(value) > mostSeconds) {
    const message = `Invalid '${secondsField}': integer above maximum value. Expected a value <= ${mostSeconds}, ${got}`;
    throw new ServiceError("integer_above_max_value", message, secondsField);
  }
  if (Number(value) < leastSeconds) {
    const message = `Invalid '${secondsField}': integer below minimum value. Expected a value >= ${leastSeconds}, ${got}`;
    throw new ServiceError("integer_below_min_value", message, secondsField);
  }
}
