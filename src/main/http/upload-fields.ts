import type { Multipart } from "@fastify/multipart";
import { type UploadPurpose, uploadPurposes } from "#contract";
import { quote, ServiceError } from "#main/base";
import type { PendingFile } from "#main/batches";

type FileAbout = Parameters<PendingFile["store"]>[0];

/** What a part says of the file in it. */
interface PartAbout {
  readonly filename: string | undefined;
  readonly mimeType: string | undefined;
}

/** Collects the fields of a form beside its file. */
export interface UploadFields {
  /** Takes the part when it is one of them, and returns whether it was. */
  take(part: Multipart): boolean;
  /** All that is known of the file. Throws when a field is missing. */
  describe(part: PartAbout): FileAbout;
}

/** Those of the compatible API: `purpose`, and `expires_after`. */
export function collectFileFields(): UploadFields {
  let purpose: UploadPurpose | undefined;
  const expiresAfter = collectExpiresAfter();
  return {
    take(part) {
      if (part.fieldname !== "purpose") return expiresAfter.take(part);
      if (purpose !== undefined) throw repeatedPart("purpose");
      purpose = readPurpose(part);
      return true;
    },
    describe({ filename }) {
      if (purpose === undefined) throw missingPart("purpose");
      return { filename: filename || "upload.jsonl", purpose, lifetime: expiresAfter.lifetime() };
    },
  };
}

/** As Anthropic's API limits it: 90 days. */
const mostAnthropicSeconds = 7_776_000;

/** Those of Anthropic's API: `expires_in_seconds`. */
export function collectAnthropicFileFields(): UploadFields {
  const name = "expires_in_seconds";
  let seconds: string | undefined;
  return {
    take(part) {
      if (part.fieldname !== name) return false;
      if (seconds !== undefined) throw repeatedPart(name);
      seconds = readText(part);
      checkSeconds(name, seconds, mostAnthropicSeconds);
      return true;
    },
    describe({ filename, mimeType = "application/octet-stream" }) {
      const lifetime = seconds === undefined ? null : Number(seconds) * 1_000;
      return { filename: filename || "unnamed", purpose: "user_data", lifetime, mimeType };
    },
  };
}

function readPurpose(part: Multipart): UploadPurpose {
  const value = readText(part);
  const purpose = uploadPurposes.find((each) => each === value);
  if (purpose !== undefined) return purpose;
  const supported = uploadPurposes.map((each) => `'${each}'`).join(", ");
  const message = `Invalid value for 'purpose': ${quote(value)}. Supported values are: ${supported}.`;
  throw new ServiceError("invalid_value", message, "purpose");
}

/** The value of a field of a form. */
function readText(part: Multipart): string {
  if (part.type !== "file" && typeof part.value === "string") return part.value;
  const { fieldname: name } = part;
  throw new ServiceError("invalid_type", `The part '${name}' is a text, not a file.`, name);
}

export function missingPart(part: string): ServiceError {
  return new ServiceError("missing_required_parameter", `The part '${part}' is missing from the form.`, part);
}

export function repeatedPart(part: string): ServiceError {
  return new ServiceError("invalid_value", `The part '${part}' may be there only once.`, part);
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
      const value = readText(part);
      if (given.has(name)) throw repeatedPart(name);
      if (name === anchorField) checkAnchor(value);
      else checkSeconds(name, value, mostSeconds);
      given.set(name, value);
      return true;
    },
    lifetime() {
      if (given.size === 0) return null;
      for (const name of [anchorField, secondsField]) {
        if (given.has(name)) continue;
        throw missingPart(name);
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

function checkSeconds(name: string, value: string, most: number): void {
  const got = `but got ${quote(value)} instead.`;
  if (!/^[+-]?\d+$/.test(value)) {
    const message = `Invalid type for '${name}': expected an integer, ${got}`;
    throw new ServiceError("invalid_type", message, name);
  }
  if (Number(value) > most) {
    const message = `Invalid '${name}': integer above maximum value. Expected a value <= ${most}, ${got}`;
    throw new ServiceError("integer_above_max_value", message, name);
  }
  if (Number(value) < leastSeconds) {
    const message = `Invalid '${name}': integer below minimum value. Expected a value >= ${leastSeconds}, ${got}`;
    throw new ServiceError("integer_below_min_value", message, name);
  }
}
