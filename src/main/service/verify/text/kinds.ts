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
building skyscraper tower house hotel museum church stadium palace castle cathedral abbey monastery temple mosque hall mansion
church cathedral chapel abbey basilica minster
residence house palace castle mansion villa apartment
museum gallery
bridge viaduct aqueduct
diplomat ambassador consul envoy attache
lawyer barrister solicitor attorney prosecutor
doctor surgeon cardiologist psychiatrist paediatrician pediatrician
soldier general captain colonel lieutenant sergeant major
officer general captain colonel lieutenant major admiral commander
criminal murderer robber thief smuggler gangster outlaw
clergyman priest bishop vicar pastor archbishop cardinal monk
priest bishop vicar pastor
businessman entrepreneur industrialist merchant banker
merchant trader
explorer navigator
teacher professor lecturer
engineer inventor
noble duke duchess earl count countess baron baroness marquess
monarch king queen emperor empress tsar
ruler king queen emperor empress sultan monarch tsar
royal king queen prince princess
disease cancer tuberculosis pneumonia leukemia leukaemia malaria cholera smallpox typhus diabetes
award prize medal trophy
prize award medal trophy
honour award prize medal knighthood
waterway river canal stream
river tributary
lake reservoir
mountain volcano
peak mountain
island atoll
airport airfield
company airline manufacturer brewery retailer publisher bank studio agency
business company airline manufacturer brewery retailer bank shop store
dog terrier hound spaniel retriever shepherd poodle mastiff
plant genus flower tree shrub herb orchid grass
animal dog cat bird fish mammal insect horse sheep pig cow goat snake reptile amphibian
horse mare stallion foal colt gelding
bird owl eagle parrot duck hawk falcon penguin
fish shark salmon trout
insect beetle butterfly moth bee ant
relative brother sister father mother son daughter cousin uncle aunt nephew niece grandfather grandmother wife husband
sibling brother sister
parent father mother
spouse husband wife
grandparent grandfather grandmother
child son daughter
vehicle car truck motorcycle aircraft bus tram van
aircraft airplane plane helicopter jet airliner
airplane aircraft jet airliner
ship vessel liner cruiser destroyer frigate steamer steamship schooner tanker freighter battleship ferry
vessel ship boat ferry barge tug yacht submarine
boat ferry barge tug yacht lifeboat canoe
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
