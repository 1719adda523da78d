/** Milliseconds that a `retry-after` header asks to wait: it is in seconds, or an HTTP date. Null when it says neither. */
export function parseRetryAfter(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  const text = header.trim();
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1_000;
  // A date has words in it; `Date.parse` takes a lone number for a year.
  const date = /^[A-Za-z]{3}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
