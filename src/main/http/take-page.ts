import { quote, ServiceError } from "#main/base";

interface AskedPage {
  readonly size: number;
  /** Of the page before. The first page has none, or an empty one. */
  readonly token: string | undefined;
  /** What the query calls the token. */
  readonly param: string;
}

/**
 * A page of a list, the newest entries first, and the token of the next page; null after the last one. A token is a time, and
 * how many entries of that time are left. So a client that deletes entries while it pages misses none of the others.
 * @throws ServiceError for a token that no list gave
 */
export function takePage<T>(
  list: readonly T[],
  { size, token, param }: AskedPage,
  timeOf: (entry: T) => number,
): { readonly items: readonly T[]; readonly next: string | null } {
  const sorted = list.toSorted((one, other) => timeOf(other) - timeOf(one));
  const times = sorted.map(timeOf);
  const start = token ? findStart(times, token, param) : 0;
  const end = start + size;
  const [time] = times.slice(end);
  const left = times.slice(end).filter((each) => each === time).length;
  return { items: sorted.slice(start, end), next: time === undefined ? null : `${time}.${left}` };
}

function findStart(times: readonly number[], token: string, param: string): number {
  const [, time, left] = /^(\d+)\.(\d+)$/.exec(token) ?? [];
  if (time === undefined || left === undefined) {
    throw new ServiceError(
      "invalid_value",
      `No list has the ${param} ${quote(token)}. Leave it out to start again.`,
      param,
    );
  }
  const newer = times.filter((each) => each > Number(time)).length;
  const same = times.filter((each) => each === Number(time)).length;
  return newer + Math.max(0, same - Number(left));
}
