import { asNumber, asObject, asText, isObject, type JsonObject, listObjects } from "#main/base";
import { parseBody } from "./parse-body.ts";

/** What a service's error says, in whatever form it came. */
export interface ServiceError {
  readonly message: string;
  readonly type: string | null;
  readonly param: string | null;
  readonly code: string | null;
  /** All further members that the service has for it. */
  readonly more: JsonObject;
}

/**
 * Reads an error in any of the forms that servers have: `error` as an object or a text, FastAPI's `detail` as a text or a list,
 * a message alone, each also as the only item of a list. Null for a body of no such form.
 */
export function readServiceError(body: string): ServiceError | null {
  return readErrorValue(parseBody(body));
}

/** The same of a value that was read. */
export function readErrorValue(value: unknown): ServiceError | null {
  const outer = asObject(Array.isArray(value) ? value[0] : value);
  const { error, detail } = outer;
  const about = isObject(error) ? error : isObject(detail) ? detail : outer;
  const { message: _, type, param, code, error: _error, ...more } = about;
  const message = asText(about.message) || asText(error) || describeDetail(about.detail ?? detail);
  if (!message) return null;
  return {
    message: withFilters(message, more),
    type: asText(type) || null,
    param: toText(param),
    code: toText(code),
    // The members next to an error's message are of the answer as a whole.
    more: about === outer ? {} : more,
  };
}

/** FastAPI has a text there, or a list of what is wrong with which field. */
function describeDetail(detail: unknown): string | null {
  if (typeof detail === "string") return detail;
  const parts = listObjects(detail).flatMap(({ loc, msg }) => {
    const place = Array.isArray(loc) ? loc.filter((part) => part !== "body").join(".") : "";
    const said = asText(msg);
    return said === null ? [] : [place === "" ? said : `${place}: ${said}`];
  });
  return parts.length === 0 ? null : parts.join("; ");
}

/** Azure names the filters that a text was caught by in an error of its own. */
function withFilters(message: string, { innererror, content_filter_result: direct }: JsonObject): string {
  const results = asObject(asObject(innererror).content_filter_result ?? direct);
  const caught = Object.entries(results).flatMap(([name, result]) => {
    const { filtered, detected, severity } = asObject(result);
    if (filtered !== true && detected !== true) return [];
    return [typeof severity === "string" ? `${name} (${severity})` : name];
  });
  return caught.length === 0 ? message : `${message.replace(/\s*$/, "")} Filtered for: ${caught.join(", ")}.`;
}

function toText(value: unknown): string | null {
  return typeof value === "string" || typeof value === "number" ? String(value) : null;
}

/** The codes of an error: its own, its type, and those in its details; in lower case. */
export function listCodes({ code, type, more }: ServiceError): readonly string[] {
  const details = listObjects(more.details).map(({ reason }) => asText(reason));
  const codes = [code, type, asText(more.status), asText(asObject(more.innererror).code), ...details];
  return codes.flatMap((one) => one?.toLowerCase() ?? []);
}

/** Whether the request alone is larger than the limit that the error names, so that it never passes. */
export function isOverLimit({ message, more }: Pick<ServiceError, "message" | "more">): boolean {
  const found = /\blimit:?\s*([\d,._]+)[\s\S]{0,80}?\brequested:?\s*([\d,._]+)/i.exec(message);
  const [limit, requested] =
    found === null ? [asNumber(more.limit), asNumber(more.requested)] : [toCount(found[1]), toCount(found[2])];
  return limit !== null && requested !== null && requested > limit;
}

function toCount(text = ""): number | null {
  return asNumber(text.replaceAll(/[,_]/g, "").replace(/\.$/, ""));
}
