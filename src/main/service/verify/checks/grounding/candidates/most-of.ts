/** The most that any of some has of something; 0 where there are none. There may be more of them than a call takes arguments. */
export function mostOf<T>(all: Iterable<T>, measure: (each: T) => number): number {
  let most = 0;
  for (const each of all) most = Math.max(most, measure(each));
  return most;
}
