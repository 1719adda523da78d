export const deadlineExpected = "a time to come, such as 18:00, 90m, 2h or 2027-01-31T08:00";

const minute = 60_000;
const units = { m: minute, h: 60 * minute } as const;

/** Parses a deadline (`2h`, `30m`, the next `18:30` of the local clock, or a date and time) to Unix milliseconds; null for any other text. */
export function parseDeadline(text: string, now: number): number | null {
  const [, count, unit] = /^(\d{1,4})([mh])$/.exec(text) ?? [];
  if (unit === "m" || unit === "h") return now + Number(count) * units[unit];
  const [, hours, minutes] = /^(\d{1,2}):(\d{2})$/.exec(text) ?? [];
  if (hours !== undefined) return findNext(Number(hours), Number(minutes), now);
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text)) return null;
  const moment = Date.parse(text);
  return moment > now ? moment : null;
}

function findNext(hours: number, minutes: number, now: number): number | null {
  if (hours > 23 || minutes > 59) return null;
  const next = new Date(now);
  next.setHours(hours, minutes, 0, 0);
  if (next.getTime() <= now) next.setDate(next.getDate() + 1);
  return next.getTime();
}
