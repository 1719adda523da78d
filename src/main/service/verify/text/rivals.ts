import { stemWord } from "./stem.ts";
import { leadStem } from "./synonyms.ts";

/** Of each line, one excludes the others where both are said of one thing. */
const lines = `
red orange yellow green blue purple violet pink brown black white grey turquoise crimson scarlet
wood stone brick concrete steel iron copper bronze brass marble granite glass plastic leather cotton wool silk
wooden steel concrete brick stone plastic
north south east west
northern southern eastern western
monday tuesday wednesday thursday friday saturday sunday
spring summer autumn winter
square round triangular oval rectangular
`;

const rivals: ReadonlyMap<string, ReadonlySet<string>> = gather();

function gather(): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const line of lines.trim().split("\n")) {
    const keys = line.split(" ").map((word) => leadStem(stemWord(word)));
    for (const key of keys) {
      const others = found.get(key) ?? new Set<string>();
      for (const other of keys) if (other !== key) others.add(other);
      found.set(key, others);
    }
  }
  return found;
}

const none: ReadonlySet<string> = new Set();

/** The keys of the same closed category as a word's key: other colours for a colour. */
export function rivalsOf(key: string): ReadonlySet<string> {
  return rivals.get(key) ?? none;
}
