import { stemWord } from "./stem.ts";
import { leadStem } from "./synonyms.ts";

/** What something is a kind of: the first word of a line is the wider one. */
const lines = `
author novelist poet journalist playwright screenwriter essayist columnist biographer writer dramatist lyricist novel poem
writer novelist poet journalist playwright screenwriter essayist columnist biographer author dramatist lyricist songwriter
musician guitarist drummer singer bassist pianist rapper composer songwriter vocalist violinist saxophonist cellist harpist
artist painter sculptor illustrator photographer singer musician rapper
singer vocalist frontman frontwoman
band group duo trio quartet quintet ensemble
actor actress
performer actor actress singer dancer comedian
entertainer actor actress singer dancer comedian
director filmmaker
filmmaker director
film documentary comedy drama thriller western
politician senator mayor president governor congressman minister chancellor
athlete footballer player swimmer runner boxer wrestler cyclist skier skater sprinter
sportsperson footballer player swimmer runner boxer wrestler cyclist skier skater
footballer midfielder striker goalkeeper defender forward
scientist physicist chemist biologist mathematician astronomer geologist botanist zoologist
academic professor scholar lecturer
university college institute
school university college academy institute
publication magazine newspaper journal periodical weekly gazette
periodical magazine journal newspaper
city town village municipality capital
place city town village country region
settlement city town village hamlet
building skyscraper tower house hotel museum church stadium palace castle
company airline manufacturer brewery retailer publisher bank studio agency
business company airline manufacturer brewery retailer bank shop store
dog terrier hound spaniel retriever shepherd poodle mastiff
plant genus flower tree shrub herb orchid grass
animal dog cat bird fish mammal insect horse
relative brother sister father mother son daughter cousin uncle aunt nephew niece
sibling brother sister
parent father mother
child son daughter
vehicle car truck motorcycle aircraft
aircraft airplane plane helicopter jet airliner
airplane aircraft jet airliner
ship vessel liner cruiser destroyer
weapon rifle pistol gun missile
`;

const wider: ReadonlyMap<string, readonly string[]> = gather();

function gather(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const line of lines.trim().split("\n")) {
    const [kind, ...members] = line.split(" ").map((word) => leadStem(stemWord(word)));
    for (const member of members) {
      if (kind === undefined || member === kind) continue;
      found.set(member, [...(found.get(member) ?? []), kind]);
    }
  }
  return found;
}

/** What a key is a kind of: a novelist is an author. */
export function kindsOf(key: string): readonly string[] {
  return wider.get(key) ?? [];
}
