import { stemWord } from "./stem.ts";
import { leadStem } from "./synonyms.ts";

const pairs = `
increase decrease
start end
open close
win lose
buy sell
accept reject
accept refuse
allow forbid
allow prohibit
permit prohibit
include exclude
before after
above below
more less
more fewer
higher lower
larger smaller
longer shorter
older younger
earlier later
first last
oldest youngest
largest smallest
biggest smallest
highest lowest
longest shortest
tallest shortest
best worst
better worse
hot cold
hot cool
warm cold
warm cool
light heavy
light dark
strong weak
long short
high low
early late
fast slow
easy difficult
easy hard
cheap expensive
loud quiet
full empty
full partial
wide narrow
male female
married unmarried
single married
public private
domestic foreign
domestic international
indoor outdoor
positive negative
success failure
succeed fail
pass fail
approve reject
approve deny
confirm deny
arrive depart
enter leave
import export
profit loss
gain loss
rural urban
northern southern
eastern western
north south
east west
active inactive
legal illegal
possible impossible
available unavailable
happy unhappy
satisfied dissatisfied
recommended discouraged
love hate
like dislike
renewable nonrenewable
refundable nonrefundable
mandatory optional
required optional
permanent temporary
fixed variable
gross net
buyer seller
landlord tenant
employer employee
lender borrower
maximum minimum
most least
always never
`;

const opposites: ReadonlyMap<string, ReadonlySet<string>> = gather();

function gather(): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const pair of pairs.trim().split("\n")) {
    const [a, b] = pair.split(" ").map((word) => leadStem(stemWord(word)));
    if (a === undefined || b === undefined || a === b) continue;
    found.set(a, (found.get(a) ?? new Set()).add(b));
    found.set(b, (found.get(b) ?? new Set()).add(a));
  }
  return found;
}

const none: ReadonlySet<string> = new Set();

/** The keys that say the opposite of a word's key. */
export function oppositesOf(key: string): ReadonlySet<string> {
  return opposites.get(key) ?? none;
}
