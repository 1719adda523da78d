/** The months in small letters, in order. */
const monthNames: readonly string[] =
  "january february march april may june july august september october november december".split(" ");

const numbers: ReadonlyMap<string, number> = new Map([
  ...monthNames.flatMap((name, at): [string, number][] => [
    [name, at + 1],
    [name.slice(0, 3), at + 1],
  ]),
  ["sept", monthNames.indexOf("september") + 1],
]);

/** 1 to 12 for a month in small letters, in full or as it is shortened; 0 for other words. */
export function monthOf(norm: string): number {
  return numbers.get(norm) ?? 0;
}
