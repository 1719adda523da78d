import { readServiceError } from "#main/answers";
import { asNumber, asText, listObjects } from "#main/base";

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Statuses after which another attempt may end better. */
export const passingStatuses: ReadonlySet<number> = new Set([408, 409, 425, 429, 500, 502, 503, 504, 529]);

/** No service means a longer wait, in milliseconds: limits start again with the day. */
const longestWait = 86_400_000;

/**
 * Milliseconds that a service asks to wait: by `retry-after-ms` or `retry-after`, by the details of its error, by the times at
 * which its limits start again, or by its message. Null where it names no wait, and for more than a day.
 */
export function readWait(status: number, headers: Headers, body: string, now: number): number | null {
  const header = (name: string) => [headers[name]].flat()[0];
  const milliseconds = asNumber(header("retry-after-ms"));
  if (milliseconds !== null) return limit(milliseconds);
  const asked = parseRetryAfter(header("retry-after"), now);
  if (asked !== null || header("retry-after") !== undefined) return asked;
  if (!passingStatuses.has(status)) return null;
  const error = readServiceError(body);
  const inDetails = listObjects(error?.more.details)
    .map(({ retryDelay }) => parseDuration(asText(retryDelay) ?? ""))
    .find((wait) => wait !== null);
  // Some services send the times of their limits with every answer.
  const reset = status === 429 ? readResets(header, now) : null;
  return limit(inDetails ?? reset ?? readMessage(error?.message ?? ""));
}

const limit = (wait: number | null) => (wait === null || wait > longestWait ? null : Math.max(0, wait));

/** What is limited, in the order of the names of headers: `x-ratelimit-remaining-tokens`, `x-ratelimit-reset-tokens`. */
const limited = [
  ...["requests", "tokens"].map((what) => [`x-ratelimit-remaining-${what}`, `x-ratelimit-reset-${what}`] as const),
  ...["requests", "tokens", "input-tokens", "output-tokens"].map(
    (what) => [`anthropic-ratelimit-${what}-remaining`, `anthropic-ratelimit-${what}-reset`] as const,
  ),
];

/** Until the limits start again that are used up; of limits whose rest is not told, until all have. */
function readResets(header: (name: string) => string | undefined, now: number): number | null {
  const resets = limited.flatMap(([remaining, reset]) => {
    const wait = parseMoment(header(reset) ?? "", now);
    return wait === null ? [] : [{ wait, rest: asNumber(header(remaining)) }];
  });
  const usedUp = resets.filter(({ rest }) => rest === 0);
  const waits = (usedUp.length > 0 ? usedUp : resets).map(({ wait }) => wait);
  return waits.length === 0 ? null : Math.max(...waits);
}

/** A duration, a number of seconds, a number of Unix seconds, or a time. */
function parseMoment(text: string, now: number): number | null {
  const seconds = asNumber(text);
  if (seconds !== null) return seconds > 1e9 ? seconds * 1_000 - now : seconds * 1_000;
  const moment = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(moment) ? parseDuration(text) : moment - now;
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A duration as Go writes it, such as `1m2.5s`. */
function parseDuration(text: string): number | null {
  if (!/^(?:[\d.]+(?:ms|[smhd]))+$/.test(text)) return null;
  const parts = [...text.matchAll(/([\d.]+)(ms|[smhd])/g)];
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (units[unit ?? ""] ?? 0), 0);
}

const named =
  /\b(?:try again|retry|wait)\b[^.]{0,20}?\b(?:in|after|for)?\s*((?:\d[\d.]*\s*(?:ms|[smhd])(?![a-z])\s*)+|\d[\d.]*\s*(?:milliseconds?|seconds?|minutes?|hours?))/i;

/** `Please try again in 6s.`, `Please retry after 33 seconds.` */
function readMessage(message: string): number | null {
  const words = named.exec(message)?.[1];
  if (words === undefined) return null;
  const short = words
    .toLowerCase()
    .replaceAll(/\s+/g, "")
    .replace(/milliseconds?$/, "ms")
    .replace(/(second|minute|hour)s?$/, (word) => word.slice(0, 1));
  return parseDuration(short);
}

/**
 * Milliseconds that a `retry-after` header asks to wait: it is in seconds, or an HTTP date. Null when it is neither, and for
 * more than a day.
 */
export function parseRetryAfter(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  const text = header.trim();
  const wait = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1_000 : readDate(text) - now;
  return wait <= longestWait ? Math.max(0, wait) : null;
}

function readDate(text: string): number {
  // A date has words in it; `Date.parse` takes a lone number for a year.
  return /^[A-Za-z]{3}/.test(text) ? Date.parse(text) : Number.NaN;
}
