import type { Multipart } from "@fastify/multipart";
import { ServiceError } from "../errors.ts";
import { quote } from "../quote.ts";

/** The two fields of a form that say how long a file is kept, as clients write them in brackets. */
const anchorField = "expires_after[anchor]";
const secondsField = "expires_after[seconds]";
const anchor = "created_at";
/** An hour, and 30 days. */
const leastSeconds = 3_600;
const mostSeconds = 2_592_000;

/** Collects `expires_after` from the fields of a form. */
export interface ExpiresAfter {
  /** Takes the part when it is one of the two fields, and says whether it was. */
  take(part: Multipart): boolean;
  /** Milliseconds from the upload on; null for a file that stays. Throws when one field came without the other. */
  lifetime(): number | null;
}

export function collectExpiresAfter(): ExpiresAfter {
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
