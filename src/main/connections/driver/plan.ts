/** What the lines of a job take, for cutting it into parts: number `n - 1` is of line `n`. */
export interface JobSize {
  /** Of a line with its line end; 0 for one that is not sent. */
  readonly bytes: ArrayLike<number>;
  /** About, of prompt and most answer; null where the service doesn't limit what is queued. */
  readonly tokens: ArrayLike<number> | null;
}

/** The most that a service takes in one batch; null where it sets no limit. */
export interface PartLimits {
  readonly lines: number | null;
  readonly bytes: number | null;
  readonly tokens: number | null;
}

/** Lines `from` … `to` of a file, from 1, both included. */
export interface PartRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Cuts a job into as few parts as a service's limits allow, in the order of its lines. A line that is over a limit by
 * itself is a part of its own: the service says better than we do what is wrong with it.
 */
export function planParts({ bytes, tokens }: JobSize, limits: PartLimits): PartRange[] {
  const most = {
    lines: limits.lines ?? Number.POSITIVE_INFINITY,
    bytes: limits.bytes ?? Number.POSITIVE_INFINITY,
    tokens: limits.tokens ?? Number.POSITIVE_INFINITY,
  };
  const parts: PartRange[] = [];
  let from = 1;
  let size = { lines: 0, bytes: 0, tokens: 0 };
  for (let line = 1; line <= bytes.length; line++) {
    const own = { bytes: bytes[line - 1] ?? 0, tokens: tokens?.[line - 1] ?? 0 };
    if (own.bytes === 0) continue;
    const isFull =
      size.lines + 1 > most.lines || size.bytes + own.bytes > most.bytes || size.tokens + own.tokens > most.tokens;
    if (isFull && size.lines > 0) {
      parts.push({ from, to: line - 1 });
      from = line;
      size = { lines: 0, bytes: 0, tokens: 0 };
    }
    size = { lines: size.lines + 1, bytes: size.bytes + own.bytes, tokens: size.tokens + own.tokens };
  }
  if (bytes.length > 0) parts.push({ from, to: bytes.length });
  return parts;
}
